"""Writing JSON, up to a length."""

import json
from collections import OrderedDict
from http import HTTPStatus
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.testing.strategies.documents import all_documents
from native_web_search.domain.json_text import (
    COMPACT,
    PRETTY,
    Layout,
    is_array,
    is_object,
    written,
)

LAYOUTS = st.sampled_from((COMPACT, PRETTY))
ENOUGH = 10**9


@pytest.mark.rule("guard.7")
@pytest.mark.parametrize("layout", [COMPACT, PRETTY])
@pytest.mark.parametrize(
    "value",
    [
        *({}, [], "", 0, None, True, 1.0, {"a": {}}, {"a": []}, [[]], [{}], [[], {}]),
        {"b": 1, "a": [1, {"2": None}], "": "x"},
        {"2": 1, "1": 2, "b": 3, "a": 4, "__proto__": 5},
        {2: 2, None: 3, True: 4, 1.5: 5},
        list(range(600)) + ["x", [], 1.5] + [None] * 600,
        [{"a": [list(range(9)), "日本語"]}] * 3,
        (1, ("x",)),
        {"status": HTTPStatus.OK},
        OrderedDict(b=1, a=2),
    ],
)
def test_values_are_written_as_the_standard_encoder_writes_them(
    value: object, layout: Layout
) -> None:
    """Compact and indented, in the order given, other alphabets as they are."""
    expected = (
        json.dumps(value, ensure_ascii=False, indent=2)
        if layout is PRETTY
        else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    )
    assert written(value, ENOUGH, layout) == expected


@pytest.mark.rule("guard.7")
def test_read_only_mappings_are_objects() -> None:
    """A mapping need not be a dictionary."""
    assert written(MappingProxyType({"a": MappingProxyType({})}), 10) == '{"a":{}}'


@pytest.mark.rule("guard.3")
def test_numbers_that_json_cannot_say_are_null() -> None:
    """Infinite, none, or too long to be printed, alone or among others."""
    odd = [float("inf"), float("-inf"), float("nan"), 10**5_000]
    assert json.loads(written(odd * 3, ENOUGH) or "") == [None] * 12
    assert written({"score": 1e400, "n": 10**5_000}, ENOUGH) == '{"score":null,"n":null}'


@pytest.mark.rule("guard.2")
def test_lone_surrogates_count_with_their_escapes() -> None:
    """A text that is too long only when it is ready to be sent is too long."""
    assert written(["\ud83d"], 10) == '["\\ud83d"]'
    assert written(["\ud83d"], 9) is None
    assert written({"\udc00": 1}, 12) == '{"\\udc00":1}'


@pytest.mark.rule("guard.7")
@pytest.mark.parametrize("value", [{1}, [object()], {"a": b"x"}, {(1, 2): 3}])
def test_what_is_not_json_is_a_type_error(value: object) -> None:
    """Bugs of the caller are not covered up."""
    with pytest.raises(TypeError):
        _ = written(value, ENOUGH)


@pytest.mark.rule("guard.24")
def test_a_string_that_is_too_long_is_not_read() -> None:
    """A long string ends the writing at once, and so does a long key."""
    assert written("x" * 100, 100) is None
    assert written("x" * 99, 100) is None
    assert written("x" * 98, 100) == '"' + "x" * 98 + '"'
    assert written({"a": "x" * 99}, 100) is None
    assert written({"k" * 200: 1}, 100) is None


@pytest.mark.rule("guard.24")
def test_lengths_of_containers_are_learned() -> None:
    """By identity: exact ones of those that were closed, of the others as far as they were read."""
    closed, cut = [1, 2], ["x" * 50]
    outer = {"a": closed, "b": cut}
    lengths: dict[int, int] = {}
    assert written(outer, 40, lengths=lengths) is None
    assert lengths[id(closed)] == len("[1,2]")
    assert len('["') < lengths[id(cut)] <= 54
    assert 40 < lengths[id(outer)] <= 66


@pytest.mark.parametrize("value", [{}, MappingProxyType({"a": 1}), OrderedDict(a=1)])
def test_mappings_are_objects(value: object) -> None:
    """Everything with keys is written in braces."""
    assert is_object(value)
    assert not is_array(value)


@pytest.mark.parametrize("value", [[], (1, 2)])
def test_lists_and_tuples_are_arrays(value: object) -> None:
    """They are written in brackets."""
    assert is_array(value)
    assert not is_object(value)


@pytest.mark.parametrize("value", ["text", b"", None, 1, {1}])
def test_everything_else_is_no_container(value: object) -> None:
    """Strings have a length, too, but no parts."""
    assert not is_array(value)
    assert not is_object(value)


@pytest.mark.rule("guard.1")
class TestTheCap:
    """`written` is exact about the length, and fast about what is longer."""

    @given(all_documents(), st.integers(0, 2_000))
    def test_learned_lengths_are_lower_bounds(self, document: object, cap: int) -> None:
        """Nothing is ever taken for longer than it is."""
        lengths: dict[int, int] = {}
        _ = written(document, cap, lengths=lengths)
        nodes = [document]
        for node in nodes:
            assert lengths.get(id(node), 0) <= len(written(node, ENOUGH) or "")
            nodes += node.values() if isinstance(node, dict) else ()
            nodes += node if isinstance(node, list | tuple) else ()

    @given(all_documents(), LAYOUTS)
    def test_text_of_the_very_length_is_written(self, document: object, layout: Layout) -> None:
        """A cap of the length gives the text, and one less gives none."""
        text = written(document, ENOUGH, layout)
        assert text is not None
        assert written(document, len(text), layout) == text
        assert written(document, len(text) - 1, layout) is None
