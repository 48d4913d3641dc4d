"""Files of judgements, of what questionnaires showed, and of the articles' texts."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from visavis.corpus.errors import Unreadable, listed, shown
from visavis.corpus.readers import READERS
from visavis.corpus.readers.base import ReadOptions, Table
from visavis.corpus.sources import find_sources
from visavis.shared.spreadsheet import unguard
from visavis.study.records import Judgement, Pair, ShownPicks

SUFFIXES = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".json")
CHOSEN, PUBLISHED, TRUTH = ("answer_shown", "chosen"), ("answer_published", "published"), ("label", "truth")
SIDES = (("i", "j"), ("group_a", "group_b"))
UNIT = 12  # questions on a page: four questionnaires of three


def is_table(name: str | os.PathLike[str]) -> bool:
    """Whether a name is that of a file of rows rather than of a database."""
    return Path(os.fspath(name).lower().removesuffix(".gz")).suffix in SUFFIXES


def read_judgements(
    path: str | os.PathLike[str], questionnaires: str | os.PathLike[str] | None = None, unit: int = UNIT
) -> list[Judgement]:
    """The judgements of a file, one a row.

    Columns: method, worker, the two groups (group_a and group_b; or i and j, answers then being 0 for i and 1 for j),
    the answer (answer_shown or chosen; answer_published beside it), the truth (label or truth), question or article;
    optional questionnaire, seconds (of the question) or page_seconds (of `unit` questions), gold, excluded, comment,
    machine, usefulness and difficulty (1 to 5), flags (kinds, with blanks between).
    `questionnaires` names the groups behind i and j. Raises Unreadable.
    """
    table = _table(path)
    columns = _Columns(table)
    names = _group_names(questionnaires) if questionnaires is not None and columns.numbered else {}
    if table.unit == "row":  # a table for spreadsheets; lines of JSON hold texts as they are
        rows = [(n, {key: unguard(str(cell)) for key, cell in row.items()}) for n, row in table.rows]
    else:
        rows = list(table.rows)
    return [_judgement(table.place(number), row, columns, names, unit) for number, row in rows]


def read_shown(path: str | os.PathLike[str]) -> list[ShownPicks]:
    """What each method showed for each pair: method, month_i, month_j, protos_i, protos_j. Raises Unreadable."""
    found: dict[tuple[str, Pair], ShownPicks] = {}
    for _, row in _rows(path, ("method", "month_i", "month_j", "protos_i", "protos_j")):
        pair = (str(row["month_i"]), str(row["month_j"]))
        picks = {pair[0]: tuple(str(row["protos_i"]).split()), pair[1]: tuple(str(row["protos_j"]).split())}
        if all(picks.values()):
            found[row["method"], pair] = ShownPicks(row["method"], pair, picks)
    return list(found.values())


def _table(path: str | os.PathLike[str]) -> Table:
    options = ReadOptions(strict=True)
    name = os.fspath(path)
    if not is_table(name):
        raise Unreadable(shown(name), f"judgements are read from {', '.join(SUFFIXES)} or from a study's database")
    (source,) = find_sources([name], options)
    table: Table = READERS.load(source.suffix)(source, options)
    if not table.rows:
        raise Unreadable(table.name, f"holds no {table.unit}s")
    return table


def table_columns(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """The columns of a file of rows. Raises Unreadable."""
    return tuple(_table(path).columns)


def rows_of(path: str | os.PathLike[str], needed: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a file, each with its place; guards of spreadsheets taken off. Raises Unreadable."""
    unguarded = _table(path).unit == "row"
    for place, row in _rows(path, needed):
        yield place, {key: unguard(str(cell)) for key, cell in row.items()} if unguarded else row


