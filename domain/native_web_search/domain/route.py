"""The way through an order of candidates: who is still ahead after what happened so far.

What the failure of an attempt rules out depends on its scope:

    PROVIDER        every candidate of that provider id
    MODEL, REQUEST  that model of that provider id; its siblings stay
    CALL            everybody: the call ends

Whoever was tried is gone, whatever came of it. So is a candidate that was `Skipped`, but there no
attempt was made: it is free and leaves no trace. The limit counts attempts that were made, so that
a long row of candidates without credentials costs nothing.
"""

from typing import TypeAlias, assert_never

from attrs import evolve, frozen

from native_web_search.domain.failure import AttemptFailure, QueryTooLong, Scope, Skipped, scope_of
from native_web_search.domain.family import Candidate

Failures: TypeAlias = tuple[tuple[Candidate, AttemptFailure], ...]


@frozen
class Route:
    """Who is still to be tried, how many attempts were made, and which of them failed.

    `call` is the failure that ended the call.
    """

    untried: tuple[Candidate, ...]
    limit: int
    attempts: int = 0
    failures: Failures = ()
    call: QueryTooLong | None = None

    @property
    def ahead(self) -> tuple[Candidate, ...]:
        """Who may be tried next, best first."""
        return self.untried if self.attempts < self.limit else ()

    def after(self, candidate: Candidate, failure: AttemptFailure | Skipped | None) -> "Route":
        """The route once the candidate was tried or skipped; no failure means that the attempt
        went well.
        """
        untried = tuple(c for c in self.untried if c != candidate)
        match failure:
            case Skipped():
                return evolve(self, untried=untried)
            case None:
                return evolve(self, untried=untried, attempts=self.attempts + 1)
            case _:
                return evolve(
                    self,
                    untried=tuple(c for c in untried if not _rules_out(failure, candidate, c)),
                    attempts=self.attempts + 1,
                    failures=(*self.failures, (candidate, failure)),
                    call=failure if isinstance(failure, QueryTooLong) else None,
                )


def _rules_out(failure: AttemptFailure, failed: Candidate, other: Candidate) -> bool:
    same_provider = other.model.provider == failed.model.provider
    scope = scope_of(failure)
    match scope:
        case Scope.PROVIDER:
            return same_provider
        case Scope.MODEL | Scope.REQUEST:
            return same_provider and other.model.id == failed.model.id
        case Scope.CALL:
            return True
        case _:
            assert_never(scope)
