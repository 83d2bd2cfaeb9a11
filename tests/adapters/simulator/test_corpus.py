"""The pages, and the search over them."""

import unicodedata

import pytest

from native_web_search.adapters.simulator.corpus import (
    STOP_WORDS,
    Corpus,
    Page,
    Unavailable,
    bundled,
    page_from,
    search,
    words,
)

LONG = 20_000  # bytes


def _titles(corpus: Corpus, query: str, count: int = 10) -> list[str]:
    return [hit.page.title for hit in search(corpus, query, count)]


def _pages(*texts: str) -> Corpus:
    return Corpus.of(
        Page(f"https://a.example/{number}", f"page {number}", text)
        for number, text in enumerate(texts)
    )


@pytest.mark.rule("simulator.5")
class TestSearch:
    """What a query finds."""

    @pytest.mark.parametrize(
        ("query", "path"),
        [
            ("how does the cooldown work", "/cooldown"),
            ("ranking of gpt tiers", "/ranking"),
            ("what is an opt-out", "/exposure"),
            ("are keys masked in error messages", "/security"),
            ("fair shares of truncated JSON", "/output-guard"),
            ("fingerprint of the logins", "/fingerprint"),
            ("冷却时间从多少秒开始", "/路径/起步"),
            ("濁点と結合文字", "/ja/用語集"),
            ("ما معنى فترة التهدئة", "/ar/دليل-البحث"),
            ("Fingerabdruck und Selbstabwahl", "/de-fr/glossar"),
            ("मात्रा और व्यंजन", "/hi/खोज"),
        ],
    )
    def test_finds_the_page_about_it_first(self, query: str, path: str) -> None:
        """A question leads to the page that is about it, in every script of the corpus."""
        assert path in search(bundled(), query, 3)[0].page.url

    def test_differs_from_query_to_query(self) -> None:
        """Two questions about different things have different results."""
        assert _titles(bundled(), "cooldown ladder") != _titles(bundled(), "masked keys")

    def test_finds_nothing_for_words_that_no_page_has(self) -> None:
        """An honest search has zero results for nonsense."""
        assert search(bundled(), "xyzzy plugh", 10) == []

    @pytest.mark.parametrize("query", ["", " \n ", "the of and", "?!", "😀"])
    def test_finds_nothing_without_a_word_that_says_something(self, query: str) -> None:
        """Blanks, punctuation and stop words alone match no page."""
        assert search(bundled(), query, 10) == []

    def test_returns_at_most_the_count(self) -> None:
        """The count limits the results, and fewer are the beginning of more."""
        three, one = _titles(bundled(), "provider", 3), _titles(bundled(), "provider", 1)
        assert len(three) == 3
        assert one == three[:1]

    def test_prefers_the_rare_word(self) -> None:
        """A page with the rarer word of a query precedes one with the more frequent word."""
        corpus = _pages("apple", "apple", "apple pear", "plum")
        assert _titles(corpus, "apple plum")[0] == "page 3"

    def test_prefers_the_word_said_more_often(self) -> None:
        """Of two equally long pages the one that repeats the word goes first."""
        corpus = _pages("apple pear pear", "apple apple pear", "plum plum plum")
        assert _titles(corpus, "apple") == ["page 1", "page 0"]

    def test_prefers_the_short_page(self) -> None:
        """Of two pages that say the word once the shorter one goes first."""
        corpus = _pages("apple pear plum fig", "apple", "quince")
        assert _titles(corpus, "apple") == ["page 1", "page 0"]

    def test_counts_the_title(self) -> None:
        """A word of the title weighs more than the same word in the text."""
        told = Page("https://a.example/1", "fruit", "apple pear plum")
        titled = Page("https://a.example/2", "apple", "fruit pear plum")
        assert _titles(Corpus.of([told, titled]), "apple") == ["apple", "fruit"]

    def test_orders_equal_pages_by_address(self) -> None:
        """A tie is broken by the address, so that the order is always the same."""
        corpus = Corpus.of(Page(f"https://a.example/{name}", "t", "apple") for name in "cab")
        urls = [hit.page.url[-1] for hit in search(corpus, "apple", 10)]
        assert urls == ["a", "b", "c"]

    def test_starts_a_passage_where_most_of_the_query_is_said(self) -> None:
        """The passage of a result begins with its best paragraph, not with the page."""
        corpus = _pages("# apple\n\nnothing here\n\nan apple and a pear\n\nthe end")
        assert search(corpus, "apple pear", 1)[0].passage == "an apple and a pear\n\nthe end"

    def test_survives_a_page_of_headings(self) -> None:
        """A page without a single paragraph has its headings as the passage."""
        assert search(_pages("# apple"), "apple", 1)[0].passage == "# apple"


