"""A short name for the set of models that the user has authenticated."""

from collections.abc import Iterable
from hashlib import sha256

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.memo import Memo

HEX_DIGITS = 32  # half of a SHA-256; the preference file has always had so many


def fingerprint(available: Iterable[ChatModel]) -> str:
    """The digest of the set of their `provider/id@baseUrl`.

    It changes with every model, login or base URL that comes or goes, and with nothing else. It
    guards the preferences: what was learnt about one set of models says nothing about another.
    """
    return _digest(tuple(available))


def _digest_of(models: tuple[ChatModel, ...]) -> str:
    lines = "\n".join(sorted({model.key for model in models}))
    # Ids may hold anything, even half a surrogate pair, which plain UTF-8 refuses.
    return sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()[:HEX_DIGITS]


_digest = Memo(_digest_of)
