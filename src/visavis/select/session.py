"""A comparison that can be asked again and again: documents bound to a kernel, their sums made once and kept."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

import numpy as np

from visavis.contracts import Engine
from visavis.engines.local import LocalEngine
from visavis.errors import InvalidParameter, OnlyOneGroup, TooFewDocuments
from visavis.inputs import Grouped
from visavis.kernel import check_sparse, kernel_at, needs_gamma, resolve_width
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Booleans, Compute, Floats, Frame, Integers, Points
from visavis.select.facts import Facts, Sequences
from visavis.select.problem import Problem

Part = tuple[int, ...]  # the cells whose documents take part

MOST_PARTS = 2  # whose pairs are kept


@dataclass(eq=False)
class Session:
    """Points in groups and cells, under one or several frames; any sequence of questions is answered like a fresh one
    (numbers to the last few bits), and several may be asked at once, from several threads.

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
    _lock: Any = field(default_factory=RLock, repr=False)

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

        The pairs of the last few parts are kept, at the γ asked for last. Raises InvalidParameter for a part, frame or
        mark that there is not.
        """
        chosen = self._checked(part, frame)
        found = self._kept(chosen, frame)
        order = self.part_order(chosen)
        usable = np.ones(len(order), np.bool_) if allowed is None else self._marks(allowed)[order]
        pins = _pins_by_group(pinned, order, found.bounds, usable)
        key = (chosen, hashlib.blake2b(usable.tobytes(), digest_size=16).digest(), pins)
        return Problem(
            found.pairs, found.vectors, found.names, found.bounds, found.weights, usable, found.stories, found.compute,
            pins, found.sums, found.facts, self.sequences, key, frame, found.origins,
        )  # fmt: skip

    def _checked(self, part: Part | None, frame: int) -> Part:
        if not 0 <= frame < len(self.frames):
            raise InvalidParameter(f"there is no frame {frame}: the session has {len(self.frames)}")
        if part is None:
            return self.everything
        if not part or not set(part) <= set(self.everything):
            raise InvalidParameter(f"part {part!r} names cells that are not there: they are {self.everything}")
        return tuple(sorted(set(part)))

    def _marks(self, allowed: Booleans) -> Booleans:
        marks = np.asarray(allowed, np.bool_)
        if marks.shape != self.points.weights.shape:
            raise InvalidParameter(f"allowed has shape {marks.shape} but there are {len(self.points.weights)} points")
        return marks

    def _kept(self, part: Part, frame: int) -> Problem:
        with self._lock:
            kept = self._bound.pop(part, None)
            if kept is None or kept[0] != frame:
                kept = frame, self._bind(part, frame)
            self._bound[part] = kept
            while len(self._bound) > MOST_PARTS:
                del self._bound[next(iter(self._bound))]
            return kept[1]

    def _places(self, part: Part | None) -> Integers:
        """Which documents take part."""
        if part is None or part == self.everything:
            return np.arange(len(self.order))
        return np.flatnonzero(np.isin(self.cells, part))

    def _bind(self, part: Part, frame: int) -> Problem:
        places, order = self._places(part), self.part_order(part)
        codes = np.searchsorted(self.bounds, places, side="right") - 1
        counts = np.bincount(codes, minlength=self.n_groups)
        if counts.min() == 0:
            name = self.labels.tolist()[int(counts.argmin())]
            raise TooFewDocuments(
                f"group {name!r} has no document in the cells {part}: take more cells, or merge groups"
            )
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
            stories=self.points.stories[order],
            compute=self.compute,
            pinned=((),) * self.n_groups,
            sums=(lambda: pairs.sums(indicators(codes, weights, self.n_groups)))
            if alone
            else (lambda: self._part_sums(part, frame)),
            facts=Facts(),
            origins=None if self.points.origins is None else self.points.origins[order],
        )

    def _part_sums(self, part: Part, frame: int) -> Floats:
        """Σ_{j∈g} w_j k(x_i, x_j) over a part's own documents, at one γ; shape (part, G)."""
        with self._lock:
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
            narrowest = max(self.frames, key=lambda frame: frame.gamma)
            sums = self.engine.bind(narrowest.kernel, placed, narrowest).sums(columns, [f.gamma for f in self.frames])
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
    if len(present) == 0:
        raise InvalidParameter("no point has a weight and a group: there is nothing to pick from")
    there = np.bincount(grouped.codes[present]) > 0
    found, codes = np.flatnonzero(there), (np.cumsum(there) - 1)[grouped.codes[present]]
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
    folds = np.zeros(len(order), np.intp) if cells is None else _check_cells(cells, len(points.weights))[order]
    return Session(points, grouped.labels[found], order, bounds, folds, frames, engine, compute)


def _check_cells(cells: Integers, n_points: int) -> Integers:
    numbers = np.asarray(cells)
    if numbers.shape != (n_points,) or numbers.dtype.kind not in "iu" or numbers.min(initial=0) < 0:
        raise InvalidParameter(f"cells must hold a number of at least 0 for each of {n_points} points")
    return numbers.astype(np.intp)


def _frame(kernel: Any, gamma: Any, points: Points, order: Integers, compute: Compute) -> Frame:
    vectors = DocumentVectors(points.vectors, order)
    width = resolve_width(gamma, kernel, vectors, points.weights[order])
    median = 1.0 / width if gamma == "median" and needs_gamma(kernel) else None
    return Frame(kernel_at(kernel, width), width, median, None, compute.dtype)


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
