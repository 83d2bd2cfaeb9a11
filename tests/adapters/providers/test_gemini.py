"""The requests to Gemini."""

import json

import pytest

from native_web_search.adapters.providers import gemini
from native_web_search.adapters.testing.asking import ask_of, headers_of, refusal_of, request_of
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.failure import CredentialUnresolved, RequestRefused, Unreachable
from native_web_search.ports.http import HttpRequest

BASE = "https://generativelanguage.googleapis.com/v1beta"
A = "https://a.example/x"
B = "https://b.example/ü?q=1#part"
VIDEO = "https://youtu.be/AAAAAAAAAAA"


def model(name: str = "gemini-3.5-flash", base_url: str = BASE, **headers: str) -> ChatModel:
    """A model of Google's."""
    return ChatModel("google", name, "google-generative-ai", base_url, tuple(headers.items()))


def fetch_request(*urls: str, query: str | None = None) -> HttpRequest:
    """The request that analyzes these URLs."""
    assert gemini.CODEC.fetch is not None
    return gemini.CODEC.fetch.encode(ask_of(model()), urls, query).unwrap()


def parts_of(request: HttpRequest) -> list[dict[str, object]]:
    """The parts of the one message in a request; nothing else may be in it but a tool."""
    body = json.loads(request.body)
    assert body.keys() == {"contents", "tools"}
    (content,) = body["contents"]
    assert content.keys() == {"role", "parts"}
    parts = content["parts"]
    assert isinstance(parts, list)
    return parts


@pytest.mark.rule("gemini.1")
@pytest.mark.parametrize("base_url", [BASE, f"{BASE}/", f"{BASE}//"])
def test_the_address_ends_in_the_model_and_asks_for_events(base_url: str) -> None:
    """The base URL is taken as it is; slashes at its end do not matter."""
    request = request_of(gemini.CODEC, ask_of(model(base_url=base_url)))
    assert request.url == f"{BASE}/models/gemini-3.5-flash:streamGenerateContent?alt=sse"


@pytest.mark.rule("gemini.1")
@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("models/gemini-3.5-flash", "models/gemini-3.5-flash"),
        ("tunedModels/abc:x", "tunedModels/abc:x"),
        ("vendor/gemini 3?#é", "models/vendor/gemini%203%3F%23%C3%A9"),
        ("\ud800", "models/%ED%A0%80"),
    ],
)
def test_an_id_becomes_part_of_the_path(name: str, path: str) -> None:
    """Its own collection is kept, and what would end the path is escaped."""
    url = request_of(gemini.CODEC, ask_of(model(name))).url
    assert url == f"{BASE}/{path}:streamGenerateContent?alt=sse"


@pytest.mark.rule("gemini.1")
def test_a_query_of_the_base_url_stays() -> None:
    """A gateway that wants something there gets it."""
    url = request_of(gemini.CODEC, ask_of(model(base_url=f"{BASE}?tenant=1"))).url
    assert url.endswith(":streamGenerateContent?tenant=1&alt=sse")


@pytest.mark.rule("gemini.1")
@pytest.mark.parametrize("base_url", ["", "ftp://example.org", "example.org/v1beta"])
def test_without_a_web_address_nothing_is_sent(base_url: str) -> None:
    """Only http and https are sent to."""
    failure = refusal_of(gemini.CODEC, ask_of(model(base_url=base_url)))
    assert isinstance(failure, Unreachable)


@pytest.mark.rule("gemini.2")
def test_a_search_is_the_bare_query_and_one_tool() -> None:
    """No configuration, no functions, and every character as it is."""
    request = request_of(gemini.CODEC, ask_of(model()), "Zürich Wetter morgen 🎆")
    assert "Zürich Wetter morgen 🎆".encode() in request.body
    assert json.loads(request.body) == {
        "contents": [{"role": "user", "parts": [{"text": "Zürich Wetter morgen 🎆"}]}],
        "tools": [{"google_search": {}}],
    }


@pytest.mark.rule("gemini.3")
def test_urls_stand_below_the_query_as_they_were_given() -> None:
    """One request asks for all of them."""
    assert gemini.CODEC.fetch is not None
    assert not gemini.CODEC.fetch.one_url_a_request
    request = fetch_request(A, B, A, query="Compare prices")
    assert parts_of(request) == [{"text": f"Compare prices\n\nURLs:\n{A}\n{B}\n{A}"}]
    assert json.loads(request.body)["tools"] == [{"url_context": {}}]


@pytest.mark.rule("gemini.4")
def test_without_a_query_the_full_content_is_asked_for() -> None:
    """The instruction takes the place of the query."""
    (part,) = parts_of(fetch_request(A))
    instruction, *rest = str(part["text"]).split("\n")
    assert "completely" in instruction
    assert rest == ["", "URLs:", A]


@pytest.mark.rule("gemini.5")
@pytest.mark.parametrize(
    "url",
    [
        VIDEO,
        "http://www.youtu.be/AAAAAAAAAA-",
        "https://www.youtube.com/watch?v=AAAAAAAAAA_&t=10s",
        "https://youtube.com/embed/AAAAAAAAAAA?start=1",
        "HTTPS://YouTube.com/watch?v=AAAAAAAAAAA",
    ],
)
def test_a_video_is_a_part_before_the_text(url: str) -> None:
    """Videos travel as files and not in the text; the tool stays the same."""
    request = fetch_request(A, url, query="What happens?")
    assert parts_of(request) == [
        {"file_data": {"file_uri": url, "mime_type": "video/mp4"}},
        {"text": f"What happens?\n\nURLs:\n{A}"},
    ]
    assert json.loads(request.body)["tools"] == [{"url_context": {}}]


