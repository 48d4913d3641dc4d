"""The statistics of a study: agreement, sign tests, and a bootstrap over pairs of groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom, t

from visavis.records import Floats

LEVEL = 0.95
FEWEST_PAIRS = 5  # below it, drawing pairs anew says nothing about what other pairs would give


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


@dataclass(frozen=True, eq=False)
class Resamples:
    """Accuracies of the methods in every resample; shape (resamples, methods)."""

    accuracies: Floats

    def accuracy(self, method: int) -> tuple[float, float] | None:
        """The middle 95 % of a method's accuracies."""
        return _middle(self.accuracies[:, method])

    def difference(self, one: int, other: int) -> tuple[float, float] | None:
        """The middle 95 % of one method's accuracy less another's, each resample giving both."""
        return _middle(self.accuracies[:, one] - self.accuracies[:, other])


def bootstrap(correct: Floats, judged: Floats, resamples: int, rng: np.random.Generator) -> Resamples:
    """Draw pairs of groups anew with replacement, each with all its judgements; arrays are (pairs, methods).

    Questions of one pair share the picks shown and are not independent; pairs are what may be drawn anew.
    """
    n_pairs = len(correct)
    draws = rng.multinomial(n_pairs, np.full(n_pairs, 1.0 / n_pairs), size=resamples).astype(np.float64)
    total = draws @ judged
    return Resamples(np.divide(draws @ correct, total, out=np.full(total.shape, np.nan), where=total > 0))


def _middle(values: Floats) -> tuple[float, float] | None:
    values = values[np.isfinite(values)]
    if not len(values):
        return None
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def mean_interval(differences: Sequence[float]) -> tuple[float, float] | None:
    """Student's interval for the mean of differences; None below two, or where all are alike."""
    if len(differences) < 2 or not np.ptp(differences):
        return None
    values = np.asarray(differences, dtype=np.float64)
    half = float(t.ppf((1 + LEVEL) / 2, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))
    return max(-1.0, float(values.mean()) - half), min(1.0, float(values.mean()) + half)
