"""Laws of reading arguments."""

import json
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.arguments import (
    arguments,
    refused_urls,
    urls_with_user_info,
    web_urls,
)
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.request import (
    TRIMMED,
    RefusedUrl,
    Request,
    ValidUrl,
    parse_request,
)
from native_web_search.domain.url import MAX_SHOWN, shown

# URLs, and whether they pass.
marked_urls = st.tuples(web_urls(), st.just(True)) | st.tuples(refused_urls(), st.just(False))  # noqa: FBT003  drawn


def _read(urls: list[str]) -> Request:
    match parse_request({"query": "q", "urls": urls}):
        case Success(request):
            return request
        case Failure(invalid):
            pytest.fail(invalid.message)


@pytest.mark.rule("request.18")
class TestAnyArgumentsAreRead:
    """Reading arguments never raises, whatever a model wrote."""

    @given(given=arguments())
    @example(given={"urls": ["http://\ud800/", "http://[", "http://\x00"]})
    @example(given={"query": "\x1f"})  # a blank to Python, and none to us
    def test_any_arguments_give_an_outcome(self, given: object) -> None:
        """Every JSON value is work that can be done, or an error with a message."""
        match parse_request(given):
            case Success(Request(query, urls)):
                assert query or any(isinstance(url, ValidUrl) for url in urls)
                assert query is None or query == query.strip(TRIMMED)
            case Failure(invalid):
                assert invalid.message

    @given(text=st.text(st.characters()))
    def test_any_text_in_the_place_of_a_url_is_read(self, text: str) -> None:
        """A text is a URL or is refused, and what is shown of it is short and has no controls."""
        (url,) = _read([text]).urls

        match url:
            case ValidUrl(given):
                assert given == text
            case RefusedUrl(visible, message):
                assert len(visible) <= MAX_SHOWN
                assert "\n" not in visible + message


@pytest.mark.rule("request.9")
@pytest.mark.rule("request.10")
class TestUrlsKeepTheirPlaces:
    """Accepted and refused URLs together are all that were given, in their order."""

    @given(marked=st.lists(marked_urls, max_size=20))
    def test_every_url_is_accepted_or_refused_in_its_place(
        self, marked: list[tuple[str, bool]]
    ) -> None:
        """Good URLs come out byte for byte, bad ones as refusals, none of them elsewhere."""
        read = _read([url for url, _ in marked]).urls

        assert len(read) == len(marked)
        for url, (text, good) in zip(read, marked, strict=True):
            assert isinstance(url, ValidUrl if good else RefusedUrl), text
            assert not good or url == ValidUrl(text)

    @given(url=web_urls(), more=st.integers(21, 1_000))
    def test_too_many_are_an_error(self, url: str, more: int) -> None:
        """More than twenty are never cut to twenty."""
        assert isinstance(parse_request({"query": "q", "urls": [url] * more}), Failure)

    @given(url=web_urls())
    def test_an_accepted_url_reads_the_same_for_a_lenient_parser(self, url: str) -> None:
        """Scheme and host of what passes are those that anyone would read in it."""
        assert url.lower().startswith(("http://", "https://"))
        assert urlsplit(url).netloc.strip("@:")
        assert json.loads(json.dumps(url)) == url


@pytest.mark.rule("request.17")
class TestSecretsAreNotShown:
    """What is shown of a refused URL holds no user name and no password."""

    @given(url=urls_with_user_info("s3cr3t"))
    def test_no_password_is_shown(self, url: str) -> None:
        """A password is masked behind any scheme, inside other text, and however it is spelt."""
        (read,) = _read([url]).urls

        assert isinstance(read, RefusedUrl)
        assert "s3cr3t" not in read.shown
        assert "***@" in read.shown

    @given(text=st.text(st.sampled_from("htps:/\\@#?[]a1 \t"), max_size=30))
    def test_masking_again_changes_nothing(self, text: str) -> None:
        """A mask leaves nothing behind that would need another one."""
        assert shown(shown(text)) == shown(text)
