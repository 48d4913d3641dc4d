"""MMD-critic: prototypes and criticisms of all documents together, groups unknown to it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from visavis.contracts import Objective
from visavis.errors import Incompatible, MissingGroup
from visavis.records import Booleans, Floats, Integers, Problem, Quota, Selection
from visavis.select.problem import proportional_sizes
from visavis.select.ties import first_best

RIDGE = 1e-4  # added to the kernel's diagonal throughout
FLOOR = 1e-12


@dataclass(frozen=True)
class CriticSelector:
    """Half prototypes by greedy MMD, half criticisms where prototypes misrepresent; an odd one is a prototype."""

    score: Objective

    def select(self, problem: Problem, quota: Quota, rng: np.random.Generator) -> Selection:  # noqa: ARG002 (it draws nothing)
        """Picks with whatever groups they have; a group without any is warned about."""
        if any(problem.pinned):
            raise Incompatible("mmd-critic cannot keep pinned documents: use an mmd, nearest or likelihood method")
        total = sum(proportional_sizes(problem, quota))
        shares = problem.weights / problem.weights.sum()
        mean = problem.similarity_sums().sum(axis=1) / problem.weights.sum() + RIDGE * shares
        open_ = problem.allowed.copy()
        prototypes, similarity = _prototypes(problem, mean, total - total // 2, open_)
        witness = np.abs(mean - similarity / len(prototypes))
        sequence = (*prototypes, *_criticisms(problem, witness, total // 2, open_))
        trace = self.score.trace(problem, sequence)
        missed = sorted(set(range(problem.n_groups)) - {problem.group_of(document) for document in sequence})
        if missed:
            names = ", ".join(problem.names[group] for group in missed)
            warnings.warn(f"mmd-critic picked no document of: {names}", MissingGroup, stacklevel=2)
        return Selection(sequence, {"start": tuple(trace[-1])}, trace, self.score)


def _column(problem: Problem, document: int) -> Floats:
    everyone = slice(0, problem.n_documents)
    column = problem.kernel.block(everyone, np.array([document]))[:, 0].astype(np.float64)
    column[document] += RIDGE
    return column


def _prototypes(problem: Problem, mean: Floats, count: int, open_: Booleans) -> tuple[list[int], Floats]:
    """Greedy MMD on all documents: U(S) = 2·mean_S a − mean_{S×S} k, and Σ_{s∈S} k(·, s) at the end."""
    picks: list[int] = []
    similarity, diagonal = np.zeros(problem.n_documents), problem.kernel.diagonal + RIDGE
    mean_sum = pair_sum = 0.0
    for size in range(1, count + 1):
        raised = 2.0 * (mean_sum + mean) / size - (pair_sum + 2.0 * similarity + diagonal) / size**2
        pick = _lowest_row(problem, raised, open_)
        mean_sum += float(mean[pick])
        pair_sum += float(2.0 * similarity[pick] + diagonal[pick])
        similarity += _column(problem, pick)
        open_[pick] = False
        picks.append(pick)
    return picks, similarity


def _criticisms(problem: Problem, witness: Floats, count: int, open_: Booleans) -> list[int]:
    """Largest witness + log-determinant increment over the criticisms alone, by a growing Cholesky factor."""
    picks: list[int] = []
    left = problem.kernel.diagonal + RIDGE  # what the criticisms so far leave unexplained of each document
    factor = np.zeros((0, problem.n_documents))
    for _ in range(count):
        pick = _lowest_row(problem, witness + np.log(np.maximum(left, FLOOR)), open_)
        row = (_column(problem, pick) - factor[:, pick] @ factor) / np.sqrt(max(left[pick], FLOOR))
        factor = np.vstack([factor, row])
        left = left - row**2
        open_[pick] = False
        picks.append(pick)
    return picks


def _lowest_row(problem: Problem, scores: Floats, open_: Booleans) -> int:
    """Groups play no part here, so ties go to the document that came first in the caller's order."""
    came: Integers = problem.remember("arrival", lambda: np.argsort(problem.vectors.order, kind="stable"))
    return int(came[first_best(scores[came], open_[came], problem.kernel.resolution)])
