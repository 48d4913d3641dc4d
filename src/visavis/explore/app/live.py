"""What the page asks once for a grouping: what lets it answer by itself, and the groups to choose from."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from visavis.explore import live, views
from visavis.explore.app.shared import Json, state_of, workspace_of

router = APIRouter()


@router.get("/api/live")
def candidates(request: Request) -> Response:
    """The leading candidates, among which the page chooses at once."""
    workspace, state = workspace_of(request), state_of(request)
    scene, ground = workspace.look(state), workspace.ground(state)
    with workspace.traffic.passing():
        found = live.live_record(scene, ground, state) or {"candidates": None}
        return Json({**found, "key": views.key_of(state, scene)})


@router.get("/api/choices")
def choices(request: Request) -> Response:
    """The groups that can be ticked."""
    return Json(live.choices(workspace_of(request), state_of(request)))
