"""What all methods, settings and folds of a split have in common, computed once.

The training part stands sorted by group. One pass over its pairs gives, for every γ at once, how similar each document
is with each group inside each fold; the sums that any fold needs are sums of those. Greedy runs are nested in size and
serve as beginnings of other searches; k-means centers serve every γ and contrast. All of that is the session's.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from visavis.evaluate.classifiers.contract import Geometry
from visavis.evaluate.grid import Setting
from visavis.evaluate.measures import percentiles, share_set_aside, variety
from visavis.evaluate.plan import Plan
from visavis.evaluate.source import Source
from visavis.evaluate.splits import fold_numbers
from visavis.evaluate.worthy import SplitCandidates
from visavis.inputs import Grouped
from visavis.kernel import resolve_width
from visavis.kernel.vectors import NOISE, DocumentVectors, squared_norms
from visavis.records import Compute, Floats, Integers, Points
from visavis.select.methods import row_of
from visavis.select.session import Part, Session, pose

COMPUTE = Compute("float32", 1, 512)


class Shared:
    """One split. Part f < folds is the training part without fold f, asked about fold f; the last part is all of it.

    `candidates` are what the source says of the split, where that is known already.
    """

    def __init__(self, source: Source, plan: Plan, split: int, candidates: SplitCandidates | None = None) -> None:
        rows = source.splits[split]
        self.source, self.plan, self.split, self.names = source, plan, split, source.names
        self.vectors = source.of_split(split, plan)
        self.codes = source.codes
        self.test = rows.test
        by_group = np.argsort(source.codes[rows.train], kind="stable")
        self.train: Integers = rows.train[by_group]
        blocks = None if source.blocks is None else source.blocks.codes[rows.train]
        self.folds: Integers = fold_numbers(source.codes[rows.train], plan, split, blocks)[by_group]
        self.gammas = self._gammas()
        self.candidates = source.candidates(split, plan) if candidates is None else candidates
        self.memo: dict[Hashable, Any] = {}

    @cached_property
    def session(self) -> Session:
        """The training part at every γ, its cells being the folds."""
        return self._pose(self.train, self.folds)

    def _pose(self, train: Integers, numbers: Integers) -> Session:
        groups, folds = np.full(len(self.codes), -1), np.zeros(len(self.codes), np.intp)
        groups[train], folds[train] = self.codes[train], numbers
        grouped = Grouped(np.array(self.names, dtype=object), groups)
        points = Points.of(self.vectors)
        points = points if self.candidates is None else replace(points, stories=self.candidates.stories)
        return pose(points, grouped, gamma=self.gammas, cells=folds, compute=COMPUTE)

    def room(self, part: int) -> Integers | None:
        """How many documents of each group may be picked in a part; None where all may; shape (G,)."""
        return None if self.candidates is None else self._room(self.candidates, part)

    def _room(self, candidates: SplitCandidates, part: int) -> Integers:
        return candidates.room(self.train[self.places(part)], self.codes, self.n_groups)

    def about_candidates(self) -> dict[str, Any]:
        """For the journal, where not all may be picked: how many may, and how many of each group.

        `without` is how many folds leave a group none beside what they hold out.
        """
        if self.candidates is None:
            return {}
        *parts, whole = (self._room(self.candidates, part) for part in (*self.parts, self.whole))
        without = sum(not room.all() for room in parts)
        return {"candidates": {"count": int(self.candidates.allowed.sum()), "room": whole.tolist(), "without": without}}

    def session_of(self, part: int) -> Session:
        """What a part's picks are made in: groups of which none may be picked there drop out, as in a comparison."""
        room = self.room(part)
        if room is None or room.all():
            return self.session
        key = ("session", room.nonzero()[0].tobytes())
        if key not in self.memo:
            left = room[self.codes[self.train]] > 0
            self.memo[key] = self._pose(self.train[left], self.folds[left])
        found: Session = self.memo[key]
        return found

    @cached_property
    def typicality(self) -> Floats:
        """Where each training document stands in its group by mean similarity with it, 0 to 1; NaN for others; (N,).

        The sums are those that the session keeps for all settings, at one γ for all methods.
        """
        problem = self.session.problem(frame=self._usual_frame(), part=self.cells(self.whole))
        rows = self.session.part_order(self.cells(self.whole))
        groups, found = self.codes[rows], np.full(len(self.codes), np.nan)
        found[rows] = percentiles(problem.similarity_sums()[np.arange(len(rows)), groups], groups)
        return found

    def measure(self, picks: Integers, size: int) -> dict[str, float | None]:
        """What the picks of the whole training part are worth to a reader; single picks have no variety."""
        return {
            "variety": variety(self.source.terms, picks, self.codes[picks]) if size > 1 else None,
            "typicality": float(self.typicality[picks].mean()) if len(picks) and self._meets_pairs else None,
            "set_aside": share_set_aside(self.source.worthy, picks),
        }

    @property
    def _meets_pairs(self) -> bool:
        """Whether some method needs the sums over all pairs: for typicality alone they are not made."""
        return any(row_of(method).uses_kernel for method in self.plan.methods)

    def cells(self, part: int) -> Part:
        """The folds that take part."""
        return tuple(fold for fold in self.parts if fold != part)

    @property
    def parts(self) -> range:
        """The folds, by number; the part after them is the whole training part."""
        return range(self.plan.folds)

    @property
    def whole(self) -> int:
        """The number of the part that is the whole training part."""
        return self.plan.folds

    @property
    def n_groups(self) -> int:
        """G."""
        return len(self.names)

    def places(self, part: int) -> Integers:
        """Which documents of the sorted training part can be picked in a part."""
        return np.flatnonzero(self.folds != part)

    def unseen(self, part: int) -> Integers:
        """Rows that the picks of a part are asked about."""
        return self.test if part == self.whole else self.train[self.folds == part]

    def geometry(self, part: int, picks: Integers) -> Geometry:
        """Squared distances from a part's unseen documents to picks, and among picks."""
        chosen = self._centered(self.whole + 1)[picks]
        unseen = self._centered(part)
        norms, unseen_norms = squared_norms(chosen), self._norms(part)
        among, across = _expanded(chosen, norms, chosen, norms), _expanded(unseen, unseen_norms, chosen, norms)
        return Geometry(among, across, self.codes[picks], NOISE * (unseen_norms + norms.max()))

    def truth(self, part: int) -> Integers:
        """The groups of a part's unseen documents."""
        return self.codes[self.unseen(part)]

    def gamma_of(self, setting: Setting) -> float | None:
        """The γ of a setting as a number."""
        return None if setting.gamma is None else self.gammas[setting.gamma]

    def _centered(self, part: int) -> Floats:
        """A part's unseen documents less the training part's mean, or all documents for the number after the last."""
        key = ("centered", part)
        if key not in self.memo:
            rows = slice(None) if part > self.whole else self.unseen(part)
            self.memo[key] = self.vectors[rows] - self.vectors[self.train].mean(axis=0)
        found: Floats = self.memo[key]
        return found

    def _norms(self, part: int) -> Floats:
        key = ("norms", part)
        if key not in self.memo:
            self.memo[key] = squared_norms(self._centered(part))
        found: Floats = self.memo[key]
        return found

    def _usual_frame(self) -> int:
        """The place of the γ nearest to 1 / median d²; of the middle one where the grid's are absolute."""
        grid = self.plan.search
        if grid.absolute:
            return len(grid.gammas) // 2
        return int(np.argmin(np.abs(np.log(grid.gammas))))

    def _gammas(self) -> tuple[float, ...]:
        grid = self.plan.search
        if grid.absolute:
            return grid.gammas
        everyone = DocumentVectors(self.vectors, np.sort(self.train))
        unit = resolve_width("median", "rbf", everyone, np.ones(len(self.train)))
        return tuple(unit * multiple for multiple in grid.gammas)


def _expanded(rows: Floats, row_norms: Floats, points: Floats, point_norms: Floats) -> Floats:
    """‖x − p‖² of centered vectors in float64; what may be rounding alone is 0."""
    norms = row_norms[:, None] + point_norms[None, :]
    distances: Floats = rows @ points.T
    distances *= -2.0
    distances += norms
    if distances.size and distances.min() < NOISE * norms.max():
        distances[distances < NOISE * norms] = 0.0
    return distances
