"""The state file as such: opened by one writer, checked, migrated; transactions that nest."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from visavis.collect.state.schema import APPLICATION_ID, MIGRATIONS, VERSION
from visavis.errors import VisavisError
from visavis.shared.locks import FileLock, InUse

Row = tuple[Any, ...]


class BadState(VisavisError):
    """The state file is not there, is none, is another version's, or cannot be written."""


class StateFile:
    """A state file, open. Writers are alone (a lock that dies with its process); readers may come at any time.

    A path of ":memory:" keeps everything in memory. A file that is not there is made, unless `create` is False.
    Whatever SQLite cannot do is a BadState.
    """

    def __init__(self, path: str | Path, *, readonly: bool = False, create: bool = True) -> None:
        self.path = str(path)
        if not create and self.path != ":memory:" and not Path(self.path).is_file():
            raise BadState(
                f"there is no state file {self.path!r}: name the one that `visavis collect posts` made with --state"
            )
        self._lock = threading.RLock()
        self._depth = 0
        self._held = None if readonly or self.path == ":memory:" else _lock(self.path)
        try:
            self._connection = self._open(readonly)
        except BaseException:
            self._release()
            raise

    def _open(self, readonly: bool) -> sqlite3.Connection:
        where = self.path if self.path == ":memory:" else f"{Path(self.path).absolute().as_uri()}?mode="
        uri = self.path != ":memory:"
        connection = None
        try:
            full = where + ("ro" if readonly else "rwc") if uri else where
            connection = sqlite3.connect(full, uri=uri, timeout=30, check_same_thread=False, isolation_level=None)
            _prepare(connection, self.path, readonly)
        except sqlite3.Error as error:
            if connection is not None:
                connection.close()
            raise BadState(
                f"cannot use {self.path!r} as a state file: {error}; name a file that does not exist yet, "
                "or one that `visavis collect` made"
            ) from error
        except BaseException:
            if connection is not None:
                connection.close()
            raise
        return connection

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let others write to it."""
        with self._lock:  # a thread that an interrupt left behind may be writing
            self._connection.close()
        self._release()

    def _release(self) -> None:
        if self._held is not None:
            self._held.release()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; one inside another is part of it."""
        with self._block("BEGIN IMMEDIATE"):
            yield

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Whatever is read inside is of one moment, though another process may be writing."""
        with self._block("BEGIN"):
            yield

    @contextmanager
    def _block(self, begin: str) -> Iterator[None]:
        with self._lock, self._named():
            outermost = self._depth == 0
            if outermost:
                self._connection.execute(begin)
            self._depth += 1
            try:
                yield
                if outermost:
                    self._connection.execute("COMMIT")
            except BaseException:
                if outermost:
                    _roll_back(self._connection)
                raise
            finally:
                self._depth -= 1

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise BadState(
                f"the state file {self.path!r} cannot be used: {error}; nothing in it is half done, so mend that and "
                "run the step again"
            ) from error

    def execute(self, statement: str, values: Iterable[Any] = ()) -> list[Row]:
        """The rows of one statement."""
        with self._lock, self._named():
            return self._connection.execute(statement, tuple(values)).fetchall()

    def insert(self, statement: str, rows: Iterable[Row]) -> int:
        """Run a statement for every row in one transaction; how many rows of the file it changed."""
        with self.transaction():
            before = self._connection.total_changes
            self._connection.executemany(statement, map(_storable, rows))
            return self._connection.total_changes - before

    def note_run(self, topic: str, step: str) -> None:
        """Note that a step has just run for a topic, after all that ran before."""
        self.execute(
            "INSERT OR REPLACE INTO runs(topic, step, number) SELECT ?, ?, COALESCE(MAX(number), 0) + 1 FROM runs",
            (topic, step),
        )

    def select(self, statement: str, values: Iterable[Any] = (), size: int = 2000) -> Iterator[Row]:
        """The rows of a statement, a batch at a time; do not write to the table it reads meanwhile."""
        with self._named():
            cursor = self._connection.execute(statement, tuple(values))
        while True:
            with self._named():
                batch = cursor.fetchmany(size)
            if not batch:
                return
            yield from batch

    def count(self, table: str, topic: str | None = None) -> int:
        """How many rows a table has (for a topic)."""
        where = "" if topic is None else " WHERE topic = ?"
        rows = self.execute(f"SELECT COUNT(*) FROM {table}{where}", () if topic is None else (topic,))
        return int(rows[0][0])


def _roll_back(connection: sqlite3.Connection) -> None:
    """Undo what is not committed; of some failures SQLite has done so already."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _storable(row: Row) -> Row:
    """A row whose text UTF-8 can write: half a surrogate pair, which JSON lets through, becomes a question mark."""
    return tuple(
        value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) and not value.isascii() else value
        for value in row
    )


def _prepare(connection: sqlite3.Connection, path: str, readonly: bool) -> None:
    """Check that the file is ours and of a version we know; make or migrate its tables."""
    found = int(connection.execute("PRAGMA application_id").fetchone()[0])
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    tables = int(connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0])
    if tables and found != APPLICATION_ID:
        raise BadState(f"{path!r} is a SQLite file of something else; name another file for the state")
    if version > VERSION:
        raise BadState(
            f"{path!r} was written by a newer visavis (schema {version}, this one knows {VERSION}): upgrade visavis"
        )
    if readonly:
        if version < VERSION:
            raise BadState(f"{path!r} has an older schema ({version}); run a collect step on it once to bring it up")
        return
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in MIGRATIONS[version:]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        _roll_back(connection)
        raise


def _lock(path: str) -> FileLock:
    """The lock of the file's one writer. Raises InUse."""
    beside = Path(f"{path}.lock")
    try:
        return FileLock(beside, f"another process is collecting into {path!r}: wait for it, or name another state file")
    except OSError as error:
        raise InUse(
            f"cannot write beside the state file {path!r}: {error.strerror}; check {str(beside.parent)!r}"
        ) from error
