"""Documents, groups and picks as related tables of one SQLite file."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from typing import Any

import numpy as np

from visavis.records import Document, Summary
from visavis.report import facts
from visavis.report.json_ import as_record
from visavis.report.text import iso_date
from visavis.report.verdict import verdict
from visavis.shared.text import clean, line

TABLES = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE groups (id INTEGER PRIMARY KEY, name TEXT NOT NULL, documents INTEGER NOT NULL, value REAL, words TEXT);
CREATE TABLE documents (
  id TEXT PRIMARY KEY, group_id INTEGER REFERENCES groups (id), title TEXT NOT NULL, date TEXT, source TEXT, url TEXT,
  text TEXT, x REAL, y REAL
) WITHOUT ROWID;
CREATE TABLE picks (
  id INTEGER PRIMARY KEY, group_id INTEGER NOT NULL REFERENCES groups (id),
  document_id TEXT NOT NULL REFERENCES documents (id), rank INTEGER NOT NULL, coverage REAL, discrimination REAL,
  diversity REAL, share REAL, gain REAL, loss REAL, stability REAL, words TEXT, typical REAL, "distinct" REAL,
  stability_by_chance REAL, resamples INTEGER, stands_for REAL, stands_for_rest REAL
);
CREATE TABLE versus (
  pick_id INTEGER NOT NULL REFERENCES picks (id), group_id INTEGER NOT NULL REFERENCES groups (id), value REAL,
  PRIMARY KEY (pick_id, group_id)
) WITHOUT ROWID;
CREATE TABLE belongs (
  document_id TEXT PRIMARY KEY REFERENCES documents (id), pick_id INTEGER NOT NULL REFERENCES picks (id)
) WITHOUT ROWID;
CREATE TABLE common (rank INTEGER PRIMARY KEY, document_id TEXT NOT NULL REFERENCES documents (id));
CREATE TABLE terms (
  group_id INTEGER NOT NULL REFERENCES groups (id), rank INTEGER NOT NULL, term TEXT NOT NULL,
  documents INTEGER NOT NULL, share REAL NOT NULL, elsewhere INTEGER NOT NULL, share_elsewhere REAL, sources INTEGER,
  telling INTEGER NOT NULL,
  PRIMARY KEY (group_id, rank)
) WITHOUT ROWID;
CREATE TABLE tests (
  id INTEGER PRIMARY KEY, groups TEXT NOT NULL, mmd2 REAL, p_value REAL, adjusted REAL, blocks_by TEXT,
  n_blocks INTEGER, permutations INTEGER, why TEXT
);
CREATE INDEX documents_of_group ON documents (group_id);
CREATE INDEX belongs_to_pick ON belongs (pick_id);
"""

Record = tuple[Any, ...]


def render(summary: Summary) -> bytes:
    """A database with foreign keys that hold; `belongs` says which pick each document is nearest to."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("PRAGMA foreign_keys = ON")
        database.executescript(TABLES)
        with database:
            _insert(database, "about", _about(summary))
            _insert(database, "groups", _groups(summary))
            _insert(database, "terms", _terms(summary))
            _insert(database, "documents", _documents(summary))
            _insert(database, "picks", _picks(summary))
            _insert(database, "versus", _versus(summary))
            _insert(database, "belongs", _belongs(summary))
            _insert(database, "common", ((i + 1, _key(d.id)) for i, d in enumerate(summary.common)))
            _insert(database, "tests", _tests(summary))
        database.execute("VACUUM")
        return database.serialize()


def _insert(database: sqlite3.Connection, table: str, rows: Iterator[Record]) -> None:
    first = next(rows, None)
    if first is not None:
        places = ", ".join("?" * len(first))
        stored = (tuple(map(_stored, row)) for row in chain([first], rows))
        database.executemany(f"INSERT INTO {table} VALUES ({places})", stored)


def _stored(value: Any) -> Any:
    """A value in a type that SQLite has; what is no number becomes NULL."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _key(identifier: str) -> str:
    """An id that SQLite can store: lone surrogates cannot be encoded."""
    return identifier.encode("utf-8", "backslashreplace").decode()


