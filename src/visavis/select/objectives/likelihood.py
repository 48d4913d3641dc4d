"""Likelihood: how well a soft nearest-pick classifier tells all documents' groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from visavis.errors import InvalidParameter
from visavis.inputs import check_number
from visavis.kernel.threads import Scratch, blocks, ordered_map
from visavis.records import Array, Floats, Integers, Problem, Settings

SCORED = 3000  # documents; above that a stratified sample is scored
CHUNK = 128
SLACK = 0.02  # of what there is to gain over chance; sharpness that buys less is not worth it
MOST_HALVINGS = 4  # so up to sixteen terms, and the odd one out, share one logarithm
MOST_RUNS = 64  # runs of equal weight for which that pays
SHARPNESSES = (2.0, 3.0, 4.0, 6.0, 8.0, 11.0, 16.0, 22.0, 32.0, 45.0, 64.0)  # what calibration chooses from
FLOAT32_LIMIT, FLOAT64_LIMIT = 60.0, 500.0  # exponents that either precision can hold


@dataclass(frozen=True)
class Likelihood:
    """L = (1/G) Σ_g (1/N_g) Σ_{i∈g} log p(g | x_i), with p(h | x) ∝ exp(β·mean_{s∈S_h} k(x, s)).

    β is the sharpness; None means that it is still to be calibrated. A group without picks scores 0 everywhere, so
    with no picks at all p is 1/G. A swap changes one group's column only: with P = exp(βK/M) kept, trying all
    documents for a place costs one sum of logs.
    """

    sharpness: float | None = None
    name: str = "likelihood"

    @property
    def is_open(self) -> bool:
        """Whether the sharpness is still to be calibrated."""
        return self.sharpness is None

    def calibrated(self, problem: Problem, picks: Sequence[int]) -> Likelihood:
        """The same with the softest sharpness at which these picks make all groups about as likely as they can.

        Sharper than that, groups that are easily told apart would leave the choice of documents to rounding.
        """
        if self.sharpness is not None:
            return self
        reach = float(np.abs(problem.kernel.diagonal).max())
        options = [replace(self, sharpness=beta / max(reach, 1e-300)) for beta in SHARPNESSES]
        owner, weights = _owner_and_weights(problem)
        groups = np.array([problem.group_of(document) for document in picks], np.intp)
        columns = problem.kernel.exact_block(slice(0, problem.n_documents), np.array(picks, np.intp))
        scores = np.stack([columns[:, groups == g].sum(axis=1) for g in range(problem.n_groups)])
        counts = np.bincount(groups, minlength=problem.n_groups)
        values = np.array([weights @ _log_probability(one._evidence(scores, counts), owner) for one in options])
        enough = values.max() - SLACK * np.log(max(problem.n_groups, 2))
        return options[int(np.argmax(values >= enough))]

    def start(self, problem: Problem) -> _State:
        """Nothing picked."""
        rows, owner, weights = _scored_documents(problem)
        return _State(
            problem, rows, owner, weights, (), (), np.zeros((problem.n_groups, len(rows))),
            np.zeros(problem.n_groups, np.intp),
        )  # fmt: skip

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
        everyone = slice(0, problem.n_documents)
        owner, weights = _owner_and_weights(problem)
        scores = np.zeros((problem.n_groups, problem.n_documents))
        counts = np.zeros(problem.n_groups, np.intp)
        columns = problem.kernel.exact_block(everyone, np.array(sequence, np.intp))
        values = [np.full(problem.n_groups, -np.log(problem.n_groups) / problem.n_groups)]
        for step, document in enumerate(sequence):
            group = problem.group_of(document)
            scores[group] += columns[:, step]
            counts[group] += 1
            logs = weights * _log_probability(self._evidence(scores, counts), owner)
            values.append(np.bincount(owner, weights=logs, minlength=problem.n_groups))
        return np.array(values)

    def shares(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """The log-likelihood of the documents assigned to each pick, the most similar of their group."""
        owner, weights = _owner_and_weights(problem)
        picks = np.array(sequence, np.intp)
        groups = np.array([problem.group_of(document) for document in sequence], np.intp)
        columns = problem.kernel.exact_block(slice(0, problem.n_documents), picks)
        counts = np.bincount(groups, minlength=problem.n_groups)
        scores = np.stack([columns[:, groups == g].sum(axis=1) for g in range(problem.n_groups)])
        logs = weights * _log_probability(self._evidence(scores, counts), owner)
        shares = np.zeros(len(picks))
        for group in np.flatnonzero(counts):
            rows, own = problem.rows(int(group)), np.flatnonzero(groups == group)
            nearest = columns[rows][:, own].argmax(axis=1)
            shares[own] = np.bincount(nearest, weights=logs[rows], minlength=len(own))
        return shares

    def _evidence(self, scores: Floats, counts: Integers) -> Floats:
        """β·mean_{s∈S_h} k(x, s), 0 for a group without picks; shape (G, documents)."""
        return self._beta * scores / np.maximum(counts, 1)[:, None]

    @property
    def _beta(self) -> float:
        assert self.sharpness is not None, "calibrate first"
        return self.sharpness

    def _total(self, state: _State) -> float:
        evidence = self._evidence(state.scores, state.counts)
        return float(state.weights @ _log_probability(evidence, state.owner))

    def _scan(self, state: _State, group: int, base: Floats, size: int) -> Floats:
        """L with each document of the group completing the sums `base` to `size` picks; shape (N_g,)."""
        if state.problem.n_groups == 1:
            rows = state.problem.rows(group)
            return np.zeros(rows.stop - rows.start)
        evidence = self._evidence(state.scores, state.counts)
        others = np.delete(evidence, group, axis=0)
        rest = _log_sum(others)
        own = self._beta * base / size
        top = np.maximum(rest, own)
        inside = state.owner == group
        settled = float(state.weights[inside] @ own[inside] - state.weights @ top)
        settled += float(state.weights[~inside] @ evidence[state.owner, np.arange(len(top))][~inside])
        powers = self._powers(state, group, size)
        pull = self._beta / size * self._linear(state, group)
        return settled + pull - powers.log_sums(np.exp(rest - top), np.exp(own - top), state.weights)

    def _linear(self, state: _State, group: int) -> Floats:
        """Σ_{x∈g} v_x k(x, c) for every document c of the group, the scored x alone."""

        def compute() -> Floats:
            inside = state.rows[state.owner == group]
            weights = state.weights[state.owner == group]
            rows = state.problem.rows(group)
            parts = [
                weights @ state.problem.kernel.block(inside, np.arange(part.start, part.stop) + rows.start)
                for part in blocks(rows.stop - rows.start, CHUNK)
            ]
            return np.concatenate(parts).astype(np.float64)

        return state.problem.remember(("likelihood pull", group), compute)

    def _powers(self, state: _State, group: int, size: int) -> _Powers:
        problem = state.problem
        exponent = self._beta / size
        key = ("likelihood powers", group)
        cached: _Powers | None = problem.memo.get(key)
        if cached is None or cached.exponent != exponent:
            reach = exponent * float(np.abs(problem.kernel.diagonal).max())
            _check_reach(reach, self._beta)
            single = reach <= FLOAT32_LIMIT and problem.kernel.resolution >= np.finfo(np.float32).eps / 2
            precision = np.float32 if single else np.float64  # as coarse as the kernel, never coarser
            cached = problem.memo[key] = _Powers(problem, state.rows, group, exponent, precision)
        return cached


def likelihood(settings: Settings) -> Likelihood:
    """With the sharpness of the settings, or one to be calibrated."""
    if settings.sharpness == "auto":
        return Likelihood()
    if isinstance(settings.sharpness, str):
        raise InvalidParameter(f"sharpness must be a positive number or 'auto', got {settings.sharpness!r}")
    return Likelihood(check_number("sharpness", settings.sharpness, low=0.0, above=True))


class _Powers:
    """P = exp(βK/M) between a group's documents and the scored ones, in chunks of rows, kept where it fits."""

    def __init__(
        self, problem: Problem, rows: Integers, group: int, exponent: float, precision: type[np.float32 | np.float64]
    ) -> None:
        self.exponent = exponent
        self._problem, self._rows, self._precision = problem, rows, precision
        span = problem.rows(group)
        self._chunks = [slice(c.start + span.start, c.stop + span.start) for c in blocks(span.stop - span.start, CHUNK)]
        itemsize = np.dtype(precision).itemsize
        self._largest = float(np.abs(problem.kernel.diagonal).max()) * (1.0 + 1e-6)
        largest = exponent * self._largest + 1.0
        room = (FLOAT32_LIMIT if precision is np.float32 else FLOAT64_LIMIT) / largest  # factors a product may have
        self._halvings = min(MOST_HALVINGS, max(0, int(np.log2(room / 2.0)))) if room >= 2.0 else 0
        self._keep = problem.compute.fits(len(rows) * problem.n_documents, itemsize)
        self._kept: dict[int, Array] = {}
        self._scratch = Scratch()

    def log_sums(self, rest: Floats, own: Floats, weights: Floats) -> Floats:
        """Σ_x v_x log(rest_x + own_x P_cx) for every document c of the group."""
        rest_row, own_row, weight = (part.astype(self._precision) for part in (rest, own, weights))
        runs = _equal_runs(weights)

        def work(number: int) -> Array:
            powers = self._powers(number)
            tile = self._scratch.get("tile", powers.shape, self._precision)
            np.multiply(powers, own_row, out=tile)
            tile += rest_row
            if len(runs) > MOST_RUNS:
                return np.asarray(np.log(tile, out=tile) @ weight)
            logs = (weight[run.start] * _sum_of_logs(tile[:, run], self._halvings) for run in runs)
            return np.asarray(sum(logs))

        parts = ordered_map(work, range(len(self._chunks)), self._problem.compute.threads)
        return np.concatenate(list(parts)).astype(np.float64)

    def _powers(self, number: int) -> Array:
        if number in self._kept:
            return self._kept[number]
        block = self._problem.kernel.block(self._chunks[number], self._rows)
        largest = float(np.abs(block).max(initial=0.0))
        if largest > self._largest:  # a kernel that is not positive definite may exceed its diagonal
            raise InvalidParameter(
                f"the likelihood needs a kernel whose values do not exceed its diagonal, and one is {largest:.3g}: use "
                "another kernel or an mmd method"
            )
        powers: Array = np.multiply(block, self.exponent, dtype=self._precision)
        np.exp(powers, out=powers)
        if self._keep:
            self._kept[number] = powers
        return powers


