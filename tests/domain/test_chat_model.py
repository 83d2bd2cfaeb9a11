"""Chat models as values."""

from native_web_search.domain.chat_model import DEFAULT_MAX_TOKENS, ChatModel


def test_the_key_names_provider_id_and_address() -> None:
    """A model is named by its provider, its id and its base URL, exactly as given."""
    model = ChatModel("OpenCode", "GPT-5.5", base_url="https://Host/v1")

    assert model.key == "OpenCode/GPT-5.5@https://Host/v1"


def test_headers_may_come_as_a_mapping_or_as_pairs() -> None:
    """Headers are kept as pairs, in the order in which they came."""
    pairs = (("X-B", "1"), ("X-A", "2"))

    assert ChatModel("p", "m", headers=dict(pairs)).headers == pairs
    assert ChatModel("p", "m", headers=pairs).headers == pairs


def test_repr_shows_no_header() -> None:
    """A header may hold a key, so that none appears in a log."""
    assert "s3cr3t" not in repr(ChatModel("p", "m", headers={"X-Key": "s3cr3t"}))


def test_repr_shows_no_key_in_the_base_url() -> None:
    """A gateway's address may hold a password or a key; the rest of the address helps."""
    shown = repr(ChatModel("p", "m", base_url="https://me:s3cr3t@gw.example/v1?code=s3cr3t"))

    assert "s3cr3t" not in shown
    assert "https://...@gw.example/v1?..." in shown


def test_a_model_stays_as_it_was_made() -> None:
    """A host that changes its own switches in place has to make another model of them."""
    switches: dict[str, object] = {"webSearchDialect": "openai"}
    model = ChatModel("p", "grok-4.5", compat=switches)
    switches["webSearchDialect"] = "grok"

    assert model.compat == {"webSearchDialect": "openai"}


def test_equal_models_have_equal_hashes() -> None:
    """A memo that is keyed by models recognises an equal one, whatever its switches."""
    one, other = (ChatModel("p", "m", compat={"webSearchDialect": "grok"}) for _ in range(2))

    assert one == other
    assert hash(one) == hash(other)
    assert one != ChatModel("p", "m")


def test_an_unstated_output_limit_is_assumed() -> None:
    """A model that does not say how much it writes is taken for an ordinary one."""
    assert ChatModel("p", "m").max_tokens == DEFAULT_MAX_TOKENS
