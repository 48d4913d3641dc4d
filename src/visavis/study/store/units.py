"""Units of work in the database: lent to a worker, one questionnaire (item) after the other, with the answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, exists, func, insert, or_, select, update

from visavis.study.store import schema

LIVE = ("open", "done")  # states in which a questionnaire takes a place in its cell

# What every answer asks for is put together once: that takes longer than asking.
_unit, _item = schema.unit, schema.item
_UNIT_BY_TOKEN = select(_unit).where(_unit.c.token == bindparam("token"))
_UNIT_BY_ID = select(_unit).where(_unit.c.id == bindparam("number"))
_OPEN_UNIT = (
    select(_unit).where(_unit.c.worker_id == bindparam("worker"), _unit.c.closed.is_(None)).order_by(_unit.c.id)
)
_ITEMS = select(_item).where(_item.c.unit_id == bindparam("unit")).order_by(_item.c.place)
_LENT = select(_item.c.sheet_id, _item.c.method).where(
    _item.c.worker_id == bindparam("worker"), _item.c.sheet_id.is_not(None)
)
_LATE = select(_unit.c.id).where(_unit.c.closed.is_(None), _unit.c.expires < bindparam("now"))
_EXPIRE = update(_item).where(_item.c.state == "open", _item.c.unit_id.in_(_LATE)).values(state="expired")


def add_unit(connection: Connection, **values: Any) -> int:
    """Store a new unit; its number."""
    made = connection.execute(insert(schema.unit).values(**values)).inserted_primary_key
    return int(made[0]) if made else 0


def unit_by_token(connection: Connection, token: str) -> Any:
    """The unit of that token, or None."""
    return connection.execute(_UNIT_BY_TOKEN, {"token": token}).first()


def unit_by_id(connection: Connection, number: int) -> Any:
    """The unit of that number."""
    return connection.execute(_UNIT_BY_ID, {"number": number}).one()


def open_unit_of(connection: Connection, worker: int) -> Any:
    """The first unit a worker has not finished, or None."""
    return connection.execute(_OPEN_UNIT, {"worker": worker}).first()


def closed_kinds(connection: Connection, worker: int) -> list[str]:
    """The kinds of the units that a worker is through with, in order."""
    unit = schema.unit
    through = (unit.c.worker_id == worker, unit.c.closed.is_not(None), was_worked_on())
    return list(connection.execute(select(unit.c.kind).where(*through).order_by(unit.c.id)).scalars())


def was_worked_on() -> ColumnElement[bool]:
    """Whether a unit is none of work, or one of which something beside golds was answered."""
    unit, item = schema.unit, schema.item
    answered = exists().where(item.c.unit_id == unit.c.id, item.c.answered.is_not(None), item.c.gold_id.is_(None))
    return or_(unit.c.kind != "work", answered)


def count_units(connection: Connection, worker: int, kind: str) -> int:
    """How many units of a kind a worker was lent."""
    unit = schema.unit
    chosen = select(func.count()).select_from(unit).where(unit.c.worker_id == worker, unit.c.kind == kind)
    return int(connection.execute(chosen).scalar_one())


def count_right(connection: Connection, unit: int) -> int:
    """How many questions of a unit were answered right."""
    judgement, item = schema.judgement, schema.item
    chosen = select(func.count()).select_from(judgement).join(item, item.c.id == judgement.c.item_id)
    chosen = chosen.where(item.c.unit_id == unit, judgement.c.correct.is_(True))
    return int(connection.execute(chosen).scalar_one())


def close_unit(connection: Connection, number: int, now: float) -> None:
    """Note when a unit ended, unless it has ended before."""
    unit = schema.unit
    connection.execute(update(unit).where(unit.c.id == number, unit.c.closed.is_(None)).values(closed=now))


def close_units_of(connection: Connection, worker: int, now: float) -> None:
    """End all units of a worker."""
    unit = schema.unit
    connection.execute(update(unit).where(unit.c.worker_id == worker, unit.c.closed.is_(None)).values(closed=now))


def extend_unit(connection: Connection, number: int, expires: float) -> None:
    """Let a unit run until another moment."""
    connection.execute(update(schema.unit).where(schema.unit.c.id == number).values(expires=expires))


def add_items(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store the questionnaires of a unit."""
    connection.execute(insert(schema.item), [dict(row) for row in rows])


def items_of(connection: Connection, unit: int) -> Sequence[Any]:
    """The questionnaires of a unit, in their order."""
    return connection.execute(_ITEMS, {"unit": unit}).all()


def first_open(items: Sequence[Any]) -> Any:
    """The first questionnaire of a unit that waits for an answer, or None."""
    return next((item for item in items if item.state == "open"), None)


def set_item(connection: Connection, number: int, **values: Any) -> None:
    """Change what is kept of a questionnaire."""
    connection.execute(update(schema.item).where(schema.item.c.id == number).values(**values))


def items_in_state(connection: Connection, worker: int, state: str) -> Sequence[Any]:
    """A worker's questionnaires that are in a state."""
    item = schema.item
    return connection.execute(select(item).where(item.c.worker_id == worker, item.c.state == state)).all()


def change_states(connection: Connection, worker: int, states: Mapping[str, str]) -> None:
    """Bring a worker's questionnaires from each state into another."""
    item = schema.item
    for before, after in states.items():
        connection.execute(update(item).where(item.c.worker_id == worker, item.c.state == before).values(state=after))


def sheets_lent_to(connection: Connection, worker: int) -> Iterable[Any]:
    """Which questionnaires (sheet_id) a worker was given, and by which method."""
    return connection.execute(_LENT, {"worker": worker}).all()


def expire_items(connection: Connection, now: float) -> None:
    """Return to the pool what was lent for longer than its lease."""
    connection.execute(_EXPIRE, {"now": now})


def add_judgements(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store the answers to a questionnaire that are right or wrong; there may be none."""
    if rows:
        connection.execute(insert(schema.judgement), [dict(row) for row in rows])
