"""SQLite: one table of a database, or what a SELECT returns; nothing is ever written."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import quote

from visavis.corpus.errors import Unreadable, listed, one_line, shown
from visavis.corpus.readers.base import Limits, ReadOptions, Source, Table, check_header
from visavis.shared.names import did_you_mean

_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
_TOUCHING = {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"}


def read(source: Source, options: ReadOptions) -> Table:
    """The rows of `file.db::table`, of the query, or of the only table. Raises Unreadable for anything that writes."""
    with closing(_connect(source, options.limits)) as database:
        try:
            query = options.sql if options.sql is not None else _whole_table(source, database)
            cursor = database.execute(query)
            if cursor.description is None:
                raise Unreadable(source.name, f"sql {shown(query)} returns no rows: write one SELECT statement")
            columns = check_header(source.name, (entry[0] for entry in cursor.description))
            rows = list(_rows(source, cursor, columns, options.limits))
        except (sqlite3.Error, sqlite3.Warning, UnicodeError, OverflowError) as error:
            raise Unreadable(source.name, _explain(error, options)) from error
    return Table(source.name, source.part or source.stem, columns, rows)


def _connect(source: Source, limits: Limits) -> sqlite3.Connection:
    log = source.path.with_name(source.path.name + "-wal")
    frozen = "" if log.exists() and log.stat().st_size else "&immutable=1"
    address = f"file:{quote(str(source.path.absolute()))}?mode=ro{frozen}"
    deadline = time.monotonic() + limits.seconds
    try:
        database = sqlite3.connect(address, uri=True)
        database.execute("PRAGMA trusted_schema = OFF")
    except sqlite3.Error as error:
        raise Unreadable(source.name, f"cannot be opened as an SQLite database ({error})") from error
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 4 * limits.field_chars)
    database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    database.set_progress_handler(lambda: time.monotonic() > deadline, 100_000)
    database.set_authorizer(_allow)
    return database


def _allow(action: int, _first: str | None, second: str | None, *_context: str | None) -> int:
    if action in _READING and not (action == sqlite3.SQLITE_FUNCTION and second in _TOUCHING):
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _whole_table(source: Source, database: sqlite3.Connection) -> str:
    found = database.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    names = [name for (name,) in found]
    table = source.part or (names[0] if len(names) == 1 else "")
    if not names:
        raise Unreadable(source.name, "the database holds no tables")
    if not table:
        raise Unreadable(source.name, f"name one table as {source.path.name}::TABLE; there are {listed(names)}")
    if table not in names:
        question = did_you_mean(table, names)
        raise Unreadable(source.name, f"there is no table {shown(table)}: {question}there are {listed(names)}")
    return 'SELECT * FROM "' + table.replace('"', '""') + '"'


def _rows(
    source: Source, cursor: sqlite3.Cursor, columns: tuple[str, ...], limits: Limits
) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, cells in enumerate(cursor, start=1):
        if number > limits.rows:
            raise Unreadable(source.name, f"row {number}: more than {limits.rows:,} rows")
        yield number, dict(zip(columns, cells, strict=True))


def _explain(error: Exception, options: ReadOptions) -> str:
    told = one_line(str(error))
    asked = f"sql {shown(options.sql)}: " if options.sql is not None else ""
    if "not authorized" in told or "authorization denied" in told or "prohibited" in told or "readonly" in told:
        return f"{asked}a query may only read; write one SELECT statement"
    if "one statement" in told:
        return f"{asked}write one SELECT statement, not several"
    if told == "interrupted":
        return f"{asked}the query took longer than {options.limits.seconds:g} s"
    return f"{asked}the database cannot be read ({told})"
