"""Documents on a plane: by what they are about, or by the groups that other documents make them look like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.decomposition import TruncatedSVD

from visavis.explain.equal import equal_mix
from visavis.explain.holdout import Bonds
from visavis.explain.interval import accuracy_interval
from visavis.kernel.threads import blocks
from visavis.records import Floats, Integers
from visavis.shared.hashing import draw_by_key, hash_rows

CONTENT, GROUPS = "content", "groups"
FOLDS = 5
MOST_DIRECTIONS = 100
SHRINKAGE = 1.0  # of the documents' scatter toward the same in all directions, relative to its mean
MOST_SPARSE = 1000  # columns of sparse vectors above which they are first brought to their main directions
MOST_FITTED, STRIP = 60_000, 2**16  # documents by which axes are found; and placed at a time
FEW = 10  # documents: smaller groups have less say in where the axes point


@dataclass(frozen=True, eq=False)
class Plane:
    """Where documents lie, shape (N, 2), within −1..1; `axes` says what by: "content" or "groups"."""

    points: Floats
    axes: str


def plane(vectors: Any) -> Floats:
    """The two directions of largest variance, scaled to −1..1, signs fixed by the largest coordinate; shape (N, 2)."""
    return _within_one(_main_directions(_dense(vectors), 2))


def group_plane(
    vectors: Any, codes: Integers, n_groups: int, bonds: Bonds, seed: int, strata: Integers | None = None
) -> Plane:
    """The plane that shows groups apart as far as they are; that of content, where they cannot be told apart.

    How much document i reads like group g is s_ig = (x_i − μ) β_g, with μ and the ridge regression β of group
    membership fitted on documents that are neither held out with i (`bonds`) nor copies of it: a direction that chance
    alone offers parts no document it was not fitted on. Where `strata` are held constant, all groups have the same mix
    of them there. Two groups lie along s_i1 − s_i0, across the largest
    variance that is left; more than two along the two directions in which the means of their scores differ most,
    relative to the scatter within groups. Of very many documents a sample is placed so, and the others where the linear
    map that agrees best with the sample puts them.
    """
    if isinstance(vectors, np.ndarray) and len(codes) > MOST_FITTED:
        return _plane_of_many(vectors, codes, n_groups, bonds, seed, strata)
    reduced = _main_directions(_dense(vectors, seed), MOST_DIRECTIONS)
    held_together = bonds.held_together(np.arange(len(codes)))
    folds = _folds(codes, held_together, np.random.default_rng(seed))
    weights = np.ones(len(codes)) if strata is None else equal_mix(codes, strata)
    scores = _held_out_scores(reduced, codes, n_groups, folds, bonds.families, weights)
    if not _told_apart(scores, codes, folds, held_together, None if strata is None else weights):
        return Plane(_within_one(reduced[:, :2]), CONTENT)
    points = _across(scores[:, 1] - scores[:, 0], reduced) if n_groups == 2 else _between(scores, codes, n_groups)
    if n_groups > 2:  # from left to right as the groups are ordered
        points = points * np.where((codes - codes.mean()) @ points < 0, -1.0, 1.0)
    return Plane(_within_one(points / np.maximum(points.std(axis=0), 1e-12)), GROUPS)


def _plane_of_many(
    vectors: Any, codes: Integers, n_groups: int, bonds: Bonds, seed: int, strata: Integers | None
) -> Plane:
    """The same from a sample of every group, drawn by what the vectors hold."""
    rows = draw_by_key(hash_rows(vectors), codes, max(FEW, MOST_FITTED // n_groups))
    few = Bonds(*(np.unique(codes_of[rows], return_inverse=True)[1] for codes_of in (bonds.blocks, bonds.families)))
    fitted = group_plane(vectors[rows], codes[rows], n_groups, few, seed, None if strata is None else strata[rows])
    middle = vectors[rows].mean(axis=0, dtype=np.float64)
    centered = vectors[rows] - middle
    scatter = centered.T @ centered
    scatter += np.eye(len(scatter)) * (1e-9 * np.trace(scatter) / len(scatter) + 1e-12)
    slopes = np.linalg.solve(scatter, centered.T @ fitted.points)
    offset = fitted.points.mean(axis=0)
    points = np.empty((len(codes), 2))
    for part in blocks(len(codes), STRIP):
        points[part] = np.clip(offset + (vectors[part] - middle) @ slopes, -1.0, 1.0)
    points[rows] = fitted.points
    return Plane(points, fitted.axes)


def _dense(vectors: Any, seed: int = 0) -> Floats:
    """As an array; sparse vectors of many columns in their main directions."""
    if isinstance(vectors, np.ndarray):
        return np.asarray(vectors, np.float64)
    if vectors.shape[1] <= MOST_SPARSE:
        return np.asarray(vectors.toarray(), np.float64)
    return np.asarray(TruncatedSVD(min(MOST_DIRECTIONS, vectors.shape[0]), random_state=seed).fit_transform(vectors))


def _within_one(points: Floats) -> Floats:
    return np.asarray(points / max(float(np.abs(points).max(initial=0.0)), 1e-12), np.float64)


def _main_directions(vectors: Floats, most: int) -> Floats:
    """The centered documents in their directions of largest variance, two at least."""
    centered = vectors - vectors.mean(axis=0)
    if centered.shape[1] < 2:
        centered = np.hstack([centered, np.zeros((len(centered), 2 - centered.shape[1]))])
    if 2 <= len(centered) < centered.shape[1]:
        axes = np.linalg.svd(centered, full_matrices=False)[2].T[:, :most]
    else:
        axes = np.linalg.eigh(centered.T @ centered)[1][:, ::-1][:, :most]
    largest = axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])]
    return np.asarray(centered @ (axes * np.where(largest < 0, -1.0, 1.0)))


def _folds(codes: Integers, held_together: Integers, rng: np.random.Generator) -> Integers:
    """The fold of each document; what is held together is dealt out group by group: each group is in several folds."""
    units, first = np.unique(held_together, return_index=True)
    order = np.lexsort([rng.permutation(len(units)), codes[first]])
    dealt = np.empty(int(units.max()) + 1, np.intp)
    dealt[units[order]] = np.arange(len(units)) % FOLDS
    return dealt[held_together]


def _held_out_scores(
    vectors: Floats, codes: Integers, n_groups: int, folds: Integers, families: Integers, given: Floats
) -> Floats:
    """How much each document reads like each group, by the documents of the other folds; groups weigh the same."""
    member = (codes[:, None] == np.arange(n_groups)).astype(float)
    scores = np.zeros(member.shape)
    for fold in np.unique(folds):
        held = folds == fold
        learned = ~held & ~np.isin(families, families[held])
        counted = member[learned] * given[learned, None]
        weights = (counted / np.maximum(counted.sum(axis=0), 1e-12)).sum(axis=1) / n_groups
        mean = weights @ vectors[learned]
        centered = vectors[learned] - mean
        scatter = (centered * weights[:, None]).T @ centered
        scatter += np.eye(len(scatter)) * (SHRINKAGE * np.trace(scatter) / len(scatter) + 1e-12)
        slopes = np.linalg.solve(scatter, (centered * weights[:, None]).T @ (member[learned] - 1 / n_groups))
        scores[held] = (vectors[held] - mean) @ slopes
    return scores


def _told_apart(
    scores: Floats, codes: Integers, folds: Integers, held_together: Integers, weights: Floats | None
) -> bool:
    """Whether the highest score names the right group more often than guessing does: the whole interval lies above."""
    if scores.shape[1] < 2 or len(np.unique(folds)) < 2 or not np.any(scores):
        return False
    low, _ = accuracy_interval(scores.argmax(axis=1) == codes, codes, folds, held_together, weights)
    return bool(low > 1 / scores.shape[1])


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
