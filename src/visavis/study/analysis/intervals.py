"""Intervals that cover what they claim however few units there are, and near 0 and 1: with Student's t over units.

Questions of one pair of groups share the picks shown and are not independent, so pairs are the units, from FEWEST_PAIRS
of them on; below, questions are, and the interval holds for these pairs alone. With n units, c_u of j_u judgements
right in unit u and accuracy m = Σc / Σj, the variance of m is Σ e_u² / (n (n − 1)), e_u = n (c_u − m j_u) / Σj. That of
a difference is never taken for smaller than that of independent judgements, as few units may happen to be alike.
`scripts/study_intervals.py` shows how often both cover.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import t

from visavis.records import Array, Floats

LEVEL = 0.95
FEWEST_PAIRS = 5  # below it, pairs say nothing about what other pairs would give
ALIKE = 1e-15  # variance of shares that differ by rounding alone

Ends = tuple[float, float] | None


@dataclass(frozen=True, eq=False)
class Counts:
    """How many judges of each question were `right` with each method, of how many; both are (questions, methods).

    `units` says to which unit each question belongs.
    """

    right: Floats
    judges: Floats
    units: Array

    def accuracy(self, method: int) -> Ends:
        """The interval of a method's accuracy; None below two units."""
        judges = self.judges[:, method]
        asked = judges > 0
        units = len(np.unique(self.units[asked]))
        if units < 2:
            return None
        variance = float(np.sum(self._errors(method) ** 2)) * units / (units - 1)
        mean = _mean(self.right, self.judges, method)
        return share_interval(mean, variance, units, most=float(judges.sum()), alike=int(np.count_nonzero(asked)) - 1)

    def difference(self, one: int, other: int) -> Ends:
        """The interval of one method's accuracy less another's; None below two units that have both."""
        both = (self.judges[:, one] > 0) & (self.judges[:, other] > 0)
        units, questions = len(np.unique(self.units[both])), np.count_nonzero(both)
        if units < 2:
            return None
        margins = (self.right[both, one] / self.judges[both, one]) - (
            self.right[both, other] / self.judges[both, other]
        )
        least = (np.sum(margins**2) + 1) / (questions + 1) / self.judges[both].min(axis=1).sum()
        errors = self._errors(one) - self._errors(other)
        middle = _mean(self.right, self.judges, one) - _mean(self.right, self.judges, other)
        half = self._half(np.sum(errors**2), units, least)
        return max(-1.0, float(middle - half)), min(1.0, float(middle + half))

    def _errors(self, method: int) -> Floats:
        """By how much each unit moves a method's accuracy."""
        right, judges = self.right[:, method], self.judges[:, method]
        moved = (right - _mean(self.right, self.judges, method) * judges) / judges.sum()
        _, places = np.unique(self.units, return_inverse=True)
        return np.bincount(places, weights=moved).astype(np.float64)

    def _half(self, squares: float, units: int, least: float) -> float:
        variance = max(squares * units / (units - 1), least)
        return float(t.ppf((1 + LEVEL) / 2, units - 1) * np.sqrt(variance))


def share_interval(mean: float, variance: float, units: int, *, most: float, alike: float) -> tuple[float, float]:
    """Where a share lies, with 95 % confidence, whose `variance` over `units` is known.

    Wilson's interval for n tosses of a coin, n = m(1 − m) / variance, with Student's t for units − 1 degrees of freedom
    in place of the normal quantile. n is at most the number of answers (`most`), and `alike` where units do not differ;
    no share is said to be larger for certain than one of 1, nor smaller than one of 0.
    """
    if variance <= ALIKE:
        return _wilson(mean, alike, units)
    low, high = _wilson(mean, min(mean * (1 - mean) / variance, most), units)
    return min(low, _wilson(1.0, alike, units)[0]), max(high, _wilson(0.0, alike, units)[1])


def _wilson(mean: float, tosses: float, units: int) -> tuple[float, float]:
    quantile = float(t.ppf((1 + LEVEL) / 2, units - 1)) ** 2 / tosses
    middle = (mean + quantile / 2) / (1 + quantile)
    half = np.sqrt(quantile * (mean * (1 - mean) + quantile / 4)) / (1 + quantile)
    low, high = max(0.0, float(middle - half)), min(1.0, float(middle + half))
    return (0.0 if mean <= 0 else low), (1.0 if mean >= 1 else high)


def _mean(right: Floats, judges: Floats, method: int) -> float:
    return float(right[:, method].sum() / judges[:, method].sum())
