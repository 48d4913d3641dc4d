"""What can be taken away: the report, the JSON, what reproduces it, the map as a table, a study."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from visavis.comparing import Comparison
from visavis.explore import exports
from visavis.explore.app.shared import state_of, workspace_of
from visavis.explore.query import State
from visavis.explore.scene import Scene
from visavis.explore.workspace import Workspace
from visavis.report import render

router = APIRouter()

TYPES = {
    "report.html": "text/html", "summary.json": "application/json", "command.txt": "text/plain",
    "compare.py": "text/x-python", "points.parquet": "application/vnd.apache.parquet", "study.txt": "text/plain",
}  # fmt: skip


@router.get("/export/{name}")
def export(request: Request, name: str) -> Response:
    """A file to keep; what is assessed in it is waited for."""
    if name not in TYPES:
        return Response("There is no such file.", 404, media_type="text/plain")
    workspace, state = workspace_of(request), state_of(request)
    scene = workspace.scene(state, None)
    content = _content(name, workspace, state, scene)
    kind = TYPES[name] + ("; charset=utf-8" if TYPES[name].startswith("text") else "")
    return Response(content, headers={"Content-Disposition": f'attachment; filename="{name}"'}, media_type=kind)


def _content(name: str, workspace: Workspace, state: State, scene: Scene) -> Any:
    loaded, ids = workspace.documents(), workspace.set_ids(state)
    source, is_sample = loaded.source, loaded.is_sample
    if name == "command.txt":
        return exports.command_line(source, state, ids, "-o", "report.html", is_sample=is_sample) + "\n"
    if name == "compare.py":
        return exports.python_lines(source, state, ids, is_sample=is_sample)
    if name == "study.txt":
        return exports.study_line(source, state, ids, is_sample=is_sample) + "\n"
    if name == "points.parquet":
        picked = workspace.pick(scene, state, None)
        return exports.parquet(scene, workspace.ground(state, None), scene.summary(picked, state.pick_key))
    return render(_summary(workspace, state, scene), f".{name.rpartition('.')[2]}")


def _summary(workspace: Workspace, state: State, scene: Scene) -> Comparison:
    picked = workspace.assess(scene, state, None)
    command, _ = exports.command_or_why(workspace.documents().source, state, workspace.set_ids(state))
    shortlist = scene.shortlist(picked) if state.options.live else None
    return replace(scene.summary(picked, state.pick_key, shortlist), command=(command or "").rpartition("\n")[2])
