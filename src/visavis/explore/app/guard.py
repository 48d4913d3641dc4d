"""What every request passes: it comes to this machine's own name, from our own page, with the cookie."""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from visavis.web.headers import COMMON, dressed

LARGEST_UPLOAD = 200 * 2**20
LARGEST_QUERY = 60_000
NAMES = ("127.0.0.1", "localhost", "[::1]")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {**COMMON, "Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer"}
CLOSED = (
    "This page is open to the browser that was given its address only. Look where `visavis explore` was started: "
    "it has printed an address that begins with http:// and holds a token; open that one."
)


class Keys:
    """What opens the page: a token in the address that is printed, and the cookie that it is changed for."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.token, self._cookie = secrets.token_urlsafe(24), secrets.token_urlsafe(24)

    @property
    def cookie_name(self) -> str:
        """A name of its own for each port: cookies do not tell ports apart."""
        return f"visavis_explore_{self.port}"

    def opens(self, token: str) -> bool:
        """Whether this is the token."""
        return secrets.compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    def admit(self, response: Response) -> None:
        """Give the browser its cookie."""
        response.set_cookie(self.cookie_name, self._cookie, httponly=True, samesite="strict", path="/")

    def knows(self, headers: Headers) -> bool:
        """Whether the request carries the cookie."""
        for written in headers.getlist("cookie"):
            try:
                found = SimpleCookie(written).get(self.cookie_name)
            except CookieError:
                continue
            if found is not None and secrets.compare_digest(found.value.encode(), self._cookie.encode()):
                return True
        return False

    def is_ours(self, host: str) -> bool:
        """Whether the request was sent to this server by a name of this machine: a stranger's name may point here."""
        return host.lower() in {f"{name}:{self.port}" for name in NAMES}


class Guard:
    """Middleware around the whole application."""

    def __init__(self, app: ASGIApp, *, keys: Keys) -> None:
        self.app, self.keys = app, keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on and dress the answer."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        answer = dressed(send, {**HEADERS, "Cache-Control": "no-store"})
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, answer)
        else:
            await self.app(scope, receive, answer)

    def _refusal(self, scope: Scope) -> Response | None:
        headers, path = Headers(scope=scope), scope["path"]
        if not self.keys.is_ours(headers.get("host", "")):
            return PlainTextResponse("This server answers on its own machine only.", 403)
        if len(scope["query_string"]) > LARGEST_QUERY:
            return JSONResponse({"error": f"the address is longer than {LARGEST_QUERY:,} characters"}, 400)
        if path != "/open":
            if not self.keys.knows(headers):
                return PlainTextResponse(CLOSED, 403)
            if path != "/" and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                return PlainTextResponse("This was asked for by a page of another site.", 403)
        if scope["method"] not in ("GET", "HEAD"):
            return self._refused_change(headers)
        return None

    def _refused_change(self, headers: Headers) -> Response | None:
        if headers.get("origin", "").lower() != f"http://{headers.get('host', '').lower()}":
            return PlainTextResponse("This was sent from another site.", 403)
        length = headers.get("content-length", "")
        if not (length.isascii() and length.isdigit()):
            return JSONResponse({"error": "the length of the request must be stated"}, 411)
        if len(length) > 12 or int(length) > LARGEST_UPLOAD:
            return JSONResponse({"error": f"at most {LARGEST_UPLOAD // 2**20} MB can be read here"}, 413)
        return None
