"""Servers on the loopback address: where they listen, and one inside this process."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp

from visavis.errors import InvalidParameter
from visavis.web.patience import ImpatientProtocol

LOOPBACK = "127.0.0.1"
STARTS_WITHIN = 20.0
WAITING = 256  # connections


def listen(port: int = 0) -> socket.socket:
    """A socket that listens on the loopback address; port 0 stands for any that is free.

    Raises InvalidParameter where another program has the port.
    """
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        listener.listen(WAITING)
    except OSError as error:
        listener.close()
        raise InvalidParameter(
            f"port {port} cannot be listened on ({error.strerror}): name another with --port, or 0 for any"
        ) from error
    return listener


def server_of(app: ASGIApp) -> uvicorn.Server:
    """A server that tells nothing about itself, and writes nothing about requests."""
    return uvicorn.Server(
        uvicorn.Config(
            app, http=ImpatientProtocol, access_log=False, log_level="error", proxy_headers=False,
            server_header=False, ws="none", timeout_graceful_shutdown=1,
        )
    )  # fmt: skip


@contextlib.contextmanager
def running(app: ASGIApp, listener: socket.socket | None = None) -> Iterator[str]:
    """The address of the running application; it ends with the block."""
    with listener or listen() as found:
        server = server_of(app)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [found]}, daemon=True)
        thread.start()
        until = time.monotonic() + STARTS_WITHIN
        while not server.started:
            if time.monotonic() > until or not thread.is_alive():
                raise RuntimeError("the server did not start")
            time.sleep(0.01)
        try:
            yield f"http://{LOOPBACK}:{found.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(STARTS_WITHIN)
