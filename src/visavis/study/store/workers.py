"""Workers in the database: who they are, what state they are in, what was noted about them."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from sqlalchemy import Connection, insert, select, update

from visavis.study.store import schema
from visavis.study.store.database import Store


def worker_by_pseudonym(connection: Connection, pseudonym: str) -> Any:
    """The worker of that pseudonym, or None."""
    return connection.execute(select(schema.worker).where(schema.worker.c.pseudonym == pseudonym)).first()


def worker_by_session(connection: Connection, session: str) -> Any:
    """The worker whose browser has that session, or None."""
    return connection.execute(select(schema.worker).where(schema.worker.c.session == session)).first()


def worker_by_id(connection: Connection, number: int) -> Any:
    """The worker of that number."""
    return connection.execute(select(schema.worker).where(schema.worker.c.id == number)).one()


def add_worker(connection: Connection, **values: Any) -> int:
    """Store a new worker; the number."""
    made = connection.execute(insert(schema.worker).values(**values)).inserted_primary_key
    return int(made[0]) if made else 0


def set_worker(connection: Connection, number: int, **values: Any) -> None:
    """Change what is kept of a worker."""
    connection.execute(update(schema.worker).where(schema.worker.c.id == number).values(**values))


def add_flag(connection: Connection, worker: int, kind: str, note: str, now: float) -> None:
    """Mark a worker for the researcher's eye; the same kind once."""
    flag = schema.flag
    if connection.execute(select(flag.c.id).where(flag.c.worker_id == worker, flag.c.kind == kind)).first() is None:
        connection.execute(insert(flag).values(worker_id=worker, kind=kind, note=note, at=now))


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
    """The kinds of flags of each worker who has some, by pseudonym."""
    worker, flag = schema.worker, schema.flag
    chosen = select(worker.c.pseudonym, flag.c.kind).join(flag, flag.c.worker_id == worker.c.id).order_by(flag.c.id)
    found: dict[str, list[str]] = defaultdict(list)
    for row in connection.execute(chosen):
        found[row.pseudonym].append(row.kind)
    return found


def has_workers(store: Store) -> bool:
    """Whether anybody has taken part yet."""
    with store.reading() as connection:
        return connection.execute(select(schema.worker.c.id)).first() is not None
