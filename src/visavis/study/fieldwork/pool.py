"""What there is to do: whether work is handed out, and which cells want judgements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from visavis.study.assignment import Cell, Sheet
from visavis.study.shape import fewest_golds
from visavis.study.store import Connection
from visavis.study.store.cells import count_live, lapsed_places, places_by_state
from visavis.study.store.golds import count_golds
from visavis.study.store.units import LIVE


def may_run(connection: Connection, facts: Mapping[str, Any]) -> bool:
    """Whether work is handed out: not paused, and golds enough to judge by."""
    return not why_closed(connection, facts)


def why_closed(connection: Connection, facts: Mapping[str, Any]) -> str:
    """Why no work is handed out, or ""."""
    if facts["paused"]:
        return "the study is paused: resume it on the admin page"
    golds, fewest = count_golds(connection), fewest_golds(few=bool(facts["few_golds"]))
    if golds < fewest:
        return f"there are {golds} gold questionnaires in use and {fewest} are needed: `visavis study gold import`"
    return ""


def has_room(connection: Connection, n_sheets: int, facts: Mapping[str, Any], now: float) -> bool:
    """Whether any cell still needs a judgement that is not lent out, told from the totals, as no cell is overfull."""
    needed = n_sheets * len(facts["methods"]) * int(facts["judgements"])
    return count_live(connection, now) < needed


def open_cells(
    connection: Connection, sheets: Mapping[int, Sheet], facts: Mapping[str, Any], now: float
) -> tuple[dict[Cell, int], dict[Cell, int]]:
    """How many judgements each cell still needs; and how many of them were never lent to anybody.

    What is lent beyond its lease is free.
    """
    needed = int(facts["judgements"])
    room = {Cell(sheet, method): needed for sheet in sheets for method in facts["methods"]}
    fresh = dict(room)
    for row in places_by_state(connection):
        cell = Cell(row.sheet_id, row.method)
        fresh[cell] -= row.n
        if row.state in LIVE:
            room[cell] -= row.n
    for row in lapsed_places(connection, now):
        room[Cell(row.sheet_id, row.method)] += 1
    return room, {cell: min(left, room[cell]) for cell, left in fresh.items()}
