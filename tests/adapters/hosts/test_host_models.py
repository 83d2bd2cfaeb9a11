"""Which chat model of the registry a host means."""

import logging

import pytest

from native_web_search.adapters.hosts.host_models import (
    HostModel,
    chat_model,
    current_model,
    offered,
    offered_blocking,
)
from native_web_search.adapters.testing.memory import (
    ManualClock,
    MemoryPreferences,
    ScriptedFetcher,
    ScriptedSearcher,
)
from native_web_search.application.blocking import BlockingWebSearch
from native_web_search.application.health import ProcessHealth
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import candidate_of
from native_web_search.ports.registry import CredentialAnswer

OPENAI = "https://api.openai.com/v1"
LUNA = ChatModel("openai", "gpt-5.6-luna", "openai-responses", OPENAI, {"x-team": "1"})
GROK = ChatModel("xai", "grok-4.7", "openai-responses", "https://api.x.ai/v1")
AZURE = ChatModel(
    "azure",
    "gpt-5",
    "azure-openai-responses",
    "https://mine.openai.azure.com/openai/v1",
    compat={"azureApiVersion": "v1", "azureDeployment": "gpt-5-eu"},
)
AVAILABLE = (LUNA, GROK, AZURE)


@pytest.mark.rule("host_models.1")
@pytest.mark.parametrize("base_url", ["", OPENAI, f"{OPENAI}/", "https://API.OpenAI.com"])
def test_the_available_model_of_that_name_is_meant(base_url: str) -> None:
    """It comes from the registry as it is, with its own address and headers."""
    assert chat_model(HostModel("openai", "gpt-5.6-luna", base_url), AVAILABLE) is LUNA


@pytest.mark.rule("host_models.2")
@pytest.mark.parametrize(
    ("system", "name", "base_url", "provider"),
    [
        ("openai", "grok-4.7", "https://api.x.ai/v1", "xai"),
        ("openai", "gpt-5", "https://mine.openai.azure.com/openai/deployments/gpt-5", "azure"),
        ("openai", "deepseek-v4-pro", "https://api.deepseek.com/v1", "deepseek"),
        ("openai", "gpt-oss:20b", "https://ollama.com/v1", "ollama-cloud"),
        ("google", "gemini-3.5-flash", "https://generativelanguage.googleapis.com", "google"),
        ("anthropic", "claude-x", "https://opencode.ai/inference/anthropic", "opencode"),
        ("openai", "grok-x", "https://opencode.ai/inference/go/openai/v1", "opencode-go"),
    ],
)
def test_the_address_decides_before_the_system(
    system: str, name: str, base_url: str, provider: str
) -> None:
    """The provider whose models live there; if several share the host, the nearest path's."""
    meant = chat_model(HostModel(system, name, base_url), AVAILABLE)
    assert meant is not None
    assert (meant.provider, meant.id) == (provider, name)


@pytest.mark.rule("host_models.2")
def test_at_one_address_the_system_decides() -> None:
    """Two providers behind one gateway are told apart by their names."""
    twins = tuple(ChatModel(name, "m", base_url="https://gateway.example/v1") for name in "ab")
    for name, twin in zip("ab", twins, strict=True):
        assert chat_model(HostModel(name, "m", "https://gateway.example/v1/"), twins) == twin


@pytest.mark.rule("host_models.4")
def test_an_unlisted_model_speaks_as_its_nearest_sibling() -> None:
    """A provider of several interfaces has them at several paths."""
    place = "https://opencode.ai/inference/anthropic"
    meant = chat_model(HostModel("anthropic", "claude-x", place), ())
    assert meant is not None
    assert (meant.api, meant.base_url) == ("anthropic-messages", place)


@pytest.mark.rule("host_models.3")
@pytest.mark.parametrize(
    ("system", "name", "base_url"),
    [
        ("openai", "llama-4", "http://127.0.0.1:11434/v1"),
        ("ollama", "gpt-oss:20b", "http://localhost:11434"),
        ("google-vertex", "gemini-3.5-flash", ""),
        ("openai", "llama-4", "http://[not an address/v1"),
        ("openai", "llama-4", "/v1"),
        ("test", "test", ""),
    ],
)
def test_a_model_at_no_known_place_is_none(system: str, name: str, base_url: str) -> None:
    """No provider's key and no query goes anywhere because some server is compatible with it."""
    assert chat_model(HostModel(system, name, base_url), AVAILABLE) is None


