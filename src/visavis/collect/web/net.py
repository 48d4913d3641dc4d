"""The one client through which every request of the collector goes: guarded addresses, hard limits, no environment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import httpcore2
import httpx2

from visavis._version import __version__
from visavis.collect.web.guard import (
    PORTS,
    Allowance,
    Busy,
    Dropped,
    Guard,
    Passing,
    Problem,
    Resolve,
    plain_host,
    system_resolve,
)
from visavis.collect.web.streams import Budget, GuardedTransport
from visavis.errors import InvalidParameter

if TYPE_CHECKING:
    import ssl

MB = 1_000_000
REDIRECTS = (301, 302, 303, 307, 308)
BUSY = (429, 503)
BROKEN = (500, 502, 504)

LONGEST_COOKIE = 8_000

Before = Callable[[str], None]


_HANG_UP = re.compile(r"disconnected|peer closed|incomplete|without sending", re.IGNORECASE)


@dataclass(frozen=True)
class Limits:
    """What one request may cost, redirects included. With `truncate` a body ends quietly at its limit."""

    seconds: float = 30.0
    wire_bytes: int = 10 * MB
    decoded_bytes: int = 20 * MB
    redirects: int = 5
    header_bytes: int = 64_000
    headers: int = 200
    url_length: int = 4_000
    truncate: bool = False


@dataclass(frozen=True)
class Answer:
    """What came back from the last of the hops; `headers` have lower-case names, the first of each name counts."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    hops: tuple[str, ...] = ()

    @property
    def location(self) -> str | None:
        """Where a redirect points, as an absolute URL; None if this is no redirect."""
        target = self.headers.get("location", "") if self.status in REDIRECTS else ""
        return _joined(self.url, target) if target else None

    @property
    def media_type(self) -> str:
        """The media type alone, lower case; "" if the server names none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


def failure(answer: Answer) -> Problem:
    """What an answer that is no success means, and whether it may pass."""
    reason, message = f"status {answer.status}", f"{answer.url!r} answered {answer.status}"
    if answer.status in BUSY:
        return Busy(reason, message, answer.url, answer.headers.get("retry-after", ""))
    return (Passing if answer.status in BROKEN else Problem)(reason, message)


def agent(contact: str = "") -> str:
    """The User-Agent: who asks, and where to complain. Raises InvalidParameter for what cannot stand in a header."""
    if not contact.isprintable() or not contact.isascii():
        raise InvalidParameter(f"the contact {contact!r} cannot stand in a User-Agent: use printable ASCII")
    return f"visavis/{__version__} (+{contact})" if contact else f"visavis/{__version__}"


@dataclass(frozen=True)
class Client:
    """Guarded HTTP: names resolved and addresses checked by us, pinned for the connection, at every redirect.

    Ports 80 and 443, TLS verified, no proxies or settings from the environment, nothing retried; cookies are kept for
    the redirects of one request alone, since some sites send whoever comes without one in circles.
    Every failure is a Problem with a reason: url, port, address, name, connect, tls, timeout, size, headers,
    protocol, encoding, redirects, type. Safe to share among threads. Raises InvalidParameter for a bad contact.
    """

    contact: str = ""
    limits: Limits = field(default_factory=Limits)
    allowance: Allowance = field(default_factory=Allowance)
    resolve: Resolve = system_resolve

    def __post_init__(self) -> None:
        agent(self.contact)

    @cached_property
    def _guard(self) -> Guard:
        return Guard(self.allowance, self.resolve)

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        context = httpx2.create_ssl_context(trust_env=False)
        if self.allowance.authorities:
            context.load_verify_locations(cadata=self.allowance.authorities)
        return context

    def get(
        self,
        url: str,
        *,
        before: Before | None = None,
        limits: Limits | None = None,
        headers: Mapping[str, str] | None = None,
        types: tuple[str, ...] = (),
        follow: bool = True,
    ) -> Answer:
        """GET a page, following redirects unless told otherwise. Raises Problem.

        `before` is called with the URL of each hop and may wait or raise Problem; its time does not count. Own
        `headers` are not sent on to another host. A media type that is named but not among `types` ends the request
        before its body.
        """
        limits = limits or self.limits
        budget = Budget(limits.seconds, limits.wire_bytes)
        hops: list[str] = []
        seen: set[tuple[str, str]] = set()
        cookies = httpx2.Cookies()
        first = self.checked(url, limits)
        here = first
        while True:
            hops.append(str(here))
            if before is not None:
                with budget.stopped():
                    before(str(here))
            own = dict(headers or {}) if (here.scheme, here.host) == (first.scheme, first.host) else {}
            own |= _cookie_header(cookies, here)
            seen.add((str(here), own.get("cookie", "")))
            answer = self._hop(here, budget, limits, own, types, cookies)
            target = answer.location
            if target is None or not follow:
                return replace(answer, hops=tuple(hops))
            if len(hops) > limits.redirects:
                raise Problem("redirects", f"more than {limits.redirects} redirects, the last to {target!r}")
            here = self.checked(target, limits)
            if (str(here), _cookie_header(cookies, here).get("cookie", "")) in seen:
                raise Problem("redirects", f"redirects in a circle, back to {target!r}")

    def checked(
        self, url: str, limits: Limits | None = None, schemes: tuple[str, ...] = ("http", "https")
    ) -> httpx2.URL:
        """The URL as it will be asked for, without its fragment. Raises Problem if it may not be."""
        most = (limits or self.limits).url_length
        if len(url) > most:
            raise Problem("url", f"a URL of {len(url):,} characters; at most {most:,} are followed")
        if not url.isprintable() or "\\" in url or " " in url.strip():
            raise Problem("url", f"{url!r} is no valid URL")
        try:
            parsed = httpx2.URL(url.strip()).copy_with(fragment=None)
        except (httpx2.InvalidURL, ValueError, TypeError) as error:
            raise Problem("url", f"{url!r} is no valid URL ({error})") from None
        if parsed.scheme not in schemes or not parsed.host:
            raise Problem("url", f"{url!r}: only {' and '.join(schemes)} URLs with a host are followed")
        if parsed.userinfo:
            raise Problem("url", f"the URL for {parsed.host!r} carries a user name or password")
        if parsed.port not in (None, *PORTS.values()):
            raise Problem("port", f"port {parsed.port} of {parsed.host!r}: only 80 and 443 are used")
        plain_host(parsed.raw_host.decode("ascii"))
        return parsed

    def transport(self, budget: Budget) -> GuardedTransport:
        """Connections that lead to checked addresses only, as far as a budget reaches."""
        return GuardedTransport(self._guard, self._tls, budget)

    @contextmanager
    def _opened(self, url: httpx2.URL, budget: Budget, headers: Mapping[str, str]) -> Iterator[httpx2.Response]:
        """One request, its body not yet read. httpx2 writes and parses messages; where they go is decided here."""
        own = {"user-agent": agent(self.contact), "accept-encoding": "gzip, br, zstd", "connection": "close"}
        request = httpx2.Request("GET", url, headers={"accept": "*/*", **own, **headers})
        with self.transport(budget) as transport:
            response = transport.handle_request(request)
            try:
                yield response
            finally:
                response.close()

    def _hop(
        self,
        url: httpx2.URL,
        budget: Budget,
        limits: Limits,
        headers: Mapping[str, str],
        types: tuple[str, ...],
        cookies: httpx2.Cookies,
    ) -> Answer:
        with named_problems(url.host), self._opened(url, budget, headers) as response:
            _keep_cookies(cookies, response)
            answer = Answer(str(url), response.status_code, _headers(response, limits), b"")
            if answer.location is not None:
                return answer
            if types and response.is_success and answer.media_type and not answer.media_type.startswith(types):
                raise Problem("type", f"{answer.media_type[:80]!r} is not among {', '.join(types)}")
            return replace(answer, body=_body(response, budget, limits))


def _keep_cookies(cookies: httpx2.Cookies, response: httpx2.Response) -> None:
    with suppress(ValueError, LookupError, UnicodeError):  # whatever a cookie says, the page may still come
        cookies.extract_cookies(response)


def _cookie_header(cookies: httpx2.Cookies, url: httpx2.URL) -> dict[str, str]:
    """What to say to a site of the cookies that it set in this request."""
    request = httpx2.Request("GET", url)
    cookies.set_cookie_header(request)
    said = request.headers.get("cookie", "")
    return {"cookie": said} if said and len(said) <= LONGEST_COOKIE else {}


def _joined(base: str, target: str) -> str:
    try:
        return str(httpx2.URL(base).join(target.strip()))
    except (httpx2.InvalidURL, ValueError, TypeError):
        return target  # refused as it stands when it is checked


def _headers(response: httpx2.Response, limits: Limits) -> dict[str, str]:
    raw = response.headers.raw
    if len(raw) > limits.headers or sum(len(name) + len(value) for name, value in raw) > limits.header_bytes:
        raise Problem("headers", f"more than {limits.headers} headers or {limits.header_bytes:,} bytes of them")
    found: dict[str, str] = {}
    for name, value in raw:
        found.setdefault(name.decode("latin-1").lower(), value.decode("utf-8", "replace"))
    return found


def _body(response: httpx2.Response, budget: Budget, limits: Limits) -> bytes:
    """The body, decoded piece by piece, so that no bomb unfolds further than the limit."""
    encodings = [name.strip().lower() for name in response.headers.get("content-encoding", "").split(",")]
    if len(encodings) > 2:
        raise Problem("encoding", f"{len(encodings)} content encodings on top of each other")
    if limits.truncate and limits.decoded_bytes == 0:
        return b""
    body = bytearray()
    for piece in response.iter_bytes():
        body += piece
        if len(body) > limits.decoded_bytes:
            if limits.truncate:
                return bytes(body[: limits.decoded_bytes])
            raise Problem("size", f"more than {limits.decoded_bytes:,} bytes when decoded")
        budget.check()
    return bytes(body)


@contextmanager
def named_problems(host: str) -> Iterator[None]:
    """Whatever goes wrong inside becomes a Problem with a reason that can be counted."""
    try:
        yield
    except Problem:
        raise
    except httpx2.DecodingError as error:
        raise Problem("encoding", f"{host}: the body is not encoded as it says ({error})") from error
    except (httpcore2.TimeoutException, httpx2.TimeoutException, TimeoutError) as error:
        raise Problem("timeout", f"{host}: no answer in time") from error
    except (httpcore2.ReadError, httpcore2.WriteError, ConnectionResetError, BrokenPipeError) as error:
        raise Dropped("connect", f"{host}: {error or type(error).__name__}") from error
    except (httpcore2.NetworkError, httpx2.NetworkError, OSError) as error:
        reason = "tls" if "SSL" in f"{error!r}{error.__cause__!r}" else "connect"
        raise Problem(reason, f"{host}: {error or type(error).__name__}") from error
    except httpcore2.RemoteProtocolError as error:
        kind = Dropped if _HANG_UP.search(str(error)) else Problem
        raise kind("protocol", f"{host}: {error or type(error).__name__}") from error
    except (httpcore2.ProtocolError, httpx2.HTTPError, httpx2.InvalidURL, httpcore2.UnsupportedProtocol) as error:
        raise Problem("protocol", f"{host}: {error or type(error).__name__}") from error
    except (ValueError, LookupError, UnicodeError) as error:  # a header or encoding that the libraries cannot digest
        raise Problem("protocol", f"{host}: {type(error).__name__}: {error}") from error
