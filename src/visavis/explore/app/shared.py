"""What the routes share: the workspace, the state that a request names, and answers in JSON."""

from __future__ import annotations

import json
from typing import Any

from fastapi import Request
from fastapi.responses import Response

from visavis.errors import InvalidParameter
from visavis.explore.query import State
from visavis.explore.workspace import Workspace
from visavis.report.json_ import plain


class Json(Response):
    """Plain objects as JSON; None for what is no number, and no character that breaks a text."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The bytes."""
        return json.dumps(plain(content), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def workspace_of(request: Request) -> Workspace:
    """The server's workspace."""
    found: Workspace = request.app.state.workspace
    return found


def state_of(request: Request, *more: str) -> State:
    """What the query asks; `more` are the route's own parameters."""
    return workspace_of(request).state(request.query_params.multi_items(), more)


def one(request: Request, name: str) -> str:
    """A parameter that the route needs. Raises InvalidParameter where it is missing or far too long."""
    found = request.query_params.getlist(name)
    if len(found) != 1 or not found[0] or len(found[0]) > 4_000:
        raise InvalidParameter(f"{name} must be given, once")
    return str(found[0])


def flag(request: Request, name: str) -> bool:
    """Whether a parameter says yes."""
    return request.query_params.get(name, "0") not in ("", "0", "false")
