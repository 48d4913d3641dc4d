"""How full the cells are: questionnaires under a method, counted or lent out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, and_, func, or_, select

from visavis.study.store import schema
from visavis.study.store.units import LIVE


def count_live(connection: Connection, now: float) -> int:
    """How many places of all cells are filled, or lent within their lease."""
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
    return int(connection.execute(live).scalar_one())


def places_by_state(connection: Connection) -> Sequence[Any]:
    """sheet_id, method, state, and how many (n)."""
    item = schema.item
    return connection.execute(
        select(item.c.sheet_id, item.c.method, item.c.state, func.count().label("n"))
        .where(item.c.sheet_id.is_not(None))
        .group_by(item.c.sheet_id, item.c.method, item.c.state)
    ).all()


def lapsed_places(connection: Connection, now: float) -> Sequence[Any]:
    """sheet_id and method of what is lent beyond its lease."""
    item, unit = schema.item, schema.unit
    return connection.execute(
        select(item.c.sheet_id, item.c.method)
        .join(unit, unit.c.id == item.c.unit_id)
        .where(item.c.sheet_id.is_not(None), item.c.state == "open", unit.c.expires < now)
    ).all()


def places_taken(connection: Connection, sheet: int, method: str) -> int:
    """How many places of a cell are filled or lent out."""
    item = schema.item
    counted = select(func.count()).select_from(item)
    counted = counted.where(item.c.sheet_id == sheet, item.c.method == method, item.c.state.in_(LIVE))
    return int(connection.execute(counted).scalar_one())
