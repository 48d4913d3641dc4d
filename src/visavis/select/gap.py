"""How far picks that were found by looking at samples may lie below those that all documents would have given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from visavis.contracts import Objective
from visavis.records import Floats, Sample
from visavis.select.problem import Problem

SURE = 1.645  # standard errors that 95 in 100 estimates stay within, on one side


@dataclass(frozen=True)
class Gap:
    """What a sample costs: of `value`, which all documents tell, at most about `most` is missing to the best picks.

    The best picks by the sample seem worth `seems` to the search, no less than the best picks by all documents seem to
    it; these seem worth what they are, give or take a standard `error`. So the best picks by all documents are worth at
    most about seems + 1.645·error, at 95 in 100. `n_sampled` documents stood for `n_documents`; None: not known.
    """

    value: float
    seems: float | None
    error: float | None
    n_sampled: int
    n_documents: int
    n_tried: int

    @property
    def most(self) -> float | None:
        """How much may be missing."""
        if self.seems is None or self.error is None:
            return None
        return max(0.0, self.seems - self.value + SURE * self.error)

    @property
    def share(self) -> float | None:
        """That as a share of what the best picks may be worth; None where that is nothing."""
        if self.most is None or self.value + self.most <= 0.0:
            return None
        return self.most / (self.value + self.most)


def find_gap(objective: Objective, problem: Problem, sequence: tuple[int, ...], worth: float, n_tried: int) -> Gap:
    """The gap of picks that are `worth` so much more than none, by all documents."""
    assert problem.sample is not None, "all documents were looked at"
    known = objective.sampling_error(problem, sequence)
    seems, error = (None, None) if known is None else (worth + known[0], known[1])
    return Gap(worth, seems, error, len(problem.sample.rows), problem.n_documents, n_tried)


def sampling_error(problem: Problem, sample: Sample | None, added: Floats | None) -> tuple[float, float] | None:
    """Σ over the sample less Σ over all of what documents `added`, and its standard error.

    Within a group of n, of which s were drawn, the error's variance is n²(1/s − 1/n) times that of what documents added
    beyond the group's mean for their weight.
    """
    if sample is None or added is None:
        return None
    seems, variance = -float(added.sum()), 0.0
    for group in range(problem.n_groups):
        rows = problem.rows(group)
        first, last = np.searchsorted(sample.rows, [rows.start, rows.stop])
        drawn = sample.rows[first:last]
        seems += float(added[drawn] @ (sample.weights[first:last] / problem.weights[drawn]))
        weights = problem.weights[rows]
        beyond = added[rows] - weights * (added[rows].sum() / weights.sum())
        n = len(weights)
        variance += float(np.mean(beyond**2)) * n * (n / max(1, len(drawn)) - 1.0)
    return seems, float(np.sqrt(variance))
