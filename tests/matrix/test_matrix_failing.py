"""Calls that nobody serves: what the model is told, and what it is not."""

import json
import logging
import warnings

import pytest
from attrs import evolve

from tests.matrix.faults import TEXT, as_json, response
from tests.matrix.places import Place
from tests.matrix.together import ROWS, Row, together
from tests.matrix.verdict import leaks, words

SHAPES = ("words", "nested", "long")


def echo(place: Place, case: str) -> bytes:
    """Every provider refuses, and repeats its key in one of several ways."""
    match case:
        case "words":
            body = as_json({"error": {"message": f"Incorrect API key provided: {place.key}"}})
            return response(401, body, closing=False)
        case "nested":
            inner = json.dumps({"headers": {"authorization": f"Bearer {place.key}"}})
            return response(429, as_json({"error": {"message": inner}}), closing=False)
        case _:
            return response(503, f"{place.key} and more\r\n".encode() * 400, TEXT, closing=False)


@pytest.mark.rule("call.9", "call.11", "masking.1", "masking.5")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
async def test_when_everybody_fails_each_has_a_line_without_its_key(
    row: Row, shape: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The error text names every provider once, in one bounded line, and no key is anywhere."""
    caplog.set_level(logging.DEBUG)
    row = evolve(row, places=row.everybody, well=None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        async with together(row, echo) as stage:
            web = stage.tool(shape)
            asked = await stage.ask(shape)
    result = asked.result
    assert result.is_error
    title, *lines = result.text.split("\n")
    assert title.endswith(("failed:", "analyzed:"))
    said = dict(line.removeprefix("- ").split(": ", 1) for line in lines[: len(row.places)])
    assert sorted(said) == sorted(place.provider for place in row.places)
    assert [wrong for message in said.values() for wrong in words(message)] == []
    logs = [record.getMessage() for record in caplog.records]
    shown = "\n".join([result.text, json.dumps(result.details), repr(result), repr(web), *logs])
    assert [leak for place in row.places for leak in leaks(place, shown)] == []
    assert {provider for _operation, provider, _model in asked.ledger.cooldowns} == set(said)
