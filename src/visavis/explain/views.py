"""Documents over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from visavis.records import Integers, Timeline
from visavis.shared.periods import LABELS, labels_between

MOST_PERIODS = 60
MOST_YEARS = 400


def timeline(moments: Sequence[datetime | None], codes: Integers, n_groups: int) -> Timeline | None:
    """Documents per period and group, in the finest of day, week, month, year that gives at most 60 periods.

    None where fewer than two periods, or less than half of the documents, have dates.
    """
    dated = [(moment, int(code)) for moment, code in zip(moments, codes, strict=True) if moment is not None]
    if len(dated) < max(2, len(moments) // 2):
        return None
    first, last = min(m for m, _ in dated), max(m for m, _ in dated)
    for unit in ("day", "week", "month", "year"):
        periods = labels_between(first, last, unit, MOST_YEARS if unit == "year" else MOST_PERIODS)
        if periods is not None:
            break
    else:
        return None
    if len(periods) < 2:
        return None
    counts = Counter((LABELS[unit](moment), code) for moment, code in dated)
    rows = tuple(tuple(counts[period, g] for g in range(n_groups)) for period in periods)
    return Timeline(unit, tuple(periods), rows, first.date(), last.date())
