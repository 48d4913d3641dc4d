"""Documents over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from visavis.records import Integers, Timeline
from visavis.shared.periods import LABELS, believable_range, labels_between

MOST_PERIODS = 60
MOST_YEARS = 400

Dated = tuple[datetime, int]  # a document's date and the code of its group


def timeline(moments: Sequence[datetime | None], codes: Integers, n_groups: int) -> Timeline | None:
    """Documents per period and group, in the finest of day, week, month, quarter, year that gives at most 60 periods.

    None where fewer than two periods, or less than half of the documents, have dates.
    """
    dated = [(moment, int(code)) for moment, code in zip(moments, codes, strict=True) if moment is not None]
    if len(dated) < max(2, len(moments) // 2):
        return None
    usual = _usual(dated)
    first, last = min(m for m, _ in usual), max(m for m, _ in usual)
    found = _periods(first, last)
    if found is None or len(found[1]) < 2:
        return None
    unit, periods = found
    label = LABELS[unit]
    counts: Counter[tuple[str, int]] = Counter()
    for (day, code), count in Counter((moment.date(), code) for moment, code in usual).items():
        counts[label(day), code] += count
    rows = tuple(tuple(counts[period, g] for g in range(n_groups)) for period in periods)
    earlier, later = (
        tuple(Counter(code for _, code in strays)[g] for g in range(n_groups)) if strays else ()
        for strays in ([one for one in dated if one[0] < first], [one for one in dated if one[0] > last])
    )
    return Timeline(unit, tuple(periods), rows, first.date(), last.date(), earlier, later)


def _usual(dated: list[Dated]) -> list[Dated]:
    """The documents without strays, unless a group would be left with none."""
    low, high = believable_range(sorted(moment for moment, _ in dated))
    kept = [(moment, code) for moment, code in dated if low <= moment <= high]
    return kept if {code for _, code in kept} == {code for _, code in dated} else dated


def _periods(first: datetime, last: datetime) -> tuple[str, list[str]] | None:
    """The finest unit that does not give too many periods, and their labels."""
    for unit in ("day", "week", "month", "quarter", "year"):
        labels = labels_between(first, last, unit, MOST_YEARS if unit == "year" else MOST_PERIODS)
        if labels is not None:
            return unit, labels
    return None
