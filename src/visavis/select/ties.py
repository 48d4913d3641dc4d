"""Which document wins where several gain the same."""

from __future__ import annotations

import numpy as np

from visavis.kernel.ties import largest, tie_width
from visavis.records import Booleans, Floats
from visavis.select.problem import Problem

COPY = 1e-5  # copies of one document may differ by that much of the largest gain, in float32


def first_best_document(problem: Problem, start: int, gains: Floats, allowed: Booleans) -> int:
    """The best of the documents from row `start` on; of exact copies of the winner, the one that came first."""
    best = int(problem.pairs.best(gains, allowed)[0])
    slack = COPY * largest(gains[allowed])
    rivals = np.flatnonzero(allowed[:best] & (gains[:best] >= gains[best] - slack))
    if len(rivals) == 0:
        return best
    same = np.all(problem.vectors.take(rivals + start) == problem.vectors.take(np.array([best + start])), axis=1)
    return int(rivals[np.argmax(same)]) if same.any() else best


def are_copies(problem: Problem, one: int, other: int) -> bool:
    """Whether two documents have the same vector, so that whatever a swap of them seems to gain is noise."""
    first, second = problem.vectors.take(np.array([one, other]))
    return bool(np.all(first == second))


def worthwhile(gain: float, scale: float, total: float, resolution: float) -> bool:
    """Whether a swap's gain is more than a tie, measured against the total or 1, whichever is larger."""
    unit = max(1.0, abs(total))
    return gain > unit * tie_width(max(scale, abs(total)) / unit, resolution)