@pytest.mark.rule("gemini.5")
def test_videos_alone_leave_the_question_alone() -> None:
    """Without pages there is no list of URLs."""
    first, second, text = parts_of(fetch_request(VIDEO, VIDEO, query="What happens?"))
    assert first == second
    assert text == {"text": "What happens?"}


@pytest.mark.rule("gemini.5")
@pytest.mark.parametrize(
    "url",
    [
        "https://m.youtube.com/watch?v=AAAAAAAAAAA",
        "https://www.youtube.com/shorts/AAAAAAAAAAA",
        "https://www.youtube.com/watch?app=desktop&v=AAAAAAAAAAA",
        "https://youtu.be/AAAAAAAAAA",
        "https://youtu.be/AAAAAAAAAAAA",
        "https://youtu.be/AAAAAAAAAAé",
        "https://youtu.be.example/AAAAAAAAAAA",
        "https://a.example/?u=https://youtu.be/AAAAAAAAAAA",
    ],
)
def test_what_google_does_not_take_as_a_video_is_a_page(url: str) -> None:
    """It stays in the text."""
    assert parts_of(fetch_request(url, query="q")) == [{"text": f"q\n\nURLs:\n{url}"}]


@pytest.mark.rule("gemini.6")
def test_more_urls_than_google_takes_are_refused_unsent() -> None:
    """Twenty URLs are too many once the query holds another one; a video is none of them."""
    urls = tuple(f"https://a.example/{number}" for number in range(20))
    assert gemini.CODEC.fetch is not None
    encode = gemini.CODEC.fetch.encode
    failure = encode(ask_of(model()), urls, "Compare with https://b.example/.").failure()
    assert isinstance(failure, RequestRefused)
    assert "20 URLs" in failure.message
    fetch_request(*urls, query=f"Compare with ({urls[0]}).")
    fetch_request(*urls)
    fetch_request(*urls[1:], VIDEO, query="Compare with https://b.example/.")


@pytest.mark.rule("gemini.7")
def test_the_key_has_its_header() -> None:
    """It is in no URL, and no other header authenticates."""
    request = request_of(gemini.CODEC, ask_of(model(), key="key-CANARY"))
    assert headers_of(request) == {
        "content-type": "application/json",
        "accept": "text/event-stream",
        "user-agent": "tester/1.0",
        "x-goog-api-key": "key-CANARY",
    }
    assert "CANARY" not in request.url + repr(request)


@pytest.mark.rule("gemini.7")
@pytest.mark.parametrize("name", ["Authorization", "X-Goog-Api-Key"])
@pytest.mark.parametrize("of_model", [True, False])
def test_a_configured_authentication_wins(name: str, of_model: bool) -> None:  # noqa: FBT001 - a parameter
    """With such a header from the model or the credential, the key is not sent."""
    given = {name: "configured"}
    ask = ask_of(model(**given)) if of_model else ask_of(model(), headers=given)
    sent = headers_of(request_of(gemini.CODEC, ask))
    assert sent[name.lower()] == "configured"
    assert "key-1" not in sent.values()


@pytest.mark.rule("gemini.7")
def test_the_credential_beats_the_model_and_the_model_beats_us() -> None:
    """Each name is sent once, whatever its case."""
    chat_model = model(**{"User-Agent": "model", "X-A": "model"})
    sent = headers_of(request_of(gemini.CODEC, ask_of(chat_model, headers={"x-a": "mine"})))
    assert (sent["user-agent"], sent["x-a"]) == ("model", "mine")


@pytest.mark.rule("gemini.8")
@pytest.mark.parametrize("key", [None, "", "  "])
def test_without_authentication_nothing_is_sent(key: str | None) -> None:
    """A credential of nothing is a credential that did not resolve."""
    failure = refusal_of(gemini.CODEC, ask_of(model(), key=key))
    assert isinstance(failure, CredentialUnresolved)


@pytest.mark.rule("gemini.1")
def test_the_base_url_of_the_credential_comes_first() -> None:
    """Where the credential sends us is where we go."""
    ask = ask_of(model(), base_url="https://gateway.example/v1")
    assert request_of(gemini.CODEC, ask).url.startswith("https://gateway.example/v1/models/")


@pytest.mark.rule("gemini.25")
@pytest.mark.parametrize(
    ("provider", "base_url", "expected"),
    [
        ("opencode", BASE, "session-1"),
        ("opencode-go", BASE, "session-1"),
        ("mine", "https://OpenCode.ai/inference/google/v1beta", "session-1"),
        ("mine", "https://opencode.ai.example/v1beta", None),
        ("google", BASE, None),
    ],
)
def test_opencode_wants_a_session(provider: str, base_url: str, expected: str | None) -> None:
    """On its gateway, and only there, the same request names the session."""
    chat_model = ChatModel(provider, "gemini-3.8-flash", "google-generative-ai", base_url)
    sent = headers_of(request_of(gemini.CODEC, ask_of(chat_model)))
    assert sent.get("x-opencode-session") == expected
    assert sent["x-goog-api-key"] == "key-1"
