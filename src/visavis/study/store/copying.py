"""A study, or its design alone, in another database."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

from sqlalchemy import insert, select

from visavis.errors import InvalidParameter
from visavis.study.store import schema
from visavis.study.store.database import NoStudy, Store, keep_private, open_store, read_facts
from visavis.study.store.migrate import WrongDatabase


def open_elsewhere(where: str | Path, elsewhere: str) -> Store:
    """A study's design in another database, which is made where it is not there. Raises as open_store, copy_design."""
    source, target = open_store(where), open_store(elsewhere, create=True)
    try:
        copy_design(source, target)
    finally:
        source.close()
    return target


def copy_study(store: Store, path: Path) -> None:
    """A whole study in a new file; only its design if it lives in PostgreSQL. Raises InvalidParameter."""
    if path.exists():
        raise InvalidParameter(f"{str(path)!r} exists already: choose another name for the rehearsal")
    if store.path is None:
        target = open_store(path, create=True)
        copy_design(store, target)
        target.close()
        return
    try:
        keep_private(path)
        with (
            contextlib.closing(sqlite3.connect(store.path)) as source,
            contextlib.closing(sqlite3.connect(path)) as copy,
        ):
            source.backup(copy)
    except (sqlite3.Error, NoStudy) as error:
        raise InvalidParameter(f"cannot write the rehearsal to {str(path)!r}: {error}") from error


def copy_design(source: Store, target: Store) -> None:
    """Bring a design into an empty database; one that holds the same study already is left as it is.

    Raises WrongDatabase if it holds another.
    """
    with source.reading() as reader, target.writing() as writer:
        name = read_facts(reader)["id"]
        held = writer.execute(select(schema.study.c.value).where(schema.study.c.key == "id")).scalar()
        if held is not None:
            if json.loads(held) != name:
                raise WrongDatabase(f"{target.name} holds another study: name an empty database")
            return
        for table in schema.DESIGNED:
            rows = [dict(row._mapping) for row in reader.execute(select(table))]
            if rows:
                writer.execute(insert(table), rows)
        if not target.is_sqlite:  # rows brought their numbers along, which PostgreSQL's counter has not seen
            writer.exec_driver_sql("SELECT setval('gold_id_seq', (SELECT COALESCE(MAX(id), 1) FROM gold))")
