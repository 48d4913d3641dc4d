"""Before anyone is asked: how often the report's own test would show that one method leads the others.

A judgement is right with probability Φ(a + s·z): z is the question's difficulty under the method, correlated between
methods, and a gives the method its mean accuracy. One method leads all others, which are alike; the report tests all
ordered pairs of methods by one-sided sign tests on questions and corrects them by Holm.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from scipy.special import bdtrc
from scipy.stats import norm

from visavis.records import Floats, Integers
from visavis.shared.statistics import ALPHA
from visavis.study.shape import PER_SHEET

DIFFERENCES = (0.03, 0.05, 0.07, 0.10, 0.15)
EXPECTED = 0.10  # a lead that a study should be able to show
ENOUGH = 0.8
RUNS = 2000
POOL = 20_000  # questions drawn once, from which studies of any size are drawn
MOST = 10_000  # questions
BASE = 0.64  # mean accuracy of the weaker methods: what people reached in the published study
SPREAD = 1.36  # of the questions' difficulty, in units of a judgement's own noise: κ = .44, as published
SHARED = 0.8  # correlation of a question's difficulty under two methods


@dataclass(frozen=True)
class Power:
    """`rows` are a true lead, how often it is shown over one given rival, and how often over all of them.

    `wanted` questions show a lead of EXPECTED over a given rival often enough; None where more than MOST would be
    needed. Both are empty for a single method, which has no rival.
    """

    rows: tuple[tuple[float, float, float], ...]
    wanted: int | None

    @property
    def is_little(self) -> bool:
        """Whether a lead of EXPECTED over a given rival is shown less often than ENOUGH."""
        return any(one < ENOUGH for lead, one, _ in self.rows if lead == EXPECTED)


def power(questions: int, judgements: int, methods: int, seed: int, *, runs: int = RUNS) -> Power:
    """How often the leads of DIFFERENCES are shown by so many questions, and how many questions would do."""
    if methods < 2:
        return Power((), None)
    rng = np.random.default_rng([seed, 17])
    pools = {lead: _Pool(lead, judgements, methods, rng) for lead in DIFFERENCES}
    rows = tuple((lead, *pool.shown(questions, runs, rng)) for lead, pool in pools.items())
    return Power(rows, _wanted(pools[EXPECTED], seed))


class _Pool:
    """Questions as the tests see them: whether more judges were right with one method than with another.

    Wins of every ordered pair of methods are kept as their mean and covariance over questions, so the wins in a study
    of any size are one normal draw, rounded. The first method leads; `leads` are the places of its tests, `reverse`
    those of the same two methods the other way round.
    """

    def __init__(self, lead: float, judgements: int, methods: int, rng: np.random.Generator) -> None:
        shared = rng.standard_normal(POOL)
        accuracies = [BASE + lead, *[BASE] * (methods - 1)]
        right = np.stack([_right(rng, shared, accuracy, judgements) for accuracy in accuracies], axis=1)
        tests = list(permutations(range(methods), 2))
        wins = np.stack([right[:, one] > right[:, other] for one, other in tests], axis=1).astype(np.float64)
        self.mean, self.covariance = wins.mean(axis=0), np.cov(wins, rowvar=False)
        self.leads = [place for place, (better, _) in enumerate(tests) if better == 0]
        self.reverse = [tests.index((other, one)) for one, other in tests]

    def shown(self, questions: int, runs: int, rng: np.random.Generator) -> tuple[float, float]:
        """How often the lead over one rival, and over all, is shown by so many questions."""
        drawn = rng.multivariate_normal(questions * self.mean, questions * self.covariance, size=runs)
        wins = np.clip(np.round(drawn), 0, questions).astype(np.intp)
        p_values = bdtrc(wins - 1, wins + wins[:, self.reverse], 0.5)  # a sign test; 1 without wins
        found = _holm(p_values)[:, self.leads] < ALPHA
        return float(found.mean()), float(found.all(axis=1).mean())


def _holm(p_values: Floats) -> Floats:
    """Holm's correction of each row, as `shared.statistics.holm` has it."""
    tests = p_values.shape[1]
    order = np.argsort(p_values, axis=1, kind="stable")
    stepped = np.take_along_axis(p_values, order, axis=1) * np.arange(tests, 0, -1)
    adjusted = np.empty_like(p_values)
    np.put_along_axis(adjusted, order, np.minimum(1.0, np.maximum.accumulate(stepped, axis=1)), axis=1)
    return adjusted


def _right(rng: np.random.Generator, shared: Floats, accuracy: float, judges: int) -> Integers:
    """How many judges are right about each question."""
    own = rng.standard_normal(shared.shape)
    z = np.sqrt(SHARED) * shared + np.sqrt(1 - SHARED) * own
    middle = norm.ppf(min(accuracy, 0.99)) * np.sqrt(1 + SPREAD**2)
    return np.asarray(rng.binomial(judges, norm.cdf(middle + SPREAD * z)), np.intp)


def _wanted(pool: _Pool, seed: int) -> int | None:
    """The fewest questions, in whole questionnaires, that show the pool's lead over one rival often enough."""
    low, high = 0, MOST // PER_SHEET
    if pool.shown(high * PER_SHEET, RUNS, np.random.default_rng([seed, 19]))[0] < ENOUGH:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        enough = pool.shown(middle * PER_SHEET, RUNS, np.random.default_rng([seed, 19]))[0] >= ENOUGH
        low, high = (low, middle) if enough else (middle, high)
    return high * PER_SHEET
