"""A study's database: SQLite in a file or PostgreSQL by URL, one writer at a time."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, create_engine, delete, event, insert, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError

from visavis.errors import VisavisError
from visavis.shared.extras import needs
from visavis.study.store import schema
from visavis.study.store.migrate import WrongDatabase, migrate
from visavis.study.tasks import SORT

WAIT = 30.0  # seconds a writer waits for another process
WRITERS = 0x76697361  # the name of the lock that PostgreSQL's writers share
SERVERS = WRITERS + 1

_facts: WeakKeyDictionary[Connection, dict[str, Any]] = WeakKeyDictionary()  # of each transaction


class NoStudy(VisavisError):
    """There is no study where one was asked for."""


class Store:
    """Connections to a study's database. Every write is one transaction, and one runs at a time."""

    def __init__(self, engine: Engine, name: str) -> None:
        self.engine = engine
        self.name = name
        self.before_writing: Callable[[Connection], None] | None = None  # may refuse a write by raising
        self._one_writer = threading.Lock()

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is a file of SQLite's."""
        return self.engine.dialect.name == "sqlite"

    @property
    def path(self) -> Path | None:
        """The file, for SQLite."""
        return Path(str(self.engine.url.database)) if self.is_sqlite else None

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the database throughout."""
        options = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with self.engine.connect().execution_options(**options) as connection, connection.begin():
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that no other writer overlaps; what it did is on disk when it ends without an error."""
        with self._one_writer, self.engine.connect().execution_options(writes=True) as connection, connection.begin():
            if not self.is_sqlite:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITERS})")
            if self.before_writing is not None:
                self.before_writing(connection)
            yield connection

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()


def open_store(where: str | Path, *, create: bool = False) -> Store:
    """The study in a file or behind a URL, its tables brought up to date.

    Raises NoStudy, WrongDatabase, MissingExtra.
    """
    url = _url(where)
    name = url.render_as_string(hide_password=True) if url.get_backend_name() != "sqlite" else str(url.database)
    if url.get_backend_name() == "sqlite" and not create and not Path(str(url.database)).is_file():
        raise NoStudy(f"there is no study {name!r}: make one with `visavis study design`")
    if url.get_backend_name() == "sqlite" and not Path(str(url.database)).exists():
        keep_private(Path(str(url.database)))
    store = Store(_engine(url), name)
    try:
        with store.writing() as connection:
            migrate(connection, name, create=create)
        if store.path is not None:  # a file that is no study is left as it is
            keep_private(store.path)
        _write_ahead(store)
    except OperationalError as error:
        store.close()
        raise NoStudy(f"cannot open {name!r}: {str(error.orig).strip().splitlines()[0]}") from error
    except DatabaseError as error:
        store.close()
        raise WrongDatabase(f"{name!r} is no SQLite database, or a damaged one: {error.orig}") from error
    except BaseException:
        store.close()
        raise
    return store


def keep_private(path: Path) -> None:
    """Make a database's file if it is not there, and let nobody else read it. Raises NoStudy."""
    try:
        if not path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        elif path.stat().st_mode & 0o077 and os.name == "posix":
            with contextlib.suppress(PermissionError):  # somebody else's: theirs to decide
                path.chmod(0o600)
    except OSError as error:
        raise NoStudy(f"cannot open {str(path)!r}: {error.strerror}") from error


def _url(where: str | Path) -> URL:
    text = str(where)
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except ArgumentError as error:
        raise NoStudy(f"cannot read the database URL: {error}") from error
    if url.get_backend_name() == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() == "sqlite":
        return url
    raise NoStudy(f"a study lives in SQLite or PostgreSQL, not in {url.get_backend_name()!r}")


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == "sqlite":
        connecting = {"timeout": WAIT, "check_same_thread": False}
        engine = create_engine(url, pool_size=16, hide_parameters=True, connect_args=connecting)
        _prepare_sqlite(engine)
        return engine
    with needs("postgres", "PostgreSQL"):
        return create_engine(url, pool_size=16, hide_parameters=True, pool_pre_ping=True)


def _prepare_sqlite(engine: Engine) -> None:
    """Durable, with foreign keys, deleted bytes overwritten, and transactions begun by us."""

    @event.listens_for(engine, "connect")
    def _connected(raw: Any, _record: Any) -> None:
        raw.isolation_level = None
        for pragma in ("synchronous=FULL", "secure_delete=ON", "foreign_keys=ON", "temp_store=MEMORY"):
            raw.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _write_ahead(store: Store) -> None:
    """Let readers and a writer work side by side; the file remembers it, so it must be known to be a study."""
    if not store.is_sqlite:
        return
    raw = store.engine.raw_connection()
    try:
        raw.cursor().execute("PRAGMA journal_mode=WAL").close()
    except sqlite3.OperationalError as error:
        raise NoStudy(f"cannot open {store.name!r}: {error}") from error
    finally:
        raw.close()


def read_facts(connection: Connection) -> dict[str, Any]:
    """What the study says of itself, read once in a transaction. Raises NoStudy where nothing was designed."""
    known = _facts.get(connection)
    if known is None:
        known = {row.key: json.loads(row.value) for row in connection.execute(select(schema.study)).all()}
        if not known:
            raise NoStudy("the database holds no design: make one with `visavis study design`")
        _facts[connection] = known
    return {"task": SORT, **known}  # studies of earlier versions do not say it


def set_fact(connection: Connection, key: str, value: Any) -> None:
    """Write one thing the study says of itself."""
    _facts.pop(connection, None)
    connection.execute(delete(schema.study).where(schema.study.c.key == key))
    connection.execute(insert(schema.study).values(key=key, value=json.dumps(value)))
