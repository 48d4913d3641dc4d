"""Units of work on pairs, as plain records: what a tile holds, what it contributes, how contributions are joined.

Any engine can run them from `tile`, which is written against an array namespace (NumPy's, or torch's).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

import numpy as np

from visavis.errors import InvalidParameter
from visavis.records import Array

Record = TypeVar("Record")


@dataclass(frozen=True)
class Similarity:
    """Tiles of k(c, x)."""

    of: str = "similarity"

    def apply(self, xp: Any, values: Any) -> Any:  # noqa: ARG002 (one signature for all)
        """As they are."""
        return values


@dataclass(frozen=True)
class Proximity:
    """Tiles of minus the distance, or of the kernel where it has none."""

    of: str = "proximity"

    def apply(self, xp: Any, values: Any) -> Any:  # noqa: ARG002
        """As they are."""
        return values


@dataclass(frozen=True)
class Sharpened:
    """Tiles of k(c, x)^β where powers of the kernel are kernels, else of exp(β(k/r − 1)), r being the largest k.

    Whole numbers β, which are the usual ones, are multiplied out.
    """

    exponent: float
    largest: float
    powers: bool
    single: bool
    of: str = "similarity"

    def apply(self, xp: Any, values: Any) -> Any:
        """k^β. Raises InvalidParameter for a kernel that exceeds its diagonal, as no positive definite does."""
        sharp = xp.asarray(values, dtype=xp.float32 if self.single else xp.float64)
        if self.powers:
            return _power(sharp, int(self.exponent)) if self.exponent == int(self.exponent) else sharp**self.exponent
        _check_largest(float(xp.abs(values).max()), self.largest * (1.0 + 1e-6))
        return xp.exp((sharp / self.largest - 1.0) * self.exponent)


def _power(values: Any, exponent: int) -> Any:
    """values^exponent by squaring, several times faster than by logarithms."""
    found, square = None, values
    while exponent:
        if exponent & 1:
            found = square if found is None else found * square
        exponent >>= 1
        square = square * square if exponent else square
    return found


def _check_largest(largest: float, limit: float) -> None:
    if largest > limit:
        raise InvalidParameter(
            f"this objective needs a kernel whose values do not exceed its diagonal, and one is {largest:.3g}: use "
            "another kernel or an mmd method"
        )


@dataclass(frozen=True, eq=False)
class GroupSums:
    """Σ_x w_xg k(c, x) for every candidate c and group g, at the precision of the tiles; weights (documents, G)."""

    weights: Array
    reads: Similarity = Similarity()
    combine: tuple[str, ...] = ("add",)
    symmetric: bool = False
    keeps: int = 0
    shape: tuple[int, int | None] = (2048, 512)

    def tile(self, xp: Any, values: Any, documents: slice) -> tuple[Any, ...]:  # noqa: ARG002 (one signature for all)
        """values @ w."""
        return (values @ like(self.weights[documents], values),)


@dataclass(frozen=True, eq=False)
class Survey:
    """Σ_x w_x v(c, x), and min_x v(c, x), for every candidate c: what one pass over the pairs of a group tells."""

    weights: Array
    reads: Proximity = Proximity()
    combine: tuple[str, ...] = ("add", "least")
    symmetric: bool = True
    keeps: int = 0
    shape: tuple[int, int | None] = (512, 512)

    def tile(self, xp: Any, values: Any, documents: slice) -> tuple[Any, ...]:
        """values @ w, and the smallest value of each row."""
        return values @ like(self.weights[documents], values), xp.amin(values, axis=1)


@dataclass(frozen=True, eq=False)
class Rise:
    """Σ_x w_x max(0, v(c, x) − best_x): what each candidate would add to the nearest picks of the documents."""

    best: Array
    weights: Array
    reads: Proximity = Proximity()
    combine: tuple[str, ...] = ("add",)
    symmetric: bool = False
    keeps: int = 0
    shape: tuple[int, int | None] = (256, 1024)

    def tile(self, xp: Any, values: Any, documents: slice) -> tuple[Any, ...]:  # noqa: ARG002
        """max(0, values − best) @ w."""
        rise = values - like(self.best[documents], values)
        return (rise.clip(0.0) @ like(self.weights[documents], values),)


@dataclass(frozen=True, eq=False)
class Swaps:
    """What each candidate would bring in the place of each pick; shape (candidates, picks).

    It adds Σ_x w_x max(0, v − best_x); the documents of the pick that leaves, Σ_x o_px w_x, fall back to the candidate
    or to their second best.
    """

    best: Array
    second: Array
    weights: Array
    owned: Array = field(metadata={"documents": 1})  # (picks, documents): a document's weight, for its nearest pick
    reads: Proximity = Proximity()
    combine: tuple[str, ...] = ("add",)
    symmetric: bool = False
    keeps: int = 0
    shape: tuple[int, int | None] = (256, 1024)

    def tile(self, xp: Any, values: Any, documents: slice) -> tuple[Any, ...]:
        """The gain of joining, less what the leaver's own documents lose."""
        near = xp.asarray(values, dtype=xp.float64)
        best, second = (like(part[documents], near) for part in (self.best, self.second))
        kept = xp.maximum(near, best)
        joined = (kept - best) @ like(self.weights[documents], near)
        return (joined[:, None] + (xp.maximum(near, second) - kept) @ like(self.owned[:, documents], near).T,)


@dataclass(frozen=True, eq=False)
class LogSums:
    """Σ_x v_x log(rest_x + own_x·P(c, x)) for every candidate c, P being what the tiles hold.

    Tiles hold numbers from 0 to 1; `rest` should be 1, so that no term is less.
    """

    rest: Array
    own: Array
    weights: Array
    reads: Sharpened
    combine: tuple[str, ...] = ("add",)
    symmetric: bool = False
    keeps: int = 0
    shape: tuple[int, int | None] = (128, None)

    def tile(self, xp: Any, values: Any, documents: slice) -> tuple[Any, ...]:
        """log(rest + own·values) @ v."""
        rest, own, weights = (like(part[documents], values) for part in (self.rest, self.own, self.weights))
        return (xp.log(rest + own * values) @ weights,)


def like(array: Any, values: Any) -> Any:
    """The array in the type of these values, without a copy where it has it."""
    if isinstance(array, np.ndarray):
        return array.astype(values.dtype, copy=False)
    return array.to(values.dtype)


def placed(record: Record, convert: Callable[[Array], Any]) -> Record:
    """The same record with its arrays converted, for instance to tensors on a card."""
    found = {one.name: getattr(record, one.name) for one in fields(record)}  # type: ignore[arg-type]
    arrays = {name: convert(value) for name, value in found.items() if isinstance(value, np.ndarray)}
    return replace(record, **arrays)  # type: ignore[type-var]


def restricted(record: Record, documents: slice) -> Record:
    """The same operation on some of its documents: arrays are by document, along an axis that a field may name."""
    parts = {}
    for one in fields(record):  # type: ignore[arg-type]
        value = getattr(record, one.name)
        if isinstance(value, np.ndarray):
            parts[one.name] = value[(slice(None),) * one.metadata.get("documents", 0) + (documents,)]
    return replace(record, **parts)  # type: ignore[type-var]
