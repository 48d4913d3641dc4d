"""What every request passes: limits on size, time and rate, headers on every answer, failures that tell nothing."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import secrets
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from visavis.shared.locks import InUse
from visavis.web.headers import COMMON, dressed, from_elsewhere

LARGEST_BODY = 256 * 1024
BODY_WITHIN = 30.0  # seconds a request's body may take
LOGINS, STARTS, RESUMES = 10, 60, 10  # a minute and address
MOST_ADDRESSES = 100_000
LIMITS = {"/admin/login": ("login", LOGINS), "/w/start": ("start", STARTS), "/w/resume": ("resume", RESUMES)}

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {**COMMON, "Content-Security-Policy": POLICY, "Referrer-Policy": "same-origin"}
LOG = logging.getLogger("visavis.study")


class Limiter:
    """Counts requests by address and minute. Keys are hashed with a secret that lives as long as the process."""

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)
        self._counts: dict[str, int] = {}
        self._minute = 0

    def name(self, *parts: str) -> str:
        """A name for an address that tells nothing about it."""
        return hmac.new(self._secret, "\n".join(parts).encode(), hashlib.sha256).hexdigest()

    def allows(self, address: str, what: str, limit: int) -> bool:
        """Whether another such request may pass in this minute."""
        minute = int(time.monotonic() // 60)
        if minute != self._minute or len(self._counts) > MOST_ADDRESSES:
            self._counts.clear()
            self._minute = minute
        key = self.name(address, what)
        self._counts[key] = self._counts.get(key, 0) + 1
        return self._counts[key] <= limit


class Guard:
    """Middleware around the whole application. `stop` ends the server, where another has taken the study over."""

    def __init__(self, app: ASGIApp, *, rate: int, limiter: Limiter, stop: Callable[[], None]) -> None:
        self.app, self.rate, self.limiter, self.stop = app, rate, limiter, stop

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on and dress the answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        cache = "public, max-age=3600" if scope["path"].startswith("/static/") else "no-store"
        answer = _Answer(dressed(send, {**HEADERS, "Cache-Control": cache}))
        refusal = self._refusal(scope)
        if refusal is None and scope["method"] in ("POST", "PUT", "PATCH", "DELETE"):
            receive, refusal = await _whole_body(receive)
        if refusal is not None:
            await refusal(scope, receive, answer.send)
            return
        try:
            await self.app(scope, receive, answer.send)
        except Exception as error:
            _log(error, scope)
            if isinstance(error, InUse):
                self.stop()
            if not answer.is_begun:
                await _failure(error)(scope, receive, answer.send)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        if scope["method"] in ("POST", "PUT", "PATCH", "DELETE"):
            length = headers.get("content-length", "")
            if not length.isdigit():
                return PlainTextResponse("The length of the request must be stated.", 411)
            if int(length) > LARGEST_BODY:
                return _too_large()
            if from_elsewhere(headers):
                return PlainTextResponse("This form was sent from another site.", 403)
        if self.rate:
            client = scope.get("client")
            address = client[0] if client else ""
            limits = [("any", self.rate)]
            if scope["method"] == "POST" and scope["path"] in LIMITS:
                limits.append(LIMITS[scope["path"]])
            if not all(self.limiter.allows(address, what, limit) for what, limit in limits):
                return PlainTextResponse("Too many requests: wait a minute.", 429, {"Retry-After": "60"})
        return None


class _Answer:
    """The way out, and whether anything went out."""

    def __init__(self, send: Send) -> None:
        self._send, self.is_begun = send, False

    async def send(self, message: Message) -> None:
        self.is_begun = True
        await self._send(message)


async def _whole_body(receive: Receive) -> tuple[Receive, PlainTextResponse | None]:
    """The body, read before anybody works with it: what a chunked one really measures is known only then."""
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_WITHIN):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":  # half an answer must not pass for a whole one
                    return receive, PlainTextResponse("The request was cut off.", 400)
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > LARGEST_BODY:
                    return receive, _too_large()
                if not message.get("more_body", False):
                    break
    except TimeoutError:
        return receive, PlainTextResponse("The request took too long.", 408, {"Connection": "close"})
    whole: list[Message] = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

    async def again() -> Message:
        return whole.pop() if whole else await receive()

    return again, None


def _too_large() -> PlainTextResponse:
    return PlainTextResponse("The request is too large.", 413, {"Connection": "close"})


def _failure(error: Exception) -> PlainTextResponse:
    if isinstance(error, InUse):
        return PlainTextResponse("This server stops: another one runs the study. Please try again.", 503)
    return PlainTextResponse("Something went wrong on our side. Go back and send it again: nothing was lost.", 500)


def _log(error: Exception, scope: Scope) -> None:
    """One line: what kind of error and where in the code. Messages are left out: they may hold answers or ids."""
    kinds, inner = [], error
    while inner is not None:
        kinds.append(type(inner).__name__)
        inner = inner.__cause__  # type: ignore[assignment]
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "visavis" in frame.filename]
    places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames]
    route = getattr(scope.get("route"), "path", "") or "an unknown page"
    LOG.error("%s at %s %s (%s)", " from ".join(kinds), scope["method"], route, " ".join(places[-3:]))
