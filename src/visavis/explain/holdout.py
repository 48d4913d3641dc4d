"""How much the picks tell: accuracy on documents they were not picked from, and how often they return."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

from visavis.kernel.threads import ordered_map
from visavis.records import Array, Booleans, Floats, Integers

FOLDS = 3
RESAMPLES = 20
ALL_UP_TO, SAMPLE = 5000, 3000
RESAMPLE_UP_TO = 1500
NEIGHBORS = 0.01  # a pick counts as returned if one of the nearest 1 % of its group's documents is picked instead

Reselect = Callable[[Integers], tuple[Integers, Integers]]  # rows to pick from → picked rows, their groups
Part = tuple[Integers, Integers]  # rows to learn from, rows held out


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


def folds(rows: Integers, codes: Integers, rng: np.random.Generator, n_folds: int = FOLDS) -> list[Part]:
    """Stratified parts of these rows; none where some group of all `codes` has fewer of them than there are folds."""
    counts = np.bincount(codes[rows], minlength=int(codes.max()) + 1)
    if len(counts) < 2 or counts.min() < n_folds:
        return []
    seed = int(rng.integers(2**31 - 1))
    split = StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(rows, codes[rows])
    return [(rows[train], rows[test]) for train, test in split]


def picks_accuracy(
    parts: list[Part],
    codes: Integers,
    reselect: Reselect,
    distances: Callable[[Integers, Integers], Floats],
    threads: int,
) -> float | None:
    """Balanced accuracy of the nearest pick on held-out documents, mean over folds; None without folds."""

    def work(part: Part) -> float:
        train, test = part
        rows, groups = reselect(train)
        predicted = groups[np.argmin(distances(test, rows), axis=1)]
        return float(balanced_accuracy_score(codes[test], predicted))

    scores = list(ordered_map(work, parts, threads))
    return float(np.mean(scores)) if scores else None


def ceiling_accuracy(parts: list[Part], codes: Integers, vectors: Array, gamma: float) -> float | None:
    """Balanced accuracy, on the same folds, of an SVM that sees every training document."""

    def work(part: Part) -> float:
        train, test = part
        model = SVC(C=10.0, gamma=gamma, class_weight="balanced").fit(vectors[train], codes[train])
        return float(balanced_accuracy_score(codes[test], model.predict(vectors[test])))

    scores = [work(part) for part in parts]
    return float(np.mean(scores)) if scores else None


def stability(
    picks: Integers,
    codes: Integers,
    allowed: Booleans,
    reselect: Reselect,
    distances: Callable[[Integers, Integers], Floats],
    rng: np.random.Generator,
    threads: int,
) -> Floats:
    """In what fraction of 20 resamples each pick, or a near neighbor of it that may be picked, is picked again.

    A resample keeps four fifths of every group (of a stratified sample of 1,500, above that).
    """
    near = _neighborhoods(picks, codes, allowed, distances)
    size = min(len(codes), RESAMPLE_UP_TO) * 4 // 5
    samples = [stratified(codes, size, rng) for _ in range(RESAMPLES)]
    returned = np.zeros(len(picks))
    for again, _ in ordered_map(reselect, samples, threads):
        chosen = set(again.tolist())
        returned += [not chosen.isdisjoint(around) for around in near]
    return returned / RESAMPLES


def _neighborhoods(
    picks: Integers, codes: Integers, allowed: Booleans, distances: Callable[[Integers, Integers], Floats]
) -> list[frozenset[int]]:
    """Each pick with the nearest 1 % of its group's candidates."""
    around = []
    for pick in picks:
        rows = np.flatnonzero((codes == codes[pick]) & allowed)
        count = max(1, int(np.ceil(NEIGHBORS * len(rows))))
        order = np.argsort(distances(rows, np.array([pick]))[:, 0], kind="stable")
        around.append(frozenset(rows[order[: count + 1]].tolist()) | {int(pick)})
    return around
