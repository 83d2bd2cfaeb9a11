"""The small web that the simulated providers know, and how they search it.

The pages are files in `corpus/`: a few `name: value` lines, a line `---`, then Markdown. They are
about this project's own subjects, some short and English, some long and in other scripts.

Ranking is BM25, the textbook formula: a page scores for each word of the query, more if the word
is rare among the pages, more (up to a limit) if the page uses it often, less if the page is long.
Words of a title count three times. Words are compared without case, accents and other marks;
where a script writes no blanks (Chinese, Japanese) each pair of neighbouring characters is a
word. Nothing else is looked at: not where links lead, no dates, no operators.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from importlib.resources import files
from math import log
from urllib.parse import urlsplit

from attrs import field, frozen

SATURATION = 1.2  # BM25's k1: how soon repeating a word stops to help
LENGTH_WEIGHT = 0.75  # BM25's b: how much a long page has to say a word more often
TITLE_WEIGHT = 3

PASSAGE = 800  # code points of a passage: what providers return as a summary

# English words that say nothing about a page. No list for other languages: what is frequent
# weighs little anyway.
_FREQUENT = """
a an and are as at be but by can do does for from has have how i if in into is it its not of on or
so than that the their then there they this to was we what when where which who why will with work
you your
"""
STOP_WORDS = frozenset(_FREQUENT.split())

_UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"  # kana and ideographs
_TARGET = re.compile(r"(?<=\])\(\S*\)")  # where a Markdown link leads
_RUN = re.compile(rf"([{_UNSPACED}]+)|([^\W_{_UNSPACED}]+)")


@frozen
class Page:
    """One page. `site` and `date` may be unknown; `authority` is DeepSeek's scale, -1 unknown."""

    url: str
    title: str
    text: str = field(repr=False)
    lang: str = "en"
    site: str | None = None
    date: str | None = None
    authority: int = -1

    @property
    def host(self) -> str:
        return _host(self.url)


@frozen
class Hit:
    """A page that matches. `passage` starts at the paragraph that answers most of the query."""

    page: Page
    score: float
    passage: str


class Unavailable(Enum):
    """Why a page cannot be read."""

    MISSING = "missing"
    PAYWALL = "paywall"
    UNSAFE = "unsafe"


# Two hosts for trying the other ways in which a page can fail; all else that is not in the corpus
# is missing.
CLOSED_HOSTS = {"paywall.example": Unavailable.PAYWALL, "unsafe.example": Unavailable.UNSAFE}


@frozen
class Indexed:
    """A page with its words, counted, and with those of each paragraph that is no heading."""

    page: Page
    words: Mapping[str, int] = field(repr=False)
    length: int
    paragraphs: tuple[tuple[str, frozenset[str]], ...] = field(repr=False)


@frozen
class Corpus:
    """Some pages, ready for searching."""

    indexed: tuple[Indexed, ...] = field(repr=False)

    @classmethod
    def of(cls, pages: Iterable[Page]) -> "Corpus":
        return cls(tuple(_indexed(page) for page in pages))

    @property
    def pages(self) -> tuple[Page, ...]:
        return tuple(indexed.page for indexed in self.indexed)

    def read(self, url: str) -> Page | Unavailable:
        """The page of this address; a fragment, a final slash and the host's case do not count."""
        wanted = _address(url)
        found = next((page for page in self.pages if _address(page.url) == wanted), None)
        return found or CLOSED_HOSTS.get(_host(wanted), Unavailable.MISSING)


def search(corpus: Corpus, query: str, count: int) -> list[Hit]:
    """The best pages for a query, best first, at most `count`; equal ones by address."""
    asked = frozenset(words(query))
    scored = [(_score(corpus, indexed, asked), indexed) for indexed in corpus.indexed]
    found = [(score, indexed) for score, indexed in scored if score > 0]
    found.sort(key=lambda pair: (-pair[0], pair[1].page.url))
    return [Hit(indexed.page, score, _passage(indexed, asked)) for score, indexed in found[:count]]


def words(text: str) -> Iterator[str]:
    """The words of a text, in order, as they are compared; where a link leads does not count."""
    for match in _RUN.finditer(_plain(_TARGET.sub(" ", text))):
        run, word = match.groups()
        if run:
            yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))
        elif word not in STOP_WORDS:
            yield word


@cache
def bundled() -> Corpus:
    """The pages that come with the package."""
    folder = files("native_web_search.adapters.simulator") / "corpus"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".md"))
    return Corpus.of(page_from((folder / name).read_text("utf-8")) for name in names)


def page_from(source: str) -> Page:
    """Read a page file."""
    head, _, text = source.partition("\n---\n")
    fields = dict(line.split(": ", 1) for line in head.split("\n"))
    return Page(
        url=fields["url"],
        title=fields["title"],
        text=text.strip("\n"),
        lang=fields.get("lang", "en"),
        site=fields.get("site"),
        date=fields.get("date"),
        authority=int(fields.get("authority", "-1")),
    )


def _indexed(page: Page) -> Indexed:
    counted = Counter(words(page.text))
    for word in words(page.title):
        counted[word] += TITLE_WEIGHT
    paragraphs = (text for text in page.text.split("\n\n") if not text.startswith("#"))
    spoken = tuple((text, frozenset(words(text))) for text in paragraphs)
    return Indexed(page, counted, counted.total(), spoken)


def _score(corpus: Corpus, indexed: Indexed, asked: frozenset[str]) -> float:
    pages = len(corpus.indexed)
    average = max(1, sum(each.length for each in corpus.indexed)) / pages
    stretch = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * indexed.length / average
    total = 0.0
    for word in sorted(asked & indexed.words.keys()):
        times = indexed.words[word]
        having = sum(word in each.words for each in corpus.indexed)
        rarity = log(1 + (pages - having + 0.5) / (having + 0.5))
        total += rarity * times * (SATURATION + 1) / (times + SATURATION * stretch)
    return total


def _passage(indexed: Indexed, asked: frozenset[str]) -> str:
    answered = [len(asked & spoken) for _, spoken in indexed.paragraphs]
    best = answered.index(max(answered)) if answered else 0
    texts = [text for text, _ in indexed.paragraphs] or [indexed.page.text]
    return "\n\n".join(texts[best:])[:PASSAGE].strip()


def _plain(text: str) -> str:
    """Without case, width variants, accents, vowel points and the like."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(character for character in apart if not _is_mark(character))
    return unicodedata.normalize("NFC", kept)


def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("M")


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _address(url: str) -> str:
    scheme, _, rest = url.partition("#")[0].partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme.lower()}://{host.lower()}{slash}{path}".rstrip("/")
