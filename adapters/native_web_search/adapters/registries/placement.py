"""Where a model lives, once the variables that its address needs are filled in."""

from collections.abc import Mapping

from attrs import evolve

from native_web_search.adapters.registries.azure_settings import with_azure_settings
from native_web_search.adapters.registries.variables import ALSO_NEEDED
from native_web_search.domain.chat_model import ChatModel


def placed(model: ChatModel, environ: Mapping[str, str]) -> ChatModel:
    """The model at the address that the variables complete; what is unset stays open."""
    base_url = model.base_url
    for name in ALSO_NEEDED.get(model.provider, ()):
        value = environ.get(name, "").strip()
        if value:
            base_url = base_url.replace(f"{{{name}}}", value)
    moved = model if base_url == model.base_url else evolve(model, base_url=base_url)
    return with_azure_settings(moved, environ)
