"""Laws of the fallback policy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.models import chat_models, model_sets
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.policy import CurrentOnly, Everyone, FallbackPolicy, Only, permitted

PROVIDERS = ["openai", "anthropic", "deepseek", "github-copilot", "opencode", "nobody"]

policies: st.SearchStrategy[FallbackPolicy] = st.one_of(
    st.builds(Everyone),
    st.builds(CurrentOnly),
    st.builds(Only, st.frozensets(st.sampled_from(PROVIDERS), max_size=3)),
)


class TestAPolicyOnlyNarrows:
    """A policy leaves models out; it adds, changes and reorders nothing."""

    @pytest.mark.rule("policy.1", "policy.2", "policy.3")
    @given(policies, st.none() | chat_models(), model_sets())
    def test_a_model_stays_by_its_provider_id(
        self, policy: FallbackPolicy, current: ChatModel | None, available: tuple[ChatModel, ...]
    ) -> None:
        """What stays, stays in place: the allowed provider ids, and the current model's."""
        allowed = {
            Everyone: {model.provider for model in available},
            CurrentOnly: set[str](),
            Only: policy.providers if isinstance(policy, Only) else set[str](),
        }[type(policy)]
        own = set() if current is None else {current.provider}

        assert list(permitted(policy, current, available)) == [
            model for model in available if model.provider in allowed | own
        ]

    @pytest.mark.rule("policy.2")
    @given(policies, chat_models(), model_sets())
    def test_the_current_provider_is_always_permitted(
        self, policy: FallbackPolicy, current: ChatModel, available: tuple[ChatModel, ...]
    ) -> None:
        """No policy keeps a call from the provider that the user is talking to."""
        own = {model for model in available if model.provider == current.provider}

        assert own <= set(permitted(policy, current, available))
