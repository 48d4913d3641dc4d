"""Workers in the database: who they are, what state they are in, what was noted about them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, bindparam, insert, not_, select, update

from visavis.study.records import REHEARSED
from visavis.study.store import schema
from visavis.study.store.database import Store

# What every answer asks for is put together once: that takes longer than asking.
_BY_SESSION = select(schema.worker).where(schema.worker.c.session == bindparam("session"))
_BY_ID = select(schema.worker).where(schema.worker.c.id == bindparam("number"))
_FLAGS = select(schema.flag.c.id).where(
    schema.flag.c.worker_id == bindparam("worker"), schema.flag.c.kind == bindparam("kind")
)


def worker_by_pseudonym(connection: Connection, pseudonym: str) -> Any:
    """The worker of that pseudonym, or None."""
    return connection.execute(select(schema.worker).where(schema.worker.c.pseudonym == pseudonym)).first()


def worker_by_session(connection: Connection, session: str) -> Any:
    """The worker whose browser has that session, or None."""
    return connection.execute(_BY_SESSION, {"session": session}).first()


def worker_by_id(connection: Connection, number: int) -> Any:
    """The worker of that number."""
    return connection.execute(_BY_ID, {"number": number}).one()


def add_worker(connection: Connection, **values: Any) -> int:
    """Store a new worker; the number."""
    made = connection.execute(insert(schema.worker).values(**values)).inserted_primary_key
    return int(made[0]) if made else 0


def set_worker(connection: Connection, number: int, **values: Any) -> None:
    """Change what is kept of a worker."""
    connection.execute(update(schema.worker).where(schema.worker.c.id == number).values(**values))


def add_flag(connection: Connection, worker: int, kind: str, note: str, now: float, *, each: bool = False) -> None:
    """Mark a worker for the researcher's eye; the same kind once, or `each` time it happens."""
    if each or not has_flag(connection, worker, kind):
        connection.execute(insert(schema.flag).values(worker_id=worker, kind=kind, note=note, at=now))


def has_flag(connection: Connection, worker: int, kind: str) -> bool:
    """Whether a worker carries a flag of that kind."""
    return connection.execute(_FLAGS, {"worker": worker, "kind": kind}).first() is not None


def is_rehearsed() -> ColumnElement[bool]:
    """Whether a worker is simulated."""
    return schema.worker.c.id.in_(select(schema.flag.c.worker_id).where(schema.flag.c.kind == REHEARSED))


def is_person() -> ColumnElement[bool]:
    """Whether a worker is neither a machine nor simulated."""
    return and_(schema.worker.c.machine_id.is_(None), not_(is_rehearsed()))


def add_event(connection: Connection, kind: str, note: str, now: float, worker: int | None = None) -> None:
    """Write down that something was decided."""
    connection.execute(insert(schema.event).values(at=now, kind=kind, worker_id=worker, note=note))


def gold_answers(connection: Connection, worker: int) -> list[bool]:
    """Whether a worker was right about each gold question, in the order answered.

    Golds out of use and answers that came late do not count.
    """
    judgement, item, gold = schema.judgement, schema.item, schema.gold
    found = connection.execute(
        select(judgement.c.correct)
        .join(item, item.c.id == judgement.c.item_id)
        .join(gold, gold.c.id == item.c.gold_id)
        .where(judgement.c.worker_id == worker, gold.c.retired.is_(False), item.c.state == "done")
        .order_by(judgement.c.id)
    )
    return [bool(row.correct) for row in found]


def flag_kinds(connection: Connection) -> dict[str, list[str]]:
    """The kinds of flags of each worker who has some, by pseudonym; each kind once."""
    worker, flag = schema.worker, schema.flag
    chosen = select(worker.c.pseudonym, flag.c.kind).join(flag, flag.c.worker_id == worker.c.id).order_by(flag.c.id)
    found: dict[str, list[str]] = defaultdict(list)
    for row in connection.execute(chosen):
        if row.kind not in found[row.pseudonym]:
            found[row.pseudonym].append(row.kind)
    return found


def reader_name(machine: str | None, flags: Sequence[str]) -> str:
    """The name of a machine, blank for a person; simulated workers are no people, and have one of their own."""
    return machine or (REHEARSED if REHEARSED in flags else "")


def has_workers(store: Store) -> bool:
    """Whether any person has taken part yet; machines and simulated workers need not be known again."""
    with store.reading() as connection:
        return connection.execute(select(schema.worker.c.id).where(is_person())).first() is not None
