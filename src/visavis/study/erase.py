"""Removing one worker so that no byte of them remains in the database."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from sqlalchemy import delete, select

from visavis.errors import VisavisError
from visavis.study.quality import find_worker
from visavis.study.store import schema
from visavis.study.store.database import Store


class NotErased(VisavisError):
    """Somebody else has the database open, so that old bytes could not be overwritten."""


@dataclass(frozen=True)
class Erased:
    """What was removed."""

    judgements: int
    questionnaires: int


def erase(store: Store, pseudonym: str) -> Erased:
    """Delete a worker with all they left; their cells reopen. Raises UnknownName, NotErased."""
    with store.writing() as connection:
        worker = find_worker(connection, pseudonym).id
        counts = {}
        for table in schema.OF_WORKERS:
            counts[table.name] = connection.execute(delete(table).where(table.c.worker_id == worker)).rowcount
        connection.execute(delete(schema.worker).where(schema.worker.c.id == worker))
    scrub(store)
    return Erased(counts["judgement"], counts["item"])


def scrub(store: Store) -> None:
    """Rewrite the database without the space of deleted rows."""
    if not store.is_sqlite:
        names = ", ".join(f'"{table.name}"' for table in (*schema.OF_WORKERS, schema.worker))
        with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql(f"VACUUM FULL {names}")
            with contextlib.suppress(Exception):  # an ordinary user may not; the server does it by itself in time
                connection.exec_driver_sql("CHECKPOINT")
        return
    store.engine.dispose()
    raw = store.engine.raw_connection()
    try:
        cursor = raw.cursor()
        for step in ("PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
            cursor.execute(step)
            found = cursor.fetchone()
            if found and found[0]:
                raise NotErased(f"{store.name} is open elsewhere: stop the server and erase again")
        cursor.close()
    finally:
        raw.close()


def workers(store: Store) -> list[str]:
    """The pseudonyms there are."""
    with store.reading() as connection:
        return list(connection.execute(select(schema.worker.c.pseudonym)).scalars())
