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
from visavis.records import Booleans, Compute, Floats, Frame, Integers, Points, Sample
from visavis.select.facts import Facts, Sequences
from visavis.select.places import check_cells, pins_by_group
from visavis.select.problem import Problem
from visavis.select.sampling import SAMPLE, check_exact, draw_sample, indicators, is_too_much, sums_of
from visavis.shared.hashing import Keys, hash_ids, hash_rows

Part = tuple[int, ...]  # the cells whose documents take part

MOST_PARTS = 2  # whose pairs are kept
ONLY_ONE = "there is only one group, so there is nothing to tell it apart from: contrast plays no part"


@dataclass(eq=False)
class Session:
    """Points in groups and cells, under one or several frames; any sequence of questions is answered like a fresh one
    (numbers to the last few bits), and several may be asked at once, from several threads.

    `order` holds the rows of the points, sorted by group; `bounds` where each group begins; `cells` the cell of each
    (its fold, for instance). Sums over cells add up: `Part` names those that take part. `frames` differ in γ alone.
    Where there are `keys`, means are taken over samples, which are drawn by them: a number for each point.
    """

    points: Points
    labels: Any
    order: Integers
    bounds: Integers
    cells: Integers
    frames: tuple[Frame, ...]
    engine: Engine
    compute: Compute
    keys: Keys | None = field(default=None, repr=False)
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
        pins = pins_by_group(pinned, order, found.bounds, usable)
        key = (chosen, hashlib.blake2b(usable.tobytes(), digest_size=16).digest(), pins)
        return Problem(
            found.pairs, found.vectors, found.names, found.bounds, found.weights, usable, found.stories, found.compute,
            pins, found.sums, found.facts, self.sequences, key, frame, found.origins, found.sample, found.within,
        )  # fmt: skip

    def tell_sums(self, sums: Floats) -> None:
        """Make known what each point sums up to with each group, Σ_{j∈g} w_j k(x_i, x_j), shape (points, G), at the
        first γ and over all cells: no pass over the pairs is made for it."""
        if sums.shape != (len(self.points.weights), self.n_groups):
            raise InvalidParameter(f"sums have shape {sums.shape}, not {len(self.points.weights)} points by groups")
        self._kept(self.everything, 0).know_sums(sums[self.part_order()])

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
        sample = self._sample(places, codes, weights)

        def sums() -> Floats:
            if not alone:
                return self._part_sums(part, frame)
            return sums_of(pairs, sample, codes, weights, self.n_groups)

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
            sums=sums,
            facts=Facts(self.compute.memory_mb),
            origins=None if self.points.origins is None else self.points.origins[order],
            sample=sample,
            within=None if sample is None else (lambda: self._bind_sample(order, codes, sample, chosen)),
        )

    def _sample(self, places: Integers, codes: Integers, weights: Floats) -> Sample | None:
        """What stands for these documents; of every group in every cell as much is drawn."""
        if self.keys is None:
            return None
        parts = self.cells[places] * self.n_groups + codes
        return draw_sample(self.keys[self.order[places]], parts, weights, max(1, SAMPLE // self.n_cells))

    def _bind_sample(self, order: Integers, codes: Integers, sample: Sample, frame: Frame) -> Problem:
        """The sample as documents of its own, which is all that a search among points of the space looks at."""
        rows = order[sample.rows]
        pairs = self.engine.bind(frame.kernel, self.engine.place(self.points.vectors, rows), frame)
        counts = np.bincount(codes[sample.rows], minlength=self.n_groups)
        return Problem(
            pairs=pairs,
            vectors=DocumentVectors(self.points.vectors, rows),
            names=tuple(repr(label) for label in self.labels.tolist()),
            bounds=np.concatenate([[0], np.cumsum(counts)]).astype(np.intp),
            weights=sample.weights,
            allowed=np.ones(len(rows), np.bool_),
            stories=self.points.stories[rows],
            compute=self.compute,
            pinned=((),) * self.n_groups,
            sums=lambda: pairs.sums(indicators(codes[sample.rows], sample.weights, self.n_groups)),
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
        parts, n_parts = self.cells * self.n_groups + codes, self.n_cells * self.n_groups
        placed = self.engine.place(self.points.vectors, self.order)
        if len(self.frames) == 1 or self.keys is not None:
            sample = self._sample(np.arange(n), codes, weights)
            bound = (self.engine.bind(frame.kernel, placed, frame) for frame in self.frames)
            sums = np.stack([sums_of(pairs, sample, parts, weights, n_parts) for pairs in bound])
        else:
            columns = indicators(parts, weights, n_parts)
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
    exact: str | bool = "yes",
    ids: Sequence[str] | None = None,
) -> Session:
    """A session on these points; those of weight 0, and those without a group (code −1), take no part.

    `gamma` may be several numbers: their sums come from one pass. `cells` (one number a point) divide the documents
    into parts whose sums are kept apart. With `exact` "no", or "auto" and very many documents, means are taken over a
    sample of each group, drawn by hash of the `ids`, or of the vectors where there are none.
    Raises InvalidParameter for a γ or vectors that cannot be used.
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
        warnings.warn(ONLY_ONE, OnlyOneGroup, stacklevel=3)
    folds = np.zeros(len(order), np.intp) if cells is None else check_cells(cells, len(points.weights))[order]
    keys = None
    if _is_sampled(exact, points, len(order), frames[0], engine):
        keys = hash_rows(points.vectors) if ids is None else hash_ids(ids)
    return Session(points, grouped.labels[found], order, bounds, folds, frames, engine, compute, keys)


def _is_sampled(exact: str | bool, points: Points, n_documents: int, frame: Frame, engine: Engine) -> bool:
    """Whether a sample stands for the documents; a matrix of similarities that is there already is looked at whole."""
    word = check_exact(exact)
    if word == "auto":
        large = is_too_much(n_documents, points.vectors.shape[1], engine.reach)
        return large and not frame.kernel.abilities.precomputed
    return word == "no"


def _frame(kernel: Any, gamma: Any, points: Points, order: Integers, compute: Compute) -> Frame:
    vectors = DocumentVectors(points.vectors, order)
    width = resolve_width(gamma, kernel, vectors, points.weights[order])
    median = 1.0 / width if gamma == "median" and needs_gamma(kernel) else None
    return Frame(kernel_at(kernel, width), width, median, None, compute.dtype)