def _about(summary: Summary) -> Iterator[Record]:
    record = as_record(summary)
    yield ("title", line(summary.title))
    told = verdict(summary)
    yield from (("verdict", told.headline), ("outcome", told.outcome))
    for name in ("method", "version", "command"):
        yield (name, line(str(getattr(summary, name))))
    for name in (
        "seed",
        "accuracy",
        "accuracy_interval",
        "ceiling",
        "ceiling_interval",
        "folded",
        "not_candidates",
        "boilerplate",
        "parameters",
        "set_aside",
        "warnings",
        "notes",
        "schema",
    ):
        yield (name, json.dumps(record[name], ensure_ascii=False))
    if "changes" in record:
        yield ("changes", json.dumps(record["changes"], ensure_ascii=False))


def _groups(summary: Summary) -> Iterator[Record]:
    for index, group in enumerate(summary.groups):
        yield (index + 1, clean(group.name), group.n_documents, group.value, clean("; ".join(group.words)))


def _terms(summary: Summary) -> Iterator[Record]:
    for index, group in enumerate(summary.groups):
        for rank, term in enumerate(group.terms):
            yield (
                index + 1, rank + 1, clean(term.term), term.documents, term.share, term.elsewhere,
                term.share_elsewhere, term.sources, int(term.telling),
            )  # fmt: skip


def _documents(summary: Summary) -> Iterator[Record]:
    """Every document that is named anywhere, sorted by id."""
    where = summary.map
    rows: dict[str, int] = {} if where is None else {key: row for row, key in enumerate(where.ids)}
    owner: dict[str, int] = {}
    for index, group in enumerate(summary.groups):
        for pick in group.picks:
            for key in (pick.document.id, *pick.covers):
                if key not in rows:
                    owner.setdefault(key, index + 1)
    whole: dict[str, Document] = {document.id: document for document in facts.shown_documents(summary)}
    for key in sorted({*rows, *owner, *whole}):
        document, row = whole.get(key), rows.get(key)
        x, y, code, title = None, None, owner.get(key), ""
        if where is not None and row is not None:
            (x, y), code, title = where.points[row], int(where.codes[row]) + 1, where.titles[row]
        rest = (None,) * 4 if document is None else _rest(document)
        yield (_key(key), code, clean(document.title if document else title), *rest, x, y)


def _rest(document: Document) -> tuple[str | None, ...]:
    fields = (iso_date(document.date), document.source, document.url, document.text)
    return tuple(clean(field) or None for field in fields)


def _numbered(summary: Summary) -> Iterator[tuple[int, int, Any]]:
    """Every pick with its number and its group's."""
    number = 0
    for index, group in enumerate(summary.groups):
        for pick in group.picks:
            number += 1
            yield number, index + 1, pick


def _picks(summary: Summary) -> Iterator[Record]:
    for number, group, pick in _numbered(summary):
        scores = pick.scores
        yield (
            number, group, _key(pick.document.id), pick.rank, scores.coverage, scores.discrimination, scores.diversity,
            pick.share, pick.gain, pick.loss, pick.stability, clean("; ".join(pick.words)), scores.typical,
            scores.distinct, pick.stability_by_chance, pick.resamples, pick.stands_for, pick.stands_for_rest,
        )  # fmt: skip


def _versus(summary: Summary) -> Iterator[Record]:
    ids = {group.name: index + 1 for index, group in enumerate(summary.groups)}
    for number, _, pick in _numbered(summary):
        yield from ((number, ids[name], value) for name, value in pick.scores.versus.items() if name in ids)


def _belongs(summary: Summary) -> Iterator[Record]:
    """Each document once: a pick belongs to itself, any other document to the first pick that covers it."""
    owner = {pick.document.id: number for number, _, pick in _numbered(summary)}
    for number, _, pick in _numbered(summary):
        for key in pick.covers:
            owner.setdefault(key, number)
    yield from ((_key(key), number) for key, number in sorted(owner.items()))


def _tests(summary: Summary) -> Iterator[Record]:
    for index, test in enumerate(summary.test):
        yield (
            index + 1, json.dumps(list(test.groups), ensure_ascii=True), test.mmd2, test.p_value, test.adjusted,
            clean(test.blocks_by), test.n_blocks, test.permutations, clean(test.why) or None,
        )  # fmt: skip
