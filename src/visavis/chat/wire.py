"""One request and its answer, within limits that hold for the whole of it.

No proxies, no redirects: what is asked is the machine that was named. Of the environment only SSL_CERT_FILE and
SSL_CERT_DIR count, by which a system says whose certificates it trusts.
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
    """Send a body and read the answer. Raises Unanswered if there is none in time, or it is too large; NotSent if it
    came to no sending, in which case nothing is sent later either.

    It is done in a thread of its own: looking up a name has no limit of time, and limits for single reads do not end an
    answer that drips.
    """
    exchange = _Exchange(endpoint, body, dict(headers), seconds, most_bytes)
    worker = threading.Thread(target=exchange.run, daemon=True, name="visavis-chat")
    worker.start()
    try:
        worker.join(seconds)
        is_late = worker.is_alive()
    finally:
        exchange.give_up()
    if is_late and exchange.is_begun:
        raise Unanswered(f"{endpoint.host} gave no whole answer within {seconds:.0f} seconds")
    if is_late:
        raise NotSent(f"{endpoint.host} could not be reached within {seconds:.0f} seconds")
    if exchange.answer is None:
        raise (Unanswered if exchange.is_begun else NotSent)(exchange.failure)
    return exchange.answer


class _Exchange:
    """One request; `answer` is there once it went well, `failure` says what did not.

    `is_begun` says whether some of it may have been sent; after `give_up` it does not become true any more.
    """

    def __init__(
        self, endpoint: Endpoint, body: bytes, headers: dict[str, str], seconds: float, most_bytes: int
    ) -> None:
        self.answer: Answer | None = None
        self.failure = ""
        self.is_begun = False
        self._endpoint, self._body, self._seconds, self._most = endpoint, body, seconds, most_bytes
        self._headers = {**headers, "Host": endpoint.host, "Connection": "close"}
        self._socket: socket.socket | None = None
        self._lock, self._is_given_up = threading.Lock(), False

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
        except Exception as error:  # its message may hold anything
            self.failure = f"{host} could not be asked ({type(error).__name__})"

    def give_up(self) -> None:
        """Send nothing from now on, and end the connection, if there still is one: whoever waits stops waiting."""
        with self._lock:
            self._is_given_up = True
        if self._socket is not None:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)  # a TLS socket's own would go on in plain text

    def _ask(self) -> None:
        connection = http.client.HTTPConnection(self._endpoint.hostname, self._endpoint.port)
        connection.auto_open = 0
        with contextlib.closing(connection):
            connection.sock = self._connect()
            if not self._begin(connection.sock):
                return
            connection.request("POST", self._endpoint.path, self._body, self._headers)
            with connection.getresponse() as response:
                body = response.read(self._most + 1)
                if len(body) > self._most:
                    self.failure = f"{self._endpoint.host} answered with more than {self._most:,} bytes"
                    return
                self.answer = Answer(response.status, response.getheader("Retry-After", ""), body)

    def _begin(self, connected: socket.socket) -> bool:
        """Whether the request may go out; not once it was given up."""
        with self._lock:
            self.is_begun = not self._is_given_up
            self._socket = connected
        return self.is_begun

    def _connect(self) -> socket.socket:
        reached = self._reach()
        reached.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not self._endpoint.is_encrypted:
            return reached
        return _trusting().wrap_socket(reached, server_hostname=self._endpoint.hostname)

    def _reach(self) -> socket.socket:
        name, port = self._endpoint.hostname, self._endpoint.port
        if name != LOCAL:
            return socket.create_connection((name, port), self._seconds)
        for place in LOOPBACK:
            with contextlib.suppress(OSError):
                return socket.create_connection((place, port), self._seconds)
        raise ConnectionRefusedError(None, "connection refused")


def _trusting() -> ssl.SSLContext:
    """Certificates as the system trusts them; keys of the session are logged nowhere, whatever the environment says."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_default_certs()
    return context
