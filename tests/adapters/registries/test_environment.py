"""Models by environment variable."""

import pytest

from native_web_search.adapters.registries.environment import EnvironmentRegistry
from native_web_search.adapters.registries.provider_entry import ModelsFile, ProviderEntry
from native_web_search.adapters.registries.variables import variables_of
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import CredentialUnresolved, Skipped
from native_web_search.ports.registry import Credential

DEEPSEEK = ChatModel("deepseek", "deepseek-flash", "openai-completions", "https://d.example")
ANTHROPIC = ChatModel("anthropic", "claude-haiku-4-5", "anthropic-messages", "https://a.example")
AZURE = ChatModel("azure", "gpt-5.5", "azure-openai-responses", "")
CLOUDFLARE = ChatModel(
    "cloudflare-ai-gateway",
    "gpt-5.5",
    "openai-responses",
    "https://gw.example/v1/{CLOUDFLARE_ACCOUNT_ID}/{CLOUDFLARE_GATEWAY_ID}/openai",
)
MODELS = (DEEPSEEK, ANTHROPIC, AZURE, CLOUDFLARE)


def registry(environ: dict[str, str], **more: object) -> EnvironmentRegistry:
    return EnvironmentRegistry(environ, MODELS, **more)  # type: ignore[arg-type]


@pytest.mark.rule("environment.1")
async def test_a_variable_opens_its_provider() -> None:
    """The models of a provider are available while its variable is set, from call to call."""
    environ: dict[str, str] = {}
    found = registry(environ)
    assert found.available() == ()
    environ["DEEPSEEK_API_KEY"] = "sk-1"
    assert found.available() == (DEEPSEEK,)
    credential = await found.credentials(DEEPSEEK)
    assert credential == Credential("environment variable DEEPSEEK_API_KEY", key="sk-1")
    environ["DEEPSEEK_API_KEY"] = "sk-2"
    assert await found.credentials(DEEPSEEK) == Credential(
        "environment variable DEEPSEEK_API_KEY", key="sk-2"
    )


@pytest.mark.rule("environment.2")
@pytest.mark.parametrize("blank", ["", " ", "\t\n"])
async def test_a_blank_variable_is_no_credential(blank: str) -> None:
    """The provider is closed, and a model of it is skipped with the name of the variable."""
    found = registry({"DEEPSEEK_API_KEY": blank})
    assert found.available() == ()
    skipped = await found.credentials(DEEPSEEK)
    assert isinstance(skipped, Skipped)
    assert "DEEPSEEK_API_KEY" in skipped.message


