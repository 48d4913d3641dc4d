"""The support vector machine with an RBF kernel, groups balanced, on similarities that are already there."""

from __future__ import annotations

from collections.abc import Sequence
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
            machines = [machine_of(train(among, geometry.groups, options[place].cost)) for place in places]
            found[places] = told(across, machines)
        return found


def train(similarity: Floats, groups: Integers, cost: float | None) -> Any:
    """A fitted SVC on a matrix of similarities, groups balanced: weights n / (G·n_g), which are 1 if all n_g are equal.

    They are worked out here because scikit-learn takes longer over them than over the machine itself.
    """
    present, counts = np.unique(groups, return_counts=True)
    weights = None
    if counts.min() < counts.max():
        weights = dict(zip(present.tolist(), (len(groups) / (len(present) * counts)).tolist(), strict=True))
    with config_context(assume_finite=True, skip_parameter_validation=True):
        return SVC(C=cost or 1.0, kernel="precomputed", class_weight=weights, cache_size=500).fit(similarity, groups)


@dataclass(frozen=True, eq=False)
class Machine:
    """One hyperplane for each pair of classes: weights of the examples (M, pairs) and offsets (pairs,)."""

    weights: Floats
    offsets: Floats
    classes: Integers


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
