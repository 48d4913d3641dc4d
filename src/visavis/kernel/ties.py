"""One rule for ties, so that rounding noise never decides."""

from __future__ import annotations

import numpy as np

from visavis.records import Booleans, Floats, Integers

TIE = 1e-9


def tie_width(scale: float, resolution: float) -> float:
    """1e-9, but no more than 1e-6 of the largest gain in play, and no less than the kernel's own noise."""
    return max(min(TIE, 1e-6 * scale), resolution * scale)


def largest(gains: Floats) -> float:
    """The largest of the gains without their signs."""
    return max(float(gains.max()), -float(gains.min()))


def first_best(gains: Floats, allowed: Booleans, resolution: float) -> int:
    """The lowest allowed index among the largest gains.

    Gains tie within `tie_width`. At least one index must be allowed.
    """
    places = np.flatnonzero(allowed)
    usable = gains[places]
    width = tie_width(largest(usable), resolution)
    return int(places[np.argmax(usable >= usable.max() - width)])


def leading(gains: Floats, allowed: Booleans, resolution: float, count: int) -> Integers:
    """`first_best`, then the same of the rest, up to `count` times."""
    left, found = allowed.copy(), []
    for _ in range(min(count, int(allowed.sum()))):
        found.append(first_best(gains, left, resolution))
        left[found[-1]] = False
    return np.array(found, np.intp)
