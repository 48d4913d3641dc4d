"""What a data set is, for those who evaluate on it."""

from __future__ import annotations

from dataclasses import dataclass, field

from visavis.records import Array, Floats, Integers


@dataclass(frozen=True, eq=False)
class Dataset:
    """Vectors (N, d) and groups (N,), with the protocol that belongs to them.

    `splits` are pairs of training and test rows that come with the data; `n_train`, where given, is the number of
    first rows that make up the standard training part. `grid`, `init` and `variance` are what evaluation uses on it.
    """

    name: str
    vectors: Floats
    groups: Array
    splits: tuple[tuple[Integers, Integers], ...] = field(default=(), repr=False)
    n_train: int | None = None
    grid: str = "default"
    init: str = "greedy"
    variance: float | None = None
