"""Laws of exposure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.exposure import Exposure, exposure
from native_web_search.domain.family import Operation, candidate_of

MODELS = [
    ChatModel("deepseek", "deepseek-chat", "openai-completions"),
    ChatModel("ollama-cloud", "gpt-oss:120b", "openai-completions"),
    ChatModel("google", "gemini-3-flash", "google-generative-ai"),
    ChatModel("openai", "gpt-5.5", "openai-responses", headers={"X-Key": "s3cr3t"}),
    ChatModel("xai", "grok-5", "openai-responses", "https://u:s3cr3t@gateway.example"),
    ChatModel("anthropic", "claude-haiku-4-5", "anthropic-messages"),
    ChatModel("groq", "llama-4", "openai-completions"),
    ChatModel("mistral", "large", "mistral-conversations"),
]
RANKS = list(Exposure)  # from the least that is shown to the most

models = st.sampled_from(MODELS)
sets = st.lists(models, unique_by=lambda model: model.key).map(tuple)


def _usable(
    current: ChatModel | None, available: tuple[ChatModel, ...], *, can_use: bool
) -> set[str]:
    keys = {model.key for model in available}
    return keys | {current.key} if current and can_use else keys


@pytest.mark.rule("exposure.1")
@pytest.mark.rule("exposure.4")
class TestOnlyWhatCanWorkIsShown:
    """Exposure follows from what the usable models can do."""

    @given(current=st.none() | models, available=sets, can_use=st.booleans())
    def test_exposure_is_what_somebody_usable_can_do(
        self, current: ChatModel | None, available: tuple[ChatModel, ...], *, can_use: bool
    ) -> None:
        """The tool is shown if and only if somebody can search, its URLs if somebody can fetch."""
        usable = _usable(current, available, can_use=can_use)
        candidates = [candidate_of(model) for model in MODELS if model.key in usable]
        searches = any(c and c.can(Operation.SEARCH) for c in candidates)
        fetches = any(c and c.can(Operation.FETCH) for c in candidates)

        shown, _ = exposure(current, available, can_use=can_use)

        assert (shown is not Exposure.HIDDEN) == searches
        assert (shown is Exposure.QUERY_AND_URLS) == fetches


@pytest.mark.rule("exposure.5")
class TestModelsOnlyAdd:
    """Another usable model never takes anything away."""

    @given(current=st.none() | models, available=sets, another=models, can_use=st.booleans())
    def test_another_model_hides_nothing(
        self,
        current: ChatModel | None,
        available: tuple[ChatModel, ...],
        another: ChatModel,
        *,
        can_use: bool,
    ) -> None:
        """Adding a login shows as much as before, or more."""
        before, _ = exposure(current, available, can_use=can_use)
        after, _ = exposure(current, (*available, another), can_use=can_use)

        assert RANKS.index(after) >= RANKS.index(before)

    @given(data=st.data(), current=st.none() | models, available=sets, can_use=st.booleans())
    def test_order_does_not_matter(
        self,
        data: st.DataObject,
        current: ChatModel | None,
        available: tuple[ChatModel, ...],
        *,
        can_use: bool,
    ) -> None:
        """A registry may list its models in any order; exposure and reason stay the same."""
        shuffled = tuple(data.draw(st.permutations(available)))

        assert exposure(current, shuffled, can_use=can_use) == exposure(
            current, available, can_use=can_use
        )


@pytest.mark.rule("exposure.6")
class TestReasonsAreForPeople:
    """The reason is one sentence that shows no secret."""

    @given(current=st.none() | models, available=sets, can_use=st.booleans())
    def test_the_reason_is_one_sentence(
        self, current: ChatModel | None, available: tuple[ChatModel, ...], *, can_use: bool
    ) -> None:
        """A reason fits on a line, ends in a full stop, and holds no address and no header."""
        _, reason = exposure(current, available, can_use=can_use)

        assert reason.endswith(".")
        assert ". " not in reason
        assert "\n" not in reason
        assert "s3cr3t" not in reason
        assert "://" not in reason
