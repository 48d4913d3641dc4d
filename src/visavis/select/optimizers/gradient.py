"""Gradient search: meta-prototypes move freely by L-BFGS, then the nearest documents take their places."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, cast

import numpy as np
from scipy.optimize import minimize

from visavis.contracts import Objective, Smooth, SmoothPairs
from visavis.errors import Incompatible, LeftTheData
from visavis.inputs import check_number, check_whole
from visavis.records import Booleans, Floats, Integers, Parameter, Quota
from visavis.select.optimizers.starting import INIT
from visavis.select.problem import Beginning, Outcome, Problem
from visavis.select.snapping import snap_all

MAX_ITER = Parameter("max_iter", 100, lambda value: check_whole("max_iter", value, low=1), help="rounds of the search")
TOL = Parameter("tol", 1e-6, lambda value: check_number("tol", value, low=0.0), help="gains below it end the search")
EXACT = 8  # float64, which no order of the documents disturbs, where it takes up to an eighth of the memory


@dataclass(frozen=True)
class Gradient:
    """Gradient search as an optimizer: L-BFGS from where it begins, then snapping to distinct documents."""

    init: str = "auto"
    max_iter: int = 100
    tol: float = 1e-6
    name: ClassVar[str] = "gradient"
    parameters: ClassVar[tuple[Parameter, ...]] = (INIT, MAX_ITER, TOL)
    nested: ClassVar[bool] = False
    moves_points: ClassVar[bool] = True

    def check(self, objective: Objective) -> None:
        """Only what has a gradient can be climbed."""
        as_smooth(objective)

    def run(self, objective: Objective, problem: Problem, quota: Quota, begin: Callable[[], Beginning]) -> Outcome:  # noqa: ARG002
        """The snapped picks, even where they are worth less than the start: the values of all stages tell."""
        smooth, pairs = as_smooth(objective), _smooth_pairs(problem)
        beginning = begin()
        ascent = self._ascend(smooth, pairs, problem, beginning)
        sequence = snap_all(problem, ascent.points, beginning.owner)
        stages = {"start": ascent.start, "optimized": ascent.optimized, "snapped": None}
        return Outcome(sequence, stages, objective, n_iter=ascent.n_iter)

    def _ascend(self, smooth: Smooth, pairs: SmoothPairs, problem: Problem, beginning: Beginning) -> Ascent:
        """One joint L-BFGS over all groups' points, pinned ones held; nothing ends below its start."""
        start, owner, unit = beginning.points, beginning.owner, pairs.unit
        free = ~_pinned_points(problem, owner)
        climbed = problem.sampled()
        exact = problem.compute.fits(EXACT * start.shape[1] * climbed.n_documents, 8)

        def descend(flat: Floats) -> tuple[float, Floats]:
            points = start.copy()
            points[free] = flat.reshape(-1, start.shape[1]) * unit  # steps in the kernel's own unit of length
            values, gradient = smooth.value_and_gradient(climbed, points, owner, exact=exact)
            return -float(values.sum()), -unit * gradient[free].ravel()

        points, n_iter = start.copy(), 1
        if free.any():
            rounds, tol = self.max_iter, self.tol
            limits = {"maxiter": rounds, "ftol": tol, "gtol": tol, "maxfun": 20 * rounds}
            found = minimize(descend, start[free].ravel() / unit, jac=True, method="L-BFGS-B", options=limits)
            points[free] = found.x.reshape(-1, start.shape[1]) * unit
            n_iter = max(1, int(found.nit))
        ascent = replace(_never_below(smooth, problem, start, points, owner), n_iter=n_iter)
        outside = pairs.beyond(ascent.points)
        if outside:
            warnings.warn(
                f"{outside} of {len(points)} meta-prototypes left the ball that holds all documents; "
                "a lower contrast keeps them inside",
                LeftTheData,
                stacklevel=2,
            )
        return ascent


@dataclass(frozen=True, eq=False)
class Ascent:
    """Where the meta-prototypes ended, and each group's value before and after, in float64."""

    points: Floats
    start: Floats
    optimized: Floats
    n_iter: int = 1


def as_smooth(objective: Objective) -> Smooth:
    """The objective as one with a gradient. Raises Incompatible if it has none."""
    if not objective.abilities.gradient:
        raise Incompatible(f"objective {objective.name!r} has no gradient: combine it with greedy or exchange instead")
    return cast(Smooth, objective)


def _smooth_pairs(problem: Problem) -> SmoothPairs:
    if not problem.pairs.abilities.smooth:
        raise Incompatible("gradient search needs kernel='rbf' on dense X: use a greedy or exchange method instead")
    return cast(SmoothPairs, problem.pairs)


def _pinned_points(problem: Problem, owner: Integers) -> Booleans:
    """Pinned documents come first in every group, and so do their points."""
    pinned = np.zeros(len(owner), np.bool_)
    for group, pins in enumerate(problem.pinned):
        pinned[np.flatnonzero(owner == group)[: len(pins)]] = True
    return pinned


def _never_below(smooth: Smooth, problem: Problem, start: Floats, found: Floats, owner: Integers) -> Ascent:
    """The best of: all points as found; found where their group gained, else as they started; all as they started."""
    before, _ = smooth.value_and_gradient(problem, start, owner, exact=True)
    after, _ = smooth.value_and_gradient(problem, found, owner, exact=True)
    if np.all(after >= before):
        return Ascent(found, before, after)
    kept = after <= before
    mixed = np.where(kept[owner][:, None], start, found)
    mixed_after, _ = smooth.value_and_gradient(problem, mixed, owner, exact=True)
    if np.allclose(mixed_after[kept], before[kept], rtol=1e-12, atol=1e-12):  # groups are uncoupled: this is rounding
        mixed_after[kept] = before[kept]
    options = [(start, before), (found, after), (mixed, mixed_after)]
    points, values = max(options, key=lambda option: float(option[1].sum()))
    return Ascent(points, before, values)
