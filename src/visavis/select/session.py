"""A comparison that can be asked again and again: documents bound to a kernel, their sums made once and kept."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from visavis.contracts import Engine
from visavis.engines.local import LocalEngine
from visavis.errors import InvalidParameter, OnlyOneGroup
from visavis.inputs import Grouped
from visavis.kernel import check_sparse, kernel_at, resolve_width
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Booleans, Compute, Floats, Frame, Integers, Points
from visavis.select.facts import Facts, Sequences
from visavis.select.problem import Problem

Part = tuple[int, ...]  # the cells whose documents take part


@dataclass(eq=False)
class Session:
    """Points in groups and cells, under one or several frames; any sequence of questions is answered like a fresh one.

    `order` holds the rows of the points, sorted by group; `bounds` where each group begins; `cells` the cell of each
    (its fold, for instance). Sums over cells add up: `Part` names those that take part. `frames` differ in γ alone.
    """

    points: Points
    labels: Any
    order: Integers
    bounds: Integers
    cells: Integers
    frames: tuple[Frame, ...]
    engine: Engine
    compute: Compute
    sequences: Sequences = field(default_factory=Sequences, repr=False)
    _bound: dict[Part, tuple[int, Problem]] = field(default_factory=dict, repr=False)
    _orders: dict[Part, Integers] = field(default_factory=dict, repr=False)
    _sums: Floats | None = field(default=None, repr=False)

    @property
    def everything(self) -> Part:
        """All cells."""
        return tuple(range(self.n_cells))

    @property
    def n_cells(self) -> int:
        """How many cells there are."""
        return int(self.cells.max()) + 1

    @property
    def n_groups(self) -> int:
        """G."""
        return len(self.bounds) - 1

    @property
    def gamma(self) -> float:
        """γ of the first frame."""
        return self.frames[0].gamma

    def part_order(self, part: Part | None = None) -> Integers:
        """The rows of the points behind the documents of a part."""
        chosen = self.everything if part is None else part
        if chosen not in self._orders:
            self._orders[chosen] = self.order[self._places(chosen)]
        return self._orders[chosen]

    def problem(
        self,
        *,
        frame: int = 0,
        part: Part | None = None,
        allowed: Booleans | None = None,
        pinned: Collection[int] = (),
    ) -> Problem:
        """The search among the documents of a part; `allowed` and `pinned` speak of rows of the points.

        Of each part the pairs at the γ asked for last are kept.
        """
        chosen = self.everything if part is None else part
        kept = self._bound.get(chosen)
        if kept is None or kept[0] != frame:
            kept = self._bound[chosen] = frame, self._bind(chosen, frame)
        found = kept[1]
        order = self.part_order(part)
        usable = np.ones(len(order), np.bool_) if allowed is None else np.asarray(allowed, np.bool_)[order]
        pins = _pins_by_group(pinned, order, found.bounds, usable)
        who = (chosen, hashlib.blake2b(usable.tobytes(), digest_size=16).digest(), pins)
        return Problem(
            found.pairs, found.vectors, found.names, found.bounds, found.weights, usable, found.compute, pins,
            found.sums, found.facts, self.sequences, who, frame,
        )  # fmt: skip

    def _places(self, part: Part | None) -> Integers:
        """Which documents take part."""
        if part is None or part == self.everything:
            return np.arange(len(self.order))
        return np.flatnonzero(np.isin(self.cells, part))

    def _bind(self, part: Part, frame: int) -> Problem:
        places, order = self._places(part), self.part_order(part)
        codes = np.searchsorted(self.bounds, places, side="right") - 1
        counts = np.bincount(codes, minlength=self.n_groups)
        chosen = self.frames[frame]
        pairs = self.engine.bind(chosen.kernel, self.engine.place(self.points.vectors, order), chosen)
        bounds = np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)
        weights = self.points.weights[order]
        alone = len(self.frames) == 1 and part == self.everything == (0,)
        return Problem(
            pairs=pairs,
            vectors=DocumentVectors(self.points.vectors, order),
            names=tuple(repr(label) for label in self.labels.tolist()),
            bounds=bounds,
            weights=weights,
            allowed=np.ones(len(order), np.bool_),
            compute=self.compute,
            pinned=((),) * self.n_groups,
            sums=(lambda: pairs.sums(indicators(codes, weights, self.n_groups)))
            if alone
            else (lambda: self._part_sums(part, frame)),
            facts=Facts(),
        )

    def _part_sums(self, part: Part, frame: int) -> Floats:
        """Σ_{j∈g} w_j k(x_i, x_j) over a part's own documents, at one γ; shape (part, G)."""
        if self._sums is None:
            self._sums = self._all_sums()
        places = self._places(part)
        return np.asarray(self._sums[frame][places][:, list(part)].sum(axis=1))

    def _all_sums(self) -> Floats:
        """The sums over every group inside every cell, for every γ: one pass; shape (γ, N, cells, G)."""
        n, weights = len(self.order), self.points.weights[self.order]
        codes = np.repeat(np.arange(self.n_groups), np.diff(self.bounds))
        columns = indicators(self.cells * self.n_groups + codes, weights, self.n_cells * self.n_groups)
        placed = self.engine.place(self.points.vectors, self.order)
        if len(self.frames) == 1:
            sums = self.engine.bind(self.frames[0].kernel, placed, self.frames[0]).sums(columns)[None]
        else:
            widest = max(self.frames, key=lambda frame: frame.gamma)
            sums = self.engine.bind(widest.kernel, placed, widest).sums(columns, [f.gamma for f in self.frames])
        return np.asarray(sums.reshape(len(self.frames), n, self.n_cells, self.n_groups))


