"""One chat model that a host offers, as far as searching the web depends on it."""

from collections.abc import Mapping

from attrs import field, frozen

from native_web_search.domain.address import shown_address

DEFAULT_MAX_TOKENS = 16_384  # what pi assumes of a model that does not say


def _pairs(headers: Mapping[str, str] | tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple(headers.items()) if isinstance(headers, Mapping) else tuple(headers)


def _copied(compat: Mapping[str, object]) -> dict[str, object]:
    return dict(compat)  # what the host does to its own later is no matter of this model


@frozen
class ChatModel:
    """A chat model: where it lives and which interface it speaks.

    `provider`, `id` and `base_url` are compared and sent exactly as given. `compat` holds the
    host's switches for this model; we read `webSearchDialect` ("grok" or "openai"),
    `azureApiVersion` and `azureDeployment`, and keep the rest. `headers` may hold secrets and are
    not shown by `repr`, nor is what may be a key in `base_url`. A model is hashable, so that an
    equal tuple of models is recognised.
    """

    provider: str
    id: str
    api: str = ""
    base_url: str = field(default="", repr=shown_address)
    headers: tuple[tuple[str, str], ...] = field(default=(), converter=_pairs, repr=False)
    compat: Mapping[str, object] = field(factory=dict[str, object], converter=_copied, hash=False)
    max_tokens: int = DEFAULT_MAX_TOKENS

    @property
    def key(self) -> str:
        """`provider/id@baseUrl`, which names the model in fingerprints and ends every tie."""
        return f"{self.provider}/{self.id}@{self.base_url}"
