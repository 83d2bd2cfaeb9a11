"""Models and credentials from pi's own files."""

import asyncio
import json
import logging
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from native_web_search.adapters.compose import open_pi_web_search, pi_registry
from native_web_search.adapters.registries.catalogue import catalogue
from native_web_search.adapters.registries.pi_files import PiFilesRegistry
from native_web_search.adapters.registries.pi_folder import agent_folder, pi_preference_path
from native_web_search.adapters.stores.preference_file import PreferenceFile
from native_web_search.adapters.testing.contracts import ModelRegistryContract
from native_web_search.application.settings import Settings
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import CredentialUnresolved, Skipped
from native_web_search.domain.policy import CurrentOnly
from native_web_search.ports.registry import Credential, ModelRegistry

NOW = 1_900_000_000.0
LATER_MS = int(NOW * 1000) + 1
LUNA = ChatModel("openai", "gpt-5.6-luna", "openai-responses", "https://o.example/v1")
FLASH = ChatModel("deepseek", "deepseek-flash", "openai-completions", "https://d.example")
AZURE = ChatModel("azure", "gpt-5.5", "azure-openai-responses", "")
MINI = ChatModel("github-copilot", "gpt-5-mini", "openai-responses", "https://c.example")
SOL = ChatModel("github-copilot", "gpt-6.2-sol", "openai-responses", "https://c.example")
MODELS = (LUNA, FLASH, AZURE, MINI, SOL)


def registry(
    folder: Path,
    *,
    auth: object = None,
    models: object = None,
    environ: Mapping[str, str] | None = None,
    **more: object,
) -> PiFilesRegistry:
    for name, content in (("auth.json", auth), ("models.json", models)):
        if content is not None:
            (folder / name).write_text(json.dumps(content))
    more.setdefault("now", lambda: NOW)
    return PiFilesRegistry(folder, environ or {}, MODELS, **more)  # type: ignore[arg-type]


async def key_of(found: PiFilesRegistry, model: ChatModel) -> str | None:
    answer = await found.credentials(model)
    assert isinstance(answer, Credential), answer
    return answer.key


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def key(text: str, **variables: str) -> dict[str, object]:
    return {"type": "api_key", "key": text, **({"env": variables} if variables else {})}


def login(access: str, expires: int = LATER_MS, **more: object) -> dict[str, object]:
    return {"type": "oauth", "access": access, "refresh": "r", "expires": expires, **more}


@pytest.mark.rule("pi_files.1")
@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"HOME": "/home/u"}, "/home/u/.pi/agent"),
        ({"HOME": "/home/u", "PI_CODING_AGENT_DIR": " "}, "/home/u/.pi/agent"),
        ({"HOME": "/home/u", "PI_CODING_AGENT_DIR": "~/other"}, "/home/u/other"),
        ({"HOME": "/home/u", "PI_CODING_AGENT_DIR": "/srv/pi"}, "/srv/pi"),
    ],
)
def test_the_agent_folder_is_pis(environ: dict[str, str], folder: str) -> None:
    """The preference file lies in it."""
    assert agent_folder(environ) == Path(folder)
    assert pi_preference_path(environ) == Path(folder, "better-web-search.json")


@pytest.mark.rule("pi_files.1")
@pytest.mark.parametrize(
    ("environ", "arguments", "path"),
    [
        ({}, {}, "agent/better-web-search.json"),
        ({"NATIVE_WEB_SEARCH_CACHE": "elsewhere.json"}, {}, "elsewhere.json"),
        ({"PI_BETTER_WEB_SEARCH_CACHE": "alias.json"}, {}, "alias.json"),
        ({}, {"preference_file": "argued.json"}, "argued.json"),
    ],
)
def test_settings_beat_pis_place_of_preferences(
    environ: dict[str, str], arguments: dict[str, str], path: str
) -> None:
    """The agent folder is a default."""
    environ = {"PI_CODING_AGENT_DIR": "agent", **environ}
    web = open_pi_web_search(environ=environ, **arguments)  # type: ignore[arg-type]
    assert isinstance(web.preferences, PreferenceFile)
    assert web.preferences.path == Path(path)
    assert isinstance(web.registry, PiFilesRegistry)