def pose(
    points: Points,
    grouped: Grouped,
    *,
    kernel: Any = "rbf",
    gamma: float | str | Sequence[float] = "median",
    cells: Integers | None = None,
    engine: Engine | None = None,
    compute: Compute | None = None,
) -> Session:
    """A session on these points; those of weight 0, and those without a group (code −1), take no part.

    `gamma` may be several numbers: their sums come from one pass. `cells` (one number a point) divide the documents
    into parts whose sums are kept apart. Raises InvalidParameter for a γ or vectors that cannot be used.
    """
    compute = compute or Compute()
    engine = engine or LocalEngine(compute)
    present = np.flatnonzero((points.weights > 0) & (grouped.codes >= 0))
    found, codes = np.unique(grouped.codes[present], return_inverse=True)
    order = present[np.argsort(codes, kind="stable")].astype(np.intp)
    bounds = np.concatenate([[0], np.cumsum(np.bincount(codes))]).astype(np.intp)
    check_sparse(not isinstance(points.vectors, np.ndarray), kernel)
    widths = [gamma] if isinstance(gamma, str) or np.ndim(gamma) == 0 else list(gamma)  # type: ignore[arg-type]
    frames = tuple(_frame(kernel, width, points, order, compute) for width in widths)
    if len(found) == 1:
        warnings.warn(
            "there is only one group, so there is nothing to tell it apart from: contrast plays no part",
            OnlyOneGroup,
            stacklevel=3,
        )
    folds = np.zeros(len(order), np.intp) if cells is None else np.asarray(cells, np.intp)[order]
    return Session(points, grouped.labels[found], order, bounds, folds, frames, engine, compute)


def _frame(kernel: Any, gamma: Any, points: Points, order: Integers, compute: Compute) -> Frame:
    vectors = DocumentVectors(points.vectors, order)
    width = resolve_width(gamma, kernel, vectors, points.weights[order])
    return Frame(kernel_at(kernel, width), width, 1.0 / width if gamma == "median" else None, None, compute.dtype)


def indicators(codes: Integers, weights: Floats, n_columns: int) -> Floats:
    """The weight of each document in the column of its code, 0 elsewhere; shape (N, columns)."""
    columns = np.zeros((len(codes), n_columns))
    columns[np.arange(len(codes)), codes] = weights
    return columns


def _pins_by_group(
    pinned: Collection[int], order: Integers, bounds: Integers, usable: Booleans
) -> tuple[tuple[int, ...], ...]:
    groups: list[list[int]] = [[] for _ in range(len(bounds) - 1)]
    place = {int(row): at for at, row in enumerate(order)} if pinned else {}
    for row in dict.fromkeys(pinned):
        if row not in place:
            raise InvalidParameter(f"pinned document {row} is not among the documents that count")
        if not usable[place[row]]:
            raise InvalidParameter(f"pinned document {row} is also forbidden: pin it or ban it, not both")
        groups[int(np.searchsorted(bounds, place[row], side="right")) - 1].append(place[row])
    return tuple(map(tuple, groups))
