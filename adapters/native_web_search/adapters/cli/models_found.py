"""What `doctor` says of the models that are found: abilities, credentials, odd addresses."""

from collections.abc import Iterator
from typing import Protocol

from rich.table import Table

from native_web_search.adapters.registries.catalogue import catalogue
from native_web_search.domain.address import shown_address
from native_web_search.domain.family import Candidate, Operation, candidate_of
from native_web_search.ports.registry import ModelRegistry


class SourcedRegistry(ModelRegistry, Protocol):
    """A registry that can tell a person where a credential comes from."""

    def credential_source(self, provider: str) -> str: ...


def models_table(registry: SourcedRegistry) -> Table:
    """A row for each available model."""
    table = Table("model", "family", "dialect", "search", "URLs", "credential", box=None)
    table.columns[0].overflow = "fold"
    for model in registry.available():
        candidate = candidate_of(model)
        source = registry.credential_source(model.provider)
        table.add_row(f"{model.provider}/{model.id}", *_abilities(candidate), source)
    if not table.row_count:
        table.add_row("none found", "", "", "", "", "")
    return table


def own_addresses(registry: ModelRegistry) -> tuple[str, ...]:
    """A line for each address that is not a usual one of its provider, without its secrets."""
    usual = {(model.provider, model.base_url) for model in catalogue()}
    found = dict.fromkeys((model.provider, model.base_url) for model in registry.available())
    lines = (f"{name} is at {shown_address(url)[1:-1]}" for name, url in found.keys() - usual)
    return tuple(sorted(lines))


def _abilities(candidate: Candidate | None) -> Iterator[str]:
    if candidate is None:
        yield from ("none", "", "no", "no")
        return
    yield candidate.family.value
    yield candidate.dialect.value
    yield "yes"
    yield "yes" if candidate.can(Operation.FETCH) else "no"