@pytest.mark.rule("pi_files.1")
def test_the_policy_current_needs_a_current_model(tmp_path: Path) -> None:
    """Nobody tells this registry which it is, but the setting."""
    environ = {"PI_CODING_AGENT_DIR": str(tmp_path)}
    with pytest.raises(ValueError, match="no current model"):
        open_pi_web_search(environ=environ, fallback=CurrentOnly())
    named = pi_registry(Settings(model="deepseek/deepseek-v9"), environ).current()
    assert named is not None
    assert (named.provider, named.id) == ("deepseek", "deepseek-v9")


@pytest.mark.rule("pi_files.2")
async def test_a_stored_key_opens_its_provider(tmp_path: Path) -> None:
    """Its template takes the variables beside it, and then those of the process."""
    auth = {"deepseek": key("$A-$B", A="beside"), "openai": key("$$lit$!eral")}
    found = registry(tmp_path, auth=auth, environ={"A": "process", "B": "process"})
    assert set(found.available()) == {FLASH, LUNA}
    assert await key_of(found, FLASH) == "beside-process"
    assert await key_of(found, LUNA) == "$lit!eral"


@pytest.mark.rule("pi_files.2")
async def test_a_blank_variable_beside_a_key_hides_none_of_the_process(tmp_path: Path) -> None:
    """Empty means unset."""
    auth = {"deepseek": key("$A", A="")}
    assert await key_of(registry(tmp_path, auth=auth, environ={"A": "process"}), FLASH) == "process"


@pytest.mark.rule("pi_files.3")
@pytest.mark.parametrize(
    "entry", [key("$UNSET"), login("old", expires=int(NOW * 1000)), {"type": "odd"}]
)
async def test_a_stored_credential_owns_its_provider(
    entry: dict[str, object], tmp_path: Path
) -> None:
    """Neither the models file nor a variable stands in for one that fails."""
    models = {"providers": {"deepseek": {"apiKey": "from-models"}}}
    environ = {"DEEPSEEK_API_KEY": "from-environ"}
    found = registry(tmp_path, auth={"deepseek": entry}, models=models, environ=environ)
    assert isinstance(await found.credentials(FLASH), CredentialUnresolved)


@pytest.mark.rule("pi_files.3")
@pytest.mark.parametrize(
    ("entry", "models"),
    [(key("$UNSET"), ()), ({"type": "odd"}, ()), (login("old", expires=0), (FLASH,))],
)
def test_a_provider_that_cannot_be_opened_is_not_available(
    entry: dict[str, object], models: tuple[ChatModel, ...], tmp_path: Path
) -> None:
    """Pi counts an expired login as one that is there; so do we."""
    environ = {"DEEPSEEK_API_KEY": "from-environ"}
    found = registry(tmp_path, auth={"deepseek": entry}, environ=environ)
    assert found.available() == models


@pytest.mark.rule("pi_files.4")
async def test_without_a_stored_key_the_models_file_counts_and_then_a_variable(
    tmp_path: Path,
) -> None:
    """An entry with variables alone stores no key, and is asked for those of the others."""
    models = {"providers": {"deepseek": {"apiKey": "from-models"}}}
    environ = {"DEEPSEEK_API_KEY": "from-environ", "OPENAI_API_KEY": "from-environ"}
    auth = {"openai": {"type": "api_key", "env": {"OPENAI_API_KEY": "beside"}}}
    found = registry(tmp_path, auth=auth, models=models, environ=environ)
    assert await key_of(found, FLASH) == "from-models"
    assert await key_of(found, LUNA) == "beside"
    registry(tmp_path, models={"providers": {"openai": {"apiKey": "models-$OPENAI_API_KEY"}}})
    assert await key_of(found, FLASH) == "from-environ"
    assert await key_of(found, LUNA) == "models-beside"
    assert isinstance(await found.credentials(MINI), Skipped)


@pytest.mark.rule("pi_files.5")
async def test_a_command_runs_when_a_call_needs_it(tmp_path: Path) -> None:
    """Listing models runs nothing."""
    ran = tmp_path / "ran"
    auth = {"deepseek": key(f"!touch '{ran}' && echo k-1")}
    found = registry(tmp_path, auth=auth)
    assert found.available() == (FLASH,)
    assert found.credential_source("deepseek") == "pi's auth.json"
    assert not ran.exists()
    assert await key_of(found, FLASH) == "k-1"
    assert ran.exists()


@pytest.mark.rule("pi_files.5")
async def test_commands_can_be_switched_off(tmp_path: Path) -> None:
    """The credential is unresolved, and says why."""
    found = registry(tmp_path, auth={"deepseek": key("!echo k-1")}, may_run=False)
    answer = await found.credentials(FLASH)
    assert isinstance(answer, CredentialUnresolved)
    assert "off" in answer.message


