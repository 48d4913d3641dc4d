"""What there is to do: whether work is handed out, and which cells want judgements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, func, select

from visavis.study import quality
from visavis.study.assign import Cell, Sheet
from visavis.study.gold import count_golds
from visavis.study.shape import FEWEST_GOLDS
from visavis.study.store import schema


def may_run(connection: Connection, facts: Mapping[str, Any]) -> bool:
    """Whether work is handed out: not paused, and golds enough to judge by."""
    fewest = quality.QUIZ_GOLDS + 1 if facts["few_golds"] else FEWEST_GOLDS
    return not facts["paused"] and count_golds(connection) >= fewest


def open_cells(
    connection: Connection, sheets: Mapping[int, Sheet], facts: Mapping[str, Any]
) -> tuple[dict[Cell, int], dict[Cell, int]]:
    """How many judgements each cell still needs; and how many of them were never lent to anybody."""
    needed = int(facts["judgements"])
    room = {Cell(sheet, method): needed for sheet in sheets for method in facts["methods"]}
    fresh = dict(room)
    item = schema.item
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
    return room, {cell: min(left, room[cell]) for cell, left in fresh.items()}
