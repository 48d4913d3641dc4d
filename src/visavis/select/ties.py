"""One rule for ties, so that rounding noise never decides."""

from __future__ import annotations

import numpy as np

from visavis.records import Booleans, Floats, Problem

TIE = 1e-9
COPY = 1e-5  # copies of one document may differ by that much of the largest gain, in float32


def first_best(gains: Floats, allowed: Booleans, resolution: float) -> int:
    """The lowest allowed index among the largest gains.

    Gains tie within `tie_width`. At least one index must be allowed.
    """
    usable = np.where(allowed, gains, -np.inf)
    width = tie_width(float(np.abs(gains[allowed]).max()), resolution)
    return int(np.argmax(allowed & (usable >= usable.max() - width)))


def first_best_document(problem: Problem, start: int, gains: Floats, allowed: Booleans) -> int:
    """`first_best` among the documents from row `start` on; of exact copies of the winner, the one that came first."""
    best = first_best(gains, allowed, problem.kernel.resolution)
    slack = COPY * float(np.abs(gains[allowed]).max())
    rivals = np.flatnonzero(allowed[:best] & (gains[:best] >= gains[best] - slack))
    if len(rivals) == 0:
        return best
    same = np.all(problem.vectors.take(rivals + start) == problem.vectors.take(np.array([best + start])), axis=1)
    return int(rivals[np.argmax(same)]) if same.any() else best


def tie_width(scale: float, resolution: float) -> float:
    """1e-9, but no more than 1e-6 of the largest gain in play, and no less than the kernel's own noise."""
    return max(min(TIE, 1e-6 * scale), resolution * scale)


def worthwhile(gain: float, scale: float, total: float, resolution: float) -> bool:
    """Whether a swap's gain is more than a tie, measured against the total or 1, whichever is larger."""
    unit = max(1.0, abs(total))
    return gain > unit * tie_width(max(scale, abs(total)) / unit, resolution)
