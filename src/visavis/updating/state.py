"""The state file, the only place that speaks SQL: written in one transaction, read without trust.

A state is SQLite with exactly the tables below; anything else in it, or another version, is refused. A new one is
written beside its place and renamed into it; an old one is changed in a single transaction: whoever is killed leaves
the old state or the new one.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from visavis.contracts import FittedEmbedder
from visavis.embed.storing import pack_embedder, unpack_embedder
from visavis.errors import VisavisError
from visavis.records import Floats
from visavis.records.changes import Entry
from visavis.shared.files import put_in_place
from visavis.shared.locks import FileLock, InUse
from visavis.updating.cells import read_boilerplate, read_document, write_boilerplate, write_record
from visavis.updating.documents import Item, Learned
from visavis.updating.entries import read_entry
from visavis.updating.sums import Sums

APPLICATION_ID = 0x76695570  # "viUp"
VERSION = 3  # 1 kept texts as they were written, 2 knew boilerplate by other keys
OLDEST_LEDGER = 1  # whose summaries can still be told
TABLES = {
    "about": "CREATE TABLE about (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
    "documents": "CREATE TABLE documents (place INTEGER PRIMARY KEY, written TEXT NOT NULL, batch INTEGER NOT NULL, "
    "lead TEXT NOT NULL, cleaned TEXT, words INTEGER NOT NULL, removed INTEGER NOT NULL, bare INTEGER NOT NULL, "
    "vector BLOB, missing TEXT NOT NULL, known REAL)",
    "sums": "CREATE TABLE sums (place INTEGER PRIMARY KEY, weights BLOB NOT NULL, sums BLOB NOT NULL)",
    "summaries": "CREATE TABLE summaries (number INTEGER PRIMARY KEY, entry TEXT NOT NULL)",
}
_COLUMNS = ("written", "batch", "lead", "cleaned", "words", "removed", "bare", "vector", "missing", "known")
_KINDS: dict[str, Any] = {
    "written": str, "batch": int, "lead": str, "cleaned": str | None, "words": int, "removed": int, "missing": str,
    "known": float | int | None,
}  # fmt: skip


class BadState(VisavisError):
    """The state file is not there, is none, is damaged, is another version's, or cannot be written."""


@dataclass(frozen=True, eq=False)
class State:
    """All that a state keeps: `settings` as they were first given, what was `learned`, γ, the median it came from and
    the center, documents, sums and past summaries; `columns` are the roles of the first files' columns."""

    settings: dict[str, Any]
    learned: Learned
    gamma: float
    median: float | None
    center: Floats
    items: Sequence[Item]
    sums: Sums
    entries: tuple[Entry, ...]
    origin: str = ""
    columns: dict[str, str] = field(default_factory=dict)


@contextlib.contextmanager
def alone_with(path: Path) -> Iterator[None]:
    """A block in which nobody else updates this state. Raises InUse."""
    beside = Path(f"{os.path.realpath(path)}.lock")  # the same by whatever name the state goes
    try:
        held = FileLock(beside, f"another process is updating {str(path)!r}: wait until it has ended")
    except OSError as error:
        raise InUse(f"cannot write beside {str(path)!r}: {error.strerror or error}; check the folder") from error
    with held:
        yield


def check_state(path: Path) -> None:
    """Raise BadState for a file that is no state."""
    with _reading(path):
        pass


def read_state(path: Path) -> State:
    """A whole state. Raises BadState for a file that is missing, foreign, damaged, newer or made up."""
    with _reading(path) as database:
        return _read_state(database, str(path))


def read_entries(path: Path) -> tuple[Entry, ...]:
    """Its past summaries alone, the oldest first. Raises BadState as `read_state` does."""
    with _reading(path, OLDEST_LEDGER) as database:
        return _entries(database)


def write_state(path: Path, before: State | None, after: State) -> None:
    """Put a new state in the place of the old one, all of it or nothing. Raises BadState."""
    target = Path(os.path.realpath(path))
    try:
        if before is None:
            with put_in_place(target) as beside:
                os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
                _write(beside, None, after)
        else:
            _write(target, before, after)
    except (sqlite3.Error, OSError) as error:
        raise BadState(f"cannot write the state {str(path)!r}: {error}; it is as it was before") from error


