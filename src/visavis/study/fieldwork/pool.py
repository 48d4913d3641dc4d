"""What there is to do: whether work is handed out, and which cells want judgements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from visavis.study.assignment import Cell, Sheet
from visavis.study.store import Connection
from visavis.study.store.cells import TAKEN, Quota, count_live, lapsed_places, places_by_state
from visavis.study.store.golds import count_golds
from visavis.study.tasks import cell_methods, rules_of

PAUSED = "the study is paused: resume it on the admin page"


def may_run(connection: Connection, facts: Mapping[str, Any]) -> bool:
    """Whether work is handed out: not paused, and golds enough to judge by."""
    return not why_closed(connection, facts)


def why_closed(connection: Connection, facts: Mapping[str, Any]) -> str:
    """Why no work is handed out, or ""."""
    if facts["paused"]:
        return PAUSED
    golds, fewest = count_golds(connection), rules_of(facts).golds_needed(few=bool(facts["few_golds"]))
    if golds < fewest:
        return f"there are {golds} gold questionnaires in use and {fewest} are needed: `visavis study gold import`"
    return ""


def has_room(connection: Connection, n_sheets: int, facts: Mapping[str, Any], quota: Quota, now: float) -> bool:
    """Whether any cell still needs a judgement that is not lent out, told from the totals, as no cell is overfull."""
    return count_live(connection, quota, now) < n_sheets * len(cell_methods(facts)) * quota.judgements


def open_cells(
    connection: Connection, sheets: Mapping[int, Sheet], facts: Mapping[str, Any], quota: Quota, now: float
) -> tuple[dict[Cell, int], dict[Cell, int]]:
    """How many judgements each cell still needs; and how many of them were never lent to anybody.

    What is lent beyond its lease is free.
    """
    room = {Cell(sheet, method): quota.judgements for sheet in sheets for method in cell_methods(facts)}
    fresh = dict(room)
    for method, state, places in places_by_state(connection, quota):
        for sheet, count in places.items():
            cell = Cell(sheet, method)
            fresh[cell] -= count
            if state in TAKEN:
                room[cell] -= count
    for row in lapsed_places(connection, quota, now):
        room[Cell(row.sheet_id, row.method)] += 1
    return room, {cell: min(left, room[cell]) for cell, left in fresh.items()}