def _rows(path: str | os.PathLike[str], needed: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    table = _table(path)
    missing = [name for name in needed if name not in table.columns]
    if missing:
        raise Unreadable(table.name, f"needs the columns {listed(missing)}; there are {listed(table.columns)}")
    yield from ((table.place(number), row) for number, row in table.rows)


def _group_names(path: str | os.PathLike[str]) -> dict[str, str]:
    """The names behind the numbers i and j."""
    names: dict[str, str] = {}
    for place, row in _rows(path, ("i", "j", "month_i", "month_j")):
        for side in "ij":
            number, name = str(row[side]), str(row[f"month_{side}"])
            if names.setdefault(number, name) != name:
                raise Unreadable(place, f"group {shown(number)} is called {shown(names[number])} and {shown(name)}")
    return names


class _Columns:
    """Which column plays which role. Raises Unreadable where one is missing."""

    def __init__(self, table: Table) -> None:
        present = set(table.columns)

        def either(*names: str) -> str:
            return next((name for name in names if name in present), "")

        self.sides = next((pair for pair in SIDES if present.issuperset(pair)), None)
        self.published = either(*PUBLISHED)
        self.chosen = either(*CHOSEN) or self.published
        self.truth = either(*TRUTH)
        self.question = either("question", "article")
        needed = {
            "method": "method" in present,
            "worker": "worker" in present,
            "group_a and group_b": self.sides is not None,
            " or ".join(CHOSEN): bool(self.chosen),
            " or ".join(TRUTH): bool(self.truth),
            "question or article": bool(self.question),
        }
        missing = [name for name, there in needed.items() if not there]
        if missing and "table" in present:
            raise Unreadable(table.name, "holds a whole study, not judgements: analyze its .csv export or its database")
        if missing:
            raise Unreadable(table.name, f"needs the columns {', '.join(missing)}; there are {listed(table.columns)}")
        self.both = bool(self.published) and self.chosen != self.published

    @property
    def numbered(self) -> bool:
        """Whether answers say 0 or 1 for the first or second group, rather than its name."""
        return self.sides == SIDES[0]


def _judgement(place: str, row: Mapping[str, Any], columns: _Columns, names: Mapping[str, str], unit: int) -> Judgement:
    def text(column: str) -> str:
        value = row.get(column)
        return "" if value is None else str(value)

    def group(column: str) -> str:
        told = text(column)
        if not columns.numbered:
            return told
        if told not in ("0", "1"):
            raise Unreadable(place, f"{column} must be 0 or 1, got {shown(told)}")
        return pair[int(told)]

    gold = as_flag(place, "gold", text("gold"))
    for column in ("method", "worker", columns.question, columns.chosen, columns.truth):
        if not text(column).strip() and not (gold and column == "method"):
            raise Unreadable(place, f"{column} is blank")
    first, second = columns.sides or SIDES[0]
    pair = (names.get(text(first), text(first)), names.get(text(second), text(second)))
    return Judgement(
        question=text(columns.question),
        method=text("method"),
        pair=pair,
        worker=text("worker"),
        chosen=group(columns.chosen),
        truth=group(columns.truth),
        seconds=_seconds(place, text("seconds"), text("page_seconds"), unit),
        gold=gold,
        excluded=as_flag(place, "excluded", text("excluded")),
        comment=text("comment"),
        published=group(columns.published) if columns.both and text(columns.published) else None,
        questionnaire=text("questionnaire"),
        article=text("article"),
        machine=text("machine"),
        usefulness=_step(place, "usefulness", text("usefulness")),
        difficulty=_step(place, "difficulty", text("difficulty")),
        flags=tuple(text("flags").split()),
    )


def _seconds(place: str, own: str, page: str, unit: int) -> float | None:
    written = own or page
    if not written:
        return None
    try:
        seconds = float(written)
    except ValueError:
        seconds = math.nan
    if not 0.0 <= seconds < math.inf:
        raise Unreadable(place, f"seconds must be a number of at least 0, got {shown(written)}")
    return seconds if own else seconds / unit


def _step(place: str, column: str, written: str) -> int | None:
    """A step of a scale of five. Raises Unreadable."""
    if not written.strip():
        return None
    if written.strip() not in ("1", "2", "3", "4", "5"):
        raise Unreadable(place, f"{column} must be a whole number from 1 to 5, got {shown(written)}")
    return int(written)


def as_flag(place: str, column: str, written: str) -> bool:
    """Yes or no. Raises Unreadable."""
    word = written.strip().lower()
    if word in ("1", "1.0", "true", "yes"):
        return True
    if word in ("", "0", "0.0", "false", "no"):
        return False
    raise Unreadable(place, f"{column} must be 0 or 1, got {shown(written)}")
