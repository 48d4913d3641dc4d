"""Nearest neighbor: every document is worth its similarity with the nearest pick of its group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from visavis.kernel.threads import blocks, ordered_map, upper_tiles
from visavis.records import Array, Floats, Integers, Problem, Settings

TILE = 512
ROWS, COLUMNS = 1024, 256


@dataclass(frozen=True)
class Nearest:
    """U_g(S) = Σ_{i∈g} w_i max_{s∈S} Sim(i, s), Sim = (largest distance within the group) − distance.

    Kernels without a distance serve as Sim themselves, shifted to be ≥ 0 within the group. Monotone submodular.
    """

    name: str = "nearest"

    def start(self, problem: Problem) -> _State:
        """Nothing picked, all groups."""
        empty = tuple(_Group((), np.zeros((0, rows.stop - rows.start))) for rows in _group_rows(problem))
        return _State(problem, empty)

    def gains(self, state: _State, group: int) -> Floats:
        """What each document would add; the first pick is answered by the survey of all pairs."""
        rows = state.problem.rows(group)
        if not state.groups[group].picks:
            survey = survey_of(state.problem, group)
            return survey.sums - survey.floor * float(state.problem.weights[rows].sum())
        return self.gains_among(state, group, np.arange(rows.start, rows.stop))

    def gains_among(self, state: _State, group: int, candidates: Integers) -> Floats:
        """Σ_i w_i max(0, Sim(i, c) − best_i) for these documents c alone."""
        problem, survey = state.problem, survey_of(state.problem, group)
        best = state.groups[group].best + survey.floor
        weights, unit = _unit_weights(problem, group)
        cut = blocks(len(weights), ROWS)

        def work(part: slice) -> Floats:
            total = np.zeros(part.stop - part.start)
            for rows in cut:  # small enough that a tile stays in the cache from product to sum
                rise = survey.proximity(problem, group, rows, candidates[part])
                rise -= best[rows, None].astype(rise.dtype)
                total += weights[rows].astype(rise.dtype) @ np.maximum(rise, 0.0, out=rise)
            return total * unit

        parts = ordered_map(work, blocks(len(candidates), COLUMNS), problem.compute.threads)
        return np.concatenate([np.zeros(0), *parts])

    def add(self, state: _State, document: int) -> _State:
        """One more pick: one column of similarities."""
        group = state.problem.group_of(document)
        part = state.groups[group]
        near = np.vstack([part.near, self._similarity(state.problem, group, document)])
        return state.with_group(group, _Group((*part.picks, document), near))

    def swap_gains(self, state: _State, leaving: int) -> Floats:
        """All swaps of a group come from one pass over its pairs, kept until the group changes."""
        group = state.problem.group_of(leaving)
        part = state.groups[group]
        if "swaps" not in part.memo:
            part.memo["swaps"] = self._swap_table(state.problem, group, part)
        return np.asarray(part.memo["swaps"][part.picks.index(leaving)])

    def swap(self, state: _State, leaving: int, entering: int) -> _State:
        """The entering document takes the leaving one's place in the order."""
        group = state.problem.group_of(leaving)
        part = state.groups[group]
        place = part.picks.index(leaving)
        near = part.near.copy()
        near[place] = self._similarity(state.problem, group, entering)
        picks = (*part.picks[:place], entering, *part.picks[place + 1 :])
        return state.with_group(group, _Group(picks, near))

    def trace(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """Each group's value with nothing picked and after each pick, in float64."""
        values = np.zeros((len(sequence) + 1, problem.n_groups))
        for group, rows in enumerate(_group_rows(problem)):
            steps = [k for k, document in enumerate(sequence) if problem.group_of(document) == group]
            if not steps:
                continue
            picks = np.array([sequence[k] for k in steps], np.intp)
            near = problem.kernel.exact_proximity(rows, picks) - survey_of(problem, group).floor
            worth = problem.weights[rows] @ np.maximum.accumulate(near, axis=1)
            for count, step in enumerate(steps):
                values[step + 1 :, group] = worth[count]
        return values

    def shares(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """The weighted similarity of the documents assigned to each pick, the nearest of its group."""
        shares = np.zeros(len(sequence))
        for group, rows in enumerate(_group_rows(problem)):
            own = np.array([k for k, document in enumerate(sequence) if problem.group_of(document) == group], np.intp)
            if len(own):
                near = problem.kernel.exact_proximity(rows, np.array(sequence, np.intp)[own])
                worth = problem.weights[rows] * (near.max(axis=1) - survey_of(problem, group).floor)
                shares[own] = np.bincount(near.argmax(axis=1), weights=worth, minlength=len(own))
        return shares

    def _similarity(self, problem: Problem, group: int, document: int) -> Floats:
        survey, rows = survey_of(problem, group), problem.rows(group)
        everyone = slice(0, rows.stop - rows.start)
        return survey.proximity(problem, group, everyone, np.array([document]))[:, 0].astype(np.float64) - survey.floor

    def _swap_table(self, problem: Problem, group: int, part: _Group) -> Floats:
        """Gain of every swap, (picks, N_g): what the newcomer adds, less what the leaver's own documents lose."""
        rows, survey = problem.rows(group), survey_of(problem, group)
        order = np.sort(part.near, axis=0)
        best, second = order[-1], order[-2] if len(order) > 1 else np.zeros(order.shape[1])
        weights = problem.weights[rows]
        owners = (part.near.argmax(axis=0)[None, :] == np.arange(len(part.picks))[:, None]) * weights
        cut = blocks(len(weights), ROWS)

        def work(candidates: slice) -> Floats:
            columns = np.arange(candidates.start, candidates.stop) + rows.start
            total = np.zeros((len(part.picks), len(columns)))
            for some in cut:
                near = survey.proximity(problem, group, some, columns).astype(np.float64) - survey.floor
                kept = np.maximum(near, best[some, None])
                total += weights[some] @ (kept - best[some, None])
                total += owners[:, some] @ (np.maximum(near, second[some, None]) - kept)
            return total

        parts = ordered_map(work, blocks(len(weights), COLUMNS), problem.compute.threads)
        return np.concatenate(list(parts), axis=1)


def nearest(settings: Settings) -> Nearest:  # noqa: ARG001 (one signature for all objectives)
    """There is nothing to tell it."""
    return Nearest()


@dataclass(frozen=True)
class Survey:
    """What one pass over the pairs of a group tells: Σ_i w_i proximity(i, c), the smallest proximity, maybe all."""

    sums: Floats
    floor: float
    stored: Array | None

    def proximity(self, problem: Problem, group: int, part: slice, candidates: Integers) -> Array:
        """Proximity of a part of the group's documents with these, the caller's to write to."""
        first = problem.rows(group).start
        if self.stored is not None:
            return np.asarray(self.stored[part, candidates - first])
        return problem.kernel.proximity(_shift(part, first), candidates)


def survey_of(problem: Problem, group: int) -> Survey:
    """The survey of a group, made once; its matrix is kept where all groups' matrices fit the memory budget."""
    return problem.remember(("survey", group), lambda: _survey(problem, group))


def _survey(problem: Problem, group: int) -> Survey:
    rows = problem.rows(group)
    n = rows.stop - rows.start
    weights, unit = _unit_weights(problem, group)
    pairs = upper_tiles(n, TILE)
    precision = problem.kernel.proximity(slice(rows.start, rows.start + 1), slice(rows.start, rows.start + 1)).dtype
    keep = problem.compute.fits(int(np.sum(np.diff(problem.bounds) ** 2)), precision.itemsize)
    stored = np.empty((n, n), precision) if keep else None
    sums, lowest = np.zeros(n), (np.inf, 0, 0)

    def work(pair: tuple[slice, slice]) -> tuple[Array, Array | None, float, int]:
        left, right = pair
        tile = problem.kernel.proximity(_shift(left, rows.start), _shift(right, rows.start))
        if stored is not None:
            stored[left, right] = tile
            stored[right, left] = tile.T
        weight = weights.astype(tile.dtype)
        below = None if left == right else weight[left] @ tile
        at = int(tile.argmin())
        return tile @ weight[right], below, float(tile.flat[at]), at

    results = ordered_map(work, pairs, problem.compute.threads)
    for (left, right), (across, below, low, at) in zip(pairs, results, strict=True):
        sums[left] += across
        if below is not None:
            sums[right] += below
        if low < lowest[0]:
            row, column = divmod(at, right.stop - right.start)
            lowest = (low, rows.start + left.start + row, rows.start + right.start + column)
    floor = problem.kernel.exact_proximity(np.array([lowest[1]]), np.array([lowest[2]]))[0, 0]
    return Survey(sums * unit, float(floor), stored)


def _unit_weights(problem: Problem, group: int) -> tuple[Floats, float]:
    """The group's weights with 1 as the largest, which float32 can hold, and what to multiply sums with."""
    weights = problem.weights[problem.rows(group)]
    return weights / weights.max(), float(weights.max())


def _group_rows(problem: Problem) -> list[slice]:
    return [problem.rows(group) for group in range(problem.n_groups)]


def _shift(part: slice, by: int) -> slice:
    return slice(part.start + by, part.stop + by)


@dataclass(frozen=True)
class _Group:
    picks: tuple[int, ...]
    near: Floats  # (picks, N_g): Sim of every document with each pick
    memo: dict[str, Floats] = field(default_factory=dict)

    @property
    def best(self) -> Floats:
        return np.asarray(self.near.max(axis=0, initial=0.0))


@dataclass(frozen=True)
class _State:
    problem: Problem
    groups: tuple[_Group, ...]

    def with_group(self, group: int, part: _Group) -> _State:
        return replace(self, groups=(*self.groups[:group], part, *self.groups[group + 1 :]))
