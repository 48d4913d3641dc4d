"""What the charts show: documents over time, and documents on a plane."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np

from visavis.records import Floats, Integers, Timeline
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


def plane(vectors: Any) -> Floats:
    """The two directions of largest variance, scaled to −1..1, signs fixed by the largest coordinate; shape (N, 2)."""
    dense = vectors if isinstance(vectors, np.ndarray) else vectors.toarray()
    centered = dense - dense.mean(axis=0, dtype=np.float64)
    if centered.shape[1] < 2:
        centered = np.hstack([centered, np.zeros((len(centered), 2 - centered.shape[1]))])
    _, axes = np.linalg.eigh(centered.T @ centered)
    axes = axes[:, ::-1][:, :2]
    axes = axes * np.where(axes[np.abs(axes).argmax(axis=0), [0, 1]] < 0, -1.0, 1.0)
    points = centered @ axes
    return np.asarray(points / max(float(np.abs(points).max(initial=0.0)), 1e-12), np.float64)
