"""The order of candidates, in tables and in small cases."""

from pathlib import Path

import pytest
from attrs import evolve

from native_web_search.domain.candidates import demote, order
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.cooldown import BASE_SECONDS, Failed, Ledger
from native_web_search.domain.failure import ModelRefused, TimedOut
from native_web_search.domain.family import Candidate, Operation, candidate_of

SEARCH, FETCH = Operation.SEARCH, Operation.FETCH

API_OF_FAMILY = {
    "deepseek": "openai-completions",
    "ollama": "openai-completions",
    "google": "google-generative-ai",
    "openai": "openai-responses",
    "xai": "openai-responses",
    "anthropic": "anthropic-messages",
}
API_OF_PROVIDER = {
    "antigravity": "antigravity",
    "azure": "azure-openai-responses",
    "openai-codex": "openai-codex-responses",
}
NOT_SEARCHABLE = (
    ChatModel("opencode-go", "deepseek-v4-pro", "openai-completions", "https://opencode.ai/go"),
    ChatModel("groq", "gpt-oss-120b", "openai-completions", "https://api.groq.com/openai/v1"),
    ChatModel("amazon-bedrock", "anthropic.claude-opus-5-5", "bedrock-converse-stream"),
)


def _table(name: str) -> list[Candidate]:
    """The candidates of a table, in its order: family, provider id and model id on each line."""
    lines = (Path(__file__).parent / "orders" / f"{name}.txt").read_text("utf-8").splitlines()
    return [_row(*line.split()) for line in lines if not line.startswith("#")]


def _row(family: str, provider: str, model_id: str) -> Candidate:
    api = API_OF_PROVIDER.get(provider, API_OF_FAMILY[family])
    candidate = _candidate(provider, model_id, api)
    assert candidate.family.value == family
    return candidate


def _candidate(provider: str, model_id: str, api: str) -> Candidate:
    candidate = candidate_of(ChatModel(provider, model_id, api, f"https://{provider}.example"))
    assert candidate is not None
    return candidate


def _gpt(provider: str, model_id: str = "gpt-5") -> Candidate:
    return _candidate(provider, model_id, "openai-responses")


def _claude(provider: str, model_id: str = "claude-haiku-5") -> Candidate:
    return _candidate(provider, model_id, "anthropic-messages")


def _gemini(provider: str, model_id: str = "gemini-3-flash") -> Candidate:
    return _candidate(provider, model_id, "google-generative-ai")


DEEPSEEK = _candidate("deepseek", "deepseek-flash", "openai-completions")


def _models(*candidates: Candidate) -> tuple[ChatModel, ...]:
    return tuple(candidate.model for candidate in candidates)


def _names(candidates: tuple[Candidate, ...]) -> list[str]:
    return [f"{each.model.provider}/{each.model.id}" for each in candidates]


@pytest.mark.rule("candidates.1", "candidates.2", "candidates.3", "candidates.4", "candidates.5")
@pytest.mark.parametrize(
    ("name", "current", "remembered"),
    [
        ("small", "anthropic/claude-sonnet-5-5", None),
        ("medium", "openrouter/anthropic/claude-opus-5.5", "github-copilot/gpt-5.3-codex"),
        ("large", None, "opencode-go/qwen4-max"),
    ],
)
def test_whole_orders(name: str, current: str | None, remembered: str | None) -> None:
    """Sets of 5, 40 and 300 models come in the order of their table, however they were listed."""
    expected = _table(name)
    by_name = dict(zip(_names(tuple(expected)), expected, strict=True))
    leaders = by_name.get(current or ""), by_name.get(remembered or "")
    available = [*_models(*expected), *NOT_SEARCHABLE]

    for listed in (
        available,
        reversed(available),
        sorted(available, key=lambda model: model.id),
        sorted(available, key=lambda model: (len(model.id), model.provider)),
        sorted(available, key=lambda model: model.key[::-1]),
    ):
        assert list(order(*leaders, tuple(listed), SEARCH)) == expected


@pytest.mark.rule("candidates.1", "candidates.6")
def test_whole_orders_have_the_sizes_they_claim() -> None:
    """The tables hold 5, 40 and 300 models."""
    assert [len(_table(name)) for name in ("small", "medium", "large")] == [5, 40, 300]


