"""Rows become documents: text is checked, dates and weights are read, dirt is counted and reported."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from visavis.corpus.columns import recognize
from visavis.corpus.dates import ORDERS, decide_order, parse_date
from visavis.corpus.errors import Unreadable, listed, shown
from visavis.corpus.markup import as_seen
from visavis.corpus.readers.base import Limits, ReadOptions, Table
from visavis.corpus.storing import Light
from visavis.records import Document
from visavis.records.stored import StoredDocument
from visavis.shared.texts import MOST_IN_MEMORY

_MISSING = ("NaTType", "NAType")


@dataclass
class Batch:
    """The documents of one table, with the positions and numbers of their rows, and what is to be said of the rest."""

    roles: dict[str, str]
    documents: list[Document] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    set_aside: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class _Dirty(Exception):
    """A row that is set aside; the message is the reason."""


def make_documents(table: Table, options: ReadOptions) -> Batch:
    """One document a row. Raises Unreadable where a NUL stands in the text, and for any dirt under `strict`."""
    roles = recognize(table.name, table.columns, options.columns)
    if table.rows and not (table.image or table.vectors is not None or "title" in roles or "text" in roles):
        there = "there are no columns"
        if table.columns:
            there = f"the columns are {listed(table.columns)}: name one with --text (columns={{'text': ...}} in Python)"
        raise Unreadable(table.name, f"no column holds a title or a text; {there}")
    batch = Batch(roles, notes=list(table.notes))
    batch.set_aside = [(reason, table.address(number)) for reason, number in table.dropped]
    dates = _Dates(table, roles.get("date"), options)
    weights = _Weights(table, roles.get("weight"), options)
    light = Light(roles["text"]) if "text" in roles and len(table.rows) > MOST_IN_MEMORY else None
    spoken = [roles[role] for role in ("title", "text") if role in roles]
    for position, (number, row) in enumerate(table.rows):
        fields = as_seen(light.shared(row) if light else row, spoken)
        try:
            document = _document(table, number, fields, roles, options.limits)
        except _Dirty as error:
            if options.strict:
                raise Unreadable(table.place(number), str(error)) from None
            batch.set_aside.append((str(error), table.address(number)))
            continue
        facts = {**document, "date": dates.read(number, fields), "weight": weights.read(number, fields)}
        batch.documents.append(_made(facts, fields, light))
        batch.positions.append(position)
        batch.numbers.append(number)
    batch.notes += [*dates.notes(), *weights.notes()]
    return batch


def _made(facts: dict[str, Any], fields: dict[str, Any], light: Light | None) -> Document:
    stored = light.stored(fields) if light else None
    if stored is None:
        return Document(**facts, fields=fields)
    return StoredDocument(**{**facts, "text": stored}, fields=stored)


def is_missing(value: Any) -> bool:
    """Whether a cell is blank: None, NaN and the like, or only white space."""
    if isinstance(value, str):
        return not value or value.isspace()
    return value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ in _MISSING


def _document(
    table: Table, number: int, fields: Mapping[str, Any], roles: Mapping[str, str], limits: Limits
) -> dict[str, str]:
    for column, value in fields.items():
        if isinstance(value, str):
            _check_text(table, number, column, value, limits)
    found = {role: _text(roles.get(role), fields) for role in ("id", "title", "text", "source", "url")}
    if table.image:
        found["image"] = str(fields[table.image])
    elif table.vectors is None and not found["title"] and not found["text"]:
        raise _Dirty("no text")
    found["id"] = found["id"] or f"{table.stem}:{number}"
    return found


def _check_text(table: Table, number: int, column: str, value: str, limits: Limits) -> None:
    if "\0" in value:
        raise Unreadable(table.place(number), f"column {shown(column)} holds a NUL character")
    if len(value) > limits.field_chars:
        raise Unreadable(
            table.place(number), f"column {shown(column)} is longer than {limits.field_chars:,} characters"
        )
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise _Dirty(f"column {shown(column)} holds half a character (a lone surrogate)") from None


def _text(column: str | None, fields: Mapping[str, Any]) -> str:
    value = fields.get(column) if column is not None else None
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bytes):
        try:
            return value.decode().strip()
        except UnicodeDecodeError:
            raise _Dirty(f"column {shown(column)} holds bytes that are not text") from None
    if isinstance(value, list | tuple | dict | set):
        raise _Dirty(f"column {shown(column)} holds a list or an object, not text")
    return "" if is_missing(value) else str(value)


class _Dates:
    """Reads the dates of one table and counts those that are missing, unreadable or ambiguous."""

    def __init__(self, table: Table, column: str | None, options: ReadOptions) -> None:
        self._table, self._column, self._strict = table, column, options.strict
        self._order = options.date_order
        if column is not None and self._order is None:
            self._order = decide_order(fields.get(column) for _, fields in table.rows)
        self._blank = self._ambiguous = self._bad = 0
        self._example = ""

    def read(self, number: int, fields: Mapping[str, Any]) -> datetime | None:
        """The date of a row, or None. Raises Unreadable under `strict` for one that cannot be read."""
        if self._column is None:
            return None
        value = fields.get(self._column)
        if is_missing(value):
            self._blank += 1
            return None
        parsed = parse_date(value, self._order)
        self._ambiguous += parsed.ambiguous
        if parsed.moment is None:
            if self._strict:
                told = f"column {shown(self._column)}: the date {shown(value)} cannot be read ({parsed.why})"
                raise Unreadable(self._table.place(number), told)
            self._bad += 1
            self._example = self._example or f"e.g. {shown(value)} ({self._table.unit} {number})"
        return parsed.moment

    def notes(self) -> list[str]:
        """What the reader of the report should know."""
        found = []
        if self._blank:
            found.append(f"{_counted(self._blank, 'document has', 'documents have')} no date")
        if self._bad:
            found.append(f"{_counted(self._bad, 'date', 'dates')} could not be read, {self._example}")
        if self._ambiguous:
            counted = _counted(self._ambiguous, "date", "dates")
            found.append(f"{counted} could be month/day or day/month: read as {ORDERS['mdy']} (date_order settles it)")
        return found


class _Weights:
    """Reads the weights of one table; one that is no number of at least 0 counts as 1."""

    def __init__(self, table: Table, column: str | None, options: ReadOptions) -> None:
        self._table, self._column, self._strict = table, column, options.strict
        self._bad = 0
        self._example = ""

    def read(self, number: int, fields: Mapping[str, Any]) -> float:
        """The weight of a row. Raises Unreadable under `strict` for one that cannot be read."""
        value = fields.get(self._column) if self._column is not None else None
        if is_missing(value):
            return 1.0
        try:
            weight = float(value) if not isinstance(value, bool) else math.nan  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            weight = math.nan
        if 0 <= weight < math.inf:
            return weight
        if self._strict:
            told = f"column {shown(self._column)}: the weight {shown(value)} is not a number of at least 0"
            raise Unreadable(self._table.place(number), told)
        self._bad += 1
        self._example = self._example or f"e.g. {shown(value)} ({self._table.unit} {number})"
        return 1.0

    def notes(self) -> list[str]:
        """What the reader of the report should know."""
        if not self._bad:
            return []
        counted = _counted(self._bad, "weight is", "weights are")
        return [f"{counted} not a number of at least 0 and taken as 1, {self._example}"]


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
