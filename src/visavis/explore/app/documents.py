"""What the page asks about documents: titles, whole texts, what a pick stands for, why not this one, searches."""

from __future__ import annotations

from urllib.parse import parse_qsl

from fastapi import APIRouter, Request
from fastapi.responses import Response

from visavis.corpus.fields import is_blank
from visavis.errors import InvalidParameter
from visavis.explore import moves, views
from visavis.explore.app.shared import Json, one, state_of, workspace_of
from visavis.explore.sets import filter_holding, holding
from visavis.shared.text import clean, line

router = APIRouter()

MOST_TITLES, MOST_LISTED, MOST_FOUND = 200, 200, 50
LONGEST_FIELD = 2_000  # characters of a cell that are shown


@router.get("/api/titles")
def titles(request: Request) -> Response:
    """What these points of the map are called."""
    workspace, state = workspace_of(request), state_of(request, "row")
    ground = workspace.ground(state)
    rows = request.query_params.getlist("row")[:MOST_TITLES]
    if not all(row.isascii() and row.isdigit() and len(row) < 10 and int(row) < len(ground.documents) for row in rows):
        raise InvalidParameter(f"row must be a number from 0 to {len(ground.documents) - 1}")
    return Json([views.document_record(ground, int(row)) for row in rows])


@router.get("/api/document")
def document(request: Request) -> Response:
    """The whole text of a document, with the words that set its group apart marked."""
    workspace, state = workspace_of(request), state_of(request, "id")
    scene, ground = workspace.look(state), workspace.ground(state)
    name = one(request, "id")
    shown = scene if name in scene.rows else ground
    row = moves.row_of(shown, name)
    groups = [int(shown.codes[at]) for at, other in enumerate(shown.documents) if other.id == name]
    words = shown.about.words.of_document(row, groups[0])
    found = shown.called(row)
    more = {
        line(column): clean(str(value))[:LONGEST_FIELD]
        for column, value in found.fields.items()
        if not is_blank(value) and str(value) not in (found.title, found.text)
    }
    return Json(
        {
            **views.item(found, words), "row": ground.rows.get(name), "words": words,
            "paragraphs": views.paragraphs(found, words), "groups": [shown.names[group] for group in groups],
            "more": more,
        }
    )  # fmt: skip


@router.get("/api/stands")
def stands(request: Request) -> Response:
    """The documents of its group to which a pick is the nearest of the group's picks."""
    workspace, state = workspace_of(request), state_of(request, "id")
    scene, ground = workspace.look(state), workspace.ground(state)
    name = one(request, "id")
    moves.row_of(scene, name)
    picked = moves.picks_in_force(scene, state)
    pick = next((pick for pick in picked.description.order if pick.document.id == name), None)
    covers = () if pick is None else tuple(other for other in pick.covers if other != name)
    records = [views.document_record(scene, scene.rows[other]) for other in covers[:MOST_LISTED]]
    return Json(
        {
            "total": len(covers),
            "documents": [record | {"row": ground.rows.get(record["id"])} for record in records],
            "rows": [ground.rows[other] for other in covers if other in ground.rows],
        }
    )


@router.get("/api/whynot")
def whynot(request: Request) -> Response:
    """What is lost if a document were picked, and in whose place."""
    workspace, state = workspace_of(request), state_of(request, "id")
    scene = workspace.look(state)
    name = one(request, "id")
    if name not in scene.rows and name in workspace.ground(state).rows:
        said = "It is in none of the sets that are compared."
        return Json({"picked": False, "instead_of": None, "loss": None, "relative": None, "said": said, "reason": said})
    return Json(moves.whynot(scene, state, name))


@router.get("/api/cost")
def cost(request: Request) -> Response:
    """What it costs to ban a document on top of what is banned, and what takes its place."""
    items = request.query_params.multi_items()
    name = next((value for key, value in reversed(items) if key == "ban"), "")
    if not name:
        raise InvalidParameter("ban must name a document")
    at = len(items) - 1 - [key for key, _ in reversed(items)].index("ban")
    workspace = workspace_of(request)
    state = workspace.state([item for place, item in enumerate(items) if place != at])
    scene, ground = workspace.look(state), workspace.ground(state)
    found = moves.cost(scene, state, name)
    if found["next"] is not None:
        found["next"] = views.item(scene.called(found["next"])) | {
            "row": ground.rows.get(scene.documents[found["next"]].id)
        }
    return Json(found)


@router.get("/api/search")
def search(request: Request) -> Response:
    """The documents that hold all words of a query."""
    workspace, state = workspace_of(request), state_of(request, "q")
    ground = workspace.ground(state)
    words = one(request, "q").casefold().split()
    if not words:
        raise InvalidParameter("q must hold a word")
    rows = holding(ground.searchable, words).nonzero()[0].tolist()
    listed = [views.document_record(ground, row) for row in rows[:MOST_FOUND]]
    kept = filter_holding(words, workspace.documents().prepared.corpus)
    return Json({"total": len(rows), "rows": rows, "documents": listed, "filter": kept})


@router.get("/api/shared")
def shared(request: Request) -> Response:
    """Which picks two settings share, and which only one of them has."""
    workspace, state = workspace_of(request), state_of(request, "other")
    other = workspace.state(parse_qsl(one(request, "other"), max_num_fields=1_000))
    found = []
    for each in (state, other):
        picked = moves.picks_in_force(workspace.look(each), each)
        found.append(list(dict.fromkeys(pick.document.id for pick in picked.description.order)))
    first, second = found
    return Json(
        {
            "shared": [name for name in first if name in second],
            "only_first": [name for name in first if name not in second],
            "only_second": [name for name in second if name not in first],
        }
    )
