"""What every request passes: limits on size and rate, headers on every answer; addresses stay in memory, hashed."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import MutableMapping
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from visavis.web.headers import COMMON, dressed, from_elsewhere

LARGEST_BODY = 256 * 1024
LOGINS, STARTS = 10, 60  # a minute and address
MOST_ADDRESSES = 100_000

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {**COMMON, "Content-Security-Policy": POLICY, "Referrer-Policy": "same-origin"}


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
    """Middleware around the whole application."""

    def __init__(self, app: ASGIApp, *, rate: int, limiter: Limiter) -> None:
        self.app, self.rate, self.limiter = app, rate, limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on and dress the answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        cache = "public, max-age=3600" if scope["path"].startswith("/static/") else "no-store"
        answer = dressed(send, {**HEADERS, "Cache-Control": cache})
        if refusal is not None:
            await refusal(scope, receive, answer)
        else:
            await self.app(scope, receive, answer)

    def _refusal(self, scope: MutableMapping[str, Any]) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        if scope["method"] in ("POST", "PUT", "PATCH", "DELETE"):
            length = headers.get("content-length", "")
            if not length.isdigit():
                return PlainTextResponse("The length of the request must be stated.", 411)
            if int(length) > LARGEST_BODY:
                return PlainTextResponse("The request is too large.", 413)
            if from_elsewhere(headers):
                return PlainTextResponse("This form was sent from another site.", 403)
        if self.rate:
            client = scope.get("client")
            address = client[0] if client else ""
            limits = [("any", self.rate)]
            if scope["method"] == "POST":
                limits += {"/admin/login": [("login", LOGINS)], "/w/start": [("start", STARTS)]}.get(scope["path"], [])
            if not all(self.limiter.allows(address, what, limit) for what, limit in limits):
                return PlainTextResponse("Too many requests: wait a minute.", 429, {"Retry-After": "60"})
        return None
