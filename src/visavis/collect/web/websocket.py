"""A guarded websocket to read from: httpx2's own, over the same addresses and limits as any other request."""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass

import httpcore2
import httpx2
from httpx2.websockets import (
    WebSocketDisconnect,
    WebSocketInvalidTypeReceived,
    WebSocketNetworkError,
    WebSocketSession,
    WebSocketUpgradeError,
)

from visavis.collect.web.guard import Problem
from visavis.collect.web.net import Client, agent, named_problems
from visavis.collect.web.streams import Budget

_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_TOO_BIG = 1009
WAITING = 64  # messages that may have come before anyone asked for them


@dataclass(frozen=True)
class SocketLimits:
    """How long to wait for the next message, and how large one may be."""

    connect_seconds: float = 30.0
    idle_seconds: float = 60.0
    message_bytes: int = 1_000_000


class Messages:
    """The text messages of one open websocket; pings are answered."""

    def __init__(self, session: WebSocketSession, limits: SocketLimits, host: str) -> None:
        self._session, self._limits, self._host = session, limits, host

    def receive(self, seconds: float | None = None) -> str:
        """The next message. Raises Problem: timeout, size, connect, or closed when the server ends the connection."""
        wait = self._limits.idle_seconds if seconds is None else seconds
        ends = time.monotonic() + wait
        while (left := ends - time.monotonic()) > 0:
            try:
                return self._session.receive_text(left)
            except WebSocketInvalidTypeReceived:
                continue  # bytes are no text
            except TimeoutError:
                break
            except WebSocketDisconnect as end:
                if end.code == _TOO_BIG:
                    raise Problem("size", f"a message of more than {self._limits.message_bytes:,} bytes") from None
                raise Problem("closed", f"{self._host}: closed ({end.code} {end.reason[:100]})") from None
            except WebSocketNetworkError:
                raise Problem("connect", f"{self._host}: the connection broke off") from None
        raise Problem("timeout", f"{self._host}: no message in {wait:g} s")


@contextmanager
def connect(client: Client, url: str, limits: SocketLimits | None = None) -> Iterator[Messages]:
    """Open a ws:// or wss:// URL for reading; redirects are not followed. Raises Problem."""
    limits = limits or SocketLimits()
    address = client.checked(url, schemes=("ws", "wss"))
    budget = Budget(limits.connect_seconds, client.limits.wire_bytes)
    with ExitStack() as stack:
        with named_problems(address.host):  # the caller's own errors, later, are not ours to name
            session = stack.enter_context(_opened(client, address, budget, limits))
            _check_handshake(session, address.host)
        yield Messages(session, limits, address.host)


@contextmanager
def _opened(client: Client, address: httpx2.URL, budget: Budget, limits: SocketLimits) -> Iterator[WebSocketSession]:
    asking = httpx2.Client(
        transport=client.transport(budget),
        headers={"user-agent": agent(client.contact)},
        trust_env=False,
        event_hooks={"response": [lambda _: budget.lift()]},  # the reader of an open websocket waits without end
    )
    opening = asking.websocket(
        address,
        max_message_size_bytes=limits.message_bytes,
        queue_size=WAITING,
        keepalive_ping_interval_seconds=None,
    )
    with asking, ExitStack() as stack:
        try:
            session = stack.enter_context(opening)
        except WebSocketUpgradeError as error:
            status = error.response.status_code
            raise Problem("protocol", f"{address.host}: status {status} instead of a websocket") from None
        try:
            yield session
        finally:
            _close(stack)


def _close(stack: ExitStack) -> None:
    """Say goodbye to a server that may no longer listen."""
    with suppress(httpcore2.TimeoutException, httpcore2.NetworkError):
        stack.close()


def _check_handshake(session: WebSocketSession, host: str) -> None:
    """Raise Problem unless the server has answered the key that was sent."""
    response = session.response
    assert response is not None
    key = response.request.headers["sec-websocket-key"].encode()
    expected = base64.b64encode(hashlib.sha1(key + _MAGIC).digest()).decode()
    if response.headers.get("sec-websocket-accept") != expected:
        raise Problem("protocol", f"{host}: the websocket's handshake is wrong")
