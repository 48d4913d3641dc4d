"""Joining pages and answers to a workspace, and running the server on this machine alone."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from visavis._version import __version__
from visavis.errors import VisavisError
from visavis.explore.app import answers, documents, exports, live, pages, uploads
from visavis.explore.app.guard import Guard, Keys
from visavis.explore.app.shared import Json
from visavis.explore.background import Pending
from visavis.explore.workspace import Workspace
from visavis.web.local import LOOPBACK, listen, server_of

STATIC = Path(__file__).parent / "static"


def create_app(workspace: Workspace, keys: Keys) -> FastAPI:
    """The application over a workspace."""
    app = FastAPI(title="visavis explore", version=__version__, openapi_url=None, docs_url=None, redoc_url=None)
    app.state.workspace, app.state.keys = workspace, keys
    app.add_middleware(Guard, keys=keys)
    for part in (pages, answers, documents, live, exports, uploads):
        app.include_router(part.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_exception_handler(VisavisError, _refused)
    app.add_exception_handler(Pending, _later)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _missing)
    app.add_exception_handler(Exception, _fault)
    return app


async def _refused(_request: Request, error: Exception) -> Response:
    return Json({"error": " ".join(str(error).split())}, 400)


async def _later(_request: Request, error: Exception) -> Response:
    return Json({"stage": str(error)}, 202)


async def _invalid(_request: Request, _error: Exception) -> Response:
    return Json({"error": "the request is incomplete or holds something unexpected"}, 400)


async def _missing(_request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 400)
    return PlainTextResponse("There is no such page." if status == 404 else str(getattr(error, "detail", "")), status)


async def _fault(_request: Request, error: Exception) -> Response:
    return Json({"error": f"a fault of visavis ({type(error).__name__})"}, 500)


class Opened:
    """A server that listens already: its address is known before it answers."""

    def __init__(self, workspace: Workspace, listener: socket.socket) -> None:
        self.workspace, self.listener = workspace, listener
        self.keys = Keys(listener.getsockname()[1])

    def address(self, state: Sequence[tuple[str, str]] = ()) -> str:
        """What opens the page in a browser, at a state."""
        query = urlencode([("token", self.keys.token), *state])
        return f"http://{LOOPBACK}:{self.keys.port}/open?{query}"

    def run(self) -> None:
        """Answer until interrupted or told to end; then nothing is left behind."""
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # both end it alike
        try:
            with contextlib.suppress(KeyboardInterrupt):
                server_of(create_app(self.workspace, self.keys)).run([self.listener])
        finally:
            signal.signal(signal.SIGTERM, before)
            self.listener.close()
            self.workspace.close()


def serve(workspace: Workspace, port: int = 0) -> Opened:
    """A server for a workspace on a port of the loopback address, 0 for any that is free; `run` makes it answer.

    Raises InvalidParameter where another program has the port.
    """
    return Opened(workspace, listen(port))
