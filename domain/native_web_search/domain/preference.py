"""What worked last time, and for which set of models that is worth knowing.

A preference is a hint. It holds for one fingerprint: under another it is ignored, and forgotten
when the next success is recorded. It names a model, but vouches for the provider: if the model is
gone, the best of the same provider id that can do the operation stands in.

The plain form is the preference file, version 1:

    {"version": 1, "fingerprint": "...", "search": {"provider": "...", "model": "..."},
     "fetch": {"provider": "...", "model": "..."}}

Whatever does not have this form is as good as absent, each part for itself. A file of another
version belongs to a program that knows better: it is not read, and never overwritten.
"""

from collections.abc import Mapping
from typing import cast

from attrs import frozen

from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Candidate, Operation, candidate_of
from native_web_search.domain.memo import Memo
from native_web_search.domain.ranking import preference_key

VERSION = 1


@frozen
class Preference:
    """The provider id and the model id of a success."""

    provider: str
    model: str


@frozen
class Preferences:
    """The last success of each operation, and the fingerprint that both were made under."""

    fingerprint: str | None = None
    search: Preference | None = None
    fetch: Preference | None = None

    def of(self, operation: Operation) -> Preference | None:
        """The preference of an operation."""
        return self.search if operation is Operation.SEARCH else self.fetch


def remembered(
    preferences: Preferences,
    fingerprint: str,
    available: tuple[ChatModel, ...],
    operation: Operation,
) -> Candidate | None:
    """The available candidate that the preference stands for, if any.

    `fingerprint` is that of the models authenticated now.
    """
    preference = preferences.of(operation)
    if preference is None or preferences.fingerprint != fingerprint:
        return None
    return _meant((preference, available, operation))


def _find(question: tuple[Preference, tuple[ChatModel, ...], Operation]) -> Candidate | None:
    preference, available, operation = question
    same_provider = [m for m in available if m.provider == preference.provider]
    same_model = [m for m in same_provider if m.id == preference.model]
    return _best(same_model, operation) or _best(same_provider, operation)


def _best(models: list[ChatModel], operation: Operation) -> Candidate | None:
    candidates = (candidate_of(model) for model in models)
    able = (c for c in candidates if c is not None and c.can(operation))
    return min(able, key=preference_key, default=None)


_meant = Memo(_find)


def updated(
    preferences: Preferences, fingerprint: str, served: Mapping[Operation, Candidate]
) -> Preferences:
    """The preferences once these candidates have served these operations.

    A preference of an operation that was not served stays under the same fingerprint only. If
    nothing was served, nothing was learnt.
    """
    if not served:
        return preferences
    known = preferences if preferences.fingerprint == fingerprint else Preferences()
    learnt = {operation: _preference_for(candidate) for operation, candidate in served.items()}
    return Preferences(
        fingerprint,
        learnt.get(Operation.SEARCH, known.search),
        learnt.get(Operation.FETCH, known.fetch),
    )


def _preference_for(candidate: Candidate) -> Preference:
    return Preference(candidate.model.provider, candidate.model.id)


def preferences_from(plain: object) -> Preferences:
    """What a plain form says; anything odd is absent."""
    parts = _parts(plain)
    if not _is_ours(parts.get("version")):
        return Preferences()
    fingerprint = parts.get("fingerprint")
    return Preferences(
        fingerprint if isinstance(fingerprint, str) else None,
        _preference_from(parts.get("search")),
        _preference_from(parts.get("fetch")),
    )


def _preference_from(plain: object) -> Preference | None:
    match plain:
        case {"provider": str(provider), "model": str(model)}:
            return Preference(provider, model)
        case _:
            return None


def plain_preferences(preferences: Preferences) -> dict[str, object]:
    """The plain form, of JSON values; what is absent is left out."""
    plain: dict[str, object] = {"version": VERSION}
    if preferences.fingerprint is not None:
        plain["fingerprint"] = preferences.fingerprint
    for operation in Operation:
        preference = preferences.of(operation)
        if preference is not None:
            plain[operation.value] = {"provider": preference.provider, "model": preference.model}
    return plain


def is_foreign(plain: object) -> bool:
    """Whether this is the form of another version."""
    version = _parts(plain).get("version")
    return version is not None and not _is_ours(version)


def _parts(plain: object) -> Mapping[object, object]:
    return cast("dict[object, object]", plain) if isinstance(plain, dict) else {}


def _is_ours(version: object) -> bool:
    return version == VERSION and version is not True  # to Python, True is 1
