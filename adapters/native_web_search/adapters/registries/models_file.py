"""A file of models, in the form of pi's `models.json`.

`{"providers": {id: {baseUrl, api, apiKey, authHeader, headers, compat, models, modelOverrides}}}`,
with `//` comments and a byte order mark allowed. For a provider of the catalogue, `baseUrl` moves
all its models, an entry of `models` replaces the model of the same id or is added, and
`modelOverrides` change single models. A new provider needs `baseUrl` and `api`, its own or its
models'. Switches in `compat` are merged key by key, the model's over the provider's.

Keys and headers stay templates here; they are resolved for each attempt and stored nowhere.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar, cast

from attrs import evolve, fields
from cattrs import Converter, transform_error
from cattrs.gen import make_dict_structure_fn, override

from native_web_search.adapters.registries.azure_settings import AZURE_API
from native_web_search.adapters.registries.provider_entry import (
    ModelChange,
    ModelEntry,
    ModelsFile,
    ProviderEntry,
)
from native_web_search.domain.chat_model import DEFAULT_MAX_TOKENS, ChatModel
from native_web_search.domain.outcome import Failure, Outcome, Success

T = TypeVar("T")

NAMES = {
    "base_url": "baseUrl",
    "api_key": "apiKey",
    "auth_header": "authHeader",
    "max_tokens": "maxTokens",
    "model_overrides": "modelOverrides",
}

OURS = [str(one.name) for one in (*fields(ProviderEntry), *fields(ModelEntry))]
KNOWN = {name.replace("_", ""): NAMES.get(name, name) for name in OURS}

ADDRESS = re.compile(r"https?://[^/]", re.IGNORECASE)
COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\r\n]*')


def parse_models_file(content: bytes) -> Outcome[ModelsFile, str]:
    """Read a file; a failure says where it is wrong, and the whole file then counts for nothing."""
    match _plain(content):
        case Success(plain):
            return _structured(plain)
        case Failure(reason):
            return Failure(reason)


def _plain(content: bytes) -> Outcome[dict[str, object], str]:
    try:
        text = content.decode("utf-8-sig")
        plain: object = json.loads(COMMENT.sub(lambda match: match[1] or "", text))
    except (ValueError, RecursionError) as error:
        return Failure(f"it is no JSON ({error})")
    if not isinstance(plain, dict) or "providers" not in plain:
        return Failure('it must be an object with "providers"')
    return Success(cast("dict[str, object]", plain))


def _structured(plain: dict[str, object]) -> Outcome[ModelsFile, str]:
    try:
        return Success(_CONVERTER.structure(plain, ModelsFile))
    except Exception as error:  # noqa: BLE001 - cattrs raises groups of whatever went wrong
        return Failure("; ".join(_in_their_names(transform_error(error, path="the file")[:3])))


def models_with(
    catalogue: tuple[ChatModel, ...], content: bytes
) -> Outcome[tuple[tuple[ChatModel, ...], ModelsFile], str]:
    """The catalogue's models with those of a file, if every model then has an api and an address
    on http or https. An address may be left to variables only where the catalogue does so.

    A member that is one of ours but for its spelling is a mistake: a `baseURL` that went unnoticed
    would send keys and queries past the gateway that somebody chose.
    """
    misspelt = _misspelt(content)
    match parse_models_file(content) if misspelt is None else Failure(misspelt):
        case Success(file):
            merged = merged_models(catalogue, file)
            wrong = next(filter(None, map(_flaw, set(merged) - set(catalogue))), None)
            return Success((merged, file)) if wrong is None else Failure(wrong)
        case Failure(reason):
            return Failure(reason)


def _misspelt(content: bytes) -> str | None:
    for provider, entry in _members(
        _members(_plain(content).value_or({})).get("providers")
    ).items():
        models = _members(entry).get("models")
        inside = cast("list[object]", models) if isinstance(models, list) else []
        for part in (entry, *inside):
            for name in _members(part):
                meant = KNOWN.get(name.replace("_", "").lower(), name)
                if meant != name:
                    return f"providers.{provider} has {name!r}, which must be {meant!r}"
    return None


def _members(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _flaw(model: ChatModel) -> str | None:
    name = f"{model.provider}/{model.id}"
    if not model.api:
        return f"{name} needs an api, its own or its provider's"
    if model.api != AZURE_API and not ADDRESS.match(model.base_url):
        return f"{name} needs a baseUrl on http or https, its own or its provider's"
    return None


def _in_their_names(reasons: Iterable[str]) -> Iterator[str]:
    for reason in reasons:
        yield re.sub(r"\.(\w+)", lambda part: f".{NAMES.get(part[1], part[1])}", reason)


def merged_models(catalogue: Iterable[ChatModel], file: ModelsFile) -> tuple[ChatModel, ...]:
    """The catalogue's models with the file's changes, then the models that the file adds."""
    models = {(model.provider, model.id): model for model in catalogue}
    for provider, entry in file.providers.items():
        known = [model for model in models.values() if model.provider == provider]
        for model in (*_moved(known, entry), *_brought(provider, entry, known)):
            models[provider, model.id] = model
        for name, change in entry.model_overrides.items():
            if (provider, name) in models:
                models[provider, name] = _changed(models[provider, name], change)
    return tuple(models.values())


def _moved(known: list[ChatModel], entry: ProviderEntry) -> Iterator[ChatModel]:
    for model in known:
        base_url = entry.base_url or model.base_url
        yield evolve(model, base_url=base_url, compat={**model.compat, **entry.compat})


def _brought(provider: str, entry: ProviderEntry, known: list[ChatModel]) -> Iterator[ChatModel]:
    sibling = known[0] if known else ChatModel(provider, "")
    for brought in entry.models:
        same = next((model for model in known if model.id == brought.id), sibling)
        yield ChatModel(
            provider,
            brought.id,
            brought.api or entry.api or same.api,
            brought.base_url or entry.base_url or same.base_url,
            compat={**entry.compat, **brought.compat},
            max_tokens=brought.max_tokens or DEFAULT_MAX_TOKENS,
        )


def _changed(model: ChatModel, change: ModelChange) -> ChatModel:
    return evolve(
        model,
        compat={**model.compat, **change.compat},
        max_tokens=change.max_tokens or model.max_tokens,
    )


def _strictly(kind: type[T], value: object) -> T:
    """`value` if it is of that very kind: plain structuring would turn None into 'None'."""
    if type(value) is not kind:
        message = f"expected {kind.__name__}, not {type(value).__name__}"
        raise TypeError(message)
    return value


def _converter() -> Converter:
    converter = Converter()
    for kind in (str, int, bool):
        converter.register_structure_hook(kind, lambda value, kind: _strictly(kind, value))
    converter.register_structure_hook_func(lambda kind: kind is object, lambda value, _: value)
    names: dict[str, Any] = {ours: override(rename=theirs) for ours, theirs in NAMES.items()}
    for record in (ModelChange, ModelEntry, ProviderEntry, ModelsFile):
        structured = make_dict_structure_fn(record, converter, **names)
        converter.register_structure_hook(record, _only_objects(structured))
    return converter


def _only_objects(
    structured: Callable[[Mapping[str, object], type[T]], T],
) -> Callable[[object, type[T]], T]:
    def hook(value: object, kind: type[T]) -> T:
        return structured(cast("dict[str, object]", _strictly(dict, value)), kind)

    return hook


_CONVERTER = _converter()