@pytest.mark.rule("environment.3")
@pytest.mark.parametrize(
    ("provider", "names"),
    [
        ("openai", ("OPENAI_API_KEY",)),
        ("minimax-cn", ("MINIMAX_CN_API_KEY",)),
        ("google", ("GEMINI_API_KEY",)),
        ("ollama-cloud", ("OLLAMA_API_KEY",)),
        ("anthropic", ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_API_KEY")),
        ("github-copilot", ("COPILOT_GITHUB_TOKEN",)),
        ("opencode-go", ("OPENCODE_API_KEY",)),
        ("openai-codex", ()),
    ],
)
def test_each_provider_has_its_variables(provider: str, names: tuple[str, ...]) -> None:
    """The rule, and the exceptions to it."""
    assert variables_of(provider) == names


@pytest.mark.rule("environment.4")
async def test_anthropics_auth_token_is_a_bearer_and_beats_the_key() -> None:
    """It is sent in the Authorization header and never as an API key."""
    environ = {"ANTHROPIC_AUTH_TOKEN": "t", "ANTHROPIC_API_KEY": "k"}
    credential = await registry(environ).credentials(ANTHROPIC)
    assert isinstance(credential, Credential)
    assert credential.key is None
    assert credential.headers == (("Authorization", "Bearer t"),)


@pytest.mark.rule("environment.5")
def test_azure_takes_address_version_and_deployment_from_its_variables() -> None:
    """The base URL variable beats the resource name, which beats the model's own."""
    environ = {
        "AZURE_OPENAI_API_KEY": "k",
        "AZURE_OPENAI_RESOURCE_NAME": "mine",
        "AZURE_OPENAI_API_VERSION": "preview",
        "AZURE_OPENAI_DEPLOYMENT_NAME_MAP": "gpt-4=four, gpt-5.5 = five",
    }
    found = registry(environ)
    (model,) = found.available()
    assert model.base_url == "https://mine.openai.azure.com/openai/v1"
    assert model.compat == {"azureApiVersion": "preview", "azureDeployment": "five"}
    environ["AZURE_OPENAI_BASE_URL"] = "https://proxy.example/openai"
    assert found.available()[0].base_url == "https://proxy.example/openai"


@pytest.mark.rule("environment.6")
def test_a_provider_that_needs_more_than_a_key_is_closed_without_it() -> None:
    """Cloudflare's address needs account and gateway, which are filled in."""
    environ = {"CLOUDFLARE_API_KEY": "k", "CLOUDFLARE_ACCOUNT_ID": "acc"}
    assert registry(environ).available() == ()
    environ["CLOUDFLARE_GATEWAY_ID"] = "gate"
    (model,) = registry(environ).available()
    assert model.base_url == "https://gw.example/v1/acc/gate/openai"


@pytest.mark.rule("environment.6")
def test_azure_is_closed_without_an_address() -> None:
    """A key alone leads nowhere; what is missing is named."""
    environ = {"AZURE_OPENAI_API_KEY": "k"}
    assert registry(environ).available() == ()
    (line,) = registry(environ).missing()
    assert "AZURE_OPENAI_BASE_URL" in line
    environ["AZURE_OPENAI_RESOURCE_NAME"] = "mine"
    assert registry(environ).missing() == ()
    file = ModelsFile({"deepseek": ProviderEntry(api_key="$A-$B")})
    assert registry({"A": "a"}, file=file).missing() == ("deepseek needs B for its apiKey",)


@pytest.mark.rule("environment.7")
def test_the_available_models_are_the_same_object_while_nothing_changed() -> None:
    """So that whoever keeps an order for them recognises them at once."""
    found = registry({"DEEPSEEK_API_KEY": "k"})
    assert found.available() is found.available()


@pytest.mark.rule("environment.8")
def test_the_current_model_is_the_one_that_the_setting_names() -> None:
    """An id that is not listed lives where its siblings do; an unknown provider is nobody."""
    listed = registry({}, current_key="deepseek/deepseek-flash")
    assert listed.current() == DEEPSEEK
    unlisted = registry({}, current_key="deepseek/deepseek-v9").current()
    assert unlisted is not None
    assert (unlisted.id, unlisted.base_url) == ("deepseek-v9", "https://d.example")
    opened = registry({"DEEPSEEK_API_KEY": "k"}, current_key="deepseek/deepseek-v9")
    assert [model.id for model in opened.available()] == ["deepseek-flash", "deepseek-v9"]
    assert registry({}, current_key="nobody/model").current() is None
    assert registry({}).current() is None


@pytest.mark.rule("environment.9")
async def test_a_key_in_the_models_file_beats_the_variable() -> None:
    """Templates are filled from the environment at each attempt."""
    file = ModelsFile({"deepseek": ProviderEntry(api_key="$MY_KEY", headers={"X-Team": "${TEAM}"})})
    environ = {"DEEPSEEK_API_KEY": "other", "MY_KEY": "mine", "TEAM": "search"}
    found = registry(environ, file=file)
    assert found.available() == (DEEPSEEK,)
    assert await found.credentials(DEEPSEEK) == Credential(
        "models file", key="mine", headers=(("X-Team", "search"),)
    )
    del environ["MY_KEY"]
    assert found.available() == ()
    unresolved = await found.credentials(DEEPSEEK)
    assert isinstance(unresolved, CredentialUnresolved)
    assert "MY_KEY" in unresolved.message


@pytest.mark.rule("environment.10")
async def test_a_command_is_run_only_when_a_call_needs_its_key(tmp_path: object) -> None:
    """Availability and doctor's source run nothing; the credential does, unless it is off."""
    trace = f"{tmp_path}/ran"
    file = ModelsFile({"deepseek": ProviderEntry(api_key=f"!echo x >> {trace}; echo key")})
    found = registry({}, file=file)
    assert found.available() == (DEEPSEEK,)
    assert found.credential_source("deepseek") == "command in the models file"
    with pytest.raises(FileNotFoundError):
        open(trace)  # noqa: PTH123, SIM115, ASYNC230
    assert await found.credentials(DEEPSEEK) == Credential("models file", key="key")
    off = registry({}, file=file, may_run=False)
    assert isinstance(await off.credentials(DEEPSEEK), CredentialUnresolved)


@pytest.mark.rule("environment.11")
async def test_the_auth_header_switch_sends_the_key_as_bearer_too() -> None:
    """`authHeader` adds an Authorization header."""
    file = ModelsFile({"deepseek": ProviderEntry(api_key="k", auth_header=True)})
    credential = await registry({}, file=file).credentials(DEEPSEEK)
    assert isinstance(credential, Credential)
    assert credential.headers == (("Authorization", "Bearer k"),)


@pytest.mark.rule("environment.12")
def test_nothing_in_its_repr_is_secret() -> None:
    """A registry in a traceback shows no variable."""
    assert "sk-canary" not in repr(registry({"DEEPSEEK_API_KEY": "sk-canary"}))
