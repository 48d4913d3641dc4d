"""Nearest neighbor: every document is worth its similarity with the nearest pick of its group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from visavis.kernel.operations import Rise, Survey, Swaps
from visavis.records import Abilities, Floats, Integers, Rows
from visavis.select.objectives.base import BaseObjective
from visavis.select.problem import Problem


@dataclass(frozen=True)
class Nearest(BaseObjective):
    """U_g(S) = Σ_{i∈g} w_i max_{s∈S} Sim(i, s), Sim = (largest distance within the group) − distance.

    Kernels without a distance serve as Sim themselves, shifted to be ≥ 0 within the group. Monotone submodular.
    """

    name: str = "nearest"
    abilities: ClassVar[Abilities] = Abilities(
        swaps=True, lazy=True, separable=True, kernel=False, scans=True, tables=True
    )

    def start(self, problem: Problem) -> _State:
        """Nothing picked, all groups."""
        counts = [len(problem.judged(group)[1]) for group in range(problem.n_groups)]
        return _State(problem, tuple(_Group((), np.zeros((0, count))) for count in counts))

    def gains(self, state: _State, group: int) -> Floats:
        """What each document would add; the first pick is answered by the survey of all pairs."""
        problem = state.problem
        if state.groups[group].picks or problem.sample is not None:
            return _asked(problem, group, lambda tried: self._rises(state, group, tried))
        survey = survey_of(problem, group)
        return survey.sums - survey.floor * float(problem.weights[problem.rows(group)].sum())

    def gains_among(self, state: _State, group: int, candidates: Integers) -> Floats:
        """Σ_i w_i max(0, Sim(i, c) − best_i) for these documents c alone."""
        return self._rises(state, group, candidates)

    def _rises(self, state: _State, group: int, candidates: Rows) -> Floats:
        problem = state.problem
        documents, weights = problem.judged(group)
        operation = Rise(state.groups[group].best + floor_of(problem, group), weights / weights.max())
        (rise,) = problem.pairs.reduce(operation, candidates, documents)
        return rise * float(weights.max())

    def add(self, state: _State, document: int) -> _State:
        """One more pick: one column of similarities."""
        group = state.problem.group_of(document)
        part = state.groups[group]
        near = np.vstack([part.near, self._similarity(state.problem, group, document)])
        return state.with_group(group, _Group((*part.picks, document), near))

    def swap_gains(self, state: _State, leaving: int, candidates: Integers) -> Floats:
        """The column of the leaving pick in the table of all swaps."""
        group = state.problem.group_of(leaving)
        return self.swap_table(state, group, candidates)[:, state.groups[group].picks.index(leaving)]

    def swap_table(self, state: _State, group: int, candidates: Integers) -> Floats:
        """What each candidate adds, less what the documents of the pick that leaves lose; shape (candidates, picks)."""
        problem, part = state.problem, state.groups[group]
        documents, weights = problem.judged(group)
        floor, unit = floor_of(problem, group), float(weights.max())
        owned = (part.owner[None, :] == np.arange(len(part.picks))[:, None]) * (weights / unit)
        operation = Swaps(part.best + floor, part.second + floor, weights / unit, owned)
        return problem.pairs.reduce(operation, candidates, documents)[0] * unit

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
        for group, steps in self._picked(problem, sequence):
            worth = problem.weights[problem.rows(group)] @ np.maximum.accumulate(
                _near(problem, sequence, group, steps), 1
            )
            for count, step in enumerate(steps):
                values[step + 1 :, group] = worth[count]
        return values

    def shares(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """The weighted similarity of the documents assigned to each pick, the nearest of its group."""
        shares = np.zeros(len(sequence))
        for group, steps in self._picked(problem, sequence):
            near = _near(problem, sequence, group, steps)
            worth = problem.weights[problem.rows(group)] * near.max(axis=1)
            shares[steps] = np.bincount(near.argmax(axis=1), weights=worth, minlength=len(steps))
        return shares

    def losses(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """What the documents assigned to each pick lose by falling back to their second nearest."""
        losses = np.zeros(len(sequence))
        for group, steps in self._picked(problem, sequence):
            near = _near(problem, sequence, group, steps)
            order = np.sort(near, axis=1)
            second = order[:, -2] if near.shape[1] > 1 else np.zeros(len(near))
            fall = problem.weights[problem.rows(group)] * (order[:, -1] - second)
            losses[steps] = np.bincount(near.argmax(axis=1), weights=fall, minlength=len(steps))
        return losses

    @staticmethod
    def _picked(problem: Problem, sequence: Sequence[int]) -> list[tuple[int, Integers]]:
        """The groups that have picks, and the places of theirs in the sequence."""
        owner = problem.owners(sequence)
        return [(int(group), np.flatnonzero(owner == group)) for group in np.unique(owner)]

    def _similarity(self, problem: Problem, group: int, document: int) -> Floats:
        near = problem.pairs.proximity(problem.judged(group)[0], np.array([document]))[:, 0]
        return near.astype(np.float64) - floor_of(problem, group)

    def contributions(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """w_i max_{s∈S} Sim(i, s), 0 where a group has no picks."""
        found = np.zeros(problem.n_documents)
        for group, steps in self._picked(problem, sequence):
            rows = problem.rows(group)
            found[rows] = problem.weights[rows] * _near(problem, sequence, group, steps).max(axis=1)
        return found


def _asked(problem: Problem, group: int, ask: Callable[[Rows], Floats]) -> Floats:
    """What is told of the documents of a group that are tried, −∞ for the others; shape (N_g, …)."""
    rows, tried = problem.rows(group), problem.tried(group)
    told = ask(tried)
    if isinstance(tried, slice):
        return told
    found = np.full((rows.stop - rows.start, *told.shape[1:]), -np.inf)
    found[tried - rows.start] = told
    return found


@dataclass(frozen=True)
class Surveyed:
    """What one pass over the pairs of a group tells: Σ_i w_i proximity(i, c), and the smallest proximity."""

    sums: Floats
    floor: float


def survey_of(problem: Problem, group: int) -> Surveyed:
    """The survey of a group, made once; the engine may keep its matrix for the questions that follow."""
    return problem.facts.remember(("survey", group), lambda: _survey(problem, group))


def floor_of(problem: Problem, group: int) -> float:
    """The smallest proximity of two documents of a group, or of its sample."""
    return survey_of(problem.sampled(), group).floor


def _survey(problem: Problem, group: int) -> Surveyed:
    rows = problem.rows(group)
    weights, unit = _unit_weights(problem, group)
    in_all = int(np.sum(np.diff(problem.bounds) ** 2))  # so that all groups' matrices are kept, or none
    sums, least = problem.pairs.reduce(Survey(weights, keeps=in_all), rows, rows)
    first = rows.start + int(least.argmin())
    second = rows.start + int(problem.pairs.proximity(np.array([first]), rows)[0].argmin())
    floor = problem.pairs.proximity(np.array([first]), np.array([second]), exact=True)[0, 0]
    return Surveyed(sums * unit, float(floor))


def _near(problem: Problem, sequence: Sequence[int], group: int, steps: Integers) -> Floats:
    """Sim of a group's documents with its picks, in float64; shape (N_g, picks)."""
    picks = np.asarray(sequence, np.intp)[steps]
    near = problem.pairs.proximity(problem.rows(group), picks, exact=True)
    return np.asarray(near - floor_of(problem, group))


def _unit_weights(problem: Problem, group: int) -> tuple[Floats, float]:
    """The group's weights with 1 as the largest, which float32 can hold, and what to multiply sums with."""
    weights = problem.weights[problem.rows(group)]
    return weights / weights.max(), float(weights.max())


@dataclass(frozen=True)
class _Group:
    """The picks of a group, and Sim of every document with each of them, (picks, N_g)."""

    picks: tuple[int, ...]
    near: Floats

    @cached_property
    def best(self) -> Floats:
        return np.asarray(self.near.max(axis=0, initial=0.0))

    @cached_property
    def owner(self) -> Integers:
        """The nearest pick of each document, by its place."""
        return np.asarray(self.near.argmax(axis=0))

    @cached_property
    def second(self) -> Floats:
        """Sim with the second nearest pick, 0 where there is one pick."""
        if len(self.picks) < 2:
            return np.zeros(self.near.shape[1])
        return np.asarray(np.partition(self.near, -2, axis=0)[-2])


@dataclass(frozen=True)
class _State:
    problem: Problem
    groups: tuple[_Group, ...]

    def with_group(self, group: int, part: _Group) -> _State:
        return replace(self, groups=(*self.groups[:group], part, *self.groups[group + 1 :]))