@pytest.mark.rule("candidates.6")
def test_fetching_leaves_the_other_families_out() -> None:
    """Of forty models eight can fetch; a current and a remembered one that cannot drop out."""
    everyone = tuple(_table("medium"))

    found = order(everyone[0], everyone[1], _models(*everyone), FETCH)

    assert _names(found) == [
        "deepseek/deepseek-flash",
        "google/gemini-3.8-flash",
        "deepseek/deepseek-v4-pro",
        "google/gemini-3-flash-preview",
        "google/gemini-flash-latest",
        "google/gemini-4-argon",
        "google/gemma-4-31b-it",
        "google/gemini-2.5-pro",
    ]


@pytest.mark.rule("candidates.1")
def test_the_current_model_leads() -> None:
    """The current model comes first even if it is the last of the last family."""
    current = _claude("p", "claude-3-opus")

    found = order(current, DEEPSEEK, _models(DEEPSEEK, _claude("p"), current), SEARCH)

    assert found[:2] == (current, DEEPSEEK)


@pytest.mark.rule("candidates.1")
def test_the_current_model_need_not_be_available() -> None:
    """A current model outside the available ones is asked all the same, and nobody twice."""
    assert order(_gpt("p"), None, (), SEARCH) == (_gpt("p"),)
    assert order(_gpt("p"), None, _models(DEEPSEEK), SEARCH) == (_gpt("p"), DEEPSEEK)


@pytest.mark.rule("candidates.2")
def test_the_remembered_candidate_leads_if_the_current_one_cannot() -> None:
    """Without a current model that can, the remembered candidate is asked first."""
    google = _gemini("google")
    available = _models(DEEPSEEK, google, _gpt("openai"))

    assert order(None, google, available, SEARCH)[:2] == (google, DEEPSEEK)
    assert order(_gpt("openai"), google, available, FETCH) == (google, DEEPSEEK)


@pytest.mark.rule("candidates.2")
def test_a_remembered_current_model_comes_once() -> None:
    """The same model as current and remembered takes one place."""
    assert order(_gpt("p"), _gpt("p"), _models(_gpt("p"), DEEPSEEK), SEARCH) == (
        _gpt("p"),
        DEEPSEEK,
    )


@pytest.mark.rule("candidates.3")
def test_represented_families_wait() -> None:
    """Families of the current and the remembered model have had their turn; others follow first."""
    current, remembered = _claude("a", "claude-opus-4"), _gemini("g")
    better, other = _claude("b"), _gpt("o")

    found = order(current, remembered, _models(better, other, current, remembered), SEARCH)

    assert found == (current, remembered, other, better)


@pytest.mark.rule("candidates.3")
def test_the_best_of_a_family_may_share_a_provider() -> None:
    """Another protocol at a provider that was named before still comes before other providers."""
    copilot, grok = _gpt("github-copilot"), _gpt("github-copilot", "grok-4.7")

    found = order(copilot, None, _models(_gpt("openai"), grok, copilot), SEARCH)

    assert found == (copilot, grok, _gpt("openai"))


@pytest.mark.rule("candidates.4")
def test_new_provider_ids_come_before_siblings() -> None:
    """Each provider id's best comes before any second model, by turns across families."""
    gpts = [_gpt("a"), _gpt("b"), _gpt("c"), _gpt("a", "gpt-4"), _gpt("b", "gpt-4")]
    claudes = [_claude("d"), _claude("e"), _claude("f"), _claude("d", "claude-haiku-4")]

    found = order(None, None, _models(*gpts, *claudes), SEARCH)

    assert _names(found) == [
        *["a/gpt-5", "d/claude-haiku-5"],
        *["b/gpt-5", "e/claude-haiku-5", "c/gpt-5", "f/claude-haiku-5"],
        *["a/gpt-4", "d/claude-haiku-4", "b/gpt-4"],
    ]


@pytest.mark.rule("candidates.4")
def test_a_provider_of_two_families_is_new_once() -> None:
    """The family whose turn comes first represents the provider; its other models are siblings."""
    both = [_gpt("both"), _claude("both")]

    found = order(
        None, None, _models(_gpt("a", "gpt-6"), _claude("b", "claude-haiku-6"), *both), SEARCH
    )

    assert _names(found) == ["a/gpt-6", "b/claude-haiku-6", "both/gpt-5", "both/claude-haiku-5"]


@pytest.mark.rule("candidates.5")
def test_a_large_gateway_does_not_crowd_out_the_rest() -> None:
    """Siblings go by turns across families, however many one provider has."""
    gateway = [_claude("gateway", f"claude-haiku-{version}") for version in range(20, 0, -1)]
    gpts = [_gpt("openai", f"gpt-{version}") for version in (9, 8, 7)]

    found = order(None, None, _models(*gateway, *gpts), SEARCH)

    assert _names(found)[:6] == [
        *["openai/gpt-9", "gateway/claude-haiku-20"],
        *["openai/gpt-8", "gateway/claude-haiku-19", "openai/gpt-7", "gateway/claude-haiku-18"],
    ]


