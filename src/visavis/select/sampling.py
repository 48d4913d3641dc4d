"""Too many pairs to look at all: a sample of each group stands for it, drawn by hash and never by position."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from visavis.contracts import Pairs
from visavis.errors import InvalidParameter
from visavis.kernel.operations import GroupSums
from visavis.records import Array, Floats, Integers, Sample

EXACT = ("auto", "yes", "no")
SAMPLE = 4096  # documents of a group that stand for it
_STRIP = 8192


def check_exact(exact: object) -> str:
    """"auto", "yes" or "no"; True and False are taken for the last two. Raises InvalidParameter for anything else."""
    word = {True: "yes", False: "no"}.get(exact, exact) if isinstance(exact, bool) else exact
    if word not in EXACT:
        raise InvalidParameter(f"exact must be one of {', '.join(EXACT)}, got {exact!r}")
    return str(word)


def is_too_much(n_documents: int, n_features: int, reach: float) -> bool:
    """Whether so many documents have more pairs, times dimensions, than an engine looks at unasked."""
    return float(n_documents) ** 2 * n_features > reach


def hash_ids(ids: Iterable[str]) -> Integers:
    """A number for each id that nothing but the id decides; shape (documents,), uint64."""
    digests = (hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=8).digest() for name in ids)
    return np.frombuffer(b"".join(digests), "<u8")  # type: ignore[return-value]


def hash_rows(vectors: Any) -> Integers:
    """A number for each vector that nothing but its values decides; shape (documents,), uint64."""
    factors = np.random.default_rng(20_12).integers(1, 2**63, 2 * vectors.shape[1], np.uint64) | np.uint64(1)
    found = np.empty(vectors.shape[0], np.uint64)
    for start in range(0, len(found), _STRIP):
        rows = vectors[start : start + _STRIP]
        dense = np.ascontiguousarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64) + 0.0
        words = dense.view(np.uint32).astype(np.uint64)
        mixed = words * factors[: words.shape[1]]
        found[start : start + _STRIP] = _scramble((mixed ^ (mixed >> np.uint64(29))).sum(axis=1, dtype=np.uint64))
    return found  # type: ignore[return-value]


def _scramble(numbers: Any) -> Any:
    """Every bit of a number made to depend on all others."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
    return numbers ^ (numbers >> np.uint64(31))


def draw_sample(keys: Integers, parts: Integers, weights: Floats, size: int) -> Sample:
    """Of each part (a group, or a fold of it) the `size` documents of the smallest keys, or all where it has no more.

    What is drawn of a part depends on its own documents alone. Those drawn count as much as the whole part.
    """
    rows = []
    for part in np.unique(parts):
        inside = np.flatnonzero(parts == part)
        if len(inside) > size:
            inside = np.sort(inside[np.argsort(keys[inside], kind="stable")[:size]])
        rows.append(inside)
    drawn = np.sort(np.concatenate(rows))
    n_parts = int(parts.max()) + 1
    totals, seen = (np.bincount(parts[of], weights[of], n_parts) for of in (slice(None), drawn))
    return Sample(drawn, weights[drawn] * (totals[parts[drawn]] / seen[parts[drawn]]))


def sampled_sums(pairs: Pairs, sample: Sample, columns: Array) -> Floats:
    """Σ_j columns_jc k(x_i, x_j) over the sample for every document i; columns (sample, C), result (N, C)."""
    largest = float(columns.max(initial=0.0)) or 1.0  # float32 holds any weights once the largest is 1
    operation = GroupSums(np.ascontiguousarray(columns / largest))
    (found,) = pairs.reduce(operation, slice(0, pairs.n_documents), sample.rows)
    return found * largest
