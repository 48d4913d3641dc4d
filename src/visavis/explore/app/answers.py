"""What the page asks on every move: the corpus, the view, the map, the picks, the verdict."""

from __future__ import annotations

from typing import Any

import numpy as np
from fastapi import APIRouter, Request
from fastapi.responses import Response

from visavis.comparing.options import CompareOptions
from visavis.embed import EMBEDDERS
from visavis.explore import views
from visavis.explore.app.shared import Json, flag, state_of, workspace_of
from visavis.explore.background import Pending
from visavis.explore.exports import command_or_why
from visavis.explore.moves import improvement, quick_picks
from visavis.explore.paths import contrast_path
from visavis.explore.query import QUICK, State
from visavis.explore.scene import Picked, Scene
from visavis.explore.sets import BY_CONSTRUCTION
from visavis.explore.workspace import A_MOMENT, Workspace
from visavis.report import sentences
from visavis.report.json_ import as_record
from visavis.report.text import iso_date
from visavis.report.verdict import verdict
from visavis.select.methods import METHODS

router = APIRouter()


@router.get("/api/corpus")
def corpus(request: Request) -> Response:
    """The documents at hand, and what can be asked of them."""
    workspace = workspace_of(request)
    loaded, stage = workspace.loaded, workspace.stage
    usual, base = CompareOptions(), workspace.base if loaded is None else loaded.base
    found: dict[str, Any] = {
        "state": "reading" if stage else "ready" if loaded else "failed" if workspace.error else "empty",
        "error": workspace.error or None,
        "stage": stage or None,
        "methods": [{"name": name, "quick": name == QUICK, "help": METHODS[name].about} for name in METHODS],
        "embedders": ["auto", *EMBEDDERS],
        "defaults": {
            name: base.get(name, getattr(usual, name))
            for name in ("method", "size", "contrast", "seed", "lead", "embedder")
        },
    }
    if loaded is not None:
        dated = next((column for column in loaded.columns if column.kind == "date" and column.first), None)
        found |= {
            "name": loaded.name,
            "number": loaded.number,
            "documents": len(loaded.prepared.corpus.documents),
            "columns": [
                {"name": c.name, "role": c.role or None, "kind": c.kind, "distinct": c.distinct, "values": c.values}
                for c in loaded.columns
            ],
            "suggested": f"by={loaded.suggested}" if loaded.suggested else None,
            "dates": None
            if dated is None
            else {"column": dated.name, "first": iso_date(dated.first), "last": iso_date(dated.last)},
        }
    return Json(found)


@router.get("/api/view")
def view(request: Request) -> Response:
    """Everything about a grouping that does not depend on the picks."""
    workspace, state = workspace_of(request), state_of(request)
    scene, ground = workspace.look(state), workspace.ground(state)
    members = [workspace.members(ground, drawn) for drawn in state.sets]
    with workspace.traffic.passing():
        picked = quick_picks(scene, state)
        summary = scene.summary(picked, None)
        several = len(np.flatnonzero(np.bincount(np.concatenate([*members, []]).astype(np.intp)) > 1)) if members else 0
        return Json(
            {
                "key": views.key_of(state, scene),
                "provisional": scene.first,
                "title": summary.title,
                "overview": sentences.overview(summary).rpartition("; ")[0],
                "asked": sentences.asked(summary),
                "groups": [views.group_record(scene, group) for group in range(len(scene.names))],
                "volume": views.volume_record(scene, workspace.documents().timeline),
                "map": views.map_record(scene, ground),
                "sets": [
                    {"name": drawn.name, "kind": drawn.kind, "count": len(rows)}
                    for drawn, rows in zip(state.sets, members, strict=True)
                ],
                "overlap": several,
                "by_construction": scene.drawn,
                "notes": [*summary.notes, *sentences.remarks(summary)],
                "set_aside": [{"reason": away.reason, "count": away.count} for away in summary.set_aside],
                "not_candidates": [{"reason": away.reason, "count": away.count} for away in summary.not_candidates],
            }
        )


