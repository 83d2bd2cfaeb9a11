"""Our own adapters, and the ports in memory, keep the promises of their ports."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from native_web_search.adapters.aiohttp_transport import AiohttpTransport
from native_web_search.adapters.registries.catalogue import catalogue
from native_web_search.adapters.registries.environment import EnvironmentRegistry
from native_web_search.adapters.registries.provider_entry import ModelsFile, ProviderEntry
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.stores.preference_file import PreferenceFile
from native_web_search.adapters.testing.contracts import (
    HealthStoreContract,
    HttpTransportContract,
    ModelRegistryContract,
    PreferenceStoreContract,
    ToolHostContract,
)
from native_web_search.adapters.testing.memory import (
    ManualClock,
    MemoryPreferences,
    RecordingHost,
)
from native_web_search.application.health import ProcessHealth
from native_web_search.domain.chat_model import ChatModel
from native_web_search.ports.health import HealthStore
from native_web_search.ports.http import HttpTransport
from native_web_search.ports.preferences import PreferenceStore
from native_web_search.ports.registry import Credential, ModelRegistry
from native_web_search.ports.tool_host import ToolHost

DEEPSEEK = ChatModel("deepseek", "deepseek-flash", "openai-completions", "https://d.example")


@pytest.mark.rule("testing.1")
class TestPreferenceFile(PreferenceStoreContract):
    """The file, under everything that its users do to it."""

    def store(self, folder: Path) -> PreferenceStore:
        return PreferenceFile(folder / "state" / "preferences.json")

    def forget(self, folder: Path) -> None:
        (folder / "state" / "preferences.json").unlink()

    def damage(self, folder: Path) -> None:
        (folder / "state" / "preferences.json").write_bytes(b'{"version": 1, "sea\xff')

    def obstruct(self, folder: Path) -> None:
        (folder / "state").write_text("not a folder")


@pytest.mark.rule("testing.1")
class TestMemoryPreferences(PreferenceStoreContract):
    """A variable for each folder."""

    def setup_method(self) -> None:
        self.stores: dict[Path, MemoryPreferences] = {}

    def store(self, folder: Path) -> PreferenceStore:
        return self.stores.setdefault(folder, MemoryPreferences())


@pytest.mark.rule("testing.1")
class TestProcessHealth(HealthStoreContract):
    """The ledger of a process."""

    @asynccontextmanager
    async def opened(self, clock: ManualClock) -> AsyncGenerator[HealthStore, None]:
        yield ProcessHealth(clock)


@pytest.mark.rule("testing.1")
class TestStaticRegistry(ModelRegistryContract):
    """Models and credentials that never change."""

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[ModelRegistry, None]:
        keys = {"deepseek": Credential("a test", "sk-0123456789", (("X-Key", "sk-0123456789"),))}
        yield StaticRegistry((DEEPSEEK,), keys, DEEPSEEK)


@pytest.mark.rule("testing.1")
class TestEnvironmentRegistry(ModelRegistryContract):
    """Variables, and a models file with a key that is a command."""

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[ModelRegistry, None]:
        environ = {"DEEPSEEK_API_KEY": "sk-0123456789", "OPENAI_API_KEY": "sk-9876543210"}
        yield EnvironmentRegistry(environ, catalogue(), current_key="openai/gpt-5.6-luna")

    def log_out(self, registry: ModelRegistry, model: ChatModel) -> None:
        assert isinstance(registry, EnvironmentRegistry)
        assert isinstance(registry.environ, dict)
        registry.environ.clear()

    def spoil(self, registry: ModelRegistry, model: ChatModel) -> None:
        assert isinstance(registry, EnvironmentRegistry)
        registry.file = ModelsFile({model.provider: ProviderEntry(api_key="!exit 1")})


@pytest.mark.rule("testing.1")
class TestRecordingHost(ToolHostContract):
    """The host in memory."""

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[ToolHost, None]:
        yield RecordingHost()

    def schema_of(self, host: ToolHost, name: str) -> Mapping[str, object] | None:
        assert isinstance(host, RecordingHost)
        known = [spec.schema for spec in host.registered if spec.name == name]
        return known[-1] if known else None


@pytest.mark.rule("testing.1")
class TestAiohttpTransport(HttpTransportContract):
    """The one way to the network."""

    def transport(self, *, timeout: float, slots: int) -> HttpTransport:
        return AiohttpTransport(timeout=timeout, slots=lambda _lane: slots)
