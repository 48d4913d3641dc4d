"""What a classifier tells that sees every document to learn from: the best of a few, chosen without those held out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.svm import SVC, LinearSVC

from visavis.explain.bags import weigh_terms
from visavis.explain.equal import equal_mix
from visavis.explain.holdout import Fold, fold_accuracy
from visavis.records import Floats, Integers

MANY_GROUPS = 8  # above, words are told apart by least squares, which solves for all groups at once

Classifier = tuple[str, Callable[[], Any]]  # what it looks at, and how it is made


@dataclass(frozen=True, eq=False)
class Seen:
    """What a classifier can look at, a row for each document: `bags` of words, where there are texts, and `vectors`.

    These may be sparse. It learns what tells the groups within `strata`, if there are any.
    """

    codes: Integers
    vectors: Any
    bags: Any | None
    gamma: float
    strata: Integers | None = None

    def views(self, known: Integers) -> dict[str, Any]:
        """Both, weighted and scaled by the `known` rows alone."""
        found = {"vectors": _scaled(self.vectors, known), "kernel": self.vectors}
        return found if self.bags is None else found | {"words": weigh_terms(self.bags, known)}

    def weights(self, known: Integers) -> Floats | None:
        """How much each of the `known` rows counts, so that strata tell nothing of the groups; None for all alike."""
        if self.strata is None:
            return None
        found = equal_mix(self.codes[known], self.strata[known])
        return found if found.any() else None

    @property
    def classifiers(self) -> tuple[Classifier, ...]:
        """Those worth trying; none of them draws anything, and the simplest comes first."""
        near = tuple(_logistic(cost) for cost in (1.0, 100.0))
        if self.bags is None:
            return (*near, *(_radial(cost, self.gamma) for cost in (1.0, 10.0)))
        if len(np.unique(self.codes)) > MANY_GROUPS:
            return (*(_least_squares(penalty) for penalty in (10.0, 1.0)), *near)
        words = (*(_logistic_words(cost) for cost in (1.0, 10.0)), *(_margin(cost) for cost in (0.1, 1.0)))
        return (*words, *near)


@dataclass(frozen=True, eq=False)
class Told:
    """The groups told of the rows held out, and the accuracy within the others by which the classifier was chosen."""

    predicted: Integers
    within: float | None


@dataclass(frozen=True, eq=False)
class TellByEverything:
    """Chooses and trains a classifier on a fold's training rows, then tells the others: a task that can be pickled."""

    seen: Seen

    def __call__(self, task: tuple[Fold, list[Fold]]) -> Told:
        """What the classifier tells that is best on the inner folds; the first where there are none."""
        fold, inner = task
        classifiers = self.seen.classifiers
        tried = [self._predict(classifiers, part) for part in inner]
        scores = [self._accuracy(inner, list(told)) for told in zip(*tried, strict=True)]
        best = int(np.argmax(scores)) if scores else 0
        (predicted,) = self._predict(classifiers[best : best + 1], fold)
        return Told(predicted, scores[best] if scores else None)

    def _accuracy(self, inner: list[Fold], told: list[Integers]) -> float:
        return fold_accuracy(self.seen.codes, inner, told, self.seen.strata) or 0.0

    def _predict(self, classifiers: tuple[Classifier, ...], fold: Fold) -> list[Integers]:
        train, test = fold
        views, codes = self.seen.views(train), self.seen.codes[train]
        weights = self.seen.weights(train)
        return [
            np.asarray(make().fit(views[on][train], codes, sample_weight=weights).predict(views[on][test]))
            for on, make in classifiers
        ]


def _scaled(vectors: Any, known: Integers) -> Any:
    """Vectors around the mean of the `known` rows, which get a mean squared length of 1.

    Sparse rows are scaled alike but not moved: where they lie is for the classifier's intercept.
    """
    if not isinstance(vectors, np.ndarray):
        own = vectors[known].astype(np.float64)
        spread = own.multiply(own).sum() / len(known) - np.sum(np.square(own.mean(axis=0)))
        return vectors.astype(np.float64) / np.sqrt(max(spread, 0.0) or 1.0)
    centered: Floats = np.asarray(vectors, np.float64) - np.mean(vectors[known], axis=0, dtype=np.float64)
    return np.asarray(centered / np.sqrt(np.mean(np.sum(centered[known] ** 2, axis=1)) or 1.0))


def _logistic(cost: float) -> Classifier:
    return "vectors", lambda: LogisticRegression(C=cost, class_weight="balanced", max_iter=1000)


def _radial(cost: float, gamma: float) -> Classifier:
    return "kernel", lambda: SVC(C=cost, gamma=gamma, class_weight="balanced", cache_size=500)


def _logistic_words(cost: float) -> Classifier:
    return "words", lambda: OneAgainstRest(cost)


def _margin(cost: float) -> Classifier:
    return "words", lambda: LinearSVC(C=cost, class_weight="balanced", dual=False)  # in its dual form it draws


def _least_squares(penalty: float) -> Classifier:
    return "words", lambda: RidgeClassifier(penalty, fit_intercept=False, class_weight="balanced", solver="cholesky")


class OneAgainstRest:
    """Logistic regression of each group against the rest; scikit-learn's would set filters of warnings in threads."""

    def __init__(self, cost: float) -> None:
        self._cost = cost

    def fit(self, rows: Any, codes: Integers, sample_weight: Floats | None = None) -> OneAgainstRest:
        """Learn from these rows; of two groups, the second against the first."""
        self._groups = np.unique(codes)
        against = self._groups[1:] if len(self._groups) == 2 else self._groups
        self._models = [self._model().fit(rows, codes == group, sample_weight) for group in against]
        return self

    def predict(self, rows: Any) -> Integers:
        """The group that is likeliest against the others."""
        scores = np.stack([model.decision_function(rows) for model in self._models], axis=1)
        places = np.argmax(scores, axis=1) if len(self._models) > 1 else (scores[:, 0] > 0).astype(np.intp)
        return np.asarray(self._groups[places])

    def _model(self) -> Any:
        return LogisticRegression(C=self._cost, class_weight="balanced", solver="liblinear")
