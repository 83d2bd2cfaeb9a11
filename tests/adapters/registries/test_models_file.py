"""A user's models, in the form of pi's `models.json`."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.registries.models_file import (
    merged_models,
    models_with,
    parse_models_file,
)
from native_web_search.adapters.registries.provider_entry import ModelsFile
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.outcome import Failure, Success

FLASH = ChatModel("deepseek", "deepseek-flash", "openai-completions", "https://d.example")
LUNA = ChatModel("openai", "gpt-5.6-luna", "openai-responses", "https://o.example/v1")
CATALOGUE = (FLASH, LUNA)


def merged(plain: object) -> dict[str, ChatModel]:
    match parse_models_file(json.dumps(plain).encode()):
        case Success(file):
            return {model.id: model for model in merged_models(CATALOGUE, file)}
        case Failure(reason):
            pytest.fail(reason)


@pytest.mark.rule("models.1")
def test_a_base_url_moves_all_models_of_a_known_provider() -> None:
    """A gateway is one line."""
    models = merged({"providers": {"openai": {"baseUrl": "https://gw.example/v1"}}})
    assert models["gpt-5.6-luna"].base_url == "https://gw.example/v1"
    assert models["gpt-5.6-luna"].api == "openai-responses"
    assert models["deepseek-flash"] == FLASH


@pytest.mark.rule("models.2")
def test_models_are_added_and_replaced() -> None:
    """A known id is replaced, a new one lives where the provider does."""
    models = merged(
        {
            "providers": {
                "openai": {"models": [{"id": "gpt-5.6-luna", "maxTokens": 5}, {"id": "gpt-7"}]}
            }
        }
    )
    assert models["gpt-5.6-luna"].max_tokens == 5
    assert (models["gpt-7"].api, models["gpt-7"].base_url) == (LUNA.api, LUNA.base_url)


@pytest.mark.rule("models.3")
def test_a_new_provider_brings_its_address_and_api() -> None:
    """Per provider, or per model, the model's own winning."""
    models = merged(
        {
            "providers": {
                "corp": {
                    "baseUrl": "https://corp.example",
                    "api": "openai-responses",
                    "models": [{"id": "a"}, {"id": "b", "api": "anthropic-messages"}],
                }
            }
        }
    )
    assert (models["a"].api, models["b"].api) == ("openai-responses", "anthropic-messages")
    assert models["b"].base_url == "https://corp.example"


@pytest.mark.rule("models.4")
def test_compat_is_merged_key_by_key_and_overrides_come_last() -> None:
    """The provider's switches, then the model's, then the overrides'; unknown ids are ignored."""
    models = merged(
        {
            "providers": {
                "openai": {
                    "compat": {"webSearchDialect": "grok", "other": 1},
                    "models": [{"id": "x", "compat": {"other": 2}}],
                    "modelOverrides": {
                        "x": {"compat": {"webSearchDialect": "openai"}},
                        "nobody": {},
                    },
                }
            }
        }
    )
    assert models["x"].compat == {"webSearchDialect": "openai", "other": 2}
    assert models["gpt-5.6-luna"].compat == {"webSearchDialect": "grok", "other": 1}
    assert "nobody" not in models


@pytest.mark.rule("models.5")
def test_comments_and_a_byte_order_mark_are_allowed() -> None:
    """`//` inside a string is no comment."""
    text = b'\xef\xbb\xbf{ // mine\n"providers": {"p": {"baseUrl": "https://x.example"}} // end\n}'
    match parse_models_file(text):
        case Success(file):
            assert file.providers["p"].base_url == "https://x.example"
        case Failure(reason):
            pytest.fail(reason)


@pytest.mark.rule("models.6")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "JSON"),
        (b"\xff", "JSON"),
        (b"[" * 100_000, "JSON"),
        (b'{"providers": {"p": {"baseUrl": 5}}}', "the file.providers['p'].baseUrl"),
        (b'{"providers": {"p": {"models": [{"api": "x"}]}}}', "id"),
        (b'{"providers": {"p": {"models": [{"id": null}]}}}', "expected str @"),
        (b'{"providers": []}', "providers"),
        (b"[]", ""),
    ],
)
def test_a_file_that_is_wrong_anywhere_counts_for_nothing_and_says_where(
    content: bytes, said: str
) -> None:
    """The reason names the place and the kind that was expected."""
    outcome = parse_models_file(content)
    assert isinstance(outcome, Failure)
    assert said in outcome.failure()


@pytest.mark.rule("models.8")
@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('{"baseURL": "http://gateway.example/v1"}', "'baseURL', which must be 'baseUrl'"),
        ('{"base_url": "http://gateway.example/v1"}', "'base_url', which must be 'baseUrl'"),
        ('{"APIKEY": "k"}', "'APIKEY', which must be 'apiKey'"),
        ('{"models": [{"id": "m", "maxtokens": 5}]}', "'maxtokens', which must be 'maxTokens'"),
    ],
)
def test_a_misspelt_member_is_a_mistake(entry: str, said: str) -> None:
    """Or a gateway that somebody chose would be passed by, without a word."""
    outcome = models_with((), f'{{"providers": {{"openai": {entry}}}}}'.encode())
    assert isinstance(outcome, Failure)
    assert said in outcome.failure()


@pytest.mark.rule("models.6")
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["providers", "p", "models", "id", "api", "headers", "compat"]),
                inner,
                max_size=3,
            )
        ),
    )
)
def test_no_json_raises(plain: object) -> None:
    """Whatever the file holds, it is read or refused."""
    assert isinstance(parse_models_file(json.dumps(plain).encode()), Success | Failure)


@pytest.mark.rule("models.7")
def test_keys_and_headers_do_not_show() -> None:
    """Templates may hold literal keys, so no `repr` shows them."""
    plain = {"providers": {"p": {"apiKey": "sk-canary", "headers": {"X": "sk-canary"}}}}
    assert "sk-canary" not in repr(parse_models_file(json.dumps(plain).encode()))
    assert merged_models(CATALOGUE, ModelsFile()) == CATALOGUE


@pytest.mark.rule("models.8")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"providrs": {}}', '"providers"'),
        (
            b'{"providers": {"corp": {"api": "x", "models": [{"id": "a"}]}}}',
            "corp/a needs a baseUrl",
        ),
        (b'{"providers": {"corp": {"baseUrl": "https://c", "models": [{"id": "a"}]}}}', "an api"),
        (b'{"providers": {"deepseek": {"baseUrl": "ftp://c"}}}', "deepseek/deepseek-flash needs"),
    ],
)
def test_a_model_that_leads_nowhere_spoils_the_file(content: bytes, said: str) -> None:
    """It needs an api, and an address on http or https; the reason names the model."""
    outcome = models_with(CATALOGUE, content)
    assert isinstance(outcome, Failure)
    assert said in outcome.failure()


@pytest.mark.rule("models.8")
def test_a_whole_file_gives_its_models() -> None:
    """Members that we do not know are none of our business."""
    content = b'{"providers": {"deepseek": {"baseUrl": "http://d", "cost": {}}}, "more": 1}'
    match models_with(CATALOGUE, content):
        case Success((merged, file)):
            assert merged[0].base_url == "http://d"
            assert set(file.providers) == {"deepseek"}
        case Failure(reason):
            pytest.fail(reason)
