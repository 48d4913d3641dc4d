"""What a search is told: how much of the machine, which parameters, in which geometry, how many picks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from visavis.records.arrays import Booleans, Floats, Integers

if TYPE_CHECKING:
    from visavis.contracts import Kernel


@dataclass(frozen=True)
class Compute:
    """How much of the machine a computation may use, and at which precision its tiles run.

    `processes` are for long tasks that are independent of each other.
    """

    dtype: str = "float32"
    threads: int = 1
    memory_mb: int = 512
    processes: int = 1

    @property
    def precision(self) -> type[np.floating[Any]]:
        """The NumPy type of the tiles."""
        return np.float32 if self.dtype == "float32" else np.float64

    def fits(self, n_values: int, itemsize: int = 4) -> bool:
        """Whether that many values may be kept in memory at once."""
        return n_values * itemsize <= self.memory_mb * 2**20


@dataclass(frozen=True)
class Parameter:
    """Something a part of a method can be told: whoever has it declares it, and everybody else reads that.

    `check` returns the value as it is used, or raises InvalidParameter. `grid` are the values worth trying; a
    parameter without any is not tuned.
    """

    name: str
    default: Any
    check: Callable[[Any], Any]
    grid: tuple[Any, ...] = ()
    help: str = ""


@dataclass(frozen=True, eq=False)
class Sample:
    """Documents that stand for all while a search goes on: `rows` in ascending order, and how much each counts.

    The weights of a group's sample add up to those of the group.
    """

    rows: Integers
    weights: Floats


@dataclass(frozen=True)
class Abilities:
    """What an objective can do beyond telling gains: data of the instance.

    `swaps`: picks can be exchanged one for another. `gradient`: it is defined at any points of the space, with a
    slope. `lazy`: gains never grow as picks are added, so old ones bound new ones. `separable`: groups do not touch;
    only both together let a search be lazy.
    `kernel`: its values depend on the kernel's own parameters, not on the order of distances alone.
    `scans`: each of its gains takes a pass over documents, so that it pays to ask the leading candidates alone.
    `climbs`: its greedy search can be told as a `Climb`.
    `tables`: one pass tells the gains of some candidates in the places of all picks of a group.
    """

    swaps: bool = False
    gradient: bool = False
    lazy: bool = False
    separable: bool = False
    kernel: bool = True
    scans: bool = False
    climbs: bool = False
    tables: bool = False


@dataclass(frozen=True)
class KernelAbilities:
    """What a kernel can do: take `sparse` rows; be differentiated (`smooth`); give itself at a multiple of γ when it is
    raised to a power (`widths`); be a matrix the caller worked out (`precomputed`), where there are no coordinates.
    """

    sparse: bool = False
    smooth: bool = False
    widths: bool = False
    precomputed: bool = False


@dataclass(frozen=True, eq=False)
class Frame:
    """The geometry of a comparison: a kernel at its γ, the center of the documents (None: their mean), the precision.

    `median` is the median of what γ multiplies where γ was derived from it, else None.
    """

    kernel: Kernel
    gamma: float
    median: float | None = None
    center: Floats | None = None
    precision: str = "float32"


@dataclass(frozen=True)
class Quota:
    """How many documents to pick: a number for each group, or a total that the gains divide among them."""

    sizes: tuple[int, ...] | None = None
    budget: int | None = None


@dataclass(frozen=True, eq=False)
class Climb:
    """A greedy search in which document i of group g gains most where 2·merit_i/m − ρ(2·Σ_s k(i, s) + k(i, i))/m² is
    largest, s being its group's picks and m one more than their number; merit_i = Σ_h mix_gh Σ_{j∈h} w_j k(i, j).

    Groups are slices between `bounds`. Picks go round by round, one to each group that lacks some, after the pinned
    ones; of one story (a number within a group) only one is picked, of those `allowed`.
    """

    bounds: Integers
    weights: Floats
    mix: Floats
    repulsion: float
    sizes: tuple[int, ...]
    allowed: Booleans
    stories: Integers
    pinned: tuple[tuple[int, ...], ...]


STAGES = ("start", "optimized", "snapped", "exchanged")  # of the searches that come along; others may have their own
