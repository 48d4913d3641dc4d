"""Blocks: documents that are not independent of each other, and what a test may deal anew among the groups."""

from __future__ import annotations

from collections.abc import Sequence
from math import lgamma, log

import numpy as np

from visavis.records import Blocks, Booleans, Integers, joint_codes

LEAST = 3  # units that a group must have
DECISIVE = 20  # different ways to deal: with no more, p could not be below .05
CARRIED = 0.9  # of the documents in blocks of several: where so many lie in blocks of one group, blocks were dealt
BY_CHANCE = 0.75  # ... unless so many would by chance


def divide(
    by: str, codes: Integers, groups: Integers, levels: Sequence[Integers], within: Integers | None = None
) -> Blocks:
    """Blocks by `codes` with the units of a test; `groups` says where each document is, shape (N,).

    A part of the documents that lies in one group is a unit, and changes places with the others of its level; one that
    lies in several is divided by the next of `levels` (coarse to fine, −1 for a document of which nothing is known
    there, which waits for the next), and its parts change places among themselves; at last documents do. `within` holds
    something constant: nothing changes places across its values.
    """
    n_documents = len(groups)
    part = np.zeros(n_documents, np.intp) if within is None else np.unique(within, return_inverse=True)[1]
    units, strata = np.full(n_documents, -1, np.intp), np.full(n_documents, -1, np.intp)
    n_units = n_strata = 0
    for level in (*levels, np.arange(n_documents)):
        left = np.flatnonzero((units < 0) & (level >= 0))
        if len(left) == 0:
            continue
        cells = np.unique(joint_codes(part[left], level[left]), return_inverse=True)[1]
        pure = left[is_pure(cells, groups[left])]
        units[pure] = n_units + cells[np.isin(left, pure)]
        strata[pure] = n_strata + part[pure]
        n_units, n_strata = n_units + int(cells.max()) + 1, n_strata + int(part.max()) + 1
        part += int(cells.max()) + 1  # those that wait for the next level stay apart
        part[left] = cells
    whole = alone(codes)
    by = by if len(np.unique(whole)) < n_documents else "documents"
    return Blocks(by, whole, np.unique(units, return_inverse=True)[1], np.unique(strata, return_inverse=True)[1])


def alone(codes: Integers) -> Integers:
    """The codes, with one of its own for each document whose code is −1."""
    unknown = np.flatnonzero(codes < 0)
    if len(unknown) == 0:
        return codes
    found = codes.copy()
    found[unknown] = codes.max(initial=-1) + 1 + np.arange(len(unknown))
    return found


def is_pure(codes: Integers, groups: Integers) -> Booleans:
    """For each document, whether its block lies in one group."""
    _, place = np.unique(codes, return_inverse=True)
    lowest, highest = np.full(place.max(initial=-1) + 1, groups.max(initial=0)), np.zeros(place.max(initial=-1) + 1)
    np.minimum.at(lowest, place, groups)
    np.maximum.at(highest, place, groups)
    return np.asarray((lowest == highest)[place])


def counts_in_groups(codes: Integers, groups: Integers, n_groups: int) -> Integers:
    """How many blocks each group has."""
    first = np.unique(joint_codes(alone(codes), groups), return_index=True)[1]
    return np.bincount(groups[first], minlength=n_groups)


def carries_groups(codes: Integers, groups: Integers) -> bool:
    """Whether whole blocks seem to have been dealt to the groups: nearly all that could lie in several lie in one."""
    _, place, sizes = np.unique(alone(codes), return_inverse=True, return_counts=True)
    several = sizes[place] > 1
    if not several.any():
        return False
    shares = np.bincount(groups) / len(groups)
    distinct, at = np.unique(sizes, return_inverse=True)
    chance = np.array([np.sum(shares**size) for size in distinct])[at][place[several]].mean()
    return bool(is_pure(place, groups)[several].mean() >= CARRIED and chance <= BY_CHANCE)


def too_few(strata: Integers, groups: Integers, n_groups: int) -> str:
    """Why dealing these units anew can decide nothing, as the end of a sentence; empty where it can.

    Both have an entry for each unit. `groups` numbers those that are compared from 0.
    """
    table = np.zeros((int(strata.max()) + 1, n_groups), np.intp)
    np.add.at(table, (strata, groups), 1)
    movable = table[np.sum(table > 0, axis=1) > 1]
    per_group = movable.sum(axis=0)
    if len(movable) == 0 or per_group.min() < LEAST:
        return f"at least {LEAST} in each group are needed"
    ways = sum(lgamma(row.sum() + 1) - sum(lgamma(n + 1) for n in row) for row in movable)
    _, alike = np.unique(movable, axis=1, return_counts=True)  # groups that could bear each other's names
    ways -= sum(lgamma(n + 1) for n in alike)
    return "" if ways > log(DECISIVE) + 1e-9 else "there are too few ways to deal them to the groups"
