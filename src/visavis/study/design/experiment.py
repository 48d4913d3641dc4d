"""What each method picks for each pair of groups, and how well classifiers do with the picks."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import balanced_accuracy_score

from visavis.errors import LeftTheData, MissingGroup, OnlyOneGroup
from visavis.inputs import Grouped
from visavis.kernel import resolve_width
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Array, Integers, Points
from visavis.select.draws import Seeded
from visavis.select.parameters import applicable
from visavis.select.search import Request, select
from visavis.select.session import Session, pose
from visavis.study.classifiers import CLASSIFIERS, predict
from visavis.study.design.plan import StudyPlan


@dataclass(frozen=True, eq=False)
class Parts:
    """Vectors of all documents, their groups, and the one split that serves all pairs."""

    vectors: Array
    codes: Integers
    train: Integers
    test: Integers


@dataclass(frozen=True, eq=False)
class Picks:
    """What a method picked for a pair: rows by group, and the accuracy of each classifier on the pair's test part."""

    rows: Mapping[int, tuple[int, ...]]
    accuracy: Mapping[str, float]


class PairExperiment:
    """Picks and classifiers for pairs of groups, all on one split."""

    def __init__(self, parts: Parts, plan: StudyPlan) -> None:
        self.parts, self.plan = parts, plan
        self._gammas: dict[tuple[int, int], float] = {}
        self._last: tuple[tuple[int, int], Session] | None = None

    def rows(self, part: Integers, pair: tuple[int, int]) -> Integers:
        """The rows of a part that belong to a pair."""
        return part[np.isin(self.parts.codes[part], pair)]

    def picks(self, method: str, pair: tuple[int, int]) -> Picks:
        """What a method picks from the training part, and what that tells about the test part."""
        train, codes = self.rows(self.parts.train, pair), self.parts.codes
        request = Request(
            method=method,
            parameters=applicable(method, {"contrast": self.plan.contrast}),
            size=self.plan.size,
            draws=Seeded((self.plan.seed, 5, *pair)),
        )
        with warnings.catch_warnings():
            for known in (LeftTheData, MissingGroup, OnlyOneGroup):
                warnings.simplefilter("ignore", known)
            found = select(self._session(pair), request)
        rows = train[found.rows[found.by_group]]
        by_group = {int(code): tuple(int(row) for row in rows[codes[rows] == code]) for code in pair}
        test = self.rows(self.parts.test, pair)
        return Picks(by_group, {name: self.accuracy(name, rows, test, pair) for name in CLASSIFIERS})

    def accuracy(self, classifier: str, learned: Integers, asked: Integers, pair: tuple[int, int]) -> float:
        """Balanced accuracy on `asked` of a classifier that saw `learned`."""
        codes = self.parts.codes
        known, new = (self.parts.vectors[rows].astype(np.float64) for rows in (learned, asked))
        predicted = predict(classifier, known, codes[learned], new, self._gamma(pair))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # questions drawn uniformly may hold one group alone
            return float(balanced_accuracy_score(codes[asked], predicted))

    def ceiling(self, pair: tuple[int, int]) -> float:
        """Balanced accuracy of an SVM that saw all of the pair's training part."""
        return self.accuracy("svm", self.rows(self.parts.train, pair), self.rows(self.parts.test, pair), pair)

    def _session(self, pair: tuple[int, int]) -> Session:
        """The training part of a pair: one pass over its pairs of documents serves all methods."""
        if self._last is None or self._last[0] != pair:
            train = self.rows(self.parts.train, pair)
            labels, codes = np.unique(self.parts.codes[train], return_inverse=True)
            grouped = Grouped(np.array([str(label) for label in labels], dtype=object), codes.astype(np.intp))
            self._last = pair, pose(Points.of(self.parts.vectors[train]), grouped, gamma=self.plan.gamma)
        return self._last[1]

    def _gamma(self, pair: tuple[int, int]) -> float:
        if pair not in self._gammas:
            rows = np.sort(self.rows(self.parts.train, pair))
            vectors = DocumentVectors(self.parts.vectors, rows)
            self._gammas[pair] = resolve_width(self.plan.gamma, "rbf", vectors, np.ones(len(rows)))
        return self._gammas[pair]


def split(codes: Integers, share: float, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Training and test rows, every group in the same proportion (a group of one stays in the training part)."""
    test = []
    for code in np.unique(codes):
        rows = rng.permutation(np.flatnonzero(codes == code))
        test.append(rows[: min(len(rows) - 1, max(1, round(share * len(rows))))])
    chosen = np.sort(np.concatenate(test)).astype(np.intp)
    return np.setdiff1d(np.arange(len(codes)), chosen).astype(np.intp), chosen


def best_pairs(
    scores: Mapping[str, Mapping[tuple[int, int], float]], top: int | None, floor: float
) -> tuple[tuple[int, int], ...]:
    """The union, over methods, of the `top` pairs with the best accuracy that reach the floor; ties by order."""
    chosen: set[tuple[int, int]] = set()
    for of_method in scores.values():
        able = sorted((pair for pair, score in of_method.items() if score >= floor), key=lambda p: (-of_method[p], p))
        chosen.update(able[:top])
    return tuple(sorted(chosen))
