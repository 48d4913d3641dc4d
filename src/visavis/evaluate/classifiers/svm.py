"""The support vector machine with an RBF kernel, groups balanced, on similarities that are already there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.svm import SVC

from visavis.evaluate.classifiers.contract import Geometry, Option
from visavis.records import Floats, Integers


class KernelSVM:
    """One against one, as scikit-learn's SVC; all machines that share a γ answer by one matrix product."""

    name = "svm"
    has_gamma = True

    def options(self, gammas: Sequence[float], costs: Sequence[float]) -> tuple[Option, ...]:
        """Every γ with every C."""
        return tuple(Option(gamma, cost) for gamma in gammas for cost in costs)

    def predict(self, geometry: Geometry, options: Sequence[Option]) -> Integers:
        """The groups told by machines trained on all examples; a single group among them is always told."""
        found = np.empty((len(options), len(geometry.across)), np.intp)
        present = np.unique(geometry.groups)
        if len(present) == 1:
            found[:] = present[0]
            return found
        for gamma in dict.fromkeys(option.gamma for option in options):
            places = [place for place, option in enumerate(options) if option.gamma == gamma]
            among, across = geometry.similarities(gamma or 1.0)
            costs = [options[place].cost or 1.0 for place in places]
            found[places] = told(across, machines_of(among, geometry.groups, costs))
        return found


@dataclass(frozen=True, eq=False)
class Machine:
    """One hyperplane for each pair of classes: weights of the examples (M, pairs) and offsets (pairs,)."""

    weights: Floats
    offsets: Floats
    classes: Integers


def machines_of(similarity: Floats, groups: Integers, costs: Sequence[float]) -> list[Machine]:
    """A machine for each C, groups balanced: weights n / (G·n_g), worked out here, where it takes no time."""
    classes, counts = np.unique(groups, return_counts=True)
    if counts.min() < counts.max():
        weights = dict(zip(classes.tolist(), (len(groups) / (len(classes) * counts)).tolist(), strict=True))
        return [machine_of(train(similarity, groups, cost, weights)) for cost in costs]
    bounded, limit = all_at_bound(similarity, groups, classes)
    return [bounded if cost <= limit else machine_of(train(similarity, groups, cost)) for cost in costs]


def all_at_bound(similarity: Floats, groups: Integers, classes: Integers) -> tuple[Machine, float]:
    """The machine, divided by C, whose examples all weigh as much as C lets them; and the largest C with that solution.

    With groups of one size it is feasible for every C. With s an example's similarity with the first class less that
    with the second, s₊ the largest within the first class and s₋ the smallest within the second, it is optimal while
    C·(s₊ − s₋) ≤ 2; the offset is in the middle of the optimal ones, as libsvm has it.
    """
    members = groups == classes[:, None]
    sums = similarity @ members.T
    pairs = list(combinations(range(len(classes)), 2))
    offsets, limits = np.empty(len(pairs)), np.full(len(pairs), np.inf)
    for place, (i, j) in enumerate(pairs):
        difference = sums[:, i] - sums[:, j]
        top, bottom = difference[members[i]].max(), difference[members[j]].min()
        offsets[place] = -0.5 * (top + bottom)
        if top > bottom:
            limits[place] = 2.0 / (top - bottom)
    first, second = np.array(pairs, np.intp).T
    signs = members[first].astype(np.float64) - members[second]
    return Machine(signs.T, offsets, classes), float(limits.min())


def train(similarity: Floats, groups: Integers, cost: float, weights: Mapping[int, float] | None = None) -> Any:
    """A fitted SVC on a matrix of similarities."""
    with config_context(assume_finite=True, skip_parameter_validation=True):
        return SVC(C=cost, kernel="precomputed", class_weight=weights, cache_size=500).fit(similarity, groups)


def machine_of(fitted: Any) -> Machine:
    """A fitted SVC as hyperplanes that are positive on the side of the first class of their pair."""
    classes = np.asarray(fitted.classes_)
    ends = np.concatenate([[0], np.cumsum(fitted.n_support_)])
    pairs = list(combinations(range(len(classes)), 2))
    weights = np.zeros((fitted.shape_fit_[0], len(pairs)))
    for column, (i, j) in enumerate(pairs):
        own, other = slice(ends[i], ends[i + 1]), slice(ends[j], ends[j + 1])
        weights[fitted.support_[own], column] = fitted.dual_coef_[j - 1, own]
        weights[fitted.support_[other], column] = fitted.dual_coef_[i, other]
    sign = -1.0 if len(classes) == 2 else 1.0  # scikit-learn turns the only hyperplane of two classes around
    return Machine(sign * weights, sign * np.asarray(fitted.intercept_), classes)


def told(across: Floats, machines: Sequence[Machine]) -> Integers:
    """What each machine says of each row, by votes over pairs, the first class winning ties; (machines, rows)."""
    stacked = across @ np.concatenate([machine.weights for machine in machines], axis=1)
    classes = machines[0].classes
    pairs = list(combinations(range(len(classes)), 2))
    found = np.empty((len(machines), len(across)), np.intp)
    first = np.zeros((len(pairs), len(classes)), np.float32)
    second = np.zeros_like(first)
    for place, (i, j) in enumerate(pairs):
        first[place, i] = second[place, j] = 1.0
    for number, machine in enumerate(machines):
        decisions = stacked[:, number * len(pairs) : (number + 1) * len(pairs)] + machine.offsets
        for_first = (decisions > 0).astype(np.float32)
        votes = for_first @ (first - second) + second.sum(axis=0)
        found[number] = classes[np.argmax(votes, axis=1)]
    return found
