"""Scripts for a `RawServer` that stands in for a provider."""

from native_web_search.adapters.testing.raw_server import RawConnection, Script


def response(
    body: bytes,
    *headers: str,
    status: int = 200,
    content_type: str = "text/event-stream",
) -> bytes:
    """A whole response; its body ends with the connection."""
    lines = [f"HTTP/1.1 {status} Said", f"Content-Type: {content_type}", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def answering(*responses: bytes) -> Script:
    """Answer each request of all connections with the next response, the last one for good, and
    hang up.
    """

    async def script(connection: RawConnection) -> None:
        await connection.request()
        number = min(len(connection.server.requests), len(responses))
        await connection.send(responses[number - 1])

    return script
