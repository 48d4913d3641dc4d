"""The statistics of a study: agreement, sign tests, and intervals of means."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import binom, t

from visavis.study.analysis.intervals import LEVEL


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> float | None:
    """How far raters agree beyond chance; counts[i][j] raters put item i into category j.

    κ = (P − P_e) / (1 − P_e) with P the mean over items of (Σ_j n_ij² − n_i) / (n_i (n_i − 1)) and P_e = Σ_j p_j²,
    p_j the share of category j. Items with fewer than two raters say nothing about agreement and are left out. None
    where no item is left or all ratings fall into one category.
    """
    table = np.asarray([row for row in counts if sum(row) > 1], dtype=np.float64)
    if not len(table):
        return None
    raters = table.sum(axis=1)
    observed = float(np.mean((np.square(table).sum(axis=1) - raters) / (raters * (raters - 1.0))))
    by_chance = float(np.square(table.sum(axis=0) / raters.sum()).sum())
    return None if by_chance >= 1.0 - 1e-12 else (observed - by_chance) / (1.0 - by_chance)


def sign_test(wins: int, losses: int) -> float:
    """P(at least that many wins among wins + losses tosses of a fair coin); 1 where there are none."""
    return float(binom.sf(wins - 1, wins + losses, 0.5)) if wins + losses else 1.0


def mean_interval(told: Sequence[float], low: float = -1.0, high: float = 1.0) -> tuple[float, float] | None:
    """Student's interval for the mean of values that lie in low..high; None below two, or where all are alike."""
    if len(told) < 2 or not np.ptp(told):
        return None
    values = np.asarray(told, dtype=np.float64)
    half = float(t.ppf((1 + LEVEL) / 2, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))
    return max(low, float(values.mean()) - half), min(high, float(values.mean()) + half)
