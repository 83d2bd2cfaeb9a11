"""The lines between pi's extension and our process."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from native_web_search.adapters.hosts.pi.protocol import (
    Auth,
    AuthAnswer,
    Call,
    Cancel,
    FromPi,
    Models,
    NoAuth,
    Sync,
    parse_message,
)
from native_web_search.adapters.hosts.pi.to_pi import (
    Activate,
    Answer,
    CredentialQuestion,
    Failed,
    Notice,
    Progress,
    Synced,
    ToPi,
    formatted,
)
from native_web_search.application.result import ToolResult
from native_web_search.domain.chat_model import DEFAULT_MAX_TOKENS, ChatModel
from native_web_search.domain.exposure import Exposure, tool_spec
from native_web_search.domain.exposure_sync import Register
from native_web_search.domain.outcome import Failure, Success

LUNA = {
    "provider": "openai",
    "id": "gpt-5.6-luna",
    "api": "openai-responses",
    "baseUrl": "https://o.example/v1",
    "headers": {"X-A": "1", "X-B": None},
    "compat": {"webSearchDialect": "openai"},
    "maxTokens": 9,
}
LUNA_MODEL = ChatModel(
    "openai",
    "gpt-5.6-luna",
    "openai-responses",
    "https://o.example/v1",
    (("X-A", "1"),),
    {"webSearchDialect": "openai"},
    9,
)


@pytest.mark.rule("pi.14")
@pytest.mark.parametrize(
    ("said", "message"),
    [
        (
            {
                "type": "sync",
                "id": 1,
                "restored": True,
                "optedOut": True,
                "active": ["read", "web_search"],
                "current": LUNA,
                "available": [LUNA],
            },
            Sync(
                1,
                Models(LUNA_MODEL, (LUNA_MODEL,)),
                ("read", "web_search"),
                restored=True,
                opted_out=True,
            ),
        ),
        ({"type": "sync", "id": 1}, Sync(1, Models(), (), restored=False, opted_out=False)),
        ({"type": "call", "id": 2, "arguments": {"query": "q"}}, Call(2, Models(), {"query": "q"})),
        ({"type": "cancel", "id": 2}, Cancel(2)),
        ({"type": "auth", "id": 3, "ok": True}, AuthAnswer(3, Auth())),
        (
            {
                "type": "auth",
                "id": 3,
                "ok": True,
                "apiKey": "k",
                "headers": {"A": "b", "C": None},
                "baseUrl": "https://b.example",
                "env": {"N": "v"},
            },
            AuthAnswer(3, Auth("k", (("A", "b"),), "https://b.example", {"N": "v"})),
        ),
        ({"type": "auth", "id": 3, "ok": False, "error": "no"}, AuthAnswer(3, NoAuth("no"))),
    ],
)
def test_what_pi_says_is_read(said: object, message: FromPi) -> None:
    """Each kind, with all of its members and with none; a header without a value is none."""
    assert parse_message(json.dumps(said).encode()) == Success(message)


@pytest.mark.rule("pi.14")
def test_a_model_without_a_name_is_none() -> None:
    """What else is missing has its usual value."""
    available = [{"id": "x"}, {"provider": "p"}, 7, {"provider": "p", "id": "x"}]
    said = {"type": "call", "id": 1, "current": {"id": "x"}, "available": available}
    read = parse_message(json.dumps(said).encode())
    model = ChatModel("p", "x", max_tokens=DEFAULT_MAX_TOKENS)
    assert read == Success(Call(1, Models(None, (model,)), None))


@pytest.mark.rule("pi.14")
@pytest.mark.parametrize(
    "line", [b"", b"\n", b"{", b"[]", b'{"type":"sync"}', b'{"type":"x","id":1}', b"\xff", b"1"]
)
def test_what_cannot_be_read_is_a_reason(line: bytes) -> None:
    """It is never an exception, and shows nothing of the line."""
    assert isinstance(parse_message(line), Failure)


@pytest.mark.rule("pi.14")
@given(
    st.binary()
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["available", "active", "headers", "env", "compat", "maxTokens"]),
                inner,
            )
        ),
    ).flatmap(
        lambda value: st.sampled_from(["sync", "call", "auth", "cancel"]).map(
            lambda kind: json.dumps(
                {"type": kind, "id": 1, "ok": True, "active": value, "available": [value]}
            ).encode()
        )
    )
)
def test_any_line_is_a_message_or_a_reason(line: bytes) -> None:
    """Whatever stands in it, nothing is raised."""
    assert isinstance(parse_message(line), Success | Failure)


@pytest.mark.rule("pi.14")
@pytest.mark.parametrize(
    ("message", "said"),
    [
        (Activate(on=True), {"type": "activate", "on": True}),
        (Synced(1, opted_out=True), {"type": "synced", "id": 1, "optedOut": True}),
        (Progress(2, "p"), {"type": "progress", "id": 2, "text": "p"}),
        (Failed(2, "f"), {"type": "failed", "id": 2, "text": "f"}),
        (Notice("n"), {"type": "notice", "text": "n"}),
        (
            CredentialQuestion(3, "openai", "gpt-5.5"),
            {"type": "credential", "id": 3, "provider": "openai", "model": "gpt-5.5"},
        ),
        (
            Answer(2, ToolResult("t", is_error=True, details={"attempts": []})),
            {"type": "answer", "id": 2, "text": "t", "isError": True, "details": {"attempts": []}},
        ),
    ],
)
def test_what_we_say_is_one_object(message: ToPi, said: object) -> None:
    """Each kind as the extension reads it."""
    assert json.loads(formatted(message)) == said


@pytest.mark.rule("pi.14")
def test_a_tool_is_said_whole() -> None:
    """Name, description and schema."""
    spec = tool_spec(Exposure.QUERY)
    assert spec is not None
    tool = {"name": spec.name, "description": spec.description, "parameters": spec.schema}
    assert json.loads(formatted(Register(spec))) == {"type": "register", "tool": tool}


@pytest.mark.rule("pi.14")
@given(st.text())
def test_a_message_is_one_line_of_ascii(text: str) -> None:
    """Whatever is in it: line separators, surrogates, anything."""
    line = formatted(Notice(text))
    assert line.isascii()
    assert line.endswith(b"\n")
    assert len(line.decode().splitlines()) == 1
    assert json.loads(line)["text"] == text
