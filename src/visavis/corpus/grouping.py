"""Documents become groups: by a column's values, by periods, by limits, or as the caller lists them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np

from visavis.corpus.assignment import Assignment, Away, set_aside
from visavis.corpus.choosing import keep_only, keep_sized, put_in_each, set_against_rest, without_empty
from visavis.corpus.fields import (
    MOST_KNOWN,
    SHORT,
    Column,
    as_number,
    column_names,
    find_column,
    has_column,
    is_blank,
    items_of,
)
from visavis.corpus.filters import matches
from visavis.corpus.periods import by_period, by_spans, read_moments
from visavis.corpus.ranges import by_date_quantiles, by_groups, by_quantiles, lists_ids, parse_groups
from visavis.errors import Incompatible, InvalidParameter
from visavis.records import Corpus, Document, Grouping, Integers, SetAside
from visavis.shared.names import unknown
from visavis.shared.periods import LABELS

MOST_GROUPS = 200

_CUTS = ("spans", "quantiles")


@dataclass(frozen=True)
class GroupOptions:
    """How to group, and which groups to keep.

    `by` is "COLUMN", "COLUMN:day" (week, month, quarter, year), "COLUMN:spans=N" or "COLUMN:quantiles=N"; `groups`
    are "NAME=FROM..TO" (TO left out, either end open) or "NAME=@ids.txt". `only` keeps the groups it names, `versus`
    sets one against the rest, groups under `min_size` are dropped or merged, as `small` says. With `several`, a
    document whose cell is a list belongs to the group of every item; without it, documents of several are set aside.
    """

    by: str | None = None
    groups: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    versus: str | None = None
    min_size: int = 1
    small: str = "drop"
    filter: str | None = None
    date_order: str | None = None
    several: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.min_size, bool) or not isinstance(self.min_size, int) or self.min_size < 1:
            raise InvalidParameter(f"min_size must be a whole number of at least 1, got {self.min_size!r}")
        if self.small not in ("drop", "merge"):
            raise InvalidParameter(f"small must be 'drop' or 'merge', got {self.small!r}")
        if self.date_order not in (None, "mdy", "dmy"):
            raise InvalidParameter(f"date_order must be 'mdy', 'dmy' or None, got {self.date_order!r}")


def group(corpus: Corpus, options: GroupOptions, now: datetime | None = None) -> Grouping:
    """The documents that fall into groups, with what was set aside and why; `now` tells what lies in the future.

    Raises UnknownName for a column or group that is not there, InvalidParameter for what cannot be understood, for
    more than 200 groups and if no document is left, Incompatible for options that exclude each other.
    """
    if options.filter is not None:
        corpus = _filtered(corpus, options.filter)
    assignment = without_empty(_assign(corpus, options, now))
    for step in (keep_only, set_against_rest, put_in_each, keep_sized):
        assignment = step(assignment, options)
    kept = [row for row, label in assignment.places() if isinstance(label, str)]
    away = set_aside(assignment, [document.id for document in corpus.documents])
    by = options.by or ("id lists" if all(map(lists_ids, options.groups)) else "date")
    if not kept:
        found = "; ".join(f"{one.reason}: {one.count}" for one in (*corpus.set_aside, *away)) or "there are none"
        raise InvalidParameter(f"no documents are left to group by {by!r} ({found})")
    _check_number(assignment.names, by)
    code = {name: number for number, name in enumerate(assignment.names)}
    codes = np.array([code[label] for label in assignment.labels if isinstance(label, str)], dtype=np.intp)
    notes = assignment.notes
    if assignment.shared:
        notes = (*notes, f"{assignment.shared_are} in several groups, in each of them with equal right")
    if len(code) < 2:
        notes = (*notes, f"{assignment.names[0]!r} is the only group left: there is nothing to compare it with")
    return Grouping(restrict(corpus, kept, away), by, assignment.names, codes, notes)


def check_by(corpus: Corpus, options: GroupOptions) -> None:
    """Raise UnknownName or InvalidParameter for a `by` that fits no part of the corpus either."""
    if options.by is not None:
        _parse_by(options.by, corpus)


def facets(corpus: Corpus, column: str, date_order: str | None = None) -> list[tuple[str, Corpus]]:
    """One corpus for each value of a column (or period, as in GroupOptions.by), documents without one set aside.

    Raises UnknownName for a column that is not there and InvalidParameter for more than 200 values.
    """
    assignment = without_empty(_by_column(corpus, GroupOptions(by=column, date_order=date_order), None))
    _check_number(assignment.names, column)
    away = set_aside(assignment, [document.id for document in corpus.documents])
    corpus = replace(corpus, notes=(*corpus.notes, *assignment.notes))
    rows: dict[str, list[int]] = {name: [] for name in assignment.names}
    for row, label in assignment.settled().places():
        if isinstance(label, str):
            rows[label].append(row)
    return [(name, restrict(corpus, members, away)) for name, members in rows.items()]


def values_of(corpus: Corpus, by: str, date_order: str | None = None) -> tuple[str | Away, ...]:
    """What a column (or period, as in GroupOptions.by) says of each document, or why nothing.

    Raises UnknownName for a column that is not there, InvalidParameter for one that says several things of a document.
    """
    found = _by_column(corpus, GroupOptions(by=by, date_order=date_order), None)
    if len(found.labels) > len(corpus.documents):
        raise InvalidParameter(f"column {by!r} holds lists: one value a document is needed here")
    return found.labels


def restrict(corpus: Corpus, rows: Sequence[int], away: tuple[SetAside, ...] = ()) -> Corpus:
    """A corpus of these documents alone, as often as they are named; the splits that number rows are renumbered."""
    if list(rows) == list(range(len(corpus.documents))):
        return replace(corpus, set_aside=(*corpus.set_aside, *away))
    kept = np.asarray(rows, dtype=np.intp)
    vectors = None if corpus.vectors is None else corpus.vectors[kept]
    documents = tuple(corpus.documents[row] for row in rows)
    splits = tuple((_renumbered(train, kept), _renumbered(test, kept)) for train, test in corpus.splits)
    return replace(corpus, documents=documents, set_aside=(*corpus.set_aside, *away), vectors=vectors, splits=splits)


def _renumbered(part: Integers, kept: Integers) -> Integers:
    """Where the rows of a part that are kept stand among the kept ones."""
    return np.flatnonzero(np.isin(kept, part))


def natural(text: str) -> tuple[Any, ...]:
    """A sort key: numbers by value and before words, digits within words by value, case ignored."""
    number = as_number(text)
    if number is not None:
        return (0, number, text)
    parts = re.split(r"([0-9]+)", text.casefold())
    return (1, tuple((part, 0) if place % 2 == 0 else ("", int(part[:300])) for place, part in enumerate(parts)), text)


def _filtered(corpus: Corpus, expression: str) -> Corpus:
    test = matches(expression, corpus)
    rows: tuple[list[int], list[int]] = ([], [])
    for row, document in enumerate(corpus.documents):
        rows[test(document)].append(row)
    left = tuple(corpus.documents[row].id for row in rows[False])
    if not rows[True]:
        raise InvalidParameter(f"the filter {expression!r} matches none of {len(left)} documents: loosen it")
    return restrict(corpus, rows[True], (SetAside("not matched by the filter", left),) if left else ())


def _assign(corpus: Corpus, options: GroupOptions, now: datetime | None) -> Assignment:
    if not options.groups:
        if options.by is None:
            raise InvalidParameter(
                "say how to group: by takes a column, groups takes 'NAME=FROM..TO'. "
                f"Columns are: {', '.join(column_names(corpus))}"
            )
        return _by_column(corpus, options, now)
    groups = parse_groups(options.groups, options.date_order, several=options.several)
    if all(map(lists_ids, options.groups)):
        if options.by is not None:
            raise Incompatible(f"by={options.by!r} has no use beside lists of ids: leave it out, or give ranges")
        return by_groups(groups, corpus.documents, None)
    column, how = _parse_by(options.by or "date", corpus)
    if how:
        raise Incompatible(f"by={options.by!r} divides time itself: with groups, name the column alone")
    return by_groups(groups, corpus.documents, read_moments(corpus.documents, column, options.date_order, now))


def _by_column(corpus: Corpus, options: GroupOptions, now: datetime | None) -> Assignment:
    column, how = _parse_by(options.by or "", corpus)
    kind, _, number = how.partition("=")
    if kind == "quantiles" and not column.is_date:
        values = [_numeric(column.read(document), column.name) for document in corpus.documents]
        return by_quantiles(values, int(number), column.name)
    if not how and not column.is_date:
        return _by_value(corpus.documents, column)
    moments = read_moments(corpus.documents, column, options.date_order, now)
    if kind == "spans":
        return by_spans(moments, int(number))
    return by_date_quantiles(moments, int(number)) if number else by_period(moments, kind or "day")


def _parse_by(by: str, corpus: Corpus) -> tuple[Column, str]:
    """The column and what follows its colon; a column's own name may hold a colon. Raises UnknownName."""
    name, colon, how = by.rpartition(":")
    if not colon or has_column(by, corpus):
        return find_column(by, corpus), ""
    column = find_column(name, corpus)
    kind, equals, number = how.partition("=")
    if (kind in LABELS and not equals) or (kind in _CUTS and re.fullmatch(r"[0-9]{1,9}", number) and int(number)):
        return column, how
    if kind in _CUTS:
        raise InvalidParameter(f"by={by!r} needs a whole number of at least 1 after {kind + '='!r}")
    raise unknown("period", how, [*LABELS, *(f"{cut}=N" for cut in _CUTS)])


