"""Where the caller's rows stand among the documents of a search: cells, and pins by group."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from visavis.errors import InvalidParameter
from visavis.records import Booleans, Integers


def check_cells(cells: Integers, n_points: int) -> Integers:
    """The cell of each point. Raises InvalidParameter for anything but whole numbers from 0 on."""
    numbers = np.asarray(cells)
    if numbers.shape != (n_points,) or numbers.dtype.kind not in "iu" or numbers.min(initial=0) < 0:
        raise InvalidParameter(f"cells must hold a number of at least 0 for each of {n_points} points")
    return numbers.astype(np.intp)


def pins_by_group(
    pinned: Collection[int], order: Integers, bounds: Integers, usable: Booleans
) -> tuple[tuple[int, ...], ...]:
    """The places of pinned rows, by group. Raises InvalidParameter for one that does not count or may not be picked."""
    groups: list[list[int]] = [[] for _ in range(len(bounds) - 1)]
    place = {int(row): at for at, row in enumerate(order)} if pinned else {}
    for row in dict.fromkeys(pinned):
        if row not in place:
            raise InvalidParameter(f"pinned document {row} is not among the documents that count")
        if not usable[place[row]]:
            raise InvalidParameter(f"pinned document {row} is also forbidden: pin it or ban it, not both")
        groups[int(np.searchsorted(bounds, place[row], side="right")) - 1].append(place[row])
    return tuple(map(tuple, groups))
