"""The sums of similarities of every document with every group, kept up to date without a second look at old pairs.

S_ig = Σ_j c_jg k(x_i, x_j), where c_jg is the weight of document j in group g, 0 outside it. Where documents come, go,
or change their groups, S changes by Σ over them of (c'_jg k(x_i, x'_j) − c_jg k(x_i, x_j)): one column of the kernel
for each, and one row for each that was not there before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from visavis.contracts import Engine, Pairs
from visavis.kernel.threads import blocks
from visavis.records import Array, Booleans, Floats, Frame, Integers

STRIP = 2048  # documents, and
WIDTH = 512  # columns of the kernel, that are held at once


@dataclass(frozen=True, eq=False)
class Sums:
    """Rows are documents in the order of the state, those outside every group with zeros throughout.

    `vectors` (N, d) are those that the sums were made with, `weights` c (N, G) and `values` S (N, G) in float64.
    """

    names: tuple[str, ...]
    vectors: Array
    weights: Floats
    values: Floats

    @property
    def inside(self) -> Booleans:
        """Which documents are in a group."""
        return np.asarray((self.weights != 0).any(axis=1))

    def take(self, names: Sequence[str], n_documents: int) -> Sums:
        """The same for these groups and so many documents, zeros for what was not there."""
        place = {name: at for at, name in enumerate(self.names)}
        known = [at for at, name in enumerate(names) if name in place]
        source = [place[names[at]] for at in known]
        weights, values = np.zeros((n_documents, len(names))), np.zeros((n_documents, len(names)))
        n = len(self.weights)
        weights[:n, known], values[:n, known] = self.weights[:, source], self.values[:, source]
        vectors = np.zeros((n_documents, self.vectors.shape[1]), self.vectors.dtype)
        vectors[:n] = self.vectors
        return Sums(tuple(names), vectors, weights, values)


def advance(
    before: Sums | None, names: Sequence[str], vectors: Array, weights: Floats, frame: Frame, engine: Engine
) -> Sums:
    """The sums of these documents; the first of them are those of `before`, in their order, changed or not.

    `vectors` (N, d) has zeros for documents outside every group. In float64, whatever the precision of the frame.
    """
    frame = replace(frame, precision="float64")
    inside = (weights != 0).any(axis=1)
    if before is None or not np.any(before.inside):
        values = np.zeros(weights.shape)
        rows = np.flatnonzero(inside)
        values[rows] = engine.bind(frame.kernel, engine.place(vectors, rows), frame).sums(weights[rows])
        return Sums(tuple(names), vectors, weights, values)
    return _moved(before.take(names, len(vectors)), vectors, weights, frame, engine)


def _moved(before: Sums, vectors: Array, weights: Floats, frame: Frame, engine: Engine) -> Sums:
    inside = (weights != 0).any(axis=1)
    same_vector = (before.vectors == vectors).all(axis=1)
    stays = before.inside & inside & same_vector
    regrouped = np.flatnonzero(stays & (before.weights != weights).any(axis=1))
    leaving = np.flatnonzero(before.inside & ~stays)
    entering = np.flatnonzero(inside & ~stays)
    rows = np.flatnonzero(inside)
    stacked = np.concatenate([vectors[rows], before.vectors[leaving]])
    pairs = engine.bind(frame.kernel, engine.place(stacked, np.arange(len(stacked))), frame)
    place = np.full(len(vectors), -1)
    place[rows] = np.arange(len(rows))
    columns = np.concatenate([place[entering], place[regrouped], len(rows) + np.arange(len(leaving))])
    moved = np.concatenate(
        [weights[entering], weights[regrouped] - before.weights[regrouped], -before.weights[leaving]]
    )
    added, own = _pass(pairs, len(rows), columns.astype(np.intp), moved, len(entering), weights[rows])
    values = np.where(stays[:, None], before.values, 0.0)
    values[rows[stays[rows]]] += added[stays[rows]]
    values[entering] = own
    return Sums(before.names, vectors, weights, values)


def _pass(
    pairs: Pairs, n_rows: int, columns: Integers, moved: Floats, n_entering: int, weights: Floats
) -> tuple[Floats, Floats]:
    """K @ moved for all rows, and Kᵀ @ weights for the entering, which are the first columns: each pair looked at once.

    Shapes (rows, G) and (entering, G).
    """
    added, own = np.zeros((n_rows, moved.shape[1])), np.zeros((n_entering, moved.shape[1]))
    for part in blocks(len(columns), WIDTH):
        inner = slice(part.start, min(part.stop, n_entering))
        for strip in blocks(n_rows, STRIP):
            block = np.asarray(pairs.block(strip, columns[part]), np.float64)
            added[strip] += block @ moved[part]
            if inner.start < inner.stop:
                own[inner] += block[:, : inner.stop - inner.start].T @ weights[strip]
    return added, own
