"""What visavis does, through its public estimator and its gradient."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bench.case import CONTRAST, N_PICKS, Answer, Case, starting_points
from visavis.inputs import check_compute, check_groups
from visavis.records import Points
from visavis.select import ComparativeSummarizer, pose
from visavis.select.methods import create_objective
from visavis.select.optimizers.gradient import as_smooth

EVALUATIONS = 100


def _fit(method: str, case: Case) -> Callable[[], Answer]:
    estimator = ComparativeSummarizer(
        method, N_PICKS, gamma=case.gamma, contrast=CONTRAST, n_jobs=case.threads, random_state=0
    )
    estimator.fit(case.X[:100], case.groups[:100])  # imports what the method needs

    def run() -> Answer:
        fitted = estimator.fit(case.X, case.groups)
        return Answer(fitted.prototype_indices_.tolist(), fitted.objective_value_)

    return run


def greedy_mmd(case: Case) -> Callable[[], Answer]:
    """mmd-diff-greedy."""
    return _fit("mmd-diff-greedy", case)


def nearest(case: Case) -> Callable[[], Answer]:
    """nn-comp-greedy."""
    return _fit("nn-comp-greedy", case)


def gradient(case: Case) -> Callable[[], Answer]:
    """Exactly 100 evaluations of mmd-diff and its gradient, posing the problem included."""
    smooth = as_smooth(create_objective("mmd-diff", {"contrast": CONTRAST}))
    points, owner = starting_points(case)
    compute = check_compute("float32", case.threads, 512)

    def evaluate(n_documents: int, times: int) -> float:
        grouped = check_groups(case.groups[:n_documents], n_documents)
        problem = pose(Points.of(case.X[:n_documents]), grouped, gamma=case.gamma, compute=compute).problem()
        moving, first = points, 0.0
        for evaluation in range(times):
            values, slope = smooth.value_and_gradient(problem, moving, owner.astype(np.intp))
            moving = moving + slope  # every evaluation is at new points
            first = float(values.sum()) if evaluation == 0 else first
        return first

    evaluate(100, 1)  # imports what it needs
    return lambda: Answer([], evaluate(len(case.X), EVALUATIONS))
