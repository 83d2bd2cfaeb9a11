"""Azure's address."""

import json
from collections.abc import Mapping

import pytest

from native_web_search.adapters.providers.azure import AZURE, GROK_ON_AZURE, endpoint
from native_web_search.adapters.providers.codec import Codec
from native_web_search.adapters.testing.asking import ask_of, headers_of, refusal_of, request_of
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import CredentialUnresolved

HOST = "https://r1.openai.azure.com"
FULL = f"{HOST}/openai/v1/responses?api-version=v1"
ENTRA = "eyJhbGciOiJub25lIn0.eyJhdWQiOiJ4In0.signature"


def model(base: str = HOST, compat: Mapping[str, object] | None = None) -> ChatModel:
    """A model of the catalogue."""
    return ChatModel("azure", "gpt-5", "azure-openai-responses", base, compat=compat or {})


def authentication(key: str | None, headers: Mapping[str, str] | None = None) -> dict[str, str]:
    """The headers that say who is asking."""
    sent = headers_of(request_of(AZURE, ask_of(model(), key=key, headers=headers)))
    return {name: sent[name] for name in ("api-key", "authorization") if name in sent}


@pytest.mark.rule("azure.1")
@pytest.mark.parametrize("codec", [AZURE, GROK_ON_AZURE])
@pytest.mark.parametrize("base", ["", "  "])
def test_without_a_resource_nothing_is_sent(codec: Codec, base: str) -> None:
    """The catalogue knows no address, so the message names the variables that give one."""
    failure = refusal_of(codec, ask_of(model(base)))
    assert isinstance(failure, CredentialUnresolved)
    assert "AZURE_OPENAI_BASE_URL" in failure.message
    assert "AZURE_OPENAI_RESOURCE_NAME" in failure.message


@pytest.mark.rule("azure.2")
@pytest.mark.parametrize(
    "host", ["r1.openai.azure.com", "R.CognitiveServices.Azure.com:443", "x.services.ai.azure.com"]
)
@pytest.mark.parametrize("path", ["", "/", "/openai", "/openai/", "/openai/v1/responses"])
def test_a_pasted_address_is_completed(host: str, path: str) -> None:
    """On Azure's hosts the path is known, and the query of the pasted page is dropped."""
    url = endpoint(f"https://{host}{path}?api-version=2024-01-01", "v1")
    assert url == f"https://{host}/openai/v1/responses?api-version=v1"


@pytest.mark.rule("azure.3")
@pytest.mark.parametrize(
    ("base", "url"),
    [
        (f"{HOST}/openai/v1", FULL),
        (f"{HOST}/openai/v1/", FULL),
        (f"{HOST}/custom", f"{HOST}/custom/responses?api-version=v1"),
        ("https://gw.example", "https://gw.example/responses?api-version=v1"),
        ("https://gw.example/openai", "https://gw.example/openai/responses?api-version=v1"),
        ("https://gw.example?a=b#c", "https://gw.example/responses?a=b&api-version=v1"),
        (
            "https://openai.azure.com.evil.example",
            "https://openai.azure.com.evil.example/responses?api-version=v1",
        ),
        (
            "https://gw.example/x.openai.azure.com",
            "https://gw.example/x.openai.azure.com/responses?api-version=v1",
        ),
        ("http://[::1", "http://[::1/responses?api-version=v1"),
        ("no url", "no url/responses?api-version=v1"),
    ],
)
def test_another_address_is_kept(base: str, url: str) -> None:
    """Other paths, and other hosts, are the user's own business."""
    assert endpoint(base, "v1") == url


@pytest.mark.rule("azure.4")
@pytest.mark.parametrize(
    ("compat", "version"),
    [
        ({}, "v1"),
        ({"azureApiVersion": "2025-04-01-preview"}, "2025-04-01-preview"),
        ({"azureApiVersion": " preview "}, "preview"),
        ({"azureApiVersion": "a&b=c"}, "a%26b%3Dc"),
        ({"azureApiVersion": ""}, "v1"),
        ({"azureApiVersion": 5}, "v1"),
    ],
)
def test_the_version_is_v1_unless_the_model_says_otherwise(
    compat: dict[str, object], version: str
) -> None:
    """It comes from the model's `compat` and is written so that it stays one parameter."""
    url = request_of(AZURE, ask_of(model(compat=compat))).url
    assert url == f"{HOST}/openai/v1/responses?api-version={version}"


@pytest.mark.rule("azure.5")
@pytest.mark.parametrize("name", ["api-version", "Api-Version"])
def test_a_version_in_the_base_stays_the_only_one(name: str) -> None:
    """What the base says is said once."""
    assert endpoint(f"{HOST}/openai/v1?{name}=preview", "v1") == (
        f"{HOST}/openai/v1/responses?{name}=preview"
    )


@pytest.mark.rule("azure.6")
@pytest.mark.parametrize(
    ("compat", "name"),
    [
        ({}, "gpt-5"),
        ({"azureDeployment": "my-dep"}, "my-dep"),
        ({"azureDeployment": " "}, "gpt-5"),
        ({"azureDeployment": None}, "gpt-5"),
    ],
)
def test_the_deployment_stands_in_place_of_the_model(compat: dict[str, object], name: str) -> None:
    """The name goes into the body, not into the path."""
    request = request_of(AZURE, ask_of(model(compat=compat)))
    assert json.loads(request.body)["model"] == name
    assert "deployments" not in request.url


@pytest.mark.rule("azure.7")
def test_a_key_goes_into_its_own_header() -> None:
    """An API key is no bearer token."""
    assert authentication("0123456789abcdef") == {"api-key": "0123456789abcdef"}


@pytest.mark.rule("azure.7")
def test_an_entra_token_is_a_bearer_token() -> None:
    """A key that is a JWT is a token of Entra."""
    assert authentication(ENTRA) == {"authorization": f"Bearer {ENTRA}"}


@pytest.mark.rule("azure.8")
@pytest.mark.parametrize("key", [None, "0123", ENTRA])
@pytest.mark.parametrize(
    ("headers", "sent"),
    [
        ({"Authorization": "Bearer t"}, {"authorization": "Bearer t"}),
        ({"API-Key": "k"}, {"api-key": "k"}),
        ({"api-key": "k", "AUTHORIZATION": "Bearer t"}, {"authorization": "Bearer t"}),
    ],
)
def test_a_given_header_wins_and_is_the_only_one(
    key: str | None, headers: dict[str, str], sent: dict[str, str]
) -> None:
    """Never both: the key steps back behind a header, `api-key` behind a token."""
    assert authentication(key, headers) == sent
