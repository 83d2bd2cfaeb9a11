"""Whether the set of authenticated models is still the one that a preference was learned under."""

from collections.abc import Iterable
from hashlib import sha256

from native_web_search.domain.chat_model import ChatModel

DIGITS = 32  # of the 64; enough that two sets never meet by chance


def fingerprint(available: Iterable[ChatModel]) -> str:
    """A digest of the models' keys, whatever their order. Holds no credential."""
    keys = "\n".join(sorted({model.key for model in available}))
    return sha256(keys.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
