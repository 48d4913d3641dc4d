"""Groups in time: calendar periods and spans of equal length, all in UTC."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

from visavis.corpus.assignment import Assignment, Away
from visavis.corpus.dates import ORDERS, decide_order, parse_date
from visavis.corpus.fields import Column, is_blank
from visavis.errors import InvalidParameter
from visavis.records import Document
from visavis.shared.periods import LABELS, believable_range

FARTHEST = timedelta(days=200 * 365.25)
SLACK = timedelta(days=2)  # clocks and time zones: a date may lie that far in the future

NO_DATE = Away("no date")
UNREADABLE = Away("unreadable date")
ANCIENT = Away("implausible date: before the year 1000")
FUTURE = Away("implausible date: in the future")
STRAY = Away("stray date: far from 98 % of the others, it would stretch the spans")
REMOTE = Away("implausible date: more than 200 years from the median")


@dataclass(frozen=True)
class Moments:
    """When each document took place, or why that is not known; `column` is where it was read."""

    column: str
    found: tuple[datetime | Away, ...]
    notes: tuple[str, ...] = ()

    def label(self, name: Callable[[datetime], str]) -> tuple[str | Away, ...]:
        """A name for each moment; reasons stay."""
        return tuple(moment if isinstance(moment, Away) else name(moment) for moment in self.found)

    @property
    def plausible(self) -> list[datetime]:
        """The moments alone."""
        return [moment for moment in self.found if not isinstance(moment, Away)]


def read_moments(documents: Sequence[Document], column: Column, order: str | None, now: datetime | None) -> Moments:
    """The plausible dates of a column: the documents' own for the date role, else parsed from its values."""
    now = now or datetime.now(UTC)
    now = now if now.tzinfo else now.replace(tzinfo=UTC)
    if column.is_date:
        own = (_in_utc(document.date) for document in documents)
        return Moments(column.name, _plausible([moment or NO_DATE for moment in own], now))
    values = [column.read(document) for document in documents]
    order = order or decide_order(values)
    parsed = [parse_date(value, order) for value in values]
    found = [
        one.moment or (NO_DATE if is_blank(value) else UNREADABLE) for one, value in zip(parsed, values, strict=True)
    ]
    unclear = sum(one.ambiguous for one in parsed)
    note = (
        f"{unclear} dates in {column.name!r} could be read in two ways: {ORDERS['mdy']} was taken; "
        "set date_order to 'dmy' for the other"
    )
    return Moments(column.name, _plausible(found, now), (note,) if unclear else ())


def by_period(moments: Moments, period: str) -> Assignment:
    """Calendar periods, in order of time; weeks are ISO weeks."""
    labels = moments.label(LABELS[period])
    return Assignment(labels, tuple(sorted({label for label in labels if isinstance(label, str)})), moments.notes)


def by_spans(moments: Moments, n_spans: int) -> Assignment:
    """Spans of equal length, to the day, from the first plausible date to the last, strays left out.

    Span k starts on day ⌊kD/N⌋ of the D days. Raises InvalidParameter if there are fewer days than spans.
    """
    moments = _without_strays(moments)
    days = [moment.toordinal() for moment in moments.plausible]
    if not days:
        return Assignment(moments.label(str), (), moments.notes)
    first, n_days = min(days), max(days) - min(days) + 1
    if n_spans > n_days:
        raise InvalidParameter(
            f"spans={n_spans} was asked of {moments.column!r} but its dates cover {n_days} "
            f"day{'s' if n_days > 1 else ''}: ask for at most {n_days}, or name ranges with times in groups"
        )
    starts = [first + k * n_days // n_spans for k in range(n_spans + 1)]
    names = tuple(day_range(low, high - 1) for low, high in pairwise(starts))
    labels = moments.label(lambda moment: names[((moment.toordinal() - first + 1) * n_spans - 1) // n_days])
    return Assignment(labels, names, (*moments.notes, *_lopsided(moments, labels, names)))


def _without_strays(moments: Moments) -> Moments:
    """The same, with a reason in place of the few dates that would stretch the spans."""
    dates = sorted(moments.plausible)
    if not dates:
        return moments
    low, high = believable_range(dates)
    found = tuple(moment if isinstance(moment, Away) or low <= moment <= high else STRAY for moment in moments.found)
    return replace(moments, found=found)


def _lopsided(moments: Moments, labels: Sequence[str | Away], names: Sequence[str]) -> list[str]:
    """A note if a span holds less than a twentieth of its even share: a few early or late dates stretch the spans."""
    sizes = Counter(label for label in labels if isinstance(label, str))
    name, size = min(sizes.items(), key=lambda item: (item[1], item[0]))
    if size * 20 * len(names) >= sizes.total():
        return []
    advice = f"{moments.column}:quantiles={len(names)} divides them evenly"
    return [f"{name} holds {size} of {sizes.total()} documents: {advice}"]


def day_range(first: int, last: int) -> str:
    """The label of a span of days, both included, given as ordinals."""
    return f"{date.fromordinal(first)}..{date.fromordinal(last)}"


def _plausible(found: Sequence[datetime | Away], now: datetime) -> tuple[datetime | Away, ...]:
    """The same, with reasons in place of dates that no document of this collection can have."""
    there = [moment for moment in found if not isinstance(moment, Away)]
    first, last = (min(there), max(there)) if there else (now, now)
    if _checked(first, now) is first and _checked(last, now) is last and last - first <= FARTHEST:
        return tuple(found)
    known = [_checked(moment, now) for moment in found]
    dates = sorted(moment for moment in known if not isinstance(moment, Away))
    if not dates:
        return tuple(known)
    median = dates[len(dates) // 2]
    return tuple(moment if isinstance(moment, Away) or abs(moment - median) <= FARTHEST else REMOTE for moment in known)


def _checked(moment: datetime | Away, now: datetime) -> datetime | Away:
    if isinstance(moment, Away):
        return moment
    if moment.year < 1000:
        return ANCIENT
    return FUTURE if moment - now > SLACK else moment


def _in_utc(moment: datetime | None) -> datetime | None:
    if moment is None or moment.tzinfo is UTC:
        return moment
    if moment.tzinfo is None or moment.year in (1, 9999):  # at the ends of the calendar a zone may lead out of it
        return moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC)