def _write(path: Path, before: State | None, after: State) -> None:
    with contextlib.closing(_connect(path)) as database:
        database.execute("PRAGMA synchronous = FULL")
        database.execute("BEGIN IMMEDIATE")
        if before is None:
            for statement in TABLES.values():
                database.execute(statement)
            database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            database.execute(f"PRAGMA user_version = {VERSION}")
        for name, value in _about(after).items():
            database.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))
        _write_documents(database, () if before is None else before.items, after.items)
        database.execute("DELETE FROM sums")
        rows = np.flatnonzero(after.sums.inside).tolist()
        weights, values = after.sums.weights.astype("<f8"), after.sums.values.astype("<f8")
        database.executemany(
            "INSERT INTO sums VALUES (?, ?, ?)", ((row, weights[row].tobytes(), values[row].tobytes()) for row in rows)
        )
        known = 0 if before is None else len(before.entries)
        database.executemany(
            "INSERT INTO summaries VALUES (?, ?)", ((e.number, _json(write_record(e))) for e in after.entries[known:])
        )
        database.execute("COMMIT")


def _write_documents(database: sqlite3.Connection, before: Sequence[Item], after: Sequence[Item]) -> None:
    """The documents that are not what they were."""
    changed = (row for row, item in enumerate(after) if row >= len(before) or before[row] is not item)
    database.executemany(
        f"INSERT OR REPLACE INTO documents VALUES (?, {', '.join('?' * len(_COLUMNS))})",
        ((row, *_stored(after[row])) for row in changed),
    )


def _stored(item: Item) -> tuple[Any, ...]:
    values = {name: getattr(item, name) for name in _COLUMNS}
    values["vector"] = None if item.vector is None else np.asarray(item.vector, "<f4").tobytes()
    return tuple(int(value) if isinstance(value, bool) else value for value in values.values())


def _about(state: State) -> dict[str, str | bytes]:
    learned = state.learned
    found: dict[str, str | bytes] = {
        "settings": _json(state.settings),
        "gamma": _json([state.gamma, state.median]),
        "center": state.center.astype("<f8").tobytes(),
        "groups": _json(state.sums.names),
        "parameters": _json(learned.parameters),
        "origin": _json([state.origin, state.columns]),
    }
    if learned.boilerplate is not None:
        found["boilerplate"] = _json(write_boilerplate(learned.boilerplate))
    if learned.embedder is not None:
        found["embedder"] = pack_embedder(learned.embedder)
    return found


@contextlib.contextmanager
def _reading(path: Path, oldest: int = VERSION) -> Iterator[sqlite3.Connection]:
    """The database of a state, once it is known to be one; whatever is wrong with it is a BadState of one line."""
    if path.is_dir():
        raise BadState(f"{str(path)!r} is a folder: name a file in it for the state")
    if not path.is_file():
        raise BadState(f"there is no state {str(path)!r}: make one with `visavis update {path} FILES --by COLUMN`")
    try:
        with contextlib.closing(_connect(path)) as database:
            _check(database, path, oldest)
            yield database
    except VisavisError:
        raise
    except Exception as error:  # a damaged file makes SQLite, JSON and NumPy raise whatever they like
        why = " ".join(str(error).split())[:200] or type(error).__name__
        raise BadState(f"{str(path)!r} is no state of visavis, or a damaged one: {why}") from error


def _connect(path: Path) -> sqlite3.Connection:
    mode = "rw" if os.access(path, os.W_OK) else "ro"  # a transaction that was cut short is undone by who comes next
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=30, isolation_level=None)
    database.execute("PRAGMA trusted_schema = OFF")
    return database


