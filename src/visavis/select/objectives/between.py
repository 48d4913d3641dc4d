"""Between prototypes: the picks of a group keep away from the picks of the others, not from all their documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from visavis.records import Abilities, Floats, Integers, Parameter
from visavis.select.objectives.base import BaseObjective
from visavis.select.objectives.fields import field_contributions, field_weights
from visavis.select.objectives.mmd import CONTRAST, merit, smooth_value
from visavis.select.problem import Problem


@dataclass(frozen=True)
class BetweenPrototypes(BaseObjective):
    """U = Σ_g [2·mean_{S_g} a − mean K_{S_g S_g} − 2λ·mean k(S_g, ∪_{h≠g} S_h)], the last term 0 while a side is empty.

    Groups are coupled: a pick in one changes the gains in all.
    """

    contrast: float = 0.1
    name: str = "between-prototypes"
    parameters: ClassVar[tuple[Parameter, ...]] = (CONTRAST,)
    abilities: ClassVar[Abilities] = Abilities(gradient=True)

    def start(self, problem: Problem) -> _State:
        """Nothing picked."""
        n_groups = problem.n_groups
        return _State(
            problem=problem,
            merit=merit(problem, 0.0),
            similarity=np.zeros((n_groups, problem.n_documents)),
            merit_sums=np.zeros(n_groups),
            pair_sums=np.zeros((n_groups, n_groups)),
            counts=np.zeros(n_groups, np.intp),
        )

    def gains(self, state: _State, group: int) -> Floats:
        """The change of the total for every document of the group."""
        return self._value_with(state, group) - self._total(state)

    def add(self, state: _State, document: int) -> _State:
        """One more pick: one kernel column over all documents."""
        problem, group = state.problem, state.problem.group_of(document)
        column = problem.pairs.block(slice(0, problem.n_documents), np.array([document]))[:, 0].astype(np.float64)
        similarity, merit_sums = state.similarity.copy(), state.merit_sums.copy()
        pair_sums, counts = state.pair_sums.copy(), state.counts.copy()
        pair_sums[group] += similarity[:, document]
        pair_sums[:, group] += similarity[:, document]
        pair_sums[group, group] += column[document]
        similarity[group] += column
        merit_sums[group] += state.merit[document]
        counts[group] += 1
        return replace(state, similarity=similarity, merit_sums=merit_sums, pair_sums=pair_sums, counts=counts)

    def trace(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """Each group's bracket with nothing picked and after each pick, in float64."""
        values = np.zeros((len(sequence) + 1, problem.n_groups))
        owner, worth, among = self._ledger(problem, sequence)
        for step in range(1, len(sequence) + 1):
            values[step] = self._brackets(owner[:step], worth[:step], among[:step, :step], problem.n_groups)
        return values

    def shares(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """2a_i/M − Σ_{j∈S_g} k_ij/M² − 2λ Σ_{t∉S_g} k_it/(M·(number of other groups' picks))."""
        owner, worth, among = self._ledger(problem, sequence)
        counts = np.bincount(owner, minlength=problem.n_groups)[owner]
        push = (self._coefficients(owner, problem.n_groups) * among).sum(axis=1)
        return np.asarray(2.0 * worth / counts - push)

    def losses(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """The total less that of the other picks."""
        owner, worth, among = self._ledger(problem, sequence)
        whole = self._brackets(owner, worth, among, problem.n_groups).sum()
        found = []
        for k in range(len(owner)):
            rest = np.delete(np.arange(len(owner)), k)
            found.append(
                whole - self._brackets(owner[rest], worth[rest], among[np.ix_(rest, rest)], problem.n_groups).sum()
            )
        return np.array(found)

    def contributions(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """What each document adds through the picks' mean similarities with their groups."""
        return field_contributions(problem, sequence, 0.0)

    def _ledger(self, problem: Problem, sequence: Sequence[int]) -> tuple[Integers, Floats, Floats]:
        """The groups of the picks, the mean similarity of each with its group, and their mutual similarity."""
        picks, owner, columns = np.asarray(sequence, np.intp), problem.owners(sequence), problem.columns(sequence)
        worth = (field_weights(problem, 0.0)[owner] * columns.T).sum(axis=1)
        return owner, worth, columns[picks]

    def _brackets(self, owner: Integers, worth: Floats, among: Floats, n_groups: int) -> Floats:
        counts = np.bincount(owner, minlength=n_groups)[owner]
        push = (self._coefficients(owner, n_groups) * among).sum(axis=1)
        brackets = 2.0 * worth / np.maximum(counts, 1) - push
        return np.asarray(np.bincount(owner, weights=brackets, minlength=n_groups), np.float64)

    def value_and_gradient(
        self, problem: Problem, points: Floats, owner: Integers, *, exact: bool = False
    ) -> tuple[Floats, Floats]:
        """Each group's bracket at any points, and the gradient of the total."""
        return smooth_value(problem, points, owner, 0.0, self._coefficients(owner, problem.n_groups), exact=exact)

    def _coefficients(self, owner: Integers, n_groups: int) -> Floats:
        """Row l holds what its group's bracket takes from the similarity of point l with each other point."""
        own = np.bincount(owner, minlength=n_groups)[owner].astype(float)
        other = len(owner) - own
        same = owner[:, None] == owner[None, :]
        across = 2.0 * self.contrast / np.maximum(own * other, 1.0)
        return np.where(same, (1.0 / own**2)[:, None], across[:, None])

    def _total(self, state: _State) -> Floats:
        counts = state.counts.astype(float)
        return self._sum(state.merit_sums, state.pair_sums, counts)

    def _value_with(self, state: _State, group: int) -> Floats:
        """The total with each document of the group added; shape (N_g,)."""
        rows = state.problem.rows(group)
        similarity = state.similarity[:, rows]
        merits = state.merit_sums[:, None] + np.zeros(similarity.shape[1])
        merits[group] += state.merit[rows]
        pairs = state.pair_sums[:, :, None] + np.zeros(similarity.shape[1])
        pairs[group] += similarity
        pairs[:, group] += similarity
        pairs[group, group] += state.problem.pairs.diagonal[rows]
        counts = state.counts.astype(float)
        counts[group] += 1.0
        return self._sum(merits, pairs, counts)

    def _sum(self, merits: Floats, pairs: Floats, counts: Floats) -> Floats:
        """U from each group's sum of merits, the sums of similarity between groups' picks, and their numbers."""
        full = np.flatnonzero(counts > 0)
        total = np.zeros(merits.shape[1:])
        for g in full:
            others = [h for h in full if h != g]
            total = total + 2.0 * merits[g] / counts[g] - pairs[g, g] / counts[g] ** 2
            if others:
                across = counts[g] * counts[others].sum()
                total = total - 2.0 * self.contrast * pairs[g, others].sum(axis=0) / across
        return np.asarray(total)


@dataclass(frozen=True)
class _State:
    problem: Problem
    merit: Floats
    similarity: Floats  # (G, N): Σ_{s∈S_g} k(·, s)
    merit_sums: Floats  # (G,)
    pair_sums: Floats  # (G, G): Σ_{s∈S_g, t∈S_h} k(s, t)
    counts: Integers  # (G,)
