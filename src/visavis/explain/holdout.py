"""What is held out, and what picks tell about it: groups of unseen documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import StratifiedKFold

from visavis.contracts import Kernel
from visavis.explain.equal import equal_accuracy
from visavis.explain.parting import part_blocks
from visavis.records import Array, Integers, joint_codes

FOLDS = 3
FEWEST_FOLDS = 2  # where a group has too few blocks for more
ALL_UP_TO, SAMPLE = 5000, 3000

Fold = tuple[Integers, Integers]  # rows to learn from, rows held out


@dataclass(frozen=True, eq=False)
class Bonds:
    """Which documents may not lie on both sides of a split: those of a block, and copies; shape (documents,) each."""

    blocks: Integers
    families: Integers

    @classmethod
    def of_documents(cls, n_documents: int) -> Bonds:
        """Every document on its own."""
        return cls(np.arange(n_documents), np.arange(n_documents))

    def held_together(self, rows: Integers) -> Integers:
        """What is held out whole, a code for each row: blocks; or families of copies, where every row is on its own.

        Copies do not join blocks: one wire story would make a single block of all the outlets that print it.
        """
        codes = self.blocks if _repeat(self.blocks[rows]) else self.families
        return np.asarray(np.unique(codes[rows], return_inverse=True)[1], np.intp)

    def without_copies(self, train: Integers, test: Integers) -> Integers:
        """The rows to learn from that are no copies of a row held out: remembering would pass for knowing."""
        return np.asarray(train[~np.isin(self.families[train], self.families[test])])


def _repeat(codes: Integers) -> bool:
    return len(np.unique(codes)) < len(codes)


def holdout_rows(codes: Integers, bonds: Bonds, rng: np.random.Generator) -> tuple[Integers, bool]:
    """The first copy of each family in each group, or above 5,000 a stratified sample of them; and whether it is one.

    A sample keeps a row of several blocks of every group, so that they can be parted.
    """
    rows = np.sort(np.unique(joint_codes(bonds.families, codes), return_index=True)[1])
    if len(rows) <= ALL_UP_TO:
        return rows, False
    sample = rows[stratified(codes[rows], SAMPLE, rng, least=FOLDS)]
    if not _repeat(bonds.blocks[rows]):
        return sample, True
    groups = codes[rows]
    pairs = joint_codes(groups, bonds.blocks[rows])
    first = np.unique(pairs, return_index=True)[1]  # of each block in each group, group after group
    rank = np.arange(len(first)) - np.searchsorted(groups[first], groups[first])
    return np.union1d(sample, rows[first[rank < FOLDS]]), True


def stratified(codes: Integers, size: int, rng: np.random.Generator, least: int = 2) -> Integers:
    """About `size` rows, each group in proportion and with at least `least`, in ascending order."""
    parts = []
    for code in np.unique(codes):
        rows = np.flatnonzero(codes == code)
        take = min(len(rows), max(least, round(size * len(rows) / len(codes))))
        parts.append(rng.choice(rows, take, replace=False))
    return np.sort(np.concatenate(parts))


def folds(
    rows: Integers, codes: Integers, rng: np.random.Generator, n_folds: int = FOLDS, bonds: Bonds | None = None
) -> list[Fold]:
    """Stratified folds of these rows, with all groups on both sides of each, and whole blocks on one.

    Where some group has too few blocks there are fewer folds, 2 at least, or none. Documents on their own are told
    apart without that: none where some group of all `codes` has fewer of them than there are folds.
    """
    counts = np.bincount(codes[rows], minlength=int(codes.max()) + 1)
    if len(counts) < 2 or counts.min() < FEWEST_FOLDS:
        return []
    seed = int(rng.integers(2**31 - 1))
    bonds = bonds or Bonds.of_documents(len(codes))
    whole = bonds.held_together(rows)
    if _repeat(whole):
        tries = (_block_folds(rows, codes, n, seed, bonds) for n in range(n_folds, FEWEST_FOLDS - 1, -1))
        return next((found for found in tries if found), [])
    if counts.min() < n_folds:
        return []
    split = StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(rows, codes[rows])
    return [(rows[train], rows[test]) for train, test in split]


def _block_folds(rows: Integers, codes: Integers, n_folds: int, seed: int, bonds: Bonds) -> list[Fold]:
    """Folds of whole blocks; none where they cannot be parted so that every group lies on both sides."""
    numbers = part_blocks(bonds.held_together(rows), codes[rows], n_folds, np.random.default_rng(seed))
    if numbers is None:
        return []
    found = []
    for number in range(n_folds):
        test = rows[numbers == number]
        found.append((bonds.without_copies(rows[numbers != number], test), test))
    everyone = np.unique(codes[rows])
    return found if all(np.array_equal(np.unique(codes[train]), everyone) for train, _ in found) else []


def nearest_groups(kernel: Kernel, vectors: Array, test: Integers, picks: Integers, groups: Integers) -> Integers:
    """The group of the nearest pick, for each of the rows held out."""
    return np.asarray(groups[np.argmin(kernel.distances(vectors[test], vectors[picks]), axis=1)])


def fold_accuracy(
    codes: Integers, parts: list[Fold], predicted: list[Integers], strata: Integers | None = None
) -> float | None:
    """Mean over folds of the balanced accuracy of what was predicted of the rows held out; None without folds.

    With `strata`, a code for each document, it is what is told within them, over all folds together.
    """
    if strata is not None and parts:
        rows = np.concatenate([test for _, test in parts])
        return equal_accuracy(np.concatenate(predicted) == codes[rows], codes[rows], strata[rows])
    scores = [_balanced_accuracy(codes[test], told) for (_, test), told in zip(parts, predicted, strict=True)]
    return float(np.mean(scores)) if scores else None


def _balanced_accuracy(truth: Integers, told: Integers) -> float:
    """The mean over groups of the share told rightly; scikit-learn's takes milliseconds to check two short arrays."""
    members = np.bincount(truth)
    right = np.bincount(truth[told == truth], minlength=len(members))
    return float(np.mean(right[members > 0] / members[members > 0]))
