"""Machines in the database: their names, the hashes of their tokens, and what was said to and by them."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from visavis.errors import InvalidParameter, UnknownName
from visavis.study.records import REHEARSED
from visavis.study.store import schema

LONGEST_NAME = 100
RESERVED = ("people", REHEARSED)
UNANSWERED = "unanswered"  # the state of a questionnaire that a machine could not answer


def token_hash(token: str) -> str:
    """How a token is stored. It is long and random, so a plain hash tells nothing about it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def add_machine(connection: Connection, name: str, judgements: int, now: float) -> str:
    """Store a new machine; its token, which is nowhere else. Raises InvalidParameter for a name that is taken."""
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise InvalidParameter(f"a machine's name is printable text of at most {LONGEST_NAME} characters, got {name!r}")
    if name in RESERVED:
        raise InvalidParameter(f"reports call other readers {name!r}, so no machine can be: choose another name")
    if machine_by_name(connection, name) is not None:
        raise InvalidParameter(f"there is a machine {name!r} already: choose another name")
    token = secrets.token_urlsafe(32)
    values = {"name": name, "token": token_hash(token), "judgements": judgements, "made": now, "retired": False}
    connection.execute(insert(schema.machine).values(**values))
    return token


def machine_by_name(connection: Connection, name: str) -> Any:
    """The machine of that name, or None."""
    return connection.execute(select(schema.machine).where(schema.machine.c.name == name)).first()


def machine_by_token(connection: Connection, token: str) -> Any:
    """The machine in use whose token this is, or None."""
    machine = schema.machine
    chosen = select(machine).where(machine.c.token == token_hash(token), machine.c.retired.is_(False))
    return connection.execute(chosen).first()


def machine_by_id(connection: Connection, number: int) -> Any:
    """The machine of that number."""
    return connection.execute(select(schema.machine).where(schema.machine.c.id == number)).one()


def retire_machine(connection: Connection, name: str) -> None:
    """Let a machine's token open nothing any more; what it answered stays. Raises UnknownName."""
    if machine_by_name(connection, name) is None:
        raise UnknownName(f"there is no machine {name!r}: `visavis study machine list` names those there are")
    connection.execute(update(schema.machine).where(schema.machine.c.name == name).values(retired=True))


def all_machines(connection: Connection) -> list[dict[str, Any]]:
    """Name, quota, whether it is retired, and how many questionnaires it has answered."""
    machine, worker, item = schema.machine, schema.worker, schema.item
    counted = (
        select(worker.c.machine_id, func.count().label("n"))
        .join(item, item.c.worker_id == worker.c.id)
        .where(item.c.state == "done", item.c.sheet_id.is_not(None))
        .group_by(worker.c.machine_id)
    )
    answered = {row.machine_id: int(row.n) for row in connection.execute(counted)}
    return [
        {"name": row.name, "judgements": row.judgements, "retired": row.retired, "answered": answered.get(row.id, 0)}
        for row in connection.execute(select(machine).order_by(machine.c.id))
    ]


def sittings_of(connection: Connection, machine: int) -> Sequence[int]:
    """The workers that a machine has been, newest first, but for excluded ones."""
    worker = schema.worker
    chosen = select(worker.c.id).where(worker.c.machine_id == machine, worker.c.state != "excluded")
    return list(connection.execute(chosen.order_by(worker.c.id.desc())).scalars())


def add_transcript(connection: Connection, **values: Any) -> None:
    """Keep what a machine was told and what it said."""
    connection.execute(insert(schema.transcript).values(**values))
