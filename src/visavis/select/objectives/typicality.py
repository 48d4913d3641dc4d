"""Typicality: picks that most documents of their group resemble."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from visavis.records import Abilities, Floats
from visavis.select.objectives.base import BaseObjective
from visavis.select.problem import Problem

ROUNDING = 1e-6  # similarities that differ by less are one and the same, at the precision of the search


@dataclass(frozen=True)
class Typicality(BaseObjective):
    """U_g(S) = mean_{i∈S} z_i, and 0 for no picks.

    z_i says by how many standard deviations the mean similarity of document i with its group exceeds that of the
    group's documents. Alone it picks near copies of one document; it is meant to be mixed with others.
    """

    name: str = "typicality"
    abilities: ClassVar[Abilities] = Abilities(swaps=True, separable=True)

    def start(self, problem: Problem) -> _State:
        """Nothing picked."""
        return _State(problem, ())

    def gains(self, state: _State, group: int) -> Floats:
        """The change of the group's mean for each of its documents."""
        own = _merits(state.problem)[state.picks_of(group)]
        raised = (own.sum() + _merits(state.problem)[state.problem.rows(group)]) / (len(own) + 1)
        return np.asarray(raised - (own.mean() if len(own) else 0.0))

    def add(self, state: _State, document: int) -> _State:
        """One more pick."""
        return replace(state, picks=(*state.picks, document))

    def swap_gains(self, state: _State, leaving: int) -> Floats:
        """The change of the group's mean if `leaving` made room for each document of its group."""
        group, merits = state.problem.group_of(leaving), _merits(state.problem)
        return np.asarray((merits[state.problem.rows(group)] - merits[leaving]) / len(state.picks_of(group)))

    def swap(self, state: _State, leaving: int, entering: int) -> _State:
        """The entering document takes the leaving one's place in the order."""
        return replace(state, picks=tuple(entering if pick == leaving else pick for pick in state.picks))

    def trace(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """Each group's mean with nothing picked and after each pick."""
        merits, owner = _merits(problem), problem.owners(sequence)
        values = np.zeros((len(sequence) + 1, problem.n_groups))
        for group in range(problem.n_groups):
            steps = np.flatnonzero(owner == group)
            means = np.cumsum(merits[np.array(sequence, np.intp)[steps]]) / np.arange(1, len(steps) + 1)
            for step, mean in zip(steps, means, strict=True):
                values[step + 1 :, group] = mean
        return values

    def shares(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """z_i/M."""
        owner = problem.owners(sequence)
        counts = np.bincount(owner, minlength=problem.n_groups)[owner]
        return np.asarray(_merits(problem)[np.array(sequence, np.intp)] / np.maximum(counts, 1))


def _merits(problem: Problem) -> Floats:
    """z of every document."""

    def compute() -> Floats:
        found = np.zeros(problem.n_documents)
        for group in range(problem.n_groups):
            rows = problem.rows(group)
            weights = problem.weights[rows] / problem.weights[rows].max()  # whatever the unit of weight
            similar = problem.similarity_sums()[rows, group] / problem.totals()[group]
            middle = np.average(similar, weights=weights)
            spread = np.sqrt(np.average((similar - middle) ** 2, weights=weights))
            found[rows] = (similar - middle) / spread if spread > ROUNDING * abs(middle) else 0.0
        return found

    return problem.facts.remember("typicality of its own", compute)


@dataclass(frozen=True, eq=False)
class _State:
    problem: Problem
    picks: tuple[int, ...]

    def picks_of(self, group: int) -> list[int]:
        rows = self.problem.rows(group)
        return [pick for pick in self.picks if rows.start <= pick < rows.stop]
