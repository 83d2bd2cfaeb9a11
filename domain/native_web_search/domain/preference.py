"""What is remembered of the last success, and what it is worth now.

A preference is a hint. It counts under the fingerprint that it was learned under, and only while
its provider still has a model that can do the operation: if the very model is gone, the best of
the same provider stands in. A success under a new fingerprint drops what the other operation had
learned under the old one.
"""

from collections.abc import Mapping
from typing import cast

from attrs import frozen

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Candidate, Operation, candidate_of
from native_web_search.domain.ranking import preference_key

VERSION = 1


@frozen
class Preference:
    """Who served an operation last."""

    provider: str
    model: str


@frozen
class Preferences:
    """What is remembered for each operation, and under which fingerprint."""

    fingerprint: str | None = None
    search: Preference | None = None
    fetch: Preference | None = None

    def of(self, operation: Operation) -> Preference | None:
        return self.search if operation is Operation.SEARCH else self.fetch


def remembered(
    preferences: Preferences,
    fingerprint: str,
    available: tuple[ChatModel, ...],
    operation: Operation,
) -> Candidate | None:
    """The candidate that the preference stands for now, if any."""
    preference = preferences.of(operation)
    if preference is None or preferences.fingerprint != fingerprint:
        return None
    able = [
        candidate
        for model in available
        if model.provider == preference.provider
        and (candidate := candidate_of(model)) is not None
        and candidate.can(operation)
    ]
    exact = (candidate for candidate in able if candidate.model.id == preference.model)
    return next(exact, None) or min(able, key=preference_key, default=None)


def updated(
    preferences: Preferences, fingerprint: str, served: Mapping[Operation, Candidate]
) -> Preferences:
    """The preferences after a success; without one, as they were."""
    if not served:
        return preferences
    kept = preferences if preferences.fingerprint == fingerprint else Preferences()
    choices = {
        operation: Preference(candidate.model.provider, candidate.model.id)
        for operation, candidate in served.items()
    }
    return Preferences(
        fingerprint,
        choices.get(Operation.SEARCH, kept.search),
        choices.get(Operation.FETCH, kept.fetch),
    )


def preferences_from(plain: object) -> Preferences:
    """Read the plain form. Anything odd is absent; one bad entry does not lose the other."""
    if not isinstance(plain, dict) or is_foreign(plain):
        return Preferences()
    fields = cast("dict[str, object]", plain)
    stamp = fields.get("fingerprint")
    return Preferences(
        stamp if isinstance(stamp, str) else None,
        _preference(fields.get("search")),
        _preference(fields.get("fetch")),
    )


def plain_preferences(preferences: Preferences) -> dict[str, object]:
    """The plain form: provider ids, model ids and the fingerprint, nothing else."""
    plain: dict[str, object] = {"version": VERSION}
    if preferences.fingerprint is not None:
        plain["fingerprint"] = preferences.fingerprint
    for operation in Operation:
        preference = preferences.of(operation)
        if preference is not None:
            plain[operation.value] = {"provider": preference.provider, "model": preference.model}
    return plain


def is_foreign(plain: object) -> bool:
    """Whether this is an object of another version, which belongs to another program."""
    if not isinstance(plain, dict):
        return False
    version = cast("dict[str, object]", plain).get("version")
    return version is not None and version != VERSION


def _preference(plain: object) -> Preference | None:
    match plain:
        case {"provider": str(provider), "model": str(model)} if provider and model:
            return Preference(provider, model)
        case _:
            return None
