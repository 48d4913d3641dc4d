"""Sockets that lead only to checked addresses, and only for as long and as far as a request's budget reaches."""

from __future__ import annotations

import math
import socket
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import httpcore2
import httpx2

from visavis.collect.web.guard import Guard, Problem

if TYPE_CHECKING:
    import ssl

    from httpcore2 import SOCKET_OPTION

CONNECT_SECONDS = 10.0
WRITE_SECONDS = 10.0  # where the budget has no limit
MOST_ADDRESSES = 4
MEMBER = b"\x1f\x8b\x08"  # how each member of a gzip body begins
PIECE = 2**20  # bytes that are unpacked at once, so that no bomb unfolds further than the limit


class Budget:
    """The time and the bytes on the wire that a request has left, over all its hops."""

    def __init__(self, seconds: float, wire_bytes: int) -> None:
        self._seconds, self._wire_bytes = seconds, wire_bytes
        self._ends = time.monotonic() + seconds
        self._bytes_left: float = wire_bytes

    def left(self) -> float:
        """Seconds left. Raises Problem if there are none."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise Problem("timeout", f"not finished in {self._seconds:g} s")
        return left

    def check(self) -> None:
        """Raise Problem if the time is over."""
        self.left()

    def take(self, n_bytes: int) -> None:
        """Count bytes that came in. Raises Problem if they are too many."""
        self._bytes_left -= n_bytes
        if self._bytes_left < 0:
            raise Problem("size", f"more than {self._wire_bytes:,} bytes on the wire")

    def lift(self) -> None:
        """No more limits: an open websocket has its own, for each message."""
        self._ends = self._bytes_left = math.inf

    def timeout(self) -> float | None:
        """Seconds that a read may take; None without limits."""
        left = self.left()
        return None if math.isinf(left) else left

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """The clock stands still inside: waiting out of politeness does not count."""
        left = self._ends - time.monotonic()
        try:
            yield
        finally:
            self._ends = time.monotonic() + left


class GuardedStream(httpcore2.NetworkStream):
    """A connection whose every read is paid from the budget, so that a drip-fed answer ends with it."""

    def __init__(self, inner: httpcore2.NetworkStream, budget: Budget) -> None:
        self._inner, self._budget = inner, budget

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002  the budget decides
        """Read what has come."""
        data = self._inner.read(max_bytes, self._budget.timeout())
        self._budget.take(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        """Write all of it."""
        self._inner.write(buffer, self._budget.timeout() or WRITE_SECONDS)

    def close(self) -> None:
        """Close at once, waking a reader in another thread."""
        inner = self._inner.get_extra_info("socket")
        with suppress(OSError):
            inner.shutdown(socket.SHUT_RDWR)
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        """Shake hands within the budget."""
        del timeout
        return GuardedStream(self._inner.start_tls(ssl_context, server_hostname, self._budget.left()), self._budget)

    def get_extra_info(self, info: str) -> Any:
        """What the connection knows of itself."""
        return self._inner.get_extra_info(info)


class GuardedBackend(httpcore2.NetworkBackend):
    """Connects to addresses that the guard has just resolved and checked: there is no second look-up to rebind."""

    def __init__(self, guard: Guard, budget: Budget) -> None:
        self._guard, self._budget = guard, budget
        self._sockets = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect to the first address that answers. Raises Problem for a host that may not be reached."""
        del timeout
        targets = self._guard.targets(host, port, self._budget.left())[:MOST_ADDRESSES]
        failure: Exception | None = None
        for address, to_port in targets:
            try:
                seconds = min(CONNECT_SECONDS, self._budget.left())
                inner = self._sockets.connect_tcp(address, to_port, seconds, local_address, socket_options)
                return GuardedStream(inner, self._budget)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure or Problem("name", f"the name {host!r} has no address")

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[SOCKET_OPTION] | None = None
    ) -> httpcore2.NetworkStream:
        """Never."""
        del path, timeout, socket_options
        raise Problem("address", "sockets of this machine are not reached")


class GuardedTransport(httpx2.BaseTransport):
    """One request, one connection: httpx2's messages over guarded sockets."""

    def __init__(self, guard: Guard, tls: ssl.SSLContext, budget: Budget) -> None:
        backend = GuardedBackend(guard, budget)
        self._pool = httpcore2.ConnectionPool(ssl_context=tls, max_connections=1, network_backend=backend)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send the request and read the head of the answer."""
        url = request.url
        assert isinstance(request.stream, httpx2.SyncByteStream)
        asked = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        answer = self._pool.handle_request(asked)
        assert not isinstance(answer.stream, bytes)
        body: httpx2.SyncByteStream = _Body(answer)
        headers = httpx2.Headers(answer.headers)
        if headers.get("content-encoding", "").strip().lower() in ("gzip", "x-gzip"):
            del headers["content-encoding"]
            body = Unzipped(body)
        return httpx2.Response(
            answer.status, headers=headers, stream=body, extensions=answer.extensions, request=request
        )

    def close(self) -> None:
        """Close the connection."""
        self._pool.close()


class _Body(httpx2.SyncByteStream):
    def __init__(self, answer: httpcore2.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        yield from self._answer.iter_stream()

    def close(self) -> None:
        self._answer.close()


class Unzipped(httpx2.SyncByteStream):
    """A body out of gzip, all members of it: httpx2 ends after the first. What follows that is no gzip is ignored."""

    def __init__(self, packed: httpx2.SyncByteStream) -> None:
        self._packed = packed

    def __iter__(self) -> Iterator[bytes]:
        unpack, ended = zlib.decompressobj(zlib.MAX_WBITS | 16), False
        between: bytes | None = None  # what came since the last member ended, None inside of one
        for data in self._packed:
            while data and not ended:
                if between is not None:
                    between = (between + data).lstrip(b"\0")
                    if MEMBER.startswith(between) and between != MEMBER:
                        break  # too little to tell
                    ended, data, between = not between.startswith(MEMBER), between, None
                    continue
                try:
                    piece = unpack.decompress(data, PIECE)
                except zlib.error as error:
                    raise httpx2.DecodingError(str(error)) from error
                data = unpack.unconsumed_tail
                if piece:
                    yield piece
                if unpack.eof:
                    data, between = unpack.unused_data, b""
                    unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
        if not ended and (rest := unpack.flush()):
            yield rest

    def close(self) -> None:
        """Close what it is unpacked from."""
        self._packed.close()