@pytest.mark.rule("pi_files.6")
@pytest.mark.parametrize("token", ["sk-ant-oat-1", "eyJ.a$B.c", "!no-command", "$!x", "$HOME"])
async def test_a_login_is_sent_as_it_is(token: str, tmp_path: Path) -> None:
    """A token is no template."""
    found = registry(tmp_path, auth={"openai": login(token)}, environ={"HOME": "h"})
    assert await key_of(found, LUNA) == token


@pytest.mark.rule("pi_files.6")
async def test_an_expired_login_says_how_to_renew_it(tmp_path: Path) -> None:
    """Up to its last moment it is good; then it is pi's to renew, and no file was touched."""
    found = registry(tmp_path, auth={"openai": login("t")})
    before = contents(tmp_path)
    assert await key_of(found, LUNA) == "t"
    found.now = lambda: LATER_MS / 1000
    answer = await found.credentials(LUNA)
    assert isinstance(answer, CredentialUnresolved)
    assert "openai" in answer.message
    assert "/login" in answer.message
    assert contents(tmp_path) == before


@pytest.mark.rule("pi_files.7")
async def test_a_copilot_login_brings_address_and_models(tmp_path: Path) -> None:
    """Only its own models are available, where this account is served."""
    entry = login("t", enterpriseUrl="ghe.example", availableModelIds=["gpt-6.2-sol"])
    found = registry(tmp_path, auth={"github-copilot": entry})
    assert found.available() == (SOL,)
    answer = await found.credentials(SOL)
    assert isinstance(answer, Credential)
    assert answer.base_url == "https://copilot-api.ghe.example"


@pytest.mark.rule("pi_files.9")
async def test_headers_of_the_models_file_go_with_a_stored_credential(tmp_path: Path) -> None:
    """So does its wish for a bearer."""
    models = {"providers": {"openai": {"headers": {"X-Team": "$TEAM"}, "authHeader": True}}}
    auth = {"openai": key("k-1", TEAM="search")}
    answer = await registry(tmp_path, auth=auth, models=models).credentials(LUNA)
    assert isinstance(answer, Credential)
    assert answer.headers == (("X-Team", "search"), ("Authorization", "Bearer k-1"))


@pytest.mark.rule("pi_files.10")
def test_azure_lives_where_the_variables_beside_its_key_say(tmp_path: Path) -> None:
    """Address and deployment are read into the model; without them the process is asked."""
    beside = {
        "AZURE_OPENAI_RESOURCE_NAME": "mine",
        "AZURE_OPENAI_DEPLOYMENT_NAME_MAP": "gpt-5.5=search",
    }
    found = registry(
        tmp_path,
        auth={"azure": key("k", **beside)},
        environ={"AZURE_OPENAI_API_VERSION": "v2"},
    )
    (model,) = found.available()
    assert model.base_url == "https://mine.openai.azure.com/openai/v1"
    assert model.compat == {"azureApiVersion": "v2", "azureDeployment": "search"}


