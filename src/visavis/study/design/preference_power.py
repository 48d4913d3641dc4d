"""Before readers are asked which summary serves better: what preferences a design can show.

A reader of a comparison prefers the first summary with probability Φ(a + s·z): z is the comparison's own lean, which
all its readers share, and a gives the mean preference.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import binom, norm

from visavis.records import Floats, Integers
from visavis.shared.statistics import ALPHA
from visavis.study.design.power import SPREAD

PREFERRED = (0.6, 0.65, 0.7, 0.75, 0.8)
EXPECTED = 0.7  # a preference that a design should be able to show
ENOUGH = 0.8
RUNS = 2000
MOST = 1000  # comparisons


@dataclass(frozen=True)
class PreferencePower:
    """`power` are pairs of a true preference and how often it is shown.

    `wanted` comparisons of each pair of methods show EXPECTED often enough; None where more than MOST would be needed.
    """

    power: tuple[tuple[float, float], ...]
    wanted: int | None

    @property
    def is_little(self) -> bool:
        """Whether a preference of EXPECTED is shown less often than ENOUGH."""
        return dict(self.power)[EXPECTED] < ENOUGH


def preference_power(comparisons: int, readers: int, n_pairs: int, seed: int, *, runs: int = RUNS) -> PreferencePower:
    """How often the report's test shows a preference between two methods of `n_pairs` pairs that are tested.

    The test is a two-sided sign test on the majorities of `readers` a comparison, p < 0.05 after Holm's correction,
    where no other pair shows anything.
    """
    rng = np.random.default_rng([seed, 23])
    power = tuple((preferred, _shown(comparisons, preferred, readers, n_pairs, rng, runs)) for preferred in PREFERRED)
    return PreferencePower(power, _wanted(readers, n_pairs))


def _shown(
    comparisons: int, preferred: float, readers: int, n_pairs: int, rng: np.random.Generator, runs: int
) -> float:
    """By simulation: readers of every comparison are drawn, and their majorities tested."""
    middle = norm.ppf(preferred) * np.sqrt(1 + SPREAD**2)
    lean = norm.cdf(middle + SPREAD * rng.standard_normal((runs, comparisons)))
    first = rng.binomial(readers, lean)
    wins, losses = (2 * first > readers).sum(axis=1), (2 * first < readers).sum(axis=1)
    return float(np.mean(_adjusted(wins, losses, n_pairs) < ALPHA))


def _adjusted(wins: Integers, losses: Integers, n_pairs: int) -> Floats:
    p_values = 2 * binom.sf(np.maximum(wins, losses) - 1, wins + losses, 0.5)
    return np.asarray(np.minimum(1.0, p_values * n_pairs))


def _wanted(readers: int, n_pairs: int) -> int | None:
    """The fewest comparisons, in steps of 4, in which a preference of EXPECTED is shown often enough.

    Exact but for the majorities' probabilities, which are integrated over the lean on a grid.
    """
    leans = norm.ppf((np.arange(2000) + 0.5) / 2000)
    chance = norm.cdf(norm.ppf(EXPECTED) * np.sqrt(1 + SPREAD**2) + SPREAD * leans)
    win = float(np.mean(binom.sf(readers // 2, readers, chance)))
    lose = float(np.mean(binom.cdf((readers - 1) // 2, readers, chance)))
    for comparisons in range(4, MOST + 1, 4):
        decided = round(comparisons * (win + lose))
        counts = np.arange(decided + 1)
        shown = _adjusted(counts, decided - counts, n_pairs) < ALPHA
        if float(binom.pmf(counts, decided, win / (win + lose))[shown].sum()) >= ENOUGH:
            return comparisons
    return None
