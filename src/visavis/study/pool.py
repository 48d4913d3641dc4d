"""What there is to do: whether work is handed out, and which cells want judgements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, and_, func, or_, select

from visavis.study import quality
from visavis.study.assign import Cell, Sheet
from visavis.study.gold import count_golds
from visavis.study.store import schema


def may_run(connection: Connection, facts: Mapping[str, Any]) -> bool:
    """Whether work is handed out: not paused, and golds enough to judge by."""
    return not why_closed(connection, facts)


def why_closed(connection: Connection, facts: Mapping[str, Any]) -> str:
    """Why no work is handed out, or ""."""
    if facts["paused"]:
        return "the study is paused: resume it on the admin page"
    golds, fewest = count_golds(connection), quality.fewest_golds(few=bool(facts["few_golds"]))
    if golds < fewest:
        return f"there are {golds} gold questionnaires in use and {fewest} are needed: `visavis study gold import`"
    return ""


def has_room(connection: Connection, n_sheets: int, facts: Mapping[str, Any], now: float) -> bool:
    """Whether any cell still needs a judgement that is not lent out, told from the totals, as no cell is overfull."""
    item, unit = schema.item, schema.unit
    live = (
        select(func.count())
        .select_from(item)
        .join(unit, unit.c.id == item.c.unit_id)
        .where(
            item.c.sheet_id.is_not(None),
            or_(item.c.state == "done", and_(item.c.state == "open", unit.c.expires >= now)),
        )
    )
    needed = n_sheets * len(facts["methods"]) * int(facts["judgements"])
    return int(connection.execute(live).scalar_one()) < needed


def open_cells(
    connection: Connection, sheets: Mapping[int, Sheet], facts: Mapping[str, Any], now: float
) -> tuple[dict[Cell, int], dict[Cell, int]]:
    """How many judgements each cell still needs; and how many of them were never lent to anybody.

    What is lent beyond its lease is free.
    """
    needed = int(facts["judgements"])
    room = {Cell(sheet, method): needed for sheet in sheets for method in facts["methods"]}
    fresh = dict(room)
    item, unit = schema.item, schema.unit
    given = connection.execute(
        select(item.c.sheet_id, item.c.method, item.c.state, func.count().label("n"))
        .where(item.c.sheet_id.is_not(None))
        .group_by(item.c.sheet_id, item.c.method, item.c.state)
    )
    for row in given:
        cell = Cell(row.sheet_id, row.method)
        fresh[cell] -= row.n
        if row.state in quality.LIVE:
            room[cell] -= row.n
    lapsed = (
        select(item.c.sheet_id, item.c.method)
        .join(unit, unit.c.id == item.c.unit_id)
        .where(item.c.sheet_id.is_not(None), item.c.state == "open", unit.c.expires < now)
    )
    for row in connection.execute(lapsed):
        room[Cell(row.sheet_id, row.method)] += 1
    return room, {cell: min(left, room[cell]) for cell, left in fresh.items()}
