"""One rule for ties, so that rounding noise never decides."""

from __future__ import annotations

import numpy as np

from visavis.records import Booleans, Floats

TIE = 1e-9


def first_best(gains: Floats, allowed: Booleans, resolution: float) -> int:
    """The lowest allowed index among the largest gains.

    Gains tie within 1e-9, or within the kernel's resolution of the largest magnitude in play where that is coarser.
    At least one index must be allowed.
    """
    usable = np.where(allowed, gains, -np.inf)
    scale = float(np.abs(gains[allowed]).max())
    return int(np.argmax(usable >= usable.max() - max(TIE, resolution * scale)))
