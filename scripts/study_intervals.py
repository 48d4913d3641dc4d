"""How often the intervals of a study's report cover the truth: the table in docs/study.md.

Run it to print the table; with --write it is put into the page between its markers. Studies are drawn in which every
pair of groups has a difficulty of its own, every question another, and the two methods share part of both; six
questions a pair, three judges a question. The intervals are the report's own; the bootstrap that draws pairs anew, as
reports once did, stands beside them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from visavis.study.analysis.intervals import Counts
from visavis.study.design.power import SHARED, SPREAD

BEGIN, END = "<!-- interval table: scripts/study_intervals.py --write -->", "<!-- end of the interval table -->"
QUESTIONS, JUDGES = 6, 3
OF_PAIRS = 0.5  # spread of the pairs' difficulty
SETTINGS = ((0.64, 0.10), (0.80, 0.10), (0.92, 0.05), (0.97, 0.02))  # the weaker method, and the lead of the other
PAIRS = (1, 5, 6, 10)
FEWEST = 5
RUNS = 1000
DRAWS = 400  # of the bootstrap


@dataclass(frozen=True)
class Coverage:
    """Shares of studies whose intervals hold the truth: the report's, and a bootstrap's."""

    accuracy: float
    difference: float
    bootstrap: float


def coverage(n_pairs: int, accuracy: float, lead: float, runs: int = RUNS, draws: int = DRAWS) -> Coverage:
    """For studies of so many pairs; with fewer than five, the truth is that of these pairs alone.

    Without `draws` there is no bootstrap.
    """
    rng = np.random.default_rng([0, n_pairs, round(1000 * accuracy)])
    by_pair = n_pairs >= FEWEST
    hits = np.zeros(3)
    for _ in range(runs):
        chances, right = _study(rng, n_pairs, (accuracy + lead, accuracy))
        units = np.repeat(np.arange(n_pairs), QUESTIONS) if by_pair else np.arange(n_pairs * QUESTIONS)
        truth = np.array([accuracy + lead, accuracy]) if by_pair else chances
        found = Counts(right, np.full(right.shape, float(JUDGES)), units)
        hits += (
            _holds(found.accuracy(0), truth[0]),
            _holds(found.difference(0, 1), truth[0] - truth[1]),
            draws > 0 and _holds(_bootstrap(right, n_pairs, draws, rng), truth[0]),
        )
    return Coverage(*(float(share) for share in hits / runs))


def _study(rng: np.random.Generator, n_pairs: int, accuracies: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """The methods' mean chances given these pairs, and how many judges are right about each question with each."""
    pair, question = rng.standard_normal(n_pairs), rng.standard_normal((n_pairs, QUESTIONS))
    chances, right = [], []
    for accuracy in accuracies:
        of_pair = OF_PAIRS * (np.sqrt(0.5) * pair + np.sqrt(0.5) * rng.standard_normal(n_pairs))
        own = np.sqrt(SHARED) * question + np.sqrt(1 - SHARED) * rng.standard_normal(question.shape)
        middle = norm.ppf(accuracy) * np.sqrt(1 + SPREAD**2 + OF_PAIRS**2) + of_pair
        chances.append(norm.cdf(middle / np.sqrt(1 + SPREAD**2)).mean())
        right.append(rng.binomial(JUDGES, norm.cdf(middle[:, None] + SPREAD * own)).ravel())
    return np.array(chances), np.stack(right, axis=1).astype(np.float64)


def _bootstrap(right: np.ndarray, n_pairs: int, draws: int, rng: np.random.Generator) -> tuple[float, float]:
    """The middle 95 % of the first method's accuracy when pairs are drawn anew."""
    means = right[:, 0].reshape(n_pairs, -1).mean(axis=1) / JUDGES
    drawn = means[rng.integers(n_pairs, size=(draws, n_pairs))].mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


def _holds(interval: tuple[float, float] | None, truth: float) -> bool:
    return interval is not None and interval[0] <= truth <= interval[1]


def table() -> str:
    """The table in Markdown."""
    lines = [
        "| pairs of groups | accuracies | accuracy is covered | difference is covered | by a bootstrap over pairs |",
        "|---|---|---|---|---|",
    ]
    for n_pairs in PAIRS:
        for accuracy, lead in SETTINGS:
            found = coverage(n_pairs, accuracy, lead)
            shares = (found.accuracy, found.difference, found.bootstrap)
            cells = [f"{n_pairs}", f"{100 * (accuracy + lead):.0f} and {100 * accuracy:.0f} %"]
            cells += [f"{100 * share:.1f} %" for share in shares]
            cells[-1] = cells[-1] if n_pairs >= FEWEST else "–"  # it says nothing about questions of the same pairs
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    from tables import tell_table

    tell_table(__doc__, table, BEGIN, END)