@pytest.mark.rule("host_models.3")
def test_a_proxy_is_known_by_the_available_model_that_it_carries() -> None:
    """The address stays the registry's."""
    behind = HostModel("openai", "gpt-5.6-luna", "https://proxy.example/v1")
    assert chat_model(behind, AVAILABLE) is LUNA


@pytest.mark.rule("host_models.4")
def test_an_unlisted_model_lives_where_an_available_one_does() -> None:
    """With its address and headers, and of its switches those that belong to the place."""
    assert chat_model(HostModel("openai", "gpt-7"), AVAILABLE) == ChatModel(
        "openai", "gpt-7", "openai-responses", OPENAI, {"x-team": "1"}
    )
    deployed = chat_model(HostModel("azure", "my-deployment"), AVAILABLE)
    assert deployed is not None
    assert deployed.base_url == AZURE.base_url
    assert deployed.compat == {"azureApiVersion": "v1"}


@pytest.mark.rule("host_models.4")
@pytest.mark.parametrize(
    ("system", "family"), [("anthropic", "ANTHROPIC"), ("google-gla", "GOOGLE"), ("xai", "XAI")]
)
def test_without_an_available_one_it_lives_where_the_catalogue_says(
    system: str, family: str
) -> None:
    """So that a registry may prove a credential for a current model that it does not list."""
    meant = chat_model(HostModel(system, "new-model"), ())
    assert meant is not None
    candidate = candidate_of(meant)
    assert candidate is not None
    assert candidate.family.name == family


@pytest.mark.rule("host_models.5")
@pytest.mark.parametrize(
    ("system", "provider"),
    [
        ("OpenAI", "openai"),
        ("google_genai", "google"),
        ("google-gla", "google"),
        ("gemini", "google"),
        ("x_ai", "xai"),
        ("grok", "xai"),
        ("azure_openai", "azure"),
        ("openai-chatgpt", "openai-codex"),
        ("github_copilot", "github-copilot"),
        ("deepseek", "deepseek"),
    ],
)
def test_the_names_that_hosts_use_are_understood(system: str, provider: str) -> None:
    """Whatever their case, with hyphens or underscores."""
    meant = chat_model(HostModel(system, "a-model"), AVAILABLE)
    assert meant is not None
    assert meant.provider == provider


@pytest.mark.rule("host_models.5")
def test_googles_prefix_of_model_names_is_dropped() -> None:
    """Its clients write `models/` before a name, its catalogue does not."""
    meant = chat_model(HostModel("google", "models/gemini-3.5-flash"), ())
    assert meant is not None
    assert meant.id == "gemini-3.5-flash"


class Failing:
    """A registry that cannot say which models there are."""

    def current(self) -> ChatModel | None:
        return None

    def available(self) -> tuple[ChatModel, ...]:
        message = "secret-1"
        raise OSError(message)

    async def credentials(self, model: ChatModel) -> CredentialAnswer:
        raise OSError


@pytest.fixture
def web() -> WebSearch:
    clock = ManualClock()
    return WebSearch(
        registry=Failing(),
        searcher=ScriptedSearcher(),
        fetcher=ScriptedFetcher(),
        preferences=MemoryPreferences(),
        health=ProcessHealth(clock),
        clock=clock,
    )


@pytest.mark.rule("host_models.6")
async def test_a_registry_that_fails_hides_the_tool_and_ends_no_run(
    web: WebSearch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says so, without what the exception says."""
    named = HostModel("openai", "gpt-5.6-luna")
    with caplog.at_level(logging.WARNING):
        assert current_model(web, named) is None
        assert await offered(web, None) is None
    assert current_model(web, None) is None
    assert len(caplog.records) == 2
    assert "secret-1" not in caplog.text


@pytest.mark.rule("host_models.6")
def test_it_is_hidden_from_hosts_that_wait_as_well(web: WebSearch) -> None:
    """The blocking form is looked at with the same care."""
    with BlockingWebSearch(web) as waiting:
        assert offered_blocking(waiting, None) is None
