"""A server inside this process, on a free port of the loopback address, for rehearsals."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp

STARTS_WITHIN = 20.0


@contextlib.contextmanager
def running(app: ASGIApp) -> Iterator[str]:
    """The address of the running application; it ends with the block."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(256)
        config = uvicorn.Config(app, access_log=False, log_level="error", proxy_headers=False, server_header=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        until = time.monotonic() + STARTS_WITHIN
        while not server.started:
            if time.monotonic() > until or not thread.is_alive():
                raise RuntimeError("the server did not start")
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(STARTS_WITHIN)


class FastClock:
    """A clock that runs `speed` times as fast as the real one, and can be moved on."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed
        self._start = time.time()
        self._began = time.monotonic()
        self._ahead = 0.0

    def __call__(self) -> float:
        """Seconds since 1970, by this clock."""
        return self._start + (time.monotonic() - self._began) * self.speed + self._ahead

    def advance(self, seconds: float) -> None:
        """Let time pass at once."""
        self._ahead += seconds
