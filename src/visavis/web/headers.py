"""Headers: those that every answer carries, and what those of a request give away."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Send

COMMON = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "geolocation=(), camera=(), microphone=()",
    "X-Robots-Tag": "noindex",
}


def from_elsewhere(headers: Headers) -> bool:
    """Whether a browser says that a page of another site sent this."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2].lower() != headers.get("host", "").lower()


def dressed(send: Send, headers: Mapping[str, str]) -> Send:
    """The same channel, with headers that every answer carries."""

    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            found = MutableHeaders(scope=message)
            for name, value in headers.items():
                found[name] = value
        await send(message)

    return with_headers
