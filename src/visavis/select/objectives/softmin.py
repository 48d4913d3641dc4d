"""Softmin: how well the nearest picks, softly, tell all documents' groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from visavis.errors import InvalidParameter
from visavis.inputs import check_number
from visavis.kernel.fused import FLOAT64_LIMIT
from visavis.kernel.operations import LogSums, Sharpened
from visavis.kernel.threads import blocks, ordered_map
from visavis.records import Abilities, Floats, Integers, Parameter, Sample
from visavis.select.objectives.base import BaseObjective
from visavis.select.problem import Problem
from visavis.select.scored import Scored, calibrated_on, groups_and_weights, judged_of, scored_of

PICKS_UNTIL_SUMMED_AGAIN = 64  # so that rounding does not add up
FAINT_SHARE_OF_NEUTRAL = 1e-6  # evidence that a group with picks has of a document far from all of them
DOCUMENTS_PER_PART = 2**15  # looked at in one go, so that they stay near the processor
HALF_ULP_OF_FLOAT32 = 6e-8
SHARPEST_IN_FLOAT32 = 70.0  # up to there e^β / FAINT_SHARE_OF_NEUTRAL, the largest number of a search, is below 3e38
SIMILARITIES_WORTH_THREADS = 10**6  # from so many on, threads share the work of calibrating
SLACK_SHARE_OF_CHANCE = 0.002  # likelihood that a sharper classifier must gain, as a share of log(G)
SETTLED_SHARE_OF_CHANCE = 0.02  # groups that are told apart up to this share of log(G) need no sharper one
SHARPNESSES = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0)  # calibration chooses from these


def check_sharpness(value: object) -> float | str:
    """A positive number, or "auto"."""
    if isinstance(value, str):
        if value != "auto":
            raise InvalidParameter(f"sharpness must be a positive number or 'auto', got {value!r}")
        return value
    return check_number("sharpness", value, low=0.0, above=True)


SHARPNESS = Parameter(
    "sharpness", "auto", check_sharpness, ("auto", 4.0, 12.0),
    "how soon a nearer pick wins; 'auto' is calibrated on the documents",
)  # fmt: skip


@dataclass(frozen=True)
class Softmin(BaseObjective):
    """L = (1/G) Σ_g (1/N_g) Σ_{i∈g} log p(g | x_i), with p(h | x) ∝ Σ_{s∈S_h} k(x, s)^β.

    With the RBF kernel k^β = exp(−βγ‖x − s‖²). Where a power is no kernel (a cosine may be negative) it is
    exp(β(k/r − 1)), r being the largest k(x, x). β is the sharpness; "auto" means that it is still to be calibrated.
    A new pick helps where no other one is near, so picks spread by themselves. A group without picks has the evidence
    of one pick at k^β = e^−β, so with no picks at all p is 1/G.
    """

    sharpness: float | str = "auto"
    name: str = "softmin"
    parameters: ClassVar[tuple[Parameter, ...]] = (SHARPNESS,)
    abilities: ClassVar[Abilities] = Abilities(swaps=True, scans=True)

    @property
    def is_open(self) -> bool:
        """Whether the sharpness is still to be calibrated."""
        return self.sharpness == "auto"

    def calibrated(self, problem: Problem, picks: Sequence[int]) -> Softmin:
        """The same with the softest sharpness at which these picks make all groups as likely as they can, or nearly.

        Sharper than that, groups that are easily told apart would leave the choice of documents to rounding.
        """
        if not self.is_open:
            return self
        options = [replace(self, sharpness=beta) for beta in SHARPNESSES]
        columns = problem.columns(picks)[calibrated_on(problem)[0]]
        threads = problem.compute.threads if columns.size > SIMILARITIES_WORTH_THREADS else 1
        groups = problem.owners(picks)
        values = np.array(
            list(ordered_map(lambda option: option.likelihood(problem, groups, columns), options, threads))
        )
        chance = np.log(max(problem.n_groups, 2))
        enough = min(values.max() - SLACK_SHARE_OF_CHANCE * chance, -SETTLED_SHARE_OF_CHANCE * chance)
        return options[int(np.argmax(values >= enough))]

    def start(self, problem: Problem) -> _State:
        """Nothing picked."""
        scored = scored_of(problem)
        evidence = np.full((problem.n_groups, len(scored.rows)), self._neutral)
        return _State(problem, scored, self._content(problem), (), evidence)

    def gains(self, state: _State, group: int) -> Floats:
        """The change of L for every document of the group that may be picked, −∞ for the others."""
        rows = state.problem.rows(group)
        usable = np.flatnonzero(state.problem.allowed[rows])
        gains = np.full(rows.stop - rows.start, -np.inf)
        gains[usable] = self._scan(state, group, self._own(state.picks, group, state), usable + rows.start)
        return gains - self._total(state)

    def add(self, state: _State, document: int) -> _State:
        """One more pick: one kernel column."""
        return self._with(state, (*state.picks, state.meet(document)), document)

    def swap_gains(self, state: _State, leaving: int, candidates: Integers) -> Floats:
        """The change of L if `leaving` made room for each candidate; it is scanned along, so that both round alike."""
        group = state.problem.group_of(leaving)
        others = [pick for pick in state.picks if pick.document != leaving]
        at = np.flatnonzero(candidates == leaving)
        tried = candidates if len(at) else np.append(candidates, leaving)
        values = self._scan(state, group, self._own(others, group, state), tried)
        return np.asarray(values[: len(candidates)] - values[at[0] if len(at) else -1])

    def swap(self, state: _State, leaving: int, entering: int) -> _State:
        """The entering document takes the leaving one's place in the order."""
        picks = tuple(state.meet(entering) if pick.document == leaving else pick for pick in state.picks)
        return self._with(state, picks, entering)

    def trace(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """Each group's part of L with nothing picked and after each pick, over all documents, in float64."""
        _, weights = groups_and_weights(problem)
        columns = self._exact_columns(problem, problem.columns(sequence))
        evidence = np.full((problem.n_groups, problem.n_documents), self._neutral)
        own = evidence[0].copy()
        values = [np.full(problem.n_groups, -np.log(problem.n_groups) / problem.n_groups)]
        filled = np.zeros(problem.n_groups, np.bool_)
        for step, group in enumerate(problem.owners(sequence)):
            if step % PICKS_UNTIL_SUMMED_AGAIN == 0:
                total = evidence.sum(axis=0)
            before = evidence[group].copy()
            evidence[group] = columns[:, step] + (before if filled[group] else self._faint)
            total += evidence[group] - before
            filled[group] = True
            rows = problem.rows(int(group))
            own[rows] = evidence[group, rows]
            values.append(np.add.reduceat(weights * np.log(own / total), problem.bounds[:-1]))
        return np.array(values)

    def likelihood(self, problem: Problem, groups: Integers, similarity: Floats) -> float:
        """L of picks of these groups, from k of the documents that it is calibrated on with them, in float64."""
        _, owner, weights = calibrated_on(problem)
        evidence = self._evidence(groups, self._exact_columns(problem, similarity), problem.n_groups)
        return float(weights @ _log_probability(evidence, owner))

    def values(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """Each group's part of L, over all documents, in float64."""
        return np.add.reduceat(self.contributions(problem, sequence), problem.bounds[:-1])

    def contributions(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """What each document adds to L, by parts of them: of very many, a few at a time stay near the processor."""
        owner, weights = groups_and_weights(problem)
        columns, groups = problem.each_column(sequence), problem.owners(sequence)

        def add_up(rows: slice) -> Floats:
            near = np.stack([column[rows] for column in columns]).T if columns else np.zeros((len(owner[rows]), 0))
            evidence = self._evidence(groups, self._exact_columns(problem, near), problem.n_groups)
            return weights[rows] * _log_probability(evidence, owner[rows])

        parts = blocks(len(owner), DOCUMENTS_PER_PART)
        return np.concatenate(list(ordered_map(add_up, parts, problem.compute.threads if len(parts) > 1 else 1)))

    def judged(self, problem: Problem) -> Sample:
        """The documents that are scored."""
        return judged_of(problem)

    def shares(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """What the documents nearest to each pick, of its group, are more likely than by chance."""
        owner, weights = groups_and_weights(problem)
        groups, columns = problem.owners(sequence), self._exact_columns(problem, problem.columns(sequence))
        evidence = self._evidence(groups, columns, problem.n_groups)
        logs = weights * (_log_probability(evidence, owner) + np.log(problem.n_groups))
        shares = np.zeros(len(sequence))
        for group in np.unique(groups):
            rows, own = problem.rows(int(group)), np.flatnonzero(groups == group)
            nearest = columns[rows][:, own].argmax(axis=1)
            shares[own] = np.bincount(nearest, weights=logs[rows], minlength=len(own))
        return shares

    def losses(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """L less that of the other picks: leaving one out changes the evidence of its own group alone."""
        owner, weights = groups_and_weights(problem)
        groups, columns = problem.owners(sequence), self._exact_columns(problem, problem.columns(sequence))
        evidence = self._evidence(groups, columns, problem.n_groups)
        losses = np.zeros(len(sequence))
        for k, group in enumerate(groups):
            inside, mates = owner == group, (groups == group) & (np.arange(len(groups)) != k)
            less = columns[:, mates].sum(axis=1) + self._faint if mates.any() else np.full(len(owner), self._neutral)
            rest = _of_others(evidence, group)
            own = np.log(evidence[group][inside] / less[inside])
            losses[k] = weights[inside] @ own - weights @ np.log((rest + evidence[group]) / (rest + less))
        return losses

    @property
    def _beta(self) -> float:
        assert not self.is_open, "calibrate first"
        return float(self.sharpness)

    @property
    def _neutral(self) -> float:
        """The evidence of a group without picks."""
        return float(np.exp(-self._beta))

    @property
    def _faint(self) -> float:
        return FAINT_SHARE_OF_NEUTRAL * self._neutral

    def _content(self, problem: Problem) -> Sharpened:
        pairs = problem.pairs
        if self._beta > FLOAT64_LIMIT:
            raise InvalidParameter(
                f"sharpness={self._beta:g} is too large: float64 holds exponents up to {FLOAT64_LIMIT:.0f}"
            )
        reach = float(np.abs(pairs.diagonal).max())
        single = pairs.resolution >= HALF_ULP_OF_FLOAT32 and self._beta <= SHARPEST_IN_FLOAT32  # never coarser than k
        return Sharpened(
            self._beta, 1.0 if pairs.abilities.widths else max(reach, 1e-300), pairs.abilities.widths, single
        )

    def _exact_columns(self, problem: Problem, columns: Floats) -> Floats:
        """k^β, from k, in float64."""
        exact = replace(self._content(problem), single=False)
        return np.asarray(exact.apply(np, columns)) if columns.size else columns

    def _evidence(self, groups: Integers, columns: Floats, n_groups: int) -> Floats:
        """Σ_{s∈S_h} k(x, s)^β, and a faint rest, for every group h; shape (G, documents)."""
        evidence = np.full((n_groups, len(columns)), self._neutral)
        for group in np.unique(groups):
            evidence[group] = columns[:, groups == group].sum(axis=1) + self._faint
        return evidence

    def _own(self, picks: Sequence[_Pick], group: int, state: _State) -> Floats:
        """The evidence of a group's picks among these, and a faint rest; shape (scored,)."""
        columns = (pick.column for pick in picks if pick.group == group)
        evidence = np.array(next(columns, np.zeros(len(state.scored.rows))))
        for column in columns:
            evidence += column
        return evidence + self._faint

    def _with(self, state: _State, picks: tuple[_Pick, ...], entered: int) -> _State:
        """Other picks, of which those of the entered document's group alone are new: only its evidence is summed up."""
        group, evidence = state.problem.group_of(entered), state.evidence.copy()
        evidence[group] = self._own(picks, group, state)
        return replace(state, picks=picks, evidence=evidence)

    def _total(self, state: _State) -> float:
        return float(state.scored.weights @ _log_probability(state.evidence, state.scored.owner))

    def _scan(self, state: _State, group: int, own: Floats, candidates: Integers) -> Floats:
        """L with each candidate added to picks of its group whose evidence is `own`; shape (candidates,).

        Every term (A + P) is divided by A, so that none is below 1.
        """
        problem, scored = state.problem, state.scored
        if problem.n_groups == 1:  # nothing to tell apart
            return np.zeros(len(candidates))
        evidence = state.evidence
        rest = _of_others(evidence, group)
        inside = scored.owner == group
        base = np.concatenate([own[inside], own + rest])
        weights = np.concatenate([scored.weights[inside], -scored.weights])
        fixed = scored.weights[~inside] @ np.log(evidence[scored.owner, np.arange(len(own))][~inside])
        keeps = len(base) * len(candidates) * problem.n_groups
        operation = LogSums(np.ones(len(base)), 1.0 / base, weights, state.content, keeps=keeps)
        (logs,) = problem.pairs.reduce(operation, candidates, np.concatenate([scored.rows[inside], scored.rows]))
        return logs + float(fixed + weights @ np.log(base))


def _of_others(evidence: Floats, group: int) -> Floats:
    """The evidence of all groups but one; shape (documents,)."""
    return np.asarray(evidence[:group].sum(axis=0) + evidence[group + 1 :].sum(axis=0))


def _log_probability(evidence: Floats, owner: Integers) -> Floats:
    """log p(own group | x) for every document; evidence has shape (G, documents)."""
    return np.asarray(np.log(evidence[owner, np.arange(len(owner))]) - np.log(evidence.sum(axis=0)))


@dataclass(frozen=True, eq=False)
class _Pick:
    document: int
    group: int
    column: Floats  # (scored,): k(·, document)^β


@dataclass(frozen=True, eq=False)
class _State:
    problem: Problem
    scored: Scored
    content: Sharpened
    picks: tuple[_Pick, ...]
    evidence: Floats  # (G, scored)

    def meet(self, document: int) -> _Pick:
        block = self.problem.pairs.block(self.scored.rows, np.array([document]))
        column = np.asarray(self.content.apply(np, block)[:, 0], np.float64)
        return _Pick(document, self.problem.group_of(document), column)
