"""How to pick, once everything that a caller can say has been read: one form of a size from here on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from visavis.errors import InvalidParameter, UnknownName
from visavis.inputs import check_whole
from visavis.records import Integers

MOST_PICKS = 300  # of a group: beyond that no reader follows, and the search grows with their square
USUAL_SIZE = 4
LARGEST_USUAL = 8  # picks of a group, where their number is left open, that there should be documents for


@dataclass(frozen=True, eq=False)
class Choice:
    """A method with its parameters, a kernel at γ, and how many to pick of each group (None: still to be chosen).

    `budget`, if given, is the total instead. With `tune` the method's parameters are still to be chosen; `least` is
    how many picks a group needs at least where the size is.
    """

    method: Any
    parameters: Mapping[str, Any]
    kernel: Any
    gamma: float | str
    sizes: tuple[int, ...] | None
    budget: int | None = None
    tune: bool = False
    least: int = 1

    @property
    def is_open(self) -> bool:
        """Whether something is left to choose."""
        return self.tune or self.sizes is None


def read_sizes(size: Any, names: Sequence[str]) -> tuple[int, ...] | None:
    """A number for each group: from one for all, from one by name, or None for "auto".

    Raises UnknownName for a group that is none, InvalidParameter for what is no size.
    """
    if isinstance(size, Mapping):
        unknown = [name for name in size if name not in names]
        if unknown:
            raise UnknownName(f"size names the group {unknown[0]!r}; there are {', '.join(map(repr, names))}")
        missing = [name for name in names if name not in size]
        if missing:
            raise InvalidParameter(f"size names no number for the group {missing[0]!r}")
        return tuple(check_whole(f"size of {name!r}", size[name], low=1) for name in names)
    return None if size == "auto" else (check_whole("size", size, low=1),) * len(names)


def clip_sizes(sizes: tuple[int, ...], room: Integers, names: Sequence[str]) -> tuple[int, ...]:
    """Sizes cut down to the documents there are to pick from; the smaller number shows in the report.

    Raises InvalidParameter if a group could fill a size beyond the limit.
    """
    clipped = tuple(min(size, max(1, n)) for size, n in zip(sizes, room.tolist(), strict=True))
    largest = int(np.argmax(clipped))
    if clipped[largest] > MOST_PICKS:
        raise InvalidParameter(
            f"size={sizes[largest]} would pick {clipped[largest]:,} documents of {names[largest]!r}; at most "
            f"{MOST_PICKS} of a group can be picked: lower size"
        )
    return clipped


def check_pins(pins: Integers, sizes: tuple[int, ...], names: Sequence[str]) -> None:
    """Refuse more pinned documents of a group than it is to have picks."""
    for name, pinned, size in zip(names, pins.tolist(), sizes, strict=True):
        if pinned > size:
            raise InvalidParameter(f"group {name!r} has {pinned} pinned documents but size={size}: raise size")


def shown_sizes(sizes: tuple[int, ...], names: Sequence[str]) -> Any:
    """One number where all groups have the same, else one by name."""
    return sizes[0] if len(set(sizes)) == 1 else dict(zip(names, sizes, strict=True))
