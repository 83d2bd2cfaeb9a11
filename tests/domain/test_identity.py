"""Which keys name an object or hold links."""

import pytest

from native_web_search.domain.identity import identity_keys, names_link_list

IDENTITY = (
    *("url", "uri", "href", "link", "permalink", "title", "name", "id", "uuid", "guid", "doi"),
    *("domain", "hostname", "site_name", "siteName", "sitename", "retrievedUrl", "retrieved_url"),
    *("source_url", "sourceurl", "file_uri", "display_link", "tool_use_id", "call_id", "item_id"),
    *("responseId", "request_id", "traceId", "previous_response_id", "page_title", "tool_name"),
    *("videoId", "URL", "imageURL", "responseID", "Title", "og:title", "@id", "content-url"),
)
ORDINARY = (
    *("valid", "grid", "blink", "rename", "subtitle", "x3id", "页id", "entitled", "idea", "Ideas"),
    *("source", "citation", "type", "status", "date", "site_icon", "encrypted_content", "urls"),
    *("signature", "query", "snippet", "cited_text", "author", "content", "id_", "title2", "", "U"),
)
LINK_LISTS = (
    *("urls", "uris", "hrefs", "links", "permalinks", "ids", "domains", "citations", "sources"),
    *("references", "citation", "source", "reference", "imageURLs", "videoIds", "IDs", "seed_urls"),
    *("url", "title"),
)


@pytest.mark.rule("guard.26")
@pytest.mark.parametrize("key", IDENTITY)
def test_identity_keys_end_in_a_word_of_identity(key: str) -> None:
    """The last word decides, in any spelling of words; some words are known when glued, too."""
    assert list(identity_keys([key])) == [key]


@pytest.mark.rule("guard.26")
@pytest.mark.parametrize("key", ORDINARY)
def test_other_keys_are_no_identity_keys(key: str) -> None:
    """Words that only contain one, plurals, and everything else."""
    assert not list(identity_keys([key]))


@pytest.mark.rule("guard.26")
def test_identity_keys_come_in_order_and_are_strings() -> None:
    """Keys that are no strings identify nothing."""
    assert list(identity_keys(["title", 1, "x", None, "url"])) == ["title", "url"]


@pytest.mark.rule("guard.26")
@pytest.mark.parametrize("key", LINK_LISTS)
def test_link_lists_have_plural_or_identity_keys(key: str) -> None:
    """Plurals of links, citations and sources in singular and plural, identity keys."""
    assert names_link_list(key)


@pytest.mark.rule("guard.26")
@pytest.mark.parametrize("key", ["results", "resources", "content", "grids", "tags", "valids", ""])
def test_other_arrays_are_no_link_lists(key: str) -> None:
    """Results are objects and text is text."""
    assert not names_link_list(key)


@pytest.mark.rule("guard.24")
def test_only_the_end_of_a_key_is_read() -> None:
    """A key of any length is classified at once; what is longer than every word is none of them."""
    assert list(identity_keys(["k" * 10_000_000 + "id"])) == []
    assert list(identity_keys(["k" * 10_000_000 + "_id"])) != []
