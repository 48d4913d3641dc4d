"""How far picks that were found by looking at samples may lie below those that all documents would have given."""

from __future__ import annotations

import numpy as np

from visavis.contracts import Objective
from visavis.records import Floats, Gap, Sample
from visavis.select.problem import Problem


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
