"""Groups by their limits: ranges of time and lists of ids that the caller names, and quantiles of a column."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import numpy as np

from visavis.corpus.assignment import Assignment, Away
from visavis.corpus.dates import parse_date
from visavis.corpus.periods import Moments, day_range
from visavis.errors import InvalidParameter
from visavis.records import Document

OUTSIDE = Away("outside the given groups")

_MIN, _MAX = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Range:
    """All moments from `start` up to, but without, `stop`."""

    name: str
    start: datetime = _MIN
    stop: datetime = _MAX


@dataclass(frozen=True)
class IdList:
    """The documents with these ids."""

    name: str
    ids: frozenset[str]


def parse_groups(given: Sequence[str], order: str | None, *, several: bool = False) -> tuple[Range | IdList, ...]:
    """Groups as given: "NAME=FROM..TO" or "NAME=@FILE". Raises InvalidParameter for anything else, and for overlap;
    with `several`, an id may be in several lists."""
    groups = tuple(_parse_group(text, order) for text in given)
    names = [group.name for group in groups]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidParameter(f"groups names {twice!r} twice: give every group a name of its own")
    ranges = sorted((group for group in groups if isinstance(group, Range)), key=lambda group: group.start)
    for one, other in pairwise(ranges):
        if other.start < one.stop:
            raise InvalidParameter(
                f"groups {one.name!r} and {other.name!r} overlap from {_written(other.start)} on: "
                f"let {one.name!r} end there or earlier (TO itself is left out)"
            )
    owner: dict[str, str] = {}
    for group in groups:
        for identifier in sorted(group.ids) if isinstance(group, IdList) and not several else ():
            if owner.setdefault(identifier, group.name) != group.name:
                raise InvalidParameter(
                    f"id {identifier!r} is listed for both {owner[identifier]!r} and {group.name!r}: keep it in one"
                )
    return groups


def lists_ids(given: str) -> bool:
    """Whether a group is given as a list of ids."""
    return given.partition("=")[2].strip().startswith("@")


def by_groups(groups: Sequence[Range | IdList], documents: Sequence[Document], moments: Moments | None) -> Assignment:
    """The given groups, in their order; `moments` are None if all list ids. Raises InvalidParameter where a document is
    both listed and within a range."""
    listed: dict[str, list[str]] = {}
    for group in groups:
        for identifier in group.ids if isinstance(group, IdList) else ():
            listed.setdefault(identifier, []).append(group.name)
    ranges = sorted((group for group in groups if isinstance(group, Range)), key=lambda group: group.start)
    starts = [group.start for group in ranges]
    found = moments.found if moments else (OUTSIDE,) * len(documents)
    labels: list[str | Away] = []
    rows: list[int] = []
    for row, (document, moment) in enumerate(zip(documents, found, strict=True)):
        inside = moment if isinstance(moment, Away) else _range_of(moment, ranges, starts)
        names = listed.get(document.id, [])
        if names and isinstance(inside, str):
            raise InvalidParameter(
                f"document {document.id!r} is listed for {names[0]!r} and lies within {inside!r}: it may be in one only"
            )
        labels += names or [inside]
        rows += [row] * max(1, len(names))
    missing = len(listed.keys() - {document.id for document in documents})
    notes = [f"ids listed that no document has: {missing}"] if missing else []
    names_in_order, told = tuple(group.name for group in groups), (*(moments.notes if moments else ()), *notes)
    if len(labels) == len(documents):
        return Assignment(tuple(labels), names_in_order, told)
    return Assignment(tuple(labels), names_in_order, told, rows=tuple(rows))


def by_quantiles(values: Sequence[float | Away], n_groups: int, column: str) -> Assignment:
    """About equally many documents in each of N groups; equal values share one, labels are the real extremes."""
    return _quantiles(values, n_groups, column, _number_range)


def by_date_quantiles(moments: Moments, n_groups: int) -> Assignment:
    """The same over days."""
    days = [moment if isinstance(moment, Away) else moment.toordinal() for moment in moments.found]
    cut = _quantiles(days, n_groups, moments.column, lambda low, high: day_range(int(low), int(high)))
    return Assignment(cut.labels, cut.names, (*moments.notes, *cut.notes))


def _quantiles(
    values: Sequence[float | Away], n_groups: int, column: str, name: Callable[[float, float], str]
) -> Assignment:
    """Cuts between distinct values, each as near to kn/N documents as those before and after it leave room for."""
    known = [value for value in values if not isinstance(value, Away)]
    if not known:
        return Assignment(tuple(value for value in values if isinstance(value, Away)), ())
    distinct, counts = np.unique(np.asarray(known, dtype=np.float64), return_counts=True)
    n, n_values = min(n_groups, len(distinct)), len(distinct)
    below = np.concatenate(([0], np.cumsum(counts)))
    cuts = [0]
    for k in range(1, n):
        room = np.arange(cuts[-1] + 1, n_values - (n - k) + 1)
        cuts.append(int(room[np.argmin(np.abs(below[room] - k * len(known) / n))]))
    cuts.append(n_values)
    names = tuple(name(float(distinct[low]), float(distinct[high - 1])) for low, high in pairwise(cuts))
    lows = distinct[cuts[:-1]]
    labels = tuple(
        value if isinstance(value, Away) else names[int(np.searchsorted(lows, float(value), side="right")) - 1]
        for value in values
    )
    note = f"{column!r} has too few distinct values for quantiles={n_groups}: {n} group{'s' if n > 1 else ''} made"
    return Assignment(labels, names, (note,) if n < n_groups else ())


def _parse_group(text: str, order: str | None) -> Range | IdList:
    name, _, limits = (part.strip() for part in text.partition("="))
    if not name or not (lists_ids(text) or ".." in limits):
        raise InvalidParameter(f"group {text!r} is neither 'NAME=FROM..TO' nor 'NAME=@ids.txt'")
    if lists_ids(text):
        return IdList(name, _read_ids(name, Path(limits[1:])))
    low, _, high = (part.strip() for part in limits.partition(".."))
    start, stop = _moment(low, text, order, _MIN), _moment(high, text, order, _MAX)
    if start >= stop:
        raise InvalidParameter(f"group {text!r} is empty: FROM must come before TO, which is itself left out")
    return Range(name, start, stop)


def _moment(written: str, text: str, order: str | None, default: datetime) -> datetime:
    if not written:
        return default
    parsed = parse_date(written, order)
    if parsed.moment is None or parsed.ambiguous:
        why = "could be read in two ways" if parsed.ambiguous else parsed.why
        raise InvalidParameter(f"{written!r} in group {text!r} is no clear date ({why}): write it as 2018-03-05")
    return parsed.moment


def _read_ids(name: str, path: Path) -> frozenset[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not a text file in UTF-8"
        raise InvalidParameter(f"the ids of group {name!r} cannot be read from {str(path)!r}: {why}") from error
    ids = frozenset(line.strip() for line in lines if line.strip())
    if not ids:
        raise InvalidParameter(f"{str(path)!r} lists no ids for group {name!r}: write one id per line")
    return ids


def _range_of(moment: datetime, ranges: Sequence[Range], starts: Sequence[datetime]) -> str | Away:
    before = bisect_right(starts, moment) - 1
    return ranges[before].name if before >= 0 and moment < ranges[before].stop else OUTSIDE


def _written(moment: datetime) -> str:
    if moment == _MIN:
        return "the beginning"
    return moment.strftime("%Y-%m-%d" if moment.time() == datetime.min.time() else "%Y-%m-%dT%H:%M:%SZ")


def _number_range(low: float, high: float) -> str:
    return _number(low) if low == high else f"{_number(low)}..{_number(high)}"


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e16 else repr(value)
