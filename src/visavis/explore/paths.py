"""The contrast path: for every document the contrasts at which greedy search picks it, for all contrasts in one go.

For fixed picks S of a group every candidate's gain is a line in the contrast λ:

    g_i(λ) = [2(A + a_i) − 2λ(B + b_i)]/(m+1) − (1 − λ)(P + 2 s_i + k_ii)/(m+1)² + what all candidates share,

with A, B, P the sums of a, b and k over S and s_i = Σ_{j∈S} k_ij. The best candidate over an interval is therefore the
upper envelope of lines: where one is best at both ends it is best between them, where two are, they change places at
their intersection unless a third is better there. Each piece is then divided again by the next pick.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from visavis.explore.moves import quick_picks
from visavis.explore.query import State
from visavis.explore.scene import Scene
from visavis.explore.views import document_record
from visavis.records import Floats
from visavis.select.objectives.mmd import merit
from visavis.select.problem import Problem
from visavis.select.ties import first_best_document

LOWEST, HIGHEST = 0.0, 0.99
FINEST = 1e-6  # of the contrast: pieces are not divided further


@dataclass(frozen=True)
class Piece:
    """An interval of contrasts, and what is picked all along it, in order."""

    low: float
    high: float
    picks: tuple[int, ...]


def contrast_path(scene: Scene, ground: Scene, state: State) -> dict[str, Any]:
    """The path as the page draws it."""
    selection = quick_picks(scene, state).selection
    sizes = np.bincount(selection.owner, minlength=len(scene.names)).tolist()
    groups = []
    for group, name in enumerate(scene.names):
        pieces = group_path(selection.problem, group, sizes[group])
        intervals = intervals_of(pieces)
        documents = [
            {**document_record(scene, int(selection.order[pick])), "intervals": found}
            for pick, found in sorted(intervals.items(), key=lambda item: (item[1][0][0], -_length(item[1])))
        ]
        for document in documents:
            document["row"] = ground.rows.get(document["id"])
        groups.append({"name": name, "documents": documents})
    return {"groups": groups}


def _length(intervals: list[tuple[float, float]]) -> float:
    return sum(high - low for low, high in intervals)


def group_path(problem: Problem, group: int, size: int) -> list[Piece]:
    """What greedy search picks of a group at every contrast, as pieces from the lowest to the highest."""
    pinned = problem.pinned[group]
    pieces = [Piece(LOWEST, HIGHEST, pinned)]
    ends = merit(problem, LOWEST)[problem.rows(group)], merit(problem, HIGHEST)[problem.rows(group)]
    for _ in range(size - len(pinned)):
        known: dict[tuple[int, ...], _Lines] = {}
        divided: list[Piece] = []
        for piece in pieces:
            if piece.picks not in known:
                known[piece.picks] = _Lines.of(problem, group, piece.picks, *ends)
            found = known[piece.picks].divide(piece)
            divided += [Piece(low, high, (*piece.picks, pick)) for low, high, pick in found]
        pieces = divided
    return pieces


def intervals_of(pieces: list[Piece]) -> dict[int, list[tuple[float, float]]]:
    """For every document the intervals in which it is among the picks, joined where they touch."""
    found: dict[int, list[tuple[float, float]]] = {}
    for piece in pieces:
        for pick in piece.picks:
            own = found.setdefault(pick, [])
            if own and own[-1][1] == piece.low:
                own[-1] = (own[-1][0], piece.high)
            else:
                own.append((piece.low, piece.high))
    return found


@dataclass(frozen=True, eq=False)
class _Lines:
    """The gains of a group's documents beside some picks, at both ends of the path: lines between them."""

    problem: Problem
    group: int
    at_low: Floats
    at_high: Floats
    open: Any

    @classmethod
    def of(cls, problem: Problem, group: int, picks: tuple[int, ...], low: Floats, high: Floats) -> _Lines:
        rows, count = problem.rows(group), len(picks) + 1
        columns = [problem.group_column(pick) for pick in picks]
        similarity = np.sum(columns, axis=0) if columns else np.zeros(rows.stop - rows.start)
        own = np.array([pick - rows.start for pick in picks], np.intp)
        pairs = float(similarity[own].sum())
        raised = pairs + 2.0 * similarity + problem.pairs.diagonal[rows]

        def gains(merits: Floats, contrast: float) -> Floats:
            repulsion = 1.0 - contrast
            value = 2.0 * (merits[own].sum() + merits) / count - repulsion * raised / count**2
            before = 2.0 * merits[own].sum() / len(own) - repulsion * pairs / len(own) ** 2 if len(own) else 0.0
            return np.asarray(value - before)

        return cls(problem, group, gains(low, LOWEST), gains(high, HIGHEST), problem.open_beside(group, picks))

    def divide(self, piece: Piece) -> list[tuple[float, float, int]]:
        """The piece by the document that is best in each part of it."""
        return self._between(piece.low, self._best(piece.low), piece.high, self._best(piece.high))

    def _between(self, low: float, first: int, high: float, last: int) -> list[tuple[float, float, int]]:
        if first == last:
            return [(low, high, first)]
        at = min(max(self._crossing(first, last), low), high)
        best = self._best(at)
        if best in (first, last) or high - low < FINEST or at in (low, high):
            return [part for part in ((low, at, first), (at, high, last)) if part[1] > part[0]]
        left, right = self._between(low, first, at, best), self._between(at, best, high, last)
        (start, _, _), (_, end, _) = left[-1], right[0]  # the one that is best at the crossing lies on both sides of it
        return [*left[:-1], (start, end, best), *right[1:]]

    def _best(self, contrast: float) -> int:
        share = (contrast - LOWEST) / (HIGHEST - LOWEST)
        gains = (1.0 - share) * self.at_low + share * self.at_high
        start = self.problem.rows(self.group).start
        return int(start) + first_best_document(self.problem, start, gains, self.open)

    def _crossing(self, one: int, other: int) -> float:
        start = self.problem.rows(self.group).start
        low = self.at_low[one - start] - self.at_low[other - start]
        high = self.at_high[one - start] - self.at_high[other - start]
        share = low / (low - high) if low != high else 0.5
        return float(LOWEST + share * (HIGHEST - LOWEST))
