"""What our process says to the extension in pi; the protocol is told in `protocol`."""

import json
from typing import TypeAlias, assert_never

from attrs import frozen

from native_web_search.adapters.providers.json_values import Fields
from native_web_search.application.result import ToolResult
from native_web_search.domain.exposure_sync import Register


@frozen
class Activate:
    """Offer the tool, or stop offering it; what else is offered stays."""

    on: bool


@frozen
class Synced:
    """The sync is done. `opted_out` is for the next process of the same session."""

    id: int
    opted_out: bool


@frozen
class CredentialQuestion:
    """What opens this model?"""

    id: int
    provider: str
    model: str


@frozen
class Progress:
    """One line for the user about a running call."""

    id: int
    text: str


@frozen
class Answer:
    """The result of a call."""

    id: int
    result: ToolResult


@frozen
class Failed:
    """No answer will come."""

    id: int
    text: str


@frozen
class Notice:
    """A warning for the user."""

    text: str


Change: TypeAlias = Register | Activate
Reply: TypeAlias = Synced | Progress | Answer | Failed
ToPi: TypeAlias = Change | Reply | CredentialQuestion | Notice


def formatted(message: ToPi) -> bytes:
    """The message as a line, all of it ASCII."""
    return json.dumps(_plain(message), separators=(",", ":")).encode() + b"\n"


def _plain(message: ToPi) -> Fields:
    match message:
        case Register() | Activate() as change:
            return _change(change)
        case Synced() | Progress() | Answer() | Failed() as reply:
            return {"id": reply.id, **_reply(reply)}
        case CredentialQuestion(id_, provider, model):
            return {"type": "credential", "id": id_, "provider": provider, "model": model}
        case Notice(text):
            return {"type": "notice", "text": text}
        case _:
            assert_never(message)


def _change(change: Change) -> Fields:
    match change:
        case Register(spec):
            tool = {"name": spec.name, "description": spec.description, "parameters": spec.schema}
            return {"type": "register", "tool": tool}
        case Activate(on):
            return {"type": "activate", "on": on}
        case _:
            assert_never(change)


def _reply(reply: Reply) -> Fields:
    match reply:
        case Synced(opted_out=opted_out):
            return {"type": "synced", "optedOut": opted_out}
        case Progress(text=text):
            return {"type": "progress", "text": text}
        case Answer(result=result):
            said = {"text": result.text, "isError": result.is_error, "details": result.details}
            return {"type": "answer", **said}
        case Failed(text=text):
            return {"type": "failed", "text": text}
        case _:
            assert_never(reply)