@pytest.mark.rule("candidates.7")
def test_a_model_listed_twice_comes_once() -> None:
    """Of models that share name and api the last one counts."""
    twin = evolve(DEEPSEEK.model, max_tokens=1)

    assert order(None, None, (DEEPSEEK.model, DEEPSEEK.model), SEARCH) == (DEEPSEEK,)
    assert order(None, None, (DEEPSEEK.model, twin), SEARCH) == (evolve(DEEPSEEK, model=twin),)
    assert order(DEEPSEEK, None, (twin,), SEARCH) == (DEEPSEEK,)


@pytest.mark.rule("candidates.7")
def test_one_id_in_two_places_is_two_models() -> None:
    """The same provider id and model id at another base URL, or through another api, counts."""
    here = ChatModel("p", "gpt-5", "openai-responses", "https://here.example")
    there = evolve(here, base_url="https://there.example")
    otherwise = evolve(here, api="anthropic-messages")

    assert len(order(None, None, (here, there, otherwise), SEARCH)) == 3


@pytest.mark.rule("candidates.6")
def test_nobody_is_no_error() -> None:
    """Without any candidate the order is empty."""
    assert order(None, None, (), SEARCH) == ()
    assert order(None, None, NOT_SEARCHABLE, SEARCH) == ()


@pytest.mark.rule("candidates.8")
def test_a_changed_set_is_ordered_anew() -> None:
    """What comes and goes between calls is seen at once, whatever was recalled."""
    gpt, claude = _gpt("p"), _claude("q")

    for _ in range(3):
        assert order(None, None, _models(gpt, claude), SEARCH) == (gpt, claude)
        assert order(None, None, _models(claude), SEARCH) == (claude,)
        assert order(None, None, _models(claude, DEEPSEEK), FETCH) == (DEEPSEEK,)
        assert order(claude, None, _models(gpt, claude), SEARCH) == (claude, gpt)


def _failed(*transitions: Failed, at: float = 0.0) -> Ledger:
    ledger = Ledger()
    for transition in transitions:
        ledger = ledger.after(transition, at, BASE_SECONDS)
    return ledger


A, A2, B = _gpt("a", "gpt-6"), _gpt("a", "gpt-5"), _claude("b")


@pytest.mark.rule("candidates.9")
def test_cooling_candidates_move_behind_healthy_ones() -> None:
    """A cooling provider's models go to the end, in the order they had, and are not dropped."""
    ledger = _failed(Failed(SEARCH, "a", "gpt-6", TimedOut("60 s")))

    assert demote((A, B, A2, DEEPSEEK), ledger, SEARCH, 1.0) == (B, DEEPSEEK, A, A2)
    assert demote((A, A2), ledger, SEARCH, 1.0) == (A, A2)


@pytest.mark.rule("candidates.9")
def test_the_current_model_is_demoted_too() -> None:
    """A cooling current model waits like any other."""
    ledger = _failed(Failed(SEARCH, "b", B.model.id, TimedOut("60 s")))

    found = order(B, None, _models(A, B), SEARCH)

    assert demote(found, ledger, SEARCH, 1.0) == (A, B)


@pytest.mark.rule("candidates.9")
def test_a_cooling_model_leaves_its_siblings_alone() -> None:
    """A model's own cooldown moves that model only."""
    ledger = _failed(Failed(SEARCH, "a", "gpt-6", ModelRefused("gone", 404)))

    assert demote((A, A2, B), ledger, SEARCH, 1.0) == (A2, B, A)


@pytest.mark.rule("candidates.10")
def test_only_the_same_operation_and_time_matter() -> None:
    """A cooldown of the other operation, or one that is over, changes nothing."""
    ledger = _failed(Failed(SEARCH, "a", "gpt-6", TimedOut("60 s")))
    candidates = (A, B, A2)

    assert demote(candidates, ledger, FETCH, 1.0) == candidates
    assert demote(candidates, ledger, SEARCH, BASE_SECONDS) == candidates
    assert demote(candidates, ledger, SEARCH, BASE_SECONDS - 0.5) == (B, A, A2)
    assert demote(candidates, Ledger(), SEARCH, 1.0) is candidates
