"""A guarded websocket to read from: the same client, addresses and limits as any other request."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass

import httpcore2
import wsproto.connection
import wsproto.events

from visavis.collect.web.guard import Problem
from visavis.collect.web.net import Client, named_problems
from visavis.collect.web.streams import Budget

_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


@dataclass(frozen=True)
class SocketLimits:
    """How long to wait for the next message, and how large one may be."""

    connect_seconds: float = 30.0
    idle_seconds: float = 60.0
    message_bytes: int = 1_000_000


class Messages:
    """The text messages of one open websocket; pings are answered."""

    def __init__(self, stream: httpcore2.NetworkStream, budget: Budget, limits: SocketLimits, host: str) -> None:
        self._stream, self._budget, self._limits, self._host = stream, budget, limits, host
        self._protocol = wsproto.connection.Connection(wsproto.connection.ConnectionType.CLIENT)
        self._ready: list[str] = []
        self._parts: list[str] = []

    def receive(self, seconds: float | None = None) -> str:
        """The next message. Raises Problem: timeout, size, protocol, or closed when the server ends the connection."""
        wait = self._limits.idle_seconds if seconds is None else seconds
        self._budget.renew(wait, 4 * self._limits.message_bytes)
        ends = time.monotonic() + wait
        while not self._ready:
            if time.monotonic() > ends:
                raise Problem("timeout", f"{self._host}: no message in {wait:g} s")
            with named_problems(self._host):
                data = self._stream.read(65_536)
                self._protocol.receive_data(data or None)
                self._sort()
        return self._ready.pop(0)

    def _sort(self) -> None:
        for event in self._protocol.events():
            match event:
                case wsproto.events.Ping():
                    self._stream.write(self._protocol.send(event.response()))
                case wsproto.events.CloseConnection():
                    if not self._ready:
                        raise Problem("closed", f"{self._host}: closed ({event.code} {(event.reason or '')[:100]})")
                case wsproto.events.TextMessage():
                    self._parts.append(event.data)
                    if sum(map(len, self._parts)) > self._limits.message_bytes:
                        raise Problem("size", f"a message of more than {self._limits.message_bytes:,} bytes")
                    if event.message_finished:
                        self._ready.append("".join(self._parts))
                        self._parts.clear()

    def close(self) -> None:
        """Say goodbye, without waiting for an answer."""
        with suppress(Exception):
            self._budget.renew(1.0)
            self._stream.write(self._protocol.send(wsproto.events.CloseConnection(1000)))


@contextmanager
def connect(
    client: Client, url: str, limits: SocketLimits | None = None, headers: Mapping[str, str] | None = None
) -> Iterator[Messages]:
    """Open a ws:// or wss:// URL for reading; redirects are not followed. Raises Problem."""
    limits = limits or SocketLimits()
    parsed = client.checked(url, schemes=("ws", "wss"))
    parsed = parsed.copy_with(scheme="https" if parsed.scheme == "wss" else "http")
    key = base64.b64encode(secrets.token_bytes(16))
    budget = Budget(limits.connect_seconds, client.limits.wire_bytes)
    upgrade = {
        **(headers or {}),
        "connection": "Upgrade",
        "upgrade": "websocket",
        "sec-websocket-key": key.decode(),
        "sec-websocket-version": "13",
    }
    with ExitStack() as stack:
        with named_problems(parsed.host):  # the caller's own errors, later, are not ours to name
            response = stack.enter_context(client.opened(parsed, budget, upgrade))
        if response.status_code != 101:
            raise Problem("protocol", f"{parsed.host}: status {response.status_code} instead of a websocket")
        expected = base64.b64encode(hashlib.sha1(key + _MAGIC).digest()).decode()
        if response.headers.get("sec-websocket-accept") != expected:
            raise Problem("protocol", f"{parsed.host}: the websocket's handshake is wrong")
        messages = Messages(response.extensions["network_stream"], budget, limits, parsed.host)
        try:
            yield messages
        finally:
            messages.close()
