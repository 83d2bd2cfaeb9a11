"""Laws of family detection."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.models import (
    chat_models,
    odd_models,
    searchable_models,
    unsearchable_models,
)
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Dialect, Family, Operation, candidate_of

GATEWAYS = {Dialect.COPILOT, Dialect.OPENCODE}
DIALECTS = {
    Family.DEEPSEEK: {Dialect.NATIVE},
    Family.OLLAMA: {Dialect.NATIVE},
    Family.GOOGLE: {Dialect.GEMINI, Dialect.ANTIGRAVITY},
    Family.OPENAI: {Dialect.OPENAI, Dialect.AZURE, Dialect.CODEX, *GATEWAYS},
    Family.XAI: {Dialect.NATIVE, Dialect.OPENAI, Dialect.AZURE, Dialect.CODEX, *GATEWAYS},
    Family.ANTHROPIC: {Dialect.NATIVE, *GATEWAYS},
}


class TestEveryModelIsACandidateOrNot:
    """A model maps to one family and dialect, or to none; no field of it can upset that."""

    @pytest.mark.rule("family.1")
    @given(chat_models() | odd_models())
    def test_any_model_gets_an_answer(self, model: ChatModel) -> None:
        """A candidate is the model itself, in a dialect that its family has."""
        candidate = candidate_of(model)

        if candidate is not None:
            assert candidate.model is model
            assert candidate.dialect in DIALECTS[candidate.family]

    @pytest.mark.rule("family.1")
    @given(searchable_models(), unsearchable_models())
    def test_interfaces_decide(self, searchable: ChatModel, unsearchable: ChatModel) -> None:
        """Known interfaces are found, whatever the id; others are not."""
        assert candidate_of(searchable) is not None
        assert candidate_of(unsearchable) is None

    @pytest.mark.rule("family.12")
    @given(searchable_models())
    def test_all_search_and_three_fetch(self, model: ChatModel) -> None:
        """Every candidate searches; those of DeepSeek, Ollama and Google fetch, no others."""
        candidate = candidate_of(model)

        assert candidate is not None
        assert candidate.can(Operation.SEARCH)
        fetching = {Family.DEEPSEEK, Family.OLLAMA, Family.GOOGLE}
        assert candidate.can(Operation.FETCH) == (candidate.family in fetching)


class TestHostsAreCompared:
    """A host decides as the parsed host, in any case, and never as a piece of text."""

    @pytest.mark.rule("family.5")
    @given(
        st.sampled_from(["http", "https", "HTTPS"]),
        st.sampled_from(["", "user@", "user:pw@", "a@b:c@"]),
        st.sampled_from(["ollama.com", "OLLAMA.com", "Ollama.Com"]),
        st.sampled_from(["", ":443", ":99999", ":x"]),
        st.sampled_from(["", "/", "/v1", "?q=@evil.example", "#f", "\\x"]),
    )
    def test_what_surrounds_a_host_is_ignored(
        self, scheme: str, user: str, host: str, port: str, rest: str
    ) -> None:
        """Scheme, userinfo, port, path and case make no difference."""
        model = ChatModel("mine", "m", "openai-completions", f"{scheme}://{user}{host}{port}{rest}")

        candidate = candidate_of(model)

        assert candidate is not None
        assert candidate.family is Family.OLLAMA

    @pytest.mark.rule("family.5")
    @given(
        st.sampled_from(["ollama.com.", "ollama.com.evil.example", "xollama.com", "api.ollama.com"])
        | st.sampled_from(["evil.example/ollama.com", "evil.example\\@ollama.com", "[ollama.com]"])
        | st.sampled_from(["ollama.com@evil.example", "evil.example?@ollama.com", ""])
    )
    def test_what_looks_like_a_host_is_not_it(self, pretended: str) -> None:
        """Subdomains, suffixes, userinfo and paths with the name in them do not count."""
        model = ChatModel("mine", "m", "openai-completions", f"https://{pretended}")

        assert candidate_of(model) is None

    @pytest.mark.rule("family.5")
    @given(searchable_models(), st.text(max_size=30))
    def test_no_base_url_upsets(self, model: ChatModel, base_url: str) -> None:
        """Any text may stand as a base URL; most have no host that matters."""
        before, after = candidate_of(model), candidate_of(evolve(model, base_url=base_url))

        assert before is not None
        assert after is None or after.family is before.family or before.family is Family.OLLAMA