def _check_reach(reach: float, sharpness: float) -> None:
    if reach > FLOAT64_LIMIT:
        raise InvalidParameter(
            f"sharpness={sharpness:g} is too large for these similarities (exponents reach {reach:.0f}, the limit is "
            f"{FLOAT64_LIMIT:.0f}): lower sharpness, or use kernel='rbf' or 'cosine'"
        )


def _owner_and_weights(problem: Problem) -> tuple[Integers, Floats]:
    """The group of every document, and its weight in L: 1/G shared out within each group."""
    owner = np.repeat(np.arange(problem.n_groups), np.diff(problem.bounds))
    return owner, problem.weights / problem.totals()[owner] / problem.n_groups


def _equal_runs(weights: Floats) -> list[slice]:
    """Where neighbors have the same weight: one run a group, unless documents are weighted."""
    edges = np.flatnonzero(np.diff(weights)) + 1
    return [slice(a, b) for a, b in zip([0, *edges], [*edges, len(weights)], strict=True)]


def _sum_of_logs(tile: Array, halvings: int) -> Array:
    """Σ log over each row, after multiplying its halves with each other a few times; the tile is overwritten."""
    for _ in range(halvings):
        half = tile.shape[1] // 2
        if half == 0:
            break
        np.multiply(tile[:, :half], tile[:, half : 2 * half], out=tile[:, :half])
        if tile.shape[1] % 2:
            tile[:, 0] *= tile[:, -1]
        tile = tile[:, :half]
    return np.asarray(np.log(tile).sum(axis=1))


