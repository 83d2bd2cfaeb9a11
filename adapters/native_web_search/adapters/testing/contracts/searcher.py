"""What a `Searcher` promises."""

from collections.abc import Mapping
from typing import cast

from native_web_search.adapters.testing.contracts.attempt import AttemptContract, WhatFailed
from native_web_search.adapters.testing.contracts.promise import (
    in_a_loop,
    promised,
    promised_json,
    promised_kind,
)
from native_web_search.adapters.testing.contracts.stage import Behaviour, Heard, SearchStage
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.payload import SearchOutcome
from native_web_search.ports.providers import Progress

QUERY = "output guard"


class SearcherContract(AttemptContract[SearchStage]):
    """Derive from this, write `opened`, and let pytest collect the class."""

    async def attempt(self, stage: SearchStage, progress: Progress) -> WhatFailed:
        match await _searched(stage, progress):
            case Failure(failure):
                return failure
            case _:
                return None

    @in_a_loop
    async def test_an_answer_is_an_object_of_json(self) -> None:
        """A payload can be put into a document: its keys are names, its values are JSON."""
        async with self.opened(Behaviour.ANSWERS) as stage:
            outcome = await _searched(stage, Heard())
        match outcome:
            case Success(payload):
                promised(_is_object(payload), "a payload is a mapping by names", payload)
                promised_json(payload, "a payload is JSON")
            case _:
                promised(kept=False, promise="an answer is a success", found=outcome)


async def _searched(stage: SearchStage, progress: Progress) -> SearchOutcome:
    outcome = await stage.searcher.search(stage.candidate, QUERY, progress)
    promised_kind(outcome, (Success, Failure), "a search returns an outcome")
    return outcome


def _is_object(payload: object) -> bool:
    if not isinstance(payload, Mapping):
        return False
    return all(isinstance(name, str) for name in cast("Mapping[object, object]", payload))
