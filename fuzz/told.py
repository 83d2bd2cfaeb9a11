"""What models, users and hosts tell us: arguments, variables, names, files of models, messages."""

import os
from itertools import pairwise
from urllib.parse import urlsplit

from fuzz.chance import chance
from fuzz.documents import json_from
from native_web_search.adapters.hosts.pi.protocol import parse_message
from native_web_search.adapters.registries.catalogue import catalogue
from native_web_search.adapters.registries.models_file import models_with
from native_web_search.application.settings import ALIAS, PREFIX, TABLE, Settings, settings_from
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Candidate, Dialect, Family, Operation, candidate_of
from native_web_search.domain.outcome import Failure, Success
from native_web_search.domain.ranking import preference_key
from native_web_search.domain.request import (
    MAX_QUERY,
    RefusedUrl,
    Request,
    ValidUrl,
    parse_request,
)
from native_web_search.domain.url import MAX_SHOWN, shown


def any_arguments_are_read(data: bytes) -> None:
    """Any JSON value is a request or a reason; what is no JSON is tried as a URL."""
    try:
        arguments = json_from(data)
    except ValueError:
        arguments = {"urls": [data.decode("utf-8", "surrogateescape")]}
    match parse_request(arguments):
        case Success(request):
            assert isinstance(arguments, dict)
            _judge_request(request, arguments.get("urls") or [])
        case Failure(invalid):
            assert invalid.message


def _judge_request(request: Request, given: list[object]) -> None:
    assert request.query or request.valid_urls
    assert len(request.query or "") <= MAX_QUERY
    for url, original in zip(request.urls, given, strict=True):
        match url:
            case ValidUrl(accepted):
                assert accepted == original
                assert _is_plain(accepted)
            case RefusedUrl(visible, message):
                assert len(visible) <= MAX_SHOWN
                assert (visible + message).isprintable() or not (visible + message).isascii()
                assert shown(visible) == visible


def _is_plain(url: str) -> bool:
    """Whether a lenient parser, too, sees a host and nobody's name in it, and it can be sent."""
    try:
        authority = urlsplit(url).netloc
    except ValueError:  # stricter here than browsers are: brackets that are no address
        return True
    user, _at, host = authority.rpartition("@")
    return bool(host and url.encode()) and not user.strip(":@")


def any_environment_is_settings(data: bytes) -> None:
    """Lines `NAME=value` are variables, each with our prefix and with the alias."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    rows = [line.partition("=") for line in lines]
    environ = {PREFIX + name: value for name, _, value in rows}
    environ |= {ALIAS + name: value for name, _, value in rows[1:]}
    settings, warnings = settings_from(environ)
    assert isinstance(settings, Settings)
    assert settings.timeout_ms > 0
    assert settings.deadline_seconds is None or settings.deadline_seconds > 0
    assert len(warnings) <= len(TABLE)
    assert all(warning.isprintable() for warning in warnings)
    assert settings.preference_file is None or os.fsencode(settings.preference_file)


def any_models_are_in_order(data: bytes) -> None:
    """Each line is `id`, or several fields parted by blanks: id, provider, api, base URL."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    models = [_model(line.split(" ")) for line in lines]
    for model in models:
        found = candidate_of(model)
        assert found is None or found.can(Operation.SEARCH)
    row = [Candidate(model, Family.OPENAI, Dialect.OPENAI) for model in models]
    draws = chance(data)
    ranked = sorted(row, key=preference_key)
    assert sorted(draws.sample(row, len(row)), key=preference_key) == ranked
    for before, after in pairwise(ranked):
        same = before == after
        assert (preference_key(before) == preference_key(after)) is same


def _model(fields: list[str]) -> ChatModel:
    id_, provider, api, base_url = (*fields, "", "", "", "")[:4]
    return ChatModel(provider, id_, api, base_url)


def any_models_file_is_read(data: bytes) -> None:
    """Models, each with an api and an address, or one reason."""
    match models_with(catalogue(), data):
        case Success((models, _file)):
            assert all(model.api for model in models)
            assert len({(model.provider, model.id) for model in models}) == len(models)
        case Failure(reason):
            assert reason


def any_message_of_pi_is_read(data: bytes) -> None:
    """A message or a reason, which shows nothing of the line."""
    match parse_message(data):
        case Success(message):
            assert isinstance(message.id, int)
        case Failure(reason):
            assert reason.isascii()
