"""Joining the pages to a store, and running the server: one process, which holds the study for itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from visavis._version import __version__
from visavis.errors import InvalidParameter
from visavis.study.app import admin, api, leaving, pages, worker
from visavis.study.app.guard import Guard, Limiter
from visavis.study.app.options import AppState, ServeOptions, text_of
from visavis.study.fieldwork.dispatch import Dispatcher
from visavis.study.fieldwork.keys import Keys
from visavis.study.store import Store, read_facts, set_fact
from visavis.study.store.alone import alone
from visavis.study.tasks import PREFER

STATIC = Path(__file__).parent / "static"


def create_app(
    store: Store, keys: Keys, options: ServeOptions | None = None, *, now: Callable[[], float] = time.time
) -> FastAPI:
    """The application over a store; `now` is the clock that leases and sessions run by."""
    chosen = options or ServeOptions()
    app = FastAPI(title="visavis study", version=__version__, openapi_url=None, docs_url=None, redoc_url=None)
    app.state.shared = AppState(store, keys, chosen, Dispatcher(lease=chosen.lease, most_units=chosen.most_units), now)
    app.state.limiter, app.state.stop = Limiter(), lambda: None
    app.add_middleware(Guard, rate=chosen.rate, limiter=app.state.limiter, stop=lambda: app.state.stop())
    app.include_router(worker.router)
    app.include_router(leaving.router)
    app.include_router(admin.router)
    app.include_router(api.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_api_route("/", lambda: RedirectResponse("/w", 303), methods=["GET"], include_in_schema=False)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    return app


async def _refused(request: Request, error: Exception) -> Response:
    """A refusal as a page, or the redirect it stands for."""
    status = getattr(error, "status_code", 500)
    headers = getattr(error, "headers", None) or {}
    if "Location" in headers:
        return RedirectResponse(headers["Location"], status)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": str(getattr(error, "detail", ""))}, status, dict(headers))
    response = _message(request, status, str(getattr(error, "detail", "")))
    response.headers.update(headers)
    return response


async def _invalid(request: Request, _error: Exception) -> Response:
    return _message(request, 422, text_of(request, "error_form"))


def _message(request: Request, status: int, message: str) -> Response:
    """A page that says what is wrong; the way back keeps the id somebody came with."""
    kept = {name: getattr(request.state, name, "") for name in ("participant", "signature")}
    query = urlencode({name: value for name, value in kept.items() if value})
    return pages.page(request, "message.html", status, message=message, back=f"/w?{query}" if query else "/w")


def check_asked(store: Store, options: ServeOptions) -> None:
    """Refuse scales that the study's pages do not have. Raises InvalidParameter, NoStudy."""
    with store.reading() as connection:
        task = read_facts(connection)["task"]
    if options.ask and task == PREFER:
        raise InvalidParameter(f"ask={','.join(options.ask)} is for questionnaires, and this study compares summaries")


def serve(store: Store, keys: Keys, options: ServeOptions, *, host: str = "127.0.0.1", port: int = 8000) -> None:
    """Run the server until it is interrupted. Nothing about requests is written to a log."""
    import uvicorn

    from visavis.web.patience import ImpatientProtocol

    check_asked(store, options)
    app = create_app(store, keys, options)
    config = uvicorn.Config(
        app, host=host, port=port, http=ImpatientProtocol, access_log=False, log_level="warning", server_header=False,
        proxy_headers=bool(options.trusted_proxy), forwarded_allow_ips=options.trusted_proxy or None, ws="none",
    )  # fmt: skip
    server = uvicorn.Server(config)

    def stop() -> None:
        server.should_exit = True

    app.state.stop = stop
    with alone(store):
        with store.writing() as connection:
            set_fact(connection, "codes", options.codes)  # by which `study payments` tells who gets what
        server.run()
