"""Documents on a plane: by what they are about, or by the groups that other documents make them look like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from visavis.records import Floats, Integers

CONTENT, GROUPS = "content", "groups"
FOLDS = 5
MOST_DIRECTIONS = 100
SHRINKAGE = 1.0  # of the documents' scatter toward the same in all directions, relative to its mean
LEAST_SURE = 2.0  # standard errors, over what is held together, by which it must do better than guessing
FEW = 10  # documents: smaller groups have less say in where the axes point


@dataclass(frozen=True, eq=False)
class Plane:
    """Where documents lie, shape (N, 2), within −1..1; `axes` says what by: "content" or "groups"."""

    points: Floats
    axes: str


def plane(vectors: Any) -> Floats:
    """The two directions of largest variance, scaled to −1..1, signs fixed by the largest coordinate; shape (N, 2)."""
    return _within_one(_main_directions(_dense(vectors), 2))


def group_plane(vectors: Any, codes: Integers, n_groups: int, held_together: Integers, seed: int) -> Plane:
    """The plane that shows groups apart as far as they are; that of content, where they cannot be told apart.

    How much document i reads like group g is s_ig = (x_i − μ) β_g, with μ and the ridge regression β of group
    membership fitted on the documents not `held_together` with i (shape (N,), numbers from 0): a direction that chance
    alone offers parts no document it was not fitted on. Two groups lie along s_i1 − s_i0, across the largest
    variance that is left; more than two along the two directions in which the means of their scores differ most,
    relative to the scatter within groups.
    """
    reduced = _main_directions(_dense(vectors), MOST_DIRECTIONS)
    folds = _folds(codes, held_together, np.random.default_rng(seed))
    scores = _held_out_scores(reduced, codes, n_groups, folds)
    if not _told_apart(scores, codes, n_groups, held_together):
        return Plane(plane(vectors), CONTENT)
    points = _across(scores[:, 1] - scores[:, 0], reduced) if n_groups == 2 else _between(scores, codes, n_groups)
    if n_groups > 2:  # from left to right as the groups are ordered
        points = points * np.where([np.corrcoef(codes, axis)[0, 1] < 0 for axis in points.T], -1.0, 1.0)
    return Plane(_within_one(points / np.maximum(points.std(axis=0), 1e-12)), GROUPS)


def _dense(vectors: Any) -> Floats:
    return np.asarray(vectors if isinstance(vectors, np.ndarray) else vectors.toarray(), np.float64)


def _within_one(points: Floats) -> Floats:
    return np.asarray(points / max(float(np.abs(points).max(initial=0.0)), 1e-12), np.float64)


def _main_directions(vectors: Floats, most: int) -> Floats:
    """The centered documents in their directions of largest variance, two at least."""
    centered = vectors - vectors.mean(axis=0)
    if centered.shape[1] < 2:
        centered = np.hstack([centered, np.zeros((len(centered), 2 - centered.shape[1]))])
    _, axes = np.linalg.eigh(centered.T @ centered)
    axes = axes[:, ::-1][:, :most]
    largest = axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])]
    return np.asarray(centered @ (axes * np.where(largest < 0, -1.0, 1.0)))


def _folds(codes: Integers, held_together: Integers, rng: np.random.Generator) -> Integers:
    """The fold of each document; what is held together is dealt out group by group: each group is in several folds."""
    units, first = np.unique(held_together, return_index=True)
    order = np.lexsort([rng.permutation(len(units)), codes[first]])
    dealt = np.empty(int(units.max()) + 1, np.intp)
    dealt[units[order]] = np.arange(len(units)) % FOLDS
    return dealt[held_together]


def _held_out_scores(vectors: Floats, codes: Integers, n_groups: int, folds: Integers) -> Floats:
    """How much each document reads like each group, by the documents of the other folds; groups weigh the same."""
    member = (codes[:, None] == np.arange(n_groups)).astype(float)
    scores = np.zeros(member.shape)
    for fold in np.unique(folds):
        held, learned = folds == fold, folds != fold
        weights = (member[learned] / np.maximum(member[learned].sum(axis=0), 1)).sum(axis=1) / n_groups
        mean = weights @ vectors[learned]
        centered = vectors[learned] - mean
        scatter = (centered * weights[:, None]).T @ centered
        scatter += np.eye(len(scatter)) * (SHRINKAGE * np.trace(scatter) / len(scatter) + 1e-12)
        slopes = np.linalg.solve(scatter, (centered * weights[:, None]).T @ (member[learned] - 1 / n_groups))
        scores[held] = (vectors[held] - mean) @ slopes
    return scores


def _told_apart(scores: Floats, codes: Integers, n_groups: int, held_together: Integers) -> bool:
    """Whether the highest score names the right group more often than guessing does, by two standard errors."""
    if n_groups < 2:
        return False
    right = (scores.argmax(axis=1) == codes).astype(float)
    sizes = np.maximum(np.bincount(codes, minlength=n_groups), 1)
    shares = np.bincount(codes, right, n_groups) / sizes
    apart = np.bincount(held_together, (right - shares[codes]) / (sizes[codes] * n_groups))
    return bool(shares.mean() - 1 / n_groups > LEAST_SURE * np.sqrt(np.sum(apart**2)))


def _across(leaning: Floats, vectors: Floats) -> Floats:
    """The leaning from left to right, and the direction of largest variance that does not go with it."""
    along = (leaning - leaning.mean())[:, None]
    rest = vectors - along @ (along.T @ vectors) / max(float((along**2).sum()), 1e-12)
    return np.column_stack([along[:, 0], _main_directions(rest, 1)[:, 0]])


def _between(scores: Floats, codes: Integers, n_groups: int) -> Floats:
    """The scores in the two directions in which the groups' means differ most, scatter within groups being even."""
    sizes = np.bincount(codes, minlength=n_groups)
    sums = np.stack([np.bincount(codes, column, n_groups) for column in scores.T], axis=1)
    means = sums / np.maximum(sizes, 1)[:, None]
    inside = scores - means[codes]
    scatter = inside.T @ inside / len(scores)
    scatter += np.eye(n_groups) * (SHRINKAGE * np.trace(scatter) / n_groups + 1e-12)
    even = np.linalg.inv(np.linalg.cholesky(scatter)).T
    apart = (means - means.mean(axis=0)) * np.sqrt(sizes / (sizes + FEW))[:, None]
    directions = np.linalg.svd(apart @ even, full_matrices=False)[2][:2]
    return np.asarray((scores - scores.mean(axis=0)) @ even @ directions.T)
