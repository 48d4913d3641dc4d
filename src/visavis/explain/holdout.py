"""What is held out, and what picks tell about it: accuracy on unseen documents."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

from visavis.contracts import Kernel
from visavis.records import Array, Booleans, Integers

FOLDS = 3
ALL_UP_TO, SAMPLE = 5000, 3000
COST = 10.0  # C of the classifier that sees everything

Fold = tuple[Integers, Integers]  # rows to learn from, rows held out


def holdout_rows(codes: Integers, unique: Booleans, rng: np.random.Generator) -> tuple[Integers, bool]:
    """One row of every family of copies, or above 5,000 a stratified sample of them; and whether it is one.

    With copies on both sides of a split, remembering would pass for knowing.
    """
    rows = np.flatnonzero(unique)
    if len(rows) <= ALL_UP_TO:
        return rows, False
    return rows[stratified(codes[rows], SAMPLE, rng, least=FOLDS)], True


def stratified(codes: Integers, size: int, rng: np.random.Generator, least: int = 2) -> Integers:
    """About `size` rows, each group in proportion and with at least `least`, in ascending order."""
    parts = []
    for code in np.unique(codes):
        rows = np.flatnonzero(codes == code)
        take = min(len(rows), max(least, round(size * len(rows) / len(codes))))
        parts.append(rng.choice(rows, take, replace=False))
    return np.sort(np.concatenate(parts))


def folds(rows: Integers, codes: Integers, rng: np.random.Generator, n_folds: int = FOLDS) -> list[Fold]:
    """Stratified folds of these rows; none where some group of all `codes` has fewer of them than there are folds."""
    counts = np.bincount(codes[rows], minlength=int(codes.max()) + 1)
    if len(counts) < 2 or counts.min() < n_folds:
        return []
    seed = int(rng.integers(2**31 - 1))
    split = StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(rows, codes[rows])
    return [(rows[train], rows[test]) for train, test in split]


def nearest_accuracy(
    kernel: Kernel, vectors: Array, codes: Integers, test: Integers, picks: Integers, groups: Integers
) -> float:
    """Balanced accuracy, on the rows held out, of telling the group of the nearest pick."""
    predicted = groups[np.argmin(kernel.distances(vectors[test], vectors[picks]), axis=1)]
    return float(balanced_accuracy_score(codes[test], predicted))


def everything_accuracy(gram: Array, codes: Integers, fold: Fold) -> float:
    """Balanced accuracy, on the rows held out, of an SVM that sees every other document; `gram` are similarities."""
    train, test = fold
    model = SVC(C=COST, kernel="precomputed", class_weight="balanced", cache_size=500)
    model.fit(gram[np.ix_(train, train)], codes[train])
    return float(balanced_accuracy_score(codes[test], model.predict(gram[np.ix_(test, train)])))
