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
from visavis.records import Booleans, Floats, Integers

MANY = 20  # classes; the pairs of more would fill the memory


class KernelSVM:
    """One against one, as scikit-learn's SVC."""

    name = "svm"

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
            found[places] = answers(among, across, geometry.groups, costs)
        return found


def answers(among: Floats, across: Floats, groups: Integers, costs: Sequence[float]) -> Integers:
    """What a machine trained at each C tells, groups balanced: weights n / (G·n_g), worked out here in no time."""
    classes, counts = np.unique(groups, return_counts=True)
    if counts.min() < counts.max():
        weights = dict(zip(classes.tolist(), (len(groups) / (len(classes) * counts)).tolist(), strict=True))
        return np.stack([predict(train(among, groups, cost, weights), across) for cost in costs])
    bounded = all_at_bound(among, groups, classes)
    alike = bounded.predict(across) if min(costs) <= bounded.limit else np.empty(0, np.intp)
    return np.stack([alike if c <= bounded.limit else predict(train(among, groups, c), across) for c in costs])


@dataclass(frozen=True, eq=False)
class Bounded:
    """A machine, divided by C, whose examples all weigh as much as C lets them, for every C up to `limit`."""

    members: Booleans  # (classes, M)
    offsets: Floats  # one for each pair of classes
    classes: Integers
    limit: float

    def predict(self, across: Floats) -> Integers:
        """What it says of each row, by votes over pairs, the first class winning ties."""
        sums = across @ self.members.T.astype(np.float64)
        votes = np.zeros(sums.shape, np.intp)
        for offset, (i, j) in zip(self.offsets, combinations(range(len(self.classes)), 2), strict=True):
            for_first = sums[:, i] - sums[:, j] + offset > 0
            votes[:, i] += for_first
            votes[:, j] += ~for_first
        return np.asarray(self.classes[np.argmax(votes, axis=1)])


def all_at_bound(similarity: Floats, groups: Integers, classes: Integers) -> Bounded:
    """The machine of a small C, which needs no solver.

    With groups of one size it is feasible for every C. With s an example's similarity with the first class less that
    with the second, s₊ the largest within the first class and s₋ the smallest within the second, it is optimal while
    C·(s₊ − s₋) ≤ 2; the offset is in the middle of the optimal ones, as libsvm has it.
    """
    members = groups == classes[:, None]
    sums = similarity @ members.T.astype(np.float64)
    offsets, widest = [], 0.0
    for i, j in combinations(range(len(classes)), 2):
        difference = sums[:, i] - sums[:, j]
        top, bottom = difference[members[i]].max(), difference[members[j]].min()
        offsets.append(-0.5 * (top + bottom))
        widest = max(widest, float(top - bottom))
    return Bounded(members, np.array(offsets), classes, 2.0 / widest if widest > 0 else np.inf)


def train(similarity: Floats, groups: Integers, cost: float, weights: Mapping[int, float] | None = None) -> Any:
    """A fitted SVC on a matrix of similarities."""
    with config_context(assume_finite=True, skip_parameter_validation=True):
        return SVC(C=cost, kernel="precomputed", class_weight=weights, cache_size=500).fit(similarity, groups)


def predict(fitted: Any, across: Floats) -> Integers:
    """What a fitted SVC says of each row; for a few classes by one product, which spares its overhead."""
    classes = np.asarray(fitted.classes_)
    if len(classes) > MANY:
        return np.asarray(fitted.predict(across))
    pairs = list(combinations(range(len(classes)), 2))
    ends = np.concatenate([[0], np.cumsum(fitted.n_support_)])
    weights = np.zeros((fitted.shape_fit_[0], len(pairs)))
    for column, (i, j) in enumerate(pairs):
        own, other = slice(ends[i], ends[i + 1]), slice(ends[j], ends[j + 1])
        weights[fitted.support_[own], column] = fitted.dual_coef_[j - 1, own]
        weights[fitted.support_[other], column] = fitted.dual_coef_[i, other]
    decisions = across @ weights + fitted.intercept_
    if len(classes) == 2:  # scikit-learn turns the only hyperplane of two classes around
        return np.asarray(np.where(decisions[:, 0] < 0, classes[0], classes[1]))
    ballots = np.zeros((len(pairs), len(classes)), np.float32)
    for place, (i, j) in enumerate(pairs):
        ballots[place, i], ballots[place, j] = 1.0, -1.0
    votes = (decisions > 0).astype(np.float32) @ ballots - np.minimum(ballots, 0).sum(axis=0)
    return np.asarray(classes[np.argmax(votes, axis=1)])
