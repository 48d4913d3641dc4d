"""The page itself, and how a browser comes to it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined

from visavis import report
from visavis._version import __version__
from visavis.explore.app.guard import CLOSED, Keys
from visavis.explore.app.shared import workspace_of

router = APIRouter()

REPORT = Path(report.__file__).parent / "html"
OF_THE_REPORT = {"report.css": "style.css", "reselect.js": "reselect.js"}  # the page is the report's sibling


@cache
def environment() -> Environment:
    """The templates; everything put into them is escaped."""
    return Environment(
        loader=PackageLoader("visavis.explore.app", "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip


@router.get("/open")
def open_page(request: Request) -> Response:
    """The token becomes a cookie and leaves the address; the state stays in it."""
    keys: Keys = request.app.state.keys
    if not keys.opens(request.query_params.get("token", "")):
        return PlainTextResponse(CLOSED, 403)
    state = [(name, value) for name, value in request.query_params.multi_items() if name != "token"]
    response = RedirectResponse(f"/?{urlencode(state)}" if state else "/", 303)
    keys.admit(response)
    return response


@router.get("/")
def page(request: Request) -> Response:
    """The page; what it shows it asks for itself."""
    loaded = workspace_of(request).loaded
    name = "" if loaded is None else loaded.name
    return HTMLResponse(environment().get_template("explore.html").render(version=__version__, name=name))


@router.get("/static/report.css")
@router.get("/static/reselect.js")
def shared_file(request: Request) -> Response:
    """What the page shares with the report."""
    return FileResponse(REPORT / OF_THE_REPORT[request.url.path.rpartition("/")[2]])
