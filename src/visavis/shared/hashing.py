"""Numbers that nothing but an id, or the values of a vector, decides: samples are drawn by them, never by position."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

STRIP = 8192  # vectors at a time

Keys = NDArray[np.uint64]


def hash_ids(ids: Iterable[str]) -> Keys:
    """A number for each id that nothing but the id decides; shape (documents,), uint64."""
    digests = (hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=8).digest() for name in ids)
    return np.frombuffer(b"".join(digests), "<u8")


def hash_rows(vectors: Any) -> Keys:
    """A number for each vector that nothing but its values decides; shape (documents,), uint64."""
    factors = np.random.default_rng(20_12).integers(1, 2**63, 2 * vectors.shape[1], np.uint64) | np.uint64(1)
    found = np.empty(vectors.shape[0], np.uint64)
    for start in range(0, len(found), STRIP):
        rows = vectors[start : start + STRIP]
        dense = np.ascontiguousarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64) + 0.0
        words = dense.view(np.uint32).astype(np.uint64)
        mixed = words * factors[: words.shape[1]]
        found[start : start + STRIP] = _scramble((mixed ^ (mixed >> np.uint64(29))).sum(axis=1, dtype=np.uint64))
    return found


def _scramble(numbers: Any) -> Any:
    """Every bit of a number made to depend on all others."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
    return numbers ^ (numbers >> np.uint64(31))


def draw_by_key(keys: Keys, parts: NDArray[np.intp], size: int) -> NDArray[np.intp]:
    """Places of the `size` smallest keys of each part, or of all where it has no more, in ascending order.

    What is drawn of a part depends on its own documents alone.
    """
    drawn = []
    for part in np.unique(parts):
        inside = np.flatnonzero(parts == part)
        drawn.append(inside[np.argsort(keys[inside], kind="stable")[:size]] if len(inside) > size else inside)
    return np.sort(np.concatenate(drawn))