def _log_sum(evidence: Floats) -> Floats:
    """log Σ_h exp(evidence_h) for every document; shape (documents,)."""
    top = evidence.max(axis=0)
    return np.asarray(top + np.log(np.exp(evidence - top).sum(axis=0)))


def _log_probability(evidence: Floats, owner: Integers) -> Floats:
    """log p(own group | x) for every document; evidence has shape (G, documents)."""
    return np.asarray(evidence[owner, np.arange(len(owner))] - _log_sum(evidence))


def _scored_documents(problem: Problem) -> tuple[Integers, Integers, Floats]:
    """Which documents are scored, their groups, and their weights, which sum to 1/G in each group.

    All of them up to a few thousand; above that, each group gives its share, evenly spaced along its documents sorted
    by mean similarity with the group, so the sample depends on what they say and not on the order they come in.
    """
    rows: list[Integers] = []
    for group in range(problem.n_groups):
        span = problem.rows(group)
        n = span.stop - span.start
        take = n if problem.n_documents <= SCORED else min(n, max(50, round(SCORED * n / problem.n_documents)))
        inside = np.arange(span.start, span.stop)
        if take < n:
            inside = inside[np.argsort(problem.similarity_sums()[span, group], kind="stable")]
            inside = np.sort(inside[((np.arange(take) + 0.5) * n / take).astype(np.intp)])
        rows.append(inside)
    owner = np.repeat(np.arange(problem.n_groups), [len(part) for part in rows])
    picked = np.concatenate(rows)
    weights = problem.weights[picked]
    return picked, owner, weights / np.bincount(owner, weights=weights)[owner] / problem.n_groups


@dataclass(frozen=True)
class _State:
    problem: Problem
    rows: Integers  # the scored documents
    owner: Integers
    weights: Floats
    picks: tuple[int, ...]
    columns: tuple[Floats, ...]
    scores: Floats  # (G, scored): Σ_{s∈S_h} k(·, s)
    counts: Integers  # (G,)

    def column(self, document: int) -> Floats:
        block = self.problem.kernel.block(self.rows, np.array([document]))
        return np.asarray(block[:, 0], np.float64)

    def shifted(self, document: int, column: Floats, sign: int) -> _State:
        group = self.problem.group_of(document)
        scores, counts = self.scores.copy(), self.counts.copy()
        scores[group] += sign * column
        counts[group] += sign
        return replace(self, scores=scores, counts=counts)

    def ordered(self, picks: tuple[int, ...], columns: tuple[Floats, ...]) -> _State:
        return replace(self, picks=picks, columns=columns)
