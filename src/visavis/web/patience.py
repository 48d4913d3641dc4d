"""Connections that bring no whole request in time are ended."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADERS_WITHIN = 10.0  # seconds from the first byte, or from the connection, to the end of a request's headers


class ImpatientProtocol(H11Protocol):
    """HTTP as uvicorn speaks it; who does not finish the headers of a request in time is hung up on."""

    headers_within = HEADERS_WITHIN

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there: the clock runs."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Some bytes: the clock stops with the last of a request's headers, and runs again with the next request."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._rest()
        else:
            self._wait()

    def on_response_complete(self) -> None:
        """The answer is out; uvicorn's own clock ends a connection on which nothing follows."""
        self._rest()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
        self._rest()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.headers_within, self.transport.close)

    def _rest(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