@pytest.mark.rule("pi_files.11")
@pytest.mark.parametrize("broken", ["auth.json", "models.json"])
async def test_a_broken_file_says_nothing_and_is_warned_of_once(
    broken: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The other file, and variables, count all the same; nothing of the file is shown."""
    found = registry(tmp_path, environ={"OPENAI_API_KEY": "k"})
    (tmp_path / broken).write_text('{"deepseek": SECRET')
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert found.available() == (LUNA,)
            assert await key_of(found, LUNA) == "k"
    (warning,) = caplog.messages
    assert broken in warning
    assert "SECRET" not in warning


@pytest.mark.rule("pi_files.11")
def test_a_folder_in_a_files_place_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What cannot be read is as good as missing."""
    (tmp_path / "auth.json").mkdir()
    assert registry(tmp_path).available() == ()
    assert "it is no regular file" in caplog.text


@pytest.mark.rule("small_file.4")
@pytest.mark.parametrize("name", ["auth.json", "models.json"])
def test_a_pipe_and_a_device_are_no_files(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing waits for them or reads them without end; variables count all the same."""
    environ = {"OPENAI_API_KEY": "k"}
    for folder in (tmp_path / "pipe", tmp_path / "device"):
        folder.mkdir()
    os.mkfifo(tmp_path / "pipe" / name)
    (tmp_path / "device" / name).symlink_to("/dev/zero")
    for kind in ("pipe", "device"):
        assert registry(tmp_path / kind, environ=environ).available() == (LUNA,)
    said = f"pi's {name} is ignored: it is no regular file; name one that is"
    assert caplog.messages == [said, said]


@pytest.mark.rule("pi_files.11")
def test_marks_and_comments_are_no_mistakes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Both files may begin with a byte order mark; the models file may have comments."""
    (tmp_path / "auth.json").write_bytes(
        b"\xef\xbb\xbf" + json.dumps({"openai": key("k")}).encode()
    )
    models = '{"providers": {"openai": {"baseUrl": "https://m.example/v1"}}} // mine'
    (tmp_path / "models.json").write_bytes(b"\xef\xbb\xbf" + models.encode())
    (model,) = registry(tmp_path).available()
    assert model.base_url == "https://m.example/v1"
    assert caplog.messages == []


@pytest.mark.rule("pi_files.11")
def test_missing_files_are_no_mistake(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Somebody without pi has variables at most."""
    assert registry(tmp_path / "nowhere").available() == ()
    assert caplog.messages == []


@pytest.mark.rule("pi_files.13")
def test_what_changes_in_the_files_is_seen(tmp_path: Path) -> None:
    """A login elsewhere counts from the next question on; until then the models stay the same."""
    found = registry(tmp_path, auth={"openai": key("k")})
    before = found.available()
    assert found.available() is before
    registry(tmp_path, auth={"openai": key("k"), "deepseek": key("k")})
    assert set(found.available()) == {LUNA, FLASH}
    moved = {"providers": {"deepseek": {"baseUrl": "https://moved.example"}}}
    registry(tmp_path, models=moved)
    assert "https://moved.example" in [model.base_url for model in found.available()]


@pytest.mark.rule("pi_files.14")
async def test_no_repr_shows_a_key(tmp_path: Path) -> None:
    """Neither the registry's nor the credential's."""
    environ = {"XAI_API_KEY": "SECRET"}
    found = registry(tmp_path, auth={"openai": key("SECRET")}, environ=environ)
    assert found.available()
    assert "SECRET" not in repr(found) + repr(await found.credentials(LUNA))


@pytest.mark.rule("pi_files.15")
@pytest.mark.parametrize(
    ("auth", "source"),
    [
        ({"openai": key("k")}, "pi's auth.json"),
        ({"openai": login("t")}, "pi's login"),
        ({"openai": login("t", expires=0)}, "pi's login (expired)"),
        ({}, "environment variable OPENAI_API_KEY"),
    ],
)
async def test_each_credential_says_where_it_is_from(
    auth: dict[str, object], source: str, tmp_path: Path
) -> None:
    """In the same words for the doctor and for a call."""
    found = registry(tmp_path, auth=auth, environ={"OPENAI_API_KEY": "k"})
    assert found.credential_source("openai") == source
    answer = await found.credentials(LUNA)
    assert isinstance(answer, CredentialUnresolved) or answer == Credential(
        source, key="k" if "login" not in source else "t"
    )


@pytest.mark.rule("pi_files.13", "pi_files.14")
class TestPiFilesRegistry(ModelRegistryContract):
    """The promises of every registry, over two logins and a catalogue of hundreds of models."""

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[ModelRegistry, None]:
        with TemporaryDirectory() as name:
            auth = {"deepseek": key("sk-0123456789"), "openai": login("sk-9876543210", 10**14)}
            (Path(name) / "auth.json").write_text(json.dumps(auth))
            yield PiFilesRegistry(Path(name), {}, catalogue(), "openai/gpt-5.6-luna")

    def log_out(self, registry: ModelRegistry, model: ChatModel) -> None:
        assert isinstance(registry, PiFilesRegistry)
        (registry.folder / "auth.json").unlink()

    def spoil(self, registry: ModelRegistry, model: ChatModel) -> None:
        assert isinstance(registry, PiFilesRegistry)
        auth = {model.provider: key("!exit 1")}
        (registry.folder / "auth.json").write_text(json.dumps(auth))


@pytest.mark.rule("pi_files.2")
def test_asking_from_several_loops_is_no_trouble(tmp_path: Path) -> None:
    """Nothing is tied to the loop that asked first."""
    found = registry(tmp_path, auth={"openai": key("k")})
    assert [asyncio.run(key_of(found, LUNA)) for _ in range(2)] == ["k", "k"]
