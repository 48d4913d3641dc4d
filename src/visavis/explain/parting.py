"""Whole blocks dealt to folds, every group as evenly as can be."""

from __future__ import annotations

import numpy as np

from visavis.records import Floats, Integers

TRIES = 20  # orders in which blocks are dealt, where blocks lie in several groups and some fold lacks one
LEAST = 1e-9  # of a fold's load counts for groups that a block does not have: of equals, the emptier fold


def part_blocks(
    blocks: Integers, codes: Integers, n_folds: int, rng: np.random.Generator, *, at_random: bool = False
) -> Integers | None:
    """The fold in which each row is held out, with its whole block; None where some fold would lack a group.

    With s_bg block b's share of group g and L_f = Σ_{b in f} s_b, blocks go one after the other, the largest share
    first, where s_b · L_f is least: that raises Σ_f |L_f|², which is lowest for even folds, by least. Where every
    block lies in one group, the first blocks of a group so go to different folds. (StratifiedGroupKFold is no
    more even, leaves folds without a group where blocks are few, and takes half a second for 3,000 of them.) With
    `at_random` they go in random order instead: large blocks then do not always meet the same others.
    """
    numbers, groups = (np.unique(labels, return_inverse=True)[1] for labels in (blocks, codes))
    shares = np.zeros((int(numbers.max()) + 1, int(groups.max()) + 1))
    np.add.at(shares, (numbers, groups), 1.0)
    if np.sum(shares > 0, axis=0).min() < n_folds:
        return None
    shares /= shares.sum(axis=0)
    for attempt in range(TRIES):
        order = rng.permutation(len(shares))
        if attempt == 0 and not at_random:
            order = order[np.argsort(-shares[order].max(axis=1), kind="stable")]
        folds, loads = _deal(shares, order, n_folds)
        if np.all(loads > 0):
            return np.asarray(folds[numbers], np.intp)
    return None


def _deal(shares: Floats, order: Integers, n_folds: int) -> tuple[Integers, Floats]:
    """Each block's fold, and the folds' shares of the groups (folds, groups)."""
    folds: Integers = np.empty(len(shares), np.intp)
    loads = np.zeros((n_folds, shares.shape[1]))
    for block in order.tolist():
        fold = int(np.argmin(loads @ (shares[block] + LEAST)))
        folds[block] = fold
        loads[fold] += shares[block]
    return folds, loads
