"""The arrays that records hold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]
Booleans = NDArray[np.bool_]
Array = NDArray[Any]
Rows = slice | Integers


def joint_codes(first: Integers, second: Integers) -> Integers:
    """One number for each pair of numbers, in the order of the pairs; none may be negative.

    NumPy finds distinct numbers many times faster than distinct columns.
    """
    return np.asarray(first, np.int64) * (int(second.max(initial=0)) + 1) + second
