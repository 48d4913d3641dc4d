"""MMD-critic: prototypes and criticisms of all documents together, groups unknown to it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from visavis.contracts import Draws, Objective
from visavis.errors import Incompatible, MissingGroup
from visavis.records import Booleans, Floats, Integers, Parameter, Quota
from visavis.select.problem import Outcome, Problem, proportional_sizes

RIDGE = 1e-4  # added to the kernel's diagonal throughout
FLOOR = 1e-12


@dataclass(frozen=True)
class CriticSelector:
    """Half prototypes by greedy MMD, half criticisms where prototypes misrepresent; an odd one is a prototype."""

    score: Objective
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    kernel: ClassVar[bool] = True  # whether the kernel's own parameters decide what it picks

    def select(self, problem: Problem, quota: Quota, draws: Draws) -> Outcome:  # noqa: ARG002 (it draws nothing)
        """Picks with whatever groups they have; a group without any is warned about."""
        if any(problem.pinned):
            raise Incompatible("mmd-critic cannot keep pinned documents: use an mmd, nearest or softmin method")
        total = sum(proportional_sizes(problem, quota))
        shares = problem.weights / problem.weights.sum()
        mean = problem.similarity_sums().sum(axis=1) / problem.weights.sum() + RIDGE * shares
        open_ = problem.allowed.copy()
        prototypes, similarity = _prototypes(problem, mean, total - total // 2, open_)
        witness = np.abs(mean - similarity / len(prototypes))
        sequence = (*prototypes, *_criticisms(problem, witness, total // 2, open_, prototypes))
        missed = sorted(set(range(problem.n_groups)) - {problem.group_of(document) for document in sequence})
        if missed:
            names = ", ".join(problem.names[group] for group in missed)
            warnings.warn(f"mmd-critic picked no document of: {names}", MissingGroup, stacklevel=2)
        return Outcome(sequence, {"start": None}, self.score)


def _column(problem: Problem, document: int) -> Floats:
    everyone = slice(0, problem.n_documents)
    column = problem.pairs.block(everyone, np.array([document]))[:, 0].astype(np.float64)
    column[document] += RIDGE
    return column


def _prototypes(problem: Problem, mean: Floats, count: int, open_: Booleans) -> tuple[list[int], Floats]:
    """Greedy MMD on all documents: U(S) = 2·mean_S a − mean_{S×S} k, and Σ_{s∈S} k(·, s) at the end."""
    picks: list[int] = []
    similarity, diagonal = np.zeros(problem.n_documents), problem.pairs.diagonal + RIDGE
    mean_sum = pair_sum = 0.0
    for size in range(1, count + 1):
        raised = 2.0 * (mean_sum + mean) / size - (pair_sum + 2.0 * similarity + diagonal) / size**2
        pick = _lowest_row(problem, raised, open_)
        mean_sum += float(mean[pick])
        pair_sum += float(2.0 * similarity[pick] + diagonal[pick])
        similarity += _column(problem, pick)
        picks.append(pick)
        problem.close(open_, pick, picks)
    return picks, similarity


def _criticisms(problem: Problem, witness: Floats, count: int, open_: Booleans, prototypes: Sequence[int]) -> list[int]:
    """Largest witness + log-determinant increment over the criticisms alone, by a growing Cholesky factor."""
    picks: list[int] = []
    left = problem.pairs.diagonal + RIDGE  # what the criticisms so far leave unexplained of each document
    factor = np.zeros((0, problem.n_documents))
    for _ in range(count):
        pick = _lowest_row(problem, witness + np.log(np.maximum(left, FLOOR)), open_)
        row = (_column(problem, pick) - factor[:, pick] @ factor) / np.sqrt(max(left[pick], FLOOR))
        factor = np.vstack([factor, row])
        left = left - row**2
        picks.append(pick)
        problem.close(open_, pick, (*prototypes, *picks))
    return picks


def _lowest_row(problem: Problem, scores: Floats, open_: Booleans) -> int:
    """Groups play no part here, so ties go to the document that came first in the caller's order."""
    came: Integers = problem.facts.remember("arrival", lambda: np.argsort(problem.vectors.order, kind="stable"))
    return int(came[problem.pairs.best(scores[came], open_[came])[0]])
