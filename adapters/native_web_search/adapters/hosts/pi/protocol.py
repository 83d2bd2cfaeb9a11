"""What the extension in pi and our process say to each other.

One JSON object a line, each way. The extension speaks first, and everything that wants an answer
carries a number of its sender's choice, which the answer repeats:

    from pi                                  to pi
    -----------------------------------      ---------------------------------------------
    sync    something happened               register, activate   any number, then synced
    call    the model calls the tool         progress             any number, then answer
    cancel  the call is not wanted any more
    auth    what opens a model               credential           asks for it, for one attempt

`failed` stands in for `synced` and `answer` after a mistake of ours; `notice` is for the user.

Each `sync` and `call` brings the models as they are now, so that no login goes unnoticed.
"""

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from attrs import field, frozen

from native_web_search.adapters.providers.headers import Header
from native_web_search.adapters.providers.json_values import Fields, list_in, object_in, text_in
from native_web_search.domain.chat_model import DEFAULT_MAX_TOKENS, ChatModel
from native_web_search.domain.outcome import Failure, Outcome, Success

# What the extension states when it starts us. It grows when an older extension would not do.
PROTOCOL = "1"


@frozen
class Models:
    """Pi's chat models: the conversation's, and all with a credential."""

    current: ChatModel | None = None
    available: tuple[ChatModel, ...] = ()


@frozen
class Sync:
    """Time to bring the tool up to date. `active` are the tools that are offered now.

    `restored`: pi has just put back the tools of a session. `opted_out`: this session's user had
    taken the tool away, which a process that has just started cannot know.
    """

    id: int
    models: Models
    active: tuple[str, ...]
    restored: bool
    opted_out: bool


@frozen
class Call:
    """The model calls the tool."""

    id: int
    models: Models
    arguments: object


@frozen
class Cancel:
    """The call of this number is not wanted any more; it gets no answer."""

    id: int


@frozen
class Auth:
    """What pi knows of a credential, all of it optional. `repr` shows nothing of it.

    `variables` are those that are stored beside a key.
    """

    key: str | None = field(default=None, repr=False)
    headers: tuple[Header, ...] = field(default=(), repr=False)
    base_url: str | None = field(default=None, repr=False)
    variables: Mapping[str, str] = field(factory=dict[str, str], repr=False)


@frozen
class NoAuth:
    """Pi should have a credential and could not resolve it."""

    error: str


@frozen
class AuthAnswer:
    """The answer to the question of this number."""

    id: int
    auth: Auth | NoAuth


FromPi: TypeAlias = Sync | Call | Cancel | AuthAnswer


def parse_message(line: bytes) -> Outcome[FromPi, str]:
    """Read a line; a failure says what is wrong with it and shows nothing of it."""
    try:
        plain: Any = json.loads(line)
    except (ValueError, RecursionError):
        return Failure("a line is no JSON")
    match plain:
        case {"type": "sync", "id": int(id_)}:
            active = tuple(text_in(name) for name in list_in(plain.get("active")))
            restored, opted_out = plain.get("restored") is True, plain.get("optedOut") is True
            return Success(Sync(id_, _models(plain), active, restored, opted_out))
        case {"type": "call", "id": int(id_)}:
            return Success(Call(id_, _models(plain), plain.get("arguments")))
        case {"type": "cancel", "id": int(id_)}:
            return Success(Cancel(id_))
        case {"type": "auth", "id": int(id_)}:
            return Success(AuthAnswer(id_, _auth(plain)))
        case _:
            return Failure("a message is of no known kind")


def _models(plain: Fields) -> Models:
    named = (_model(object_in(one)) for one in list_in(plain.get("available")))
    available = tuple(model for model in named if model is not None)
    return Models(_model(object_in(plain.get("current"))), available)


def _model(plain: Fields) -> ChatModel | None:
    provider, id_, limit = plain.get("provider"), plain.get("id"), plain.get("maxTokens")
    if not isinstance(provider, str) or not isinstance(id_, str):
        return None
    return ChatModel(
        provider,
        id_,
        text_in(plain.get("api")),
        text_in(plain.get("baseUrl")),
        tuple(_texts(plain.get("headers")).items()),
        object_in(plain.get("compat")),
        limit if type(limit) is int else DEFAULT_MAX_TOKENS,
    )


def _auth(plain: Fields) -> Auth | NoAuth:
    if plain.get("ok") is not True:
        return NoAuth(text_in(plain.get("error")))
    return Auth(
        text_in(plain.get("apiKey")) or None,
        tuple(_texts(plain.get("headers")).items()),
        text_in(plain.get("baseUrl")) or None,
        _texts(plain.get("env")),
    )


def _texts(plain: object) -> Mapping[str, str]:
    """The members that are texts; pi's null, which takes a default header away, is not."""
    return {name: value for name, value in object_in(plain).items() if isinstance(value, str)}