@pytest.mark.rule("simulator.5")
class TestWords:
    """How texts are compared."""

    def test_ignores_case_marks_and_width(self) -> None:
        """Upper case, accents in either spelling, vowel points and full width do not count."""
        apart = unicodedata.normalize("NFD", "Crème Brûlée")
        assert [*words(apart)] == [*words("creme brulee")] == [*words("ＣＲＥＭＥ BRÛLÉE")]
        assert [*words("مُدَرِّس")] == [*words("مدرس")]

    def test_takes_neighbours_where_a_script_has_no_blanks(self) -> None:
        """Chinese is compared by pairs of characters, a lone one by itself."""
        assert [*words("联网搜索 a猫")] == ["联网", "网搜", "搜索", "猫"]

    def test_leaves_out_stop_words(self) -> None:
        """English words that say nothing about a page are dropped."""
        assert [*words(" ".join(sorted(STOP_WORDS)))] == []


@pytest.mark.rule("simulator.6")
class TestRead:
    """Which page an address leads to."""

    @pytest.mark.parametrize(
        "url",
        [
            "https://docs.example/cooldown",
            "https://docs.example/cooldown/",
            "https://docs.example/cooldown#the-ladder",
            "HTTPS://DOCS.example/cooldown",
        ],
    )
    def test_ignores_what_does_not_change_the_page(self, url: str) -> None:
        """Fragment, final slash and the case of scheme and host lead to the same page."""
        page = bundled().read(url)
        assert isinstance(page, Page)
        assert page.url == "https://docs.example/cooldown"

    def test_finds_every_page_by_its_own_address(self) -> None:
        """Each page of the corpus is found by its address, whatever characters that has."""
        assert all(bundled().read(page.url) is page for page in bundled().pages)

    @pytest.mark.parametrize(
        ("url", "why"),
        [
            ("https://docs.example/nothing", Unavailable.MISSING),
            ("https://docs.example/COOLDOWN", Unavailable.MISSING),
            ("https://docs.example/output-guard", Unavailable.MISSING),
            ("https://paywall.example/report", Unavailable.PAYWALL),
            ("https://unsafe.example/", Unavailable.UNSAFE),
            ("http://[", Unavailable.MISSING),
            ("", Unavailable.MISSING),
        ],
    )
    def test_says_why_there_is_no_page(self, url: str, why: Unavailable) -> None:
        """What is not in the corpus is missing, or closed by its host."""
        assert bundled().read(url) is why


@pytest.mark.rule("simulator.16")
class TestPages:
    """The pages that come with the package."""

    def test_are_worth_searching(self) -> None:
        """There are more than a dozen, at different addresses, on more than one host."""
        pages = bundled().pages
        assert len(pages) >= 12
        assert len({page.url for page in pages}) == len(pages)
        assert len({page.host for page in pages}) > 1

    def test_hold_long_pages_in_several_scripts(self) -> None:
        """Pages in four languages are long enough to make an output guard work."""
        long = {page.lang for page in bundled().pages if len(page.text.encode()) > LONG}
        assert long >= {"zh", "ja", "ar", "de"}

    def test_hold_what_breaks_careless_programs(self) -> None:
        """Somewhere there are combining marks, emoji families and a rare line separator."""
        text = "".join(page.text for page in bundled().pages)
        assert unicodedata.normalize("NFC", text) != text
        assert "👨‍👩‍👧‍👦" in text
        assert "\u2028" in text

    def test_leave_something_unknown(self) -> None:
        """Not every page tells its site, so that nulls occur in results."""
        assert {page.site is None for page in bundled().pages} == {True, False}

    def test_link_to_pages_that_exist(self) -> None:
        """A link to the documentation inside a page leads to another page."""
        linked = {
            part.partition(")")[0] for page in bundled().pages for part in page.text.split("](")[1:]
        }
        broken = [url for url in linked if not isinstance(bundled().read(url), Page)]
        assert broken == []

    def test_are_read_from_a_head_and_a_text(self) -> None:
        """A page file is `name: value` lines, a rule, and the text; only two names are needed."""
        page = page_from("url: https://a.example/\ntitle: A: b\n---\n\nText\n\n---\n\nmore\n")
        assert page == Page("https://a.example/", "A: b", "Text\n\n---\n\nmore")
