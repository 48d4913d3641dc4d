"""Numbers as JSON has them: 10 digits, None for what is undefined."""

from __future__ import annotations

import math

from visavis.study.analysis.results import Interval


def number(value: float | None) -> float | None:
    """A number with 10 digits, never −0."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.10g}") + 0.0


def ends(interval: Interval) -> list[float | None] | None:
    """The ends of an interval."""
    return None if interval is None else [number(end) for end in interval]
