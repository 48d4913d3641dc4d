"""What a worker does: questions about a few thousand documents, answered as this machine's threads would.

An answer depends on its chunks alone: never on which worker gives it, or how many there are.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from visavis.contracts import Kernel, Operation, Pairs
from visavis.kernel.binding import bind_here
from visavis.kernel.threads import blocks
from visavis.kernel.tiling import part_of
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Array, Compute, Floats, Integers, Rows

TILE = 1024
MOST_BOUND = 8  # pairs of chunks that a worker keeps ready


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some documents: their places among all, and their vectors; `key` is theirs alone."""

    key: Hashable
    places: Integers
    rows: Any


@dataclass(frozen=True, eq=False)
class Setting:
    """The kernel that all questions are about, its middle, and how precise tiles are; `key` is its alone."""

    key: Hashable
    kernel: Kernel
    center: Floats | None
    compute: Compute

    def bind(self, rows: Any) -> Pairs:
        """The pairs of these rows."""
        return bind_here(self.kernel, DocumentVectors(rows, np.arange(rows.shape[0])), self.compute, self.center)


@dataclass(frozen=True, eq=False)
class Bound:
    """The pairs of the documents of two chunks, each standing there once, and where those of each chunk stand."""

    pairs: Pairs
    left: Rows
    right: Rows


_bound: OrderedDict[Hashable, Bound] = OrderedDict()
_lock = threading.Lock()


def bind_chunks(setting: Setting, left: Chunk, right: Chunk, *, again: bool) -> Bound:
    """The pairs of two chunks; the last few that will be asked about again stay, with what they have kept."""
    key = setting.key, left.key, right.key
    with _lock:
        if key in _bound:
            _bound.move_to_end(key)
            return _bound[key]
    rows, at_left, at_right = _united(left, right)
    made = Bound(setting.bind(rows), at_left, at_right)
    if not again:
        return made
    with _lock:
        _bound[key] = made
        while len(_bound) > MOST_BOUND:
            _bound.popitem(last=False)
    return made


def _united(left: Chunk, right: Chunk) -> tuple[Any, Rows, Rows]:
    """The rows of both, those of documents that are in both only once: a document is exactly at itself."""
    n = len(left.places)
    if left.key == right.key:
        return left.rows, slice(0, n), slice(0, n)
    order = np.argsort(left.places, kind="stable")
    place = np.minimum(np.searchsorted(left.places, right.places, sorter=order), n - 1)
    known = left.places[order[place]] == right.places
    if not known.any():
        return _stack(left.rows, right.rows), slice(0, n), slice(n, n + len(right.places))
    at = np.where(known, order[place], n + np.cumsum(~known) - 1)
    return _stack(left.rows, right.rows[np.flatnonzero(~known)]), slice(0, n), np.asarray(at, np.intp)


def _stack(above: Any, below: Any) -> Any:
    return np.concatenate([above, below]) if isinstance(above, np.ndarray) else sparse.vstack([above, below]).tocsr()


def reduce_chunks(
    setting: Setting, operation: Operation, left: Chunk, inside: slice, right: Chunk, among: slice
) -> tuple[Floats, ...]:
    """What the operation says of some documents on the left as candidates, over some of those on the right."""
    bound = bind_chunks(setting, left, right, again=bool(operation.keeps))
    if operation.keeps:  # of all documents; here are two chunks of them
        operation = replace(operation, keeps=len(left.places) * len(right.places))  # type: ignore[type-var]
    return bound.pairs.reduce(operation, part_of(bound.left, inside), part_of(bound.right, among))


def block_of_chunks(
    setting: Setting, of: str, exact: bool, left: Chunk, inside: slice, right: Chunk, among: slice
) -> Array:
    """Similarity or proximity of some documents on the left with some of those on the right."""
    bound = bind_chunks(setting, left, right, again=False)
    ask = bound.pairs.block if of == "similarity" else bound.pairs.proximity
    return ask(part_of(bound.left, inside), part_of(bound.right, among), exact=exact)


def sum_chunks(
    settings: Sequence[Setting], left: Chunk, right: Chunk, left_weights: Floats, right_weights: Floats
) -> tuple[Floats, Floats]:
    """K @ weights of two chunks, for each setting: what the right adds to the left, and the left to the right.

    Shapes (settings, left, C) and (settings, right, C); where both are one chunk, the second is 0.
    """
    rows, at_left, at_right = _united(left, right)
    same = left.key == right.key
    across = np.zeros((len(settings), len(left.places), left_weights.shape[1]))
    below = np.zeros((len(settings), len(right.places), left_weights.shape[1]))
    for index, setting in enumerate(settings):
        pairs = setting.bind(rows)
        for part in blocks(len(left.places), TILE):
            for strip in blocks(len(right.places), TILE):
                tile = pairs.block(part_of(at_left, part), part_of(at_right, strip))
                across[index, part] += tile @ right_weights[strip].astype(tile.dtype)
                if not same:
                    below[index, strip] += tile.T @ left_weights[part].astype(tile.dtype)
    return across, below


def field_of_chunk(
    setting: Setting, exact: bool, points: Floats, owner: Integers, weights: Floats, chunk: Chunk
) -> tuple[Floats, Floats]:
    """What the documents of a chunk add to the field of the points, and to its slope."""
    pairs: Any = bind_chunks(setting, chunk, chunk, again=True).pairs
    found: tuple[Floats, Floats] = pairs.field(points, owner, weights, exact=exact)
    return found


def describe_chunk(setting: Setting, chunk: Chunk) -> tuple[Floats, float]:
    """k of each document with itself, and below which differences are noise."""
    pairs = setting.bind(chunk.rows)
    return pairs.diagonal, pairs.resolution


def widths(setting: Setting, gammas: Sequence[float] | None) -> list[Setting]:
    """The same setting at each γ; itself where none is asked for."""
    if gammas is None:
        return [setting]
    kernels = [replace(setting.kernel, gamma=gamma) for gamma in gammas]  # type: ignore[type-var]
    return [replace(setting, key=(setting.key, g), kernel=kernel) for g, kernel in zip(gammas, kernels, strict=True)]