def _check(database: sqlite3.Connection, path: Path, oldest: int) -> None:
    """Refuse what is no state, or another visavis's: exactly our tables, no views, no triggers, whole pages."""
    found = int(database.execute("PRAGMA application_id").fetchone()[0])
    version = int(database.execute("PRAGMA user_version").fetchone()[0])
    if found != APPLICATION_ID:
        raise BadState(f"{str(path)!r} is a SQLite file of something else: name another file for the state")
    if version > VERSION:
        raise BadState(f"{str(path)!r} was written by a newer visavis (state {version}, this one knows {VERSION})")
    if version < oldest:
        raise BadState(
            f"{str(path)!r} was written by an earlier visavis, which read texts in another way (state {version}, this "
            f"one makes {VERSION}): make a new state of all files so far"
        )
    schema = set(database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"))
    if schema != {(statement,) for statement in TABLES.values()}:
        raise ValueError("its tables are not those of a state")
    answer = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    if answer != "ok":
        raise ValueError(str(answer))


def _read_state(database: sqlite3.Connection, name: str) -> State:
    about = dict(database.execute("SELECT name, value FROM about"))
    gamma, median = json.loads(about["gamma"])
    origin, columns = json.loads(about["origin"])
    center = _numbers(about["center"], "<f8")
    items = _items(database, len(center))
    boilerplate = json.loads(about["boilerplate"]) if "boilerplate" in about else None
    learned = Learned(
        None if boilerplate is None else read_boilerplate(boilerplate),
        _embedder(about.get("embedder"), name),
        dict(json.loads(about["parameters"])),
    )
    settings, names = json.loads(about["settings"]), tuple(map(str, json.loads(about["groups"])))
    if not isinstance(settings, dict) or not 0 < float(gamma) < np.inf or len(set(names)) < len(names):
        raise ValueError("its settings are none")
    return State(
        settings, learned, float(gamma), None if median is None else float(median), center, items,
        _sums(database, names, items, len(center)), _entries(database), str(origin), dict(columns),
    )  # fmt: skip


def _embedder(content: bytes | None, name: str) -> FittedEmbedder | None:
    return None if content is None else unpack_embedder(bytes(content), name)


def _items(database: sqlite3.Connection, width: int) -> list[Item]:
    items: list[Item] = []
    for place, *values in database.execute(f"SELECT place, {', '.join(_COLUMNS)} FROM documents ORDER BY place"):
        if place != len(items):
            raise ValueError(f"document {len(items)} is missing")
        told = dict(zip(_COLUMNS, values, strict=True))
        told["vector"] = None if told["vector"] is None else _numbers(told["vector"], "<f4", width)
        told["bare"] = bool(told["bare"])
        for column, kind in _KINDS.items():
            if not isinstance(told[column], kind):
                raise TypeError(f"{column} of document {place} is of another kind")
        items.append(Item(read_document(told["written"]), **told))
    if len({item.document.id for item in items}) < len(items):
        raise ValueError("an id stands twice")
    return items


def _sums(database: sqlite3.Connection, names: tuple[str, ...], items: Sequence[Item], width: int) -> Sums:
    weights, values = np.zeros((len(items), len(names))), np.zeros((len(items), len(names)))
    vectors = np.zeros((len(items), width), np.float32)
    for place, weight, value in database.execute("SELECT place, weights, sums FROM sums"):
        vector = items[place].vector
        if place < 0 or vector is None:
            raise ValueError(f"document {place} has sums and no vector")
        weights[place], values[place] = (_numbers(blob, "<f8", len(names)) for blob in (weight, value))
        vectors[place] = vector
    if np.any(weights < 0):
        raise ValueError("a weight is negative")
    return Sums(names, vectors, weights, values)


def _entries(database: sqlite3.Connection) -> tuple[Entry, ...]:
    rows = database.execute("SELECT number, entry FROM summaries ORDER BY number").fetchall()
    entries = tuple(read_entry(json.loads(written)) for _, written in rows)
    if [entry.number for entry in entries] != list(range(1, len(entries) + 1)):
        raise ValueError("its summaries are not numbered as they should be")
    return entries


def _numbers(blob: bytes, kind: str, length: int | None = None) -> Any:
    """An array from its bytes, all numbers finite. Raises ValueError for another length."""
    found = np.frombuffer(blob, kind)
    if (length is not None and len(found) != length) or not np.all(np.isfinite(found)):
        raise ValueError(f"an array has {len(found)} numbers, or some that are none")
    return found.astype(kind[1:])


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False)
