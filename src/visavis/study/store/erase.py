"""Removing one worker so that no byte of them remains in the database."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select

from visavis.errors import UnknownName, VisavisError
from visavis.study.store import schema
from visavis.study.store.database import Store

TRUNCATE = "PRAGMA wal_checkpoint(TRUNCATE)"


class NotErased(VisavisError):
    """Somebody else has the database open, so that old bytes could not be overwritten."""


@dataclass(frozen=True)
class Erasure:
    """What was removed."""

    judgements: int
    questionnaires: int


def erase(store: Store, pseudonym: str) -> Erasure:
    """Delete a worker with all they left; their cells reopen. Raises UnknownName, NotErased.

    Where others read the database nothing is deleted. Should one come in between, the rows are gone and their bytes
    are not: erasing again overwrites those, too, although there is no such worker any more.
    """
    if store.is_sqlite:
        _run(store, (TRUNCATE,))
    found = _delete(store, pseudonym)
    scrub(store)
    if found is None:
        raise UnknownName(f"there is no worker {pseudonym!r}; of workers erased before, no byte is left")
    return found


def _delete(store: Store, pseudonym: str) -> Erasure | None:
    with store.writing() as connection:
        chosen = select(schema.worker.c.id).where(schema.worker.c.pseudonym == pseudonym)
        worker = connection.execute(chosen).scalar()
        if worker is None:
            return None
        counts = {}
        for table in schema.OF_WORKERS:
            counts[table.name] = connection.execute(delete(table).where(table.c.worker_id == worker)).rowcount
        connection.execute(delete(schema.worker).where(schema.worker.c.id == worker))
    answers = max(counts["judgement"], counts["preference"])  # a gold comparison is in both
    return Erasure(answers, counts["item"])


def forget_all(store: Store) -> int:
    """Remove the ids of all workers, so that no byte of them remains; how many there were. Raises NotErased."""
    with store.writing() as connection:
        count = connection.execute(delete(schema.payment)).rowcount
    scrub(store)
    return int(count)


def scrub(store: Store) -> None:
    """Rewrite the database without the space of deleted rows."""
    if not store.is_sqlite:
        names = ", ".join(f'"{table.name}"' for table in (*schema.OF_WORKERS, schema.worker))
        with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql(f"VACUUM FULL {names}")
            with contextlib.suppress(Exception):  # an ordinary user may not; the server does it by itself in time
                connection.exec_driver_sql("CHECKPOINT")
        return
    _run(store, (TRUNCATE, "VACUUM", TRUNCATE))


def _run(store: Store, steps: Sequence[str]) -> None:
    """Steps of SQLite's that need the database for themselves. Raises NotErased where others have it."""
    store.engine.dispose()
    raw = store.engine.raw_connection()
    try:
        cursor = raw.cursor()
        for step in steps:
            cursor.execute(step)
            found = cursor.fetchone()
            if found and found[0]:
                raise NotErased(f"{store.name} is open elsewhere: close what reads it and erase again")
        cursor.close()
    except sqlite3.OperationalError as error:
        raise NotErased(f"cannot rewrite {store.name} ({error}): close what uses it and erase again") from error
    finally:
        raw.close()
