"""What a models file says about providers and their models; keys and headers are templates."""

from collections.abc import Mapping

from attrs import field, frozen

from native_web_search.domain.address import shown_address


@frozen
class ModelChange:
    """What `modelOverrides` may say about a model."""

    headers: Mapping[str, str] = field(factory=dict[str, str], repr=False)
    compat: Mapping[str, object] = field(factory=dict[str, object])
    max_tokens: int | None = None


@frozen
class ModelEntry(ModelChange):
    """A model that the file brings."""

    id: str = field(kw_only=True)
    api: str | None = None
    base_url: str | None = field(default=None, repr=shown_address)


@frozen
class ProviderEntry:
    """What the file says about one provider."""

    base_url: str | None = field(default=None, repr=shown_address)
    api: str | None = None
    api_key: str | None = field(default=None, repr=False)
    auth_header: bool = False
    headers: Mapping[str, str] = field(factory=dict[str, str], repr=False)
    compat: Mapping[str, object] = field(factory=dict[str, object])
    models: tuple[ModelEntry, ...] = ()
    model_overrides: Mapping[str, ModelChange] = field(factory=dict[str, ModelChange])

    def headers_for(self, model: str) -> Mapping[str, str]:
        """The header templates of one of its models, the model's own beating the provider's."""
        entry = next((each for each in self.models if each.id == model), ModelChange())
        override_ = self.model_overrides.get(model, ModelChange())
        return {**self.headers, **entry.headers, **override_.headers}


@frozen
class ModelsFile:
    """The providers of a file, by id."""

    providers: Mapping[str, ProviderEntry] = field(factory=dict[str, ProviderEntry])
