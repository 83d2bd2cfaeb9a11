"""Pi's models and logins, as a registry."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from attrs import define, evolve, field

from native_web_search.adapters.hosts.pi.protocol import Auth, Models, NoAuth
from native_web_search.adapters.hosts.pi.registry import PiRegistry, credential_of
from native_web_search.adapters.testing.contracts import ModelRegistryContract
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import CredentialUnresolved, Skipped
from native_web_search.ports.registry import Credential, ModelRegistry

LUNA = ChatModel("openai", "gpt-5.6-luna", "openai-responses", "https://o.example/v1")
AZURE = ChatModel("azure", "gpt-5.5", "azure-openai-responses", "")
GATEWAY = ChatModel(
    "cloudflare-ai-gateway",
    "gpt-5.5",
    "openai-responses",
    "https://gw.example/{CLOUDFLARE_ACCOUNT_ID}/{CLOUDFLARE_GATEWAY_ID}/openai",
)


@define
class Logins:
    """What pi answers, by provider id; asked about anybody else, it has nothing."""

    auths: dict[str, Auth | NoAuth] = field(factory=dict)

    async def __call__(self, model: ChatModel) -> Auth | NoAuth:
        return self.auths.get(model.provider, Auth())


@pytest.mark.rule("pi.16")
def test_what_pi_has_is_the_credential() -> None:
    """Key, headers and address, as they are."""
    auth = Auth("k", (("X", "y"),), "https://b.example")
    expected = Credential("pi", "k", (("X", "y"),), "https://b.example")
    assert credential_of(LUNA, auth, {}) == expected


@pytest.mark.rule("pi.16")
@pytest.mark.parametrize("headers", [(), (("User-Agent", "x"),), (("Authorization", " "),)])
def test_a_model_without_a_key_is_skipped(headers: tuple[tuple[str, str], ...]) -> None:
    """Headers that do not say who asks are no credential."""
    assert isinstance(credential_of(LUNA, Auth(None, headers), {}), Skipped)


@pytest.mark.rule("pi.16")
def test_a_header_that_says_who_asks_is_enough() -> None:
    """So it is for Anthropic's bearer tokens."""
    headers = (("authorization", "Bearer t"),)
    assert credential_of(LUNA, Auth(None, headers), {}) == Credential("pi", None, headers)


@pytest.mark.rule("pi.16")
@pytest.mark.parametrize("error", ["refresh failed\n    at x (y.js:1)\n" * 500, "", "\x1b[31m"])
def test_an_error_of_pis_is_one_short_line(error: str) -> None:
    """It may hold a whole stack trace."""
    answer = credential_of(LUNA, NoAuth(error), {})
    assert isinstance(answer, CredentialUnresolved)
    assert len(answer.message) < 400
    assert answer.message.isprintable()


@pytest.mark.rule("pi.17")
@pytest.mark.parametrize(
    ("model", "variables", "environ", "base_url"),
    [
        (
            AZURE,
            {"AZURE_OPENAI_RESOURCE_NAME": "mine"},
            {},
            "https://mine.openai.azure.com/openai/v1",
        ),
        (
            AZURE,
            {"AZURE_OPENAI_BASE_URL": "https://one.example"},
            {"AZURE_OPENAI_BASE_URL": "https://other.example"},
            "https://one.example",
        ),
        (
            GATEWAY,
            {"CLOUDFLARE_ACCOUNT_ID": "a"},
            {"CLOUDFLARE_GATEWAY_ID": "g"},
            "https://gw.example/a/g/openai",
        ),
        (LUNA, {"AZURE_OPENAI_BASE_URL": "https://one.example"}, {}, None),
    ],
)
def test_variables_beside_a_key_complete_the_address(
    model: ChatModel, variables: dict[str, str], environ: dict[str, str], base_url: str | None
) -> None:
    """They beat those of the process."""
    answer = credential_of(model, Auth("k", variables=variables), environ)
    assert isinstance(answer, Credential)
    assert answer.base_url == base_url


@pytest.mark.rule("pi.17")
def test_variables_of_the_process_are_in_the_models_already() -> None:
    """The exposure and the order see the address that a call will use."""
    environ = {"AZURE_OPENAI_RESOURCE_NAME": "mine"}
    registry = PiRegistry(Logins(), environ)
    registry.update(Models(AZURE, (AZURE, LUNA)))
    placed = evolve(AZURE, base_url="https://mine.openai.azure.com/openai/v1")
    assert registry.current() == placed
    assert registry.available() == (placed, LUNA)


@pytest.mark.rule("pi.20")
def test_equal_models_stay_the_same_object() -> None:
    """So the order of candidates need not be worked out again."""
    registry = PiRegistry(Logins(), {})
    registry.update(Models(None, (LUNA,)))
    before = registry.available()
    registry.update(Models(LUNA, (evolve(LUNA),)))
    assert registry.available() is before
    assert registry.current() == LUNA


@pytest.mark.rule("pi.16", "pi.20")
class TestPiRegistry(ModelRegistryContract):
    """The promises of every registry, with a pi that knows one login."""

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[ModelRegistry, None]:
        logins = Logins({"openai": Auth("sk-0123456789", (("X-Key", "sk-0123456789"),))})
        registry = PiRegistry(logins, {})
        registry.update(Models(LUNA, (LUNA,)))
        yield registry

    def log_out(self, registry: ModelRegistry, model: ChatModel) -> None:
        self._logins(registry).auths.clear()
        assert isinstance(registry, PiRegistry)
        registry.update(Models(model, ()))

    def spoil(self, registry: ModelRegistry, model: ChatModel) -> None:
        self._logins(registry).auths[model.provider] = NoAuth("OAuth refresh failed")

    def _logins(self, registry: ModelRegistry) -> Logins:
        assert isinstance(registry, PiRegistry)
        assert isinstance(registry.ask, Logins)
        return registry.ask