def _by_value(documents: Sequence[Document], column: Column) -> Assignment:
    known: dict[str, list[str | Away]] = {}  # most columns have few values
    found = []
    for document in documents:
        value = column.read(document)
        again = known.get(value) if isinstance(value, str) else None
        found.append(_labels(value, column.name, document.id) if again is None else again)
        if again is None and isinstance(value, str) and len(value) <= SHORT and len(known) < MOST_KNOWN:
            known[value] = found[-1]
    labels = tuple(label for several in found for label in several)
    names = tuple(sorted({label for label in labels if isinstance(label, str)}, key=natural))
    if len(labels) == len(documents):
        return Assignment(labels, names)
    return Assignment(labels, names, rows=tuple(row for row, several in enumerate(found) for _ in several))


def _labels(value: Any, column: str, where: str) -> list[str | Away]:
    """The groups of a value: one, or one for each item of a list. Raises InvalidParameter for objects."""
    items = items_of(value)
    found: dict[str | Away, None] = {}
    for item in (value,) if items is None else items:
        if isinstance(item, dict) or (items is not None and isinstance(item, list | tuple)):
            kind = f"{'lists of ' * (items is not None)}{type(item).__name__}s"
            raise InvalidParameter(
                f"column {column!r} holds {kind} (document {where!r}): a group is a text, a number, or each item of a "
                "list of these"
            )
        if not is_blank(item):
            found[str(item).strip()] = None
    return list(found) or [Away(f"no value for {column}")]


def _numeric(value: Any, column: str) -> float | Away:
    if is_blank(value):
        return Away(f"no value for {column}")
    number = as_number(value)
    return Away(f"no number in {column}") if number is None else float(number)


def _check_number(names: Sequence[str], by: str) -> None:
    if len(names) > MOST_GROUPS:
        column = by.partition(":")[0]
        raise InvalidParameter(
            f"by={by!r} makes {len(names)} groups, at most {MOST_GROUPS} are compared: for dates take a longer period "
            f"({column}:month), for numbers {column}:quantiles=4, or name some in only, or raise min_size"
        )
