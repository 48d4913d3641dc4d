"""One request and its answer, within limits that hold for the whole of it.

No proxies, no redirects, no settings from the environment: what is asked is the machine that was named.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from visavis.chat.endpoint import LOCAL, Endpoint
from visavis.errors import NotSent, Unanswered

LOOPBACK = ("127.0.0.1", "::1")  # `localhost` is never looked up: a name can be made to lead elsewhere


@dataclass(frozen=True)
class Answer:
    """What came back: the status, how long the server asks to wait (as it says it), and the body."""

    status: int
    retry_after: str
    body: bytes = field(repr=False)


def post(endpoint: Endpoint, body: bytes, headers: Mapping[str, str], seconds: float, most_bytes: int) -> Answer:
    """Send a body and read the answer. Raises Unanswered if there is none in time, or it is too large; NotSent if the
    server cannot be reached.

    It is done in a thread of its own: looking up a name has no limit of time, and limits for single reads do not end an
    answer that drips.
    """
    exchange = _Exchange(endpoint, body, dict(headers), seconds, most_bytes)
    worker = threading.Thread(target=exchange.run, daemon=True, name="visavis-chat")
    worker.start()
    try:
        worker.join(seconds)
        if worker.is_alive():
            raise Unanswered(f"{endpoint.host} gave no whole answer within {seconds:.0f} seconds")
    finally:
        exchange.give_up()
    if exchange.answer is None:
        raise (Unanswered if exchange.is_connected else NotSent)(exchange.failure)
    return exchange.answer


class _Exchange:
    """One request; `answer` is there once it went well, `failure` says what did not."""

    def __init__(
        self, endpoint: Endpoint, body: bytes, headers: dict[str, str], seconds: float, most_bytes: int
    ) -> None:
        self.answer: Answer | None = None
        self.failure = ""
        self._endpoint, self._body, self._seconds, self._most = endpoint, body, seconds, most_bytes
        self._headers = {**headers, "Host": endpoint.host, "Connection": "close"}
        self._socket: socket.socket | None = None

    def run(self) -> None:
        """Ask; whatever goes wrong becomes a sentence."""
        host = self._endpoint.host
        try:
            self._ask()
        except ssl.SSLError:
            self.failure = f"{host} has no certificate that this machine trusts, or speaks no https"
        except TimeoutError:
            self.failure = f"{host} did not answer within {self._seconds:.0f} seconds"
        except OSError as error:
            self.failure = f"{host} cannot be reached ({error.strerror or type(error).__name__}): is it running?"
        except (http.client.HTTPException, ValueError):
            self.failure = f"{host} broke off its answer, or does not speak HTTP"

    @property
    def is_connected(self) -> bool:
        """Whether there was somebody to send anything to."""
        return self._socket is not None

    def give_up(self) -> None:
        """End the connection, if there still is one: whoever waits for the rest of an answer stops waiting."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _ask(self) -> None:
        connection = self._connect()
        with contextlib.closing(connection):
            connection.request("POST", self._endpoint.path, self._body, self._headers)
            with connection.getresponse() as response:
                body = response.read(self._most + 1)
                if len(body) > self._most:
                    self.failure = f"{self._endpoint.host} answered with more than {self._most:,} bytes"
                    return
                self.answer = Answer(response.status, response.getheader("Retry-After", ""), body)

    def _connect(self) -> http.client.HTTPConnection:
        endpoint = self._endpoint
        if endpoint.is_encrypted:
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                endpoint.hostname, endpoint.port, timeout=self._seconds, context=_trusting()
            )
            return self._connected(connection)
        places = LOOPBACK if endpoint.hostname == LOCAL else (endpoint.hostname,)
        for place in places:
            with contextlib.suppress(OSError):
                return self._connected(http.client.HTTPConnection(place, endpoint.port, timeout=self._seconds))
        raise ConnectionRefusedError(None, "connection refused")

    def _connected(self, connection: http.client.HTTPConnection) -> http.client.HTTPConnection:
        connection.connect()
        self._socket = connection.sock
        return connection


def _trusting() -> ssl.SSLContext:
    """Certificates as the system trusts them; keys of the session are logged nowhere, whatever the environment says."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_default_certs()
    return context