@router.get("/api/map")
def places(request: Request) -> Response:
    """Where every document lies, and its group: numbers alone, as they lie in memory."""
    workspace, state = workspace_of(request), state_of(request)
    ground = workspace.ground(state)
    members = [workspace.members(ground, drawn) for drawn in state.sets] if state.compared else []
    with workspace.traffic.passing():
        codes = np.full(len(ground.documents), views.NOWHERE) if state.compared else ground.codes
        for number, rows in reversed(list(enumerate(members))):
            codes[rows] = number
        x, y = (np.ascontiguousarray(axis, "<f4").tobytes() for axis in ground.map.T)
        count = np.array([len(ground.documents)], "<u4").tobytes()
        return Response(count + x + y + codes.astype("<u2").tobytes(), media_type="application/octet-stream")


@router.get("/api/picks")
def picks(request: Request) -> Response:
    """The picks with their cards: at once by the quick method, or by the one that was asked for."""
    workspace, state, quick = workspace_of(request), state_of(request, "quick"), flag(request, "quick")
    if quick:
        scene = workspace.look(state)
        with workspace.traffic.passing():
            return Json(_picks(workspace, state, scene, quick_picks(scene, state), None))
    scene = workspace.scene(state)
    picked = workspace.pick(scene, state)
    return Json(_picks(workspace, state, scene, picked, improvement(scene, state, picked)))


def _picks(workspace: Workspace, state: State, scene: Scene, picked: Picked, improves: bool | None) -> dict[str, Any]:
    summary, ground = scene.summary(picked, None), workspace.ground(state)
    loaded, ids = workspace.documents(), workspace.set_ids(state)
    command, why = command_or_why(loaded.source, state, ids, is_sample=loaded.is_sample)
    return {
        "key": views.key_of(state, scene),
        "method": summary.method,
        "asked": state.options.method,
        "quick": improves is None,
        "improves": improves,
        "groups": views.cards(ground, summary),
        "warnings": summary.warnings,
        "command": command,
        "command_said": why,
    }


@router.get("/api/path")
def path(request: Request) -> Response:
    """For every document that any contrast picks, the contrasts that do."""
    workspace, state = workspace_of(request), state_of(request)
    scene, ground = workspace.look(state), workspace.ground(state)
    with workspace.traffic.passing():
        return Json(contrast_path(scene, ground, state))


@router.get("/api/assess")
def assess(request: Request) -> Response:
    """Whether the groups differ and what the picks tell; the first to ask starts it."""
    workspace, state = workspace_of(request), state_of(request)
    scene = workspace.scene(state)
    if scene.drawn:
        told = {"outcome": None, "headline": "Different by construction", "detail": BY_CONSTRUCTION}
        return Json({"done": True, "stage": None, "left_seconds": None, "verdict": told, "accuracy": None,
                     "by_construction": True})  # fmt: skip
    try:
        picked = workspace.assess(scene, state)
    except Pending as pending:
        left = views.seconds_left(pending.stage)
        return Json({"done": False, "stage": pending.stage, "left_seconds": left, "verdict": None, "accuracy": None,
                     "by_construction": False})  # fmt: skip
    summary = scene.summary(picked, state.pick_key)
    found = verdict(summary)
    told = {"outcome": found.outcome, "headline": found.headline, "detail": found.detail}
    return Json({"done": True, "stage": None, "left_seconds": None, "verdict": told,
                 "accuracy": sentences.accuracy(summary) or None, "by_construction": False})  # fmt: skip


@router.get("/api/summary")
def summary(request: Request) -> Response:
    """The JSON of `visavis compare`; with `wait` it is assessed first."""
    workspace, state = workspace_of(request), state_of(request, "wait")
    wait = None if flag(request, "wait") else A_MOMENT
    scene = workspace.scene(state, wait)
    picked = workspace.assess(scene, state, None) if wait is None else workspace.pick(scene, state)
    record = as_record(scene.summary(picked, state.pick_key))
    return Json(record | ({"by_construction": True} if scene.drawn else {}))
