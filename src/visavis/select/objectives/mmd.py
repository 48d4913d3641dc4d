"""Maximum mean discrepancy: one formula with two coefficients for diff, div and plain prototypes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, cast

import numpy as np

from visavis.contracts import SmoothPairs
from visavis.errors import InvalidParameter
from visavis.inputs import check_number
from visavis.records import Abilities, Climb, Floats, Integers, Parameter
from visavis.select.objectives.base import BaseObjective
from visavis.select.objectives.fields import field_contributions, field_weights
from visavis.select.problem import Problem

LARGEST_CONTRAST = 1e6


def check_contrast(value: object) -> float:
    """The contrast, a number from 0 to a million."""
    return check_number("contrast", value, low=0.0, high=LARGEST_CONTRAST)


def check_below_one(value: object) -> float:
    """The contrast of mmd-diff. Raises InvalidParameter from 1 on, where picks would collapse."""
    contrast = check_contrast(value)
    if contrast >= 1.0:
        raise InvalidParameter(
            f"contrast must be below 1 for mmd-diff, got {contrast:g}: from 1 on it rewards picks for resembling each "
            "other; lower it, or use an mmd-div method, which takes any contrast"
        )
    return contrast


CONTRAST = Parameter(
    "contrast", 0.1, check_contrast, (0.1, 0.3, 0.6, 0.9), "how much it counts to be unlike the other groups"
)


@dataclass(frozen=True)
class MMD(BaseObjective):
    """U_g(S) = 2·mean_{i∈S}(a_i − λ b_i) − ρ·mean_{i,j∈S} k(x_i, x_j), and 0 for no picks.

    a_i is the mean similarity of document i with its group, b_i with all other groups; λ is the contrast and ρ the
    repulsion between picks.
    """

    contrast: float
    abilities: ClassVar[Abilities] = Abilities(swaps=True, gradient=True, separable=True, climbs=True)

    @property
    def repulsion(self) -> float:
        """ρ."""
        return 1.0

    def start(self, problem: Problem) -> _State:
        """Nothing picked, all groups."""
        merits = merit(problem, self.contrast)
        groups = tuple(_Group.empty(merits[problem.rows(g)]) for g in range(problem.n_groups))
        return _State(problem, groups)

    def gains(self, state: _State, group: int) -> Floats:
        """U_g(S ∪ i) − U_g(S) for every document i of the group."""
        part = state.groups[group]
        diagonal = state.problem.pairs.diagonal[state.problem.rows(group)]
        size = len(part.picks) + 1
        raised = self._value(part.merit_sum + part.merit, part.pair_sum + 2.0 * part.similarity + diagonal, size)
        return raised - self._value(part.merit_sum, part.pair_sum, size - 1)

    def climb(self, problem: Problem, sizes: tuple[int, ...]) -> Climb:
        """The greedy search for so many picks, told in a record."""
        totals, same = problem.totals(), np.eye(problem.n_groups, dtype=np.bool_)
        others = np.maximum((~same * totals).sum(axis=1), np.finfo(float).tiny)
        mix = np.where(same, 1.0 / totals, -self.contrast / others[:, None])
        return Climb(
            problem.bounds, problem.weights, mix, self.repulsion, sizes, problem.allowed, problem.stories,
            problem.pinned,
        )  # fmt: skip

    def add(self, state: _State, document: int) -> _State:
        """One more pick: one kernel column."""
        group = state.problem.group_of(document)
        return state.with_group(group, state.groups[group].plus(state.problem, group, document))

    def swap_gains(self, state: _State, leaving: int, candidates: Integers) -> Floats:
        """U_g(S − leaving + i) − U_g(S) for each candidate i; the columns of the picks are kept."""
        group = state.problem.group_of(leaving)
        part = state.groups[group]
        less = part.minus(state.problem, group, leaving)
        own, size = candidates - state.problem.rows(group).start, len(part.picks)
        pairs = less.pair_sum + 2.0 * less.similarity[own] + state.problem.pairs.diagonal[candidates]
        return self._value(less.merit_sum + less.merit[own], pairs, size) - self._value(
            part.merit_sum, part.pair_sum, size
        )

    def swap(self, state: _State, leaving: int, entering: int) -> _State:
        """The entering document takes the leaving one's place in the order."""
        group = state.problem.group_of(leaving)
        part = state.groups[group]
        place = part.picks.index(leaving)
        changed = part.minus(state.problem, group, leaving).plus(state.problem, group, entering)
        return state.with_group(group, changed.moved(place))

    def trace(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """Each group's value with nothing picked and after each pick, in float64."""
        values = np.zeros((len(sequence) + 1, problem.n_groups))
        ledger = self._ledger(problem, sequence)
        for group in range(problem.n_groups):
            steps = np.flatnonzero(ledger.owner == group)
            worth = self._prefix_values(ledger.merit[steps], ledger.among[np.ix_(steps, steps)])
            for count, step in enumerate(steps):
                values[step + 1 :, group] = worth[count]
        return values

    def shares(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """2(a_i − λ b_i)/M − (ρ/M²) Σ_{j∈S} k_ij."""
        ledger = self._ledger(problem, sequence)
        counts = np.bincount(ledger.owner, minlength=problem.n_groups)[ledger.owner]
        push = (self._coefficients(ledger.owner, problem.n_groups) * ledger.among).sum(axis=1)
        return np.asarray(2.0 * ledger.merit / counts - push)

    def losses(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """U_g(S) − U_g(S − i), from the picks' merits and their mutual similarity."""
        ledger = self._ledger(problem, sequence)
        same = ledger.owner[:, None] == ledger.owner[None, :]
        size = same.sum(axis=1)
        near = ledger.among * same
        merits = (same * ledger.merit).sum(axis=1)
        pairs = near.sum(axis=1)  # of each pick with its group's picks
        whole = (same * pairs).sum(axis=1)
        own = np.diag(ledger.among)
        left = np.maximum(size - 1, 1)
        rest = 2.0 * (merits - ledger.merit) / left - self.repulsion * (whole - 2.0 * pairs + own) / left**2
        value = 2.0 * merits / size - self.repulsion * whole / size**2
        return np.asarray(value - np.where(size > 1, rest, 0.0))

    def contributions(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """2 Σ_g w_gi mean_{s∈S_g} k(x_i, s): what each document adds through the picks' mean similarities."""
        return field_contributions(problem, sequence, self.contrast)

    def _ledger(self, problem: Problem, sequence: Sequence[int]) -> _Ledger:
        key = (self, tuple(sequence))
        return problem.facts.recent("mmd ledger", key, lambda: self._make_ledger(problem, sequence))

    def _make_ledger(self, problem: Problem, sequence: Sequence[int]) -> _Ledger:
        owner, columns = problem.owners(sequence), problem.each_column(sequence)
        weights = field_weights(problem, self.contrast)
        merits = np.array([weights[group] @ column for group, column in zip(owner, columns, strict=True)], np.float64)
        return _Ledger(owner, merits, problem.among(sequence))

    def value_and_gradient(
        self, problem: Problem, points: Floats, owner: Integers, *, exact: bool = False
    ) -> tuple[Floats, Floats]:
        """f_g(A) = (2/M) Σ_l Σ_j w_j k(a_l, x_j) − (ρ/M²) Σ_{l,m} k(a_l, a_m), and the gradient of Σ_g f_g.

        w_j = 1/N_g for j in g and −λ/N_¬g otherwise; ∂f/∂a_l has 1/M, not the paper's 1/M², in its second sum.
        """
        coefficients = self._coefficients(owner, problem.n_groups)
        return smooth_value(problem, points, owner, self.contrast, coefficients, exact=exact)

    def _coefficients(self, owner: Integers, n_groups: int) -> Floats:
        counts = np.bincount(owner, minlength=n_groups)[owner].astype(float)
        same = owner[:, None] == owner[None, :]
        return np.asarray(self.repulsion * same / (counts[:, None] * counts[None, :]))

    def _value(self, merit_sum: Floats | float, pair_sum: Floats | float, size: int) -> Floats:
        if size == 0:
            return np.zeros(())
        return np.asarray(2.0 * merit_sum / size - self.repulsion * pair_sum / size**2)

    def _prefix_values(self, merits: Floats, among: Floats) -> Floats:
        """The value of the first pick, of the first two, and so on, from their merits and mutual similarity."""
        size = np.arange(1, len(merits) + 1)
        pairs = np.array([among[:k, :k].sum() for k in size])
        return np.asarray(2.0 * np.cumsum(merits) / size - self.repulsion * pairs / size**2)


@dataclass(frozen=True)
class MMDDiff(MMD):
    """The difference of two MMD²: ρ = 1 − λ. From λ = 1 on picks would collapse onto one another."""

    contrast: float = 0.1
    name: str = "mmd-diff"
    parameters: ClassVar[tuple[Parameter, ...]] = (replace(CONTRAST, check=lambda value: check_below_one(value)),)

    @property
    def repulsion(self) -> float:
        """ρ."""
        return 1.0 - self.contrast


@dataclass(frozen=True)
class MMDDiv(MMD):
    """The variant that keeps full diversity: ρ = 1."""

    contrast: float = 0.1
    name: str = "mmd-div"
    parameters: ClassVar[tuple[Parameter, ...]] = (CONTRAST,)


@dataclass(frozen=True)
class MMDPlain(MMD):
    """Prototypes of each group on its own: λ = 0, ρ = 1."""

    contrast: float = field(default=0.0, init=False)
    name: str = "mmd"


def merit(problem: Problem, contrast: float) -> Floats:
    """a_i − λ b_i for every document; shape (N,). With a single group b is 0."""
    sums, totals = problem.similarity_sums(), problem.totals()
    merits = np.empty(problem.n_documents)
    for group in range(problem.n_groups):
        rows, others = problem.rows(group), np.arange(problem.n_groups) != group
        merits[rows] = sums[rows, group] / totals[group]
        if others.any():  # summed, never subtracted: a heavy document must not swallow a light group
            merits[rows] -= contrast * sums[rows][:, others].sum(axis=1) / totals[others].sum()
    return merits


def smooth_value(
    problem: Problem, points: Floats, owner: Integers, contrast: float, coefficients: Floats, *, exact: bool
) -> tuple[Floats, Floats]:
    """Each group's 2·mean merit of its points − Σ c_lm k(a_l, a_m), and the gradient of their sum."""
    pairs = cast(SmoothPairs, problem.pairs)  # the optimizer has asked
    pull, pull_gradient = pairs.field(points, owner, field_weights(problem, contrast), exact=exact)
    push, push_gradient = pairs.interaction(points, coefficients)
    counts = np.bincount(owner, minlength=problem.n_groups)[owner]
    values: Floats = np.bincount(owner, 2.0 * pull / counts - push, problem.n_groups).astype(np.float64)
    return values, 2.0 / counts[:, None] * pull_gradient - push_gradient


@dataclass(frozen=True, eq=False)
class _Ledger:
    owner: Integers
    merit: Floats  # a_i − λ b_i of each pick, for its own group
    among: Floats  # k among the picks


@dataclass(frozen=True)
class _Group:
    picks: tuple[int, ...]
    columns: tuple[Floats, ...]  # k(·, pick) within the group, one per pick
    merit: Floats
    similarity: Floats  # Σ_{s∈S} k(·, s)
    merit_sum: float
    pair_sum: float  # Σ_{s,t∈S} k(s, t)

    @classmethod
    def empty(cls, merits: Floats) -> _Group:
        return cls((), (), merits, np.zeros(len(merits)), 0.0, 0.0)

    def plus(self, problem: Problem, group: int, document: int) -> _Group:
        rows = problem.rows(group)
        at = document - rows.start
        column = problem.group_column(document)
        return replace(
            self,
            picks=(*self.picks, document),
            columns=(*self.columns, column),
            similarity=self.similarity + column,
            merit_sum=self.merit_sum + float(self.merit[at]),
            pair_sum=self.pair_sum + 2.0 * float(self.similarity[at]) + float(column[at]),
        )

    def minus(self, problem: Problem, group: int, document: int) -> _Group:
        at = document - problem.rows(group).start
        place = self.picks.index(document)
        column = self.columns[place]
        similarity = self.similarity - column
        return replace(
            self,
            picks=self.picks[:place] + self.picks[place + 1 :],
            columns=self.columns[:place] + self.columns[place + 1 :],
            similarity=similarity,
            merit_sum=self.merit_sum - float(self.merit[at]),
            pair_sum=self.pair_sum - 2.0 * float(similarity[at]) - float(column[at]),
        )

    def moved(self, place: int) -> _Group:
        """The last pick put at that place."""
        picks, columns = list(self.picks), list(self.columns)
        picks.insert(place, picks.pop())
        columns.insert(place, columns.pop())
        return replace(self, picks=tuple(picks), columns=tuple(columns))


@dataclass(frozen=True)
class _State:
    problem: Problem
    groups: tuple[_Group, ...]

    def with_group(self, group: int, part: _Group) -> _State:
        return replace(self, groups=(*self.groups[:group], part, *self.groups[group + 1 :]))
