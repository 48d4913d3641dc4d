"""Likelihood: how well a soft nearest-pick classifier tells all documents' groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from visavis.errors import InvalidParameter
from visavis.inputs import check_number
from visavis.kernel.fused import FLOAT32_LIMIT, FLOAT64_LIMIT
from visavis.kernel.operations import LogSums, Powers, WeightedSums
from visavis.kernel.tiling import count
from visavis.records import Abilities, Floats, Integers, Parameter, Sample
from visavis.select.objectives.base import BaseObjective
from visavis.select.problem import Problem
from visavis.select.scored import Scored, calibrated_on, groups_and_weights, judged_of, scored_of

SINGLE = 6e-8  # half a unit in the last place of float32
SLACK = 0.02  # of what there is to gain over chance; sharpness that buys less is not worth it
SHARPNESSES = (2.0, 3.0, 4.0, 6.0, 8.0, 11.0, 16.0, 22.0, 32.0, 45.0, 64.0)  # what calibration chooses from


def check_sharpness(value: object) -> float | str:
    """A positive number, or "auto"."""
    if isinstance(value, str):
        if value != "auto":
            raise InvalidParameter(f"sharpness must be a positive number or 'auto', got {value!r}")
        return value
    return check_number("sharpness", value, low=0.0, above=True)


SHARPNESS = Parameter(
    "sharpness", "auto", check_sharpness, ("auto", 8.0, 25.0),
    "how soon a more similar pick wins; 'auto' is calibrated on the documents",
)  # fmt: skip


@dataclass(frozen=True)
class Likelihood(BaseObjective):
    """L = (1/G) Σ_g (1/N_g) Σ_{i∈g} log p(g | x_i), with p(h | x) ∝ exp(β·mean_{s∈S_h} k(x, s)).

    β is the sharpness; "auto" means that it is still to be calibrated. A group without picks scores 0 everywhere, so
    with no picks at all p is 1/G. A swap changes one group's column only: with P = exp(βK/M) kept, trying all
    documents for a place costs one sum of logs.
    """

    sharpness: float | str = "auto"
    name: str = "likelihood"
    parameters: ClassVar[tuple[Parameter, ...]] = (SHARPNESS,)
    abilities: ClassVar[Abilities] = Abilities(swaps=True, scans=True)

    @property
    def is_open(self) -> bool:
        """Whether the sharpness is still to be calibrated."""
        return self.sharpness == "auto"

    def calibrated(self, problem: Problem, picks: Sequence[int]) -> Likelihood:
        """The same with the softest sharpness at which these picks make all groups about as likely as they can.

        Sharper than that, groups that are easily told apart would leave the choice of documents to rounding.
        """
        if not self.is_open:
            return self
        reach = float(np.abs(problem.pairs.diagonal).max())
        options = [replace(self, sharpness=beta / max(reach, 1e-300)) for beta in SHARPNESSES]
        rows, owner, weights = calibrated_on(problem)
        scores, counts = _scores(problem, picks)
        seen = scores[:, rows]
        values = np.array([weights @ _log_probability(one._evidence(seen, counts), owner) for one in options])
        enough = values.max() - SLACK * np.log(max(problem.n_groups, 2))
        return options[int(np.argmax(values >= enough))]

    def unit(self, problem: Problem) -> float:  # noqa: ARG002 (L is a mean over groups already)
        """Its own scale."""
        return 1.0

    def start(self, problem: Problem) -> _State:
        """Nothing picked."""
        scored = scored_of(problem)
        return _State(
            problem, scored, (), (), np.zeros((problem.n_groups, len(scored.rows))), np.zeros(problem.n_groups, np.intp)
        )

    def gains(self, state: _State, group: int) -> Floats:
        """The change of L for every document of the group."""
        tried = self._scan(state, group, state.scores[group], int(state.counts[group]) + 1)
        return tried - self._total(state)

    def add(self, state: _State, document: int) -> _State:
        """One more pick: one kernel column."""
        column = state.column(document)
        return state.shifted(document, column, 1).ordered((*state.picks, document), (*state.columns, column))

    def swap_gains(self, state: _State, leaving: int) -> Floats:
        """The change of L if `leaving` made room for each document of its group."""
        group = state.problem.group_of(leaving)
        base = state.scores[group] - state.columns[state.picks.index(leaving)]
        tried = self._scan(state, group, base, int(state.counts[group]))
        return np.asarray(tried - tried[leaving - state.problem.rows(group).start])

    def swap(self, state: _State, leaving: int, entering: int) -> _State:
        """The entering document takes the leaving one's place in the order."""
        place, column = state.picks.index(leaving), state.column(entering)
        picks, columns = list(state.picks), list(state.columns)
        picks[place], columns[place] = entering, column
        swapped = state.shifted(leaving, state.columns[place], -1).shifted(entering, column, 1)
        return swapped.ordered(tuple(picks), tuple(columns))

    def trace(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """Each group's part of L with nothing picked and after each pick, over all documents, in float64."""
        owner, weights = groups_and_weights(problem)
        scores = np.zeros((problem.n_groups, problem.n_documents))
        counts = np.zeros(problem.n_groups, np.intp)
        columns = problem.columns(sequence)
        values = [np.full(problem.n_groups, -np.log(problem.n_groups) / problem.n_groups)]
        for step, group in enumerate(problem.owners(sequence)):
            scores[group] += columns[:, step]
            counts[group] += 1
            logs = weights * _log_probability(self._evidence(scores, counts), owner)
            values.append(np.bincount(owner, weights=logs, minlength=problem.n_groups))
        return np.array(values)

    def values(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """Each group's part of L, over all documents, in float64."""
        return np.add.reduceat(self.contributions(problem, sequence), problem.bounds[:-1])

    def contributions(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """What each document adds to L."""
        owner, weights = groups_and_weights(problem)
        return weights * _log_probability(self._evidence(*_scores(problem, sequence)), owner)

    def judged(self, problem: Problem) -> Sample:
        """The documents that are scored."""
        return judged_of(problem)

    def shares(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """What the documents nearest to each pick, of its group, are more likely than by chance."""
        owner, weights = groups_and_weights(problem)
        scores, counts = _scores(problem, sequence)
        chance = -np.log(problem.n_groups)
        logs = weights * (_log_probability(self._evidence(scores, counts), owner) - chance)
        groups, columns = problem.owners(sequence), problem.columns(sequence)
        shares = np.zeros(len(sequence))
        for group in np.flatnonzero(counts):
            rows, own = problem.rows(int(group)), np.flatnonzero(groups == group)
            nearest = columns[rows][:, own].argmax(axis=1)
            shares[own] = np.bincount(nearest, weights=logs[rows], minlength=len(own))
        return shares

    def losses(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """L less that of the other picks: leaving one out changes the evidence of its own group alone."""
        owner, weights = groups_and_weights(problem)
        scores, counts = _scores(problem, sequence)
        groups, columns = problem.owners(sequence), problem.columns(sequence)
        evidence = self._evidence(scores, counts)
        found = np.zeros(len(sequence))
        for group in np.flatnonzero(counts):
            others = np.delete(evidence, group, axis=0)
            rest = _log_sum(others) if len(others) else np.full(len(owner), -np.inf)
            inside = owner == group
            whole = _own_part(evidence[group], rest, inside, weights)
            for k in np.flatnonzero(groups == group):
                less = self._beta * (scores[group] - columns[:, k]) / max(counts[group] - 1, 1)
                less = less if counts[group] > 1 else np.zeros_like(less)
                found[k] = whole - _own_part(less, rest, inside, weights)
        return found

    def _evidence(self, scores: Floats, counts: Integers) -> Floats:
        """β·mean_{s∈S_h} k(x, s), 0 for a group without picks; shape (G, documents)."""
        return self._beta * scores / np.maximum(counts, 1)[:, None]

    @property
    def _beta(self) -> float:
        assert not self.is_open, "calibrate first"
        return float(self.sharpness)

    def _total(self, state: _State) -> float:
        evidence = self._evidence(state.scores, state.counts)
        return float(state.scored.weights @ _log_probability(evidence, state.scored.owner))

    def _scan(self, state: _State, group: int, base: Floats, size: int) -> Floats:
        """L with each document of the group added to picks whose similarities sum to `base`; shape (N_g,).

        log(e^rest + e^own P) = top + log(e^(rest−top) + e^(own−top) P), so that nothing overflows.
        """
        rows, scored = state.problem.rows(group), state.scored
        if state.problem.n_groups == 1:  # nothing to tell apart
            return np.zeros(rows.stop - rows.start)
        evidence = self._evidence(state.scores, state.counts)
        rest = _log_sum(np.delete(evidence, group, axis=0))
        own = self._beta * base / size
        top = np.maximum(rest, own)
        inside = scored.owner == group
        settled = float(scored.weights[inside] @ own[inside] - scored.weights @ top)
        settled += float(scored.weights[~inside] @ evidence[scored.owner, np.arange(len(top))][~inside])
        n_tried = sum(count(state.problem.tried(g)) for g in range(state.problem.n_groups))
        operation = LogSums(
            np.exp(rest - top), np.exp(own - top), scored.weights, self._powers(state.problem, size),
            keeps=len(scored.rows) * n_tried,
        )  # fmt: skip
        tried = state.problem.tried(group)
        (logs,) = state.problem.pairs.reduce(operation, tried, scored.rows)
        found = np.full(rows.stop - rows.start, -np.inf)
        places = slice(None) if isinstance(tried, slice) else tried - rows.start
        found[places] = settled + self._beta / size * _pull(state, group) - logs
        return found

    def _powers(self, problem: Problem, size: int) -> Powers:
        exponent = self._beta / size
        largest = float(np.abs(problem.pairs.diagonal).max())
        check_reach(exponent * largest, self._beta)
        single = exponent * largest <= FLOAT32_LIMIT and problem.pairs.resolution >= SINGLE
        return Powers(exponent, largest * (1.0 + 1e-6), single)  # as coarse as the kernel, never coarser


def _pull(state: _State, group: int) -> Floats:
    """Σ_{x∈g} v_x k(x, c) for every document c of the group that is tried, the scored x alone."""
    problem = state.problem

    def compute() -> Floats:
        inside = state.scored.owner == group
        operation = WeightedSums(state.scored.weights[inside])
        return problem.pairs.reduce(operation, problem.tried(group), state.scored.rows[inside])[0]

    tried = None if problem.sample is None else problem.key
    return problem.facts.recent(f"likelihood pull {group}", tried, compute)


def check_reach(reach: float, sharpness: float) -> None:
    """Refuse a sharpness whose exponents float64 cannot hold."""
    if reach > FLOAT64_LIMIT:
        raise InvalidParameter(
            f"sharpness={sharpness:g} is too large for these similarities (exponents reach {reach:.0f}, the limit is "
            f"{FLOAT64_LIMIT:.0f}): lower sharpness, or use kernel='rbf' or 'cosine'"
        )


def _scores(problem: Problem, picks: Sequence[int]) -> tuple[Floats, Integers]:
    """Σ_{s∈S_h} k(·, s) for every group h, shape (G, N), and how many picks each has."""
    groups, columns = problem.owners(picks), problem.columns(picks)
    scores = np.stack([columns[:, groups == group].sum(axis=1) for group in range(problem.n_groups)])
    return scores, np.bincount(groups, minlength=problem.n_groups)


def _log_sum(evidence: Floats) -> Floats:
    """log Σ_h exp(evidence_h) for every document; shape (documents,)."""
    top = evidence.max(axis=0)
    return np.asarray(top + np.log(np.exp(evidence - top).sum(axis=0)))


def _log_probability(evidence: Floats, owner: Integers) -> Floats:
    """log p(own group | x) for every document; evidence has shape (G, documents)."""
    return np.asarray(evidence[owner, np.arange(len(owner))] - _log_sum(evidence))


def _own_part(own: Floats, rest: Floats, inside: Floats, weights: Floats) -> float:
    """The part of L that one group's evidence changes: Σ_{i∈g} w_i own_i − Σ_i w_i log(e^own + e^rest)."""
    return float(weights[inside] @ own[inside] - weights @ np.logaddexp(own, rest))


@dataclass(frozen=True)
class _State:
    problem: Problem
    scored: Scored
    picks: tuple[int, ...]
    columns: tuple[Floats, ...]
    scores: Floats  # (G, scored): Σ_{s∈S_h} k(·, s)
    counts: Integers  # (G,)

    def column(self, document: int) -> Floats:
        block = self.problem.pairs.block(self.scored.rows, np.array([document]))
        return np.asarray(block[:, 0], np.float64)

    def shifted(self, document: int, column: Floats, sign: int) -> _State:
        group = self.problem.group_of(document)
        scores, counts = self.scores.copy(), self.counts.copy()
        scores[group] += sign * column
        counts[group] += sign
        return replace(self, scores=scores, counts=counts)

    def ordered(self, picks: tuple[int, ...], columns: tuple[Floats, ...]) -> _State:
        return replace(self, picks=picks, columns=columns)
