"""Backups: a whole study in one SQLite file, made while it is served, and put back while it is not."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from sqlalchemy import Connection, delete, insert, select

from visavis.errors import InvalidParameter
from visavis.shared.files import put_in_place
from visavis.study.store import schema
from visavis.study.store.alone import alone
from visavis.study.store.database import NoStudy, Store, keep_private, open_store, read_facts
from visavis.study.store.migrate import WrongDatabase


def back_up(store: Store, path: Path) -> int:
    """Write everything to a new file that only its owner can read; how many workers it holds.

    A server may be running: what it finished before is in the file. Raises InvalidParameter.
    """
    if path.exists():
        raise InvalidParameter(f"{str(path)!r} exists already: choose another name for the backup")
    with store.reading() as connection:
        read_facts(connection)
    try:
        with put_in_place(path) as beside:
            keep_private(beside)
            if store.path is not None:
                _copy_file(store.path, beside)
            else:
                _copy_rows(store, beside)
            return _close_up(beside)
    except (OSError, sqlite3.Error, NoStudy) as error:
        raise InvalidParameter(f"cannot write the backup to {str(path)!r}: {error}") from error


def restore(path: Path, store: Store, *, replace: bool) -> int:
    """Put a backup in the place of what a database holds; how many workers it holds then.

    Raises InUse while a server runs, WrongDatabase where the database holds another study, InvalidParameter where it
    has workers and `replace` is not said, or the backup is none.
    """
    with contextlib.closing(open_store(path)) as backup, alone(store):
        _check(backup, store, replace=replace)
        with backup.reading() as reader, store.writing() as writer:
            for table in reversed(schema.metadata.sorted_tables):
                writer.execute(delete(table))
            _insert_all(reader, writer)
            if not store.is_sqlite:
                _count_on(writer)
            return _count_workers(writer)


def _check(backup: Store, store: Store, *, replace: bool) -> None:
    with backup.reading() as reader, store.reading() as there:
        name = read_facts(reader)["id"]
        try:
            held = read_facts(there)["id"]
        except NoStudy:
            return
        workers = _count_workers(there)
    if held != name:
        raise WrongDatabase(f"{store.name} holds another study: restore the backup to a name of its own")
    if workers and not replace:
        raise InvalidParameter(
            f"{store.name} holds {workers} workers, and what they did since the backup would be lost: say --replace"
        )


def _copy_file(source: Path, target: Path) -> None:
    """SQLite's own way to copy a database that others write to."""
    with contextlib.closing(sqlite3.connect(source)) as reader, contextlib.closing(sqlite3.connect(target)) as copy:
        reader.backup(copy)


def _copy_rows(store: Store, target: Path) -> None:
    copy = open_store(target, create=True)
    try:
        with store.reading() as reader, copy.writing() as writer:
            _insert_all(reader, writer)
    finally:
        copy.close()


def _close_up(path: Path) -> int:
    """Leave one file, without companions."""
    with contextlib.closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA journal_mode=DELETE")
        return int(raw.execute("SELECT COUNT(*) FROM worker").fetchone()[0])


def _insert_all(reader: Connection, writer: Connection) -> None:
    for table in schema.metadata.sorted_tables:
        rows = [dict(row._mapping) for row in reader.execute(select(table))]
        if rows:
            writer.execute(insert(table), rows)


def _count_on(connection: Connection) -> None:
    """Rows brought their numbers along, which PostgreSQL's counters have not seen."""
    for table in schema.metadata.sorted_tables:
        if "id" in table.c and table.c.id.autoincrement and not table.c.id.foreign_keys:
            highest = f'SELECT COALESCE(MAX(id), 0) + 1 FROM "{table.name}"'
            name = connection.exec_driver_sql(f"SELECT pg_get_serial_sequence('\"{table.name}\"', 'id')").scalar()
            if name is not None:
                connection.exec_driver_sql(f"SELECT setval('{name}', ({highest}), false)")


def _count_workers(connection: Connection) -> int:
    return len(connection.execute(select(schema.worker.c.id)).all())
