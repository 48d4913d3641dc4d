"""Training and test parts, and the folds inside a training part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from visavis.errors import InvalidParameter, TooFewDocuments
from visavis.evaluate.plan import Plan
from visavis.explain.parting import part_blocks
from visavis.records import Integers


@dataclass(frozen=True, eq=False)
class Split:
    """Rows to pick from, and rows to be told apart by the picks."""

    train: Integers
    test: Integers


def make_splits(
    codes: Integers,
    plan: Plan,
    given: Iterable[Any] | None,
    names: Sequence[str] = (),
    blocks: Integers | None = None,
) -> tuple[Split, ...]:
    """The first of the given splits, or random ones, stratified by group; of whole `blocks`, where these are told.

    Raises InvalidParameter, and TooFewDocuments for groups that cannot be in both parts.
    """
    given = () if given is None else tuple(given)
    if given:
        if len(given) < plan.splits:
            raise InvalidParameter(f"splits={plan.splits} but the data bring {len(given)}: lower splits")
        return tuple(_checked(number, pair, len(codes)) for number, pair in enumerate(given[: plan.splits]))
    counts = np.bincount(codes)
    if counts.min() < 2:
        which = repr(names[int(counts.argmin())]) if names else f"number {int(counts.argmin())}"
        raise TooFewDocuments(
            f"group {which} has a single document, which cannot be in both parts: merge or drop the group"
        )
    if blocks is not None:
        return tuple(_by_blocks(codes, plan, blocks, number) for number in range(plan.splits))
    shuffle = StratifiedShuffleSplit(plan.splits, test_size=plan.test_share, random_state=plan.seed)
    try:
        found = list(shuffle.split(np.zeros(len(codes)), codes))
    except ValueError as error:
        raise InvalidParameter(f"test_share={plan.test_share:g} of {len(codes)} documents: {error}") from error
    return tuple(Split(np.sort(train).astype(np.intp), np.sort(test).astype(np.intp)) for train, test in found)


def _by_blocks(codes: Integers, plan: Plan, blocks: Integers, number: int) -> Split:
    """A random split of whole blocks; fewer and larger parts than the test share asks for, where blocks are too few."""
    rng = np.random.default_rng([plan.seed, number])
    for n_parts in range(max(2, round(1 / plan.test_share)), 1, -1):
        parts = part_blocks(blocks, codes, n_parts, rng)
        if parts is not None:
            is_test = parts == rng.integers(n_parts)
            return Split(np.flatnonzero(~is_test), np.flatnonzero(is_test))
    raise TooFewDocuments("blocks cannot be divided so that every group is in both parts: choose smaller blocks")


def standard_and_random(n_documents: int, n_train: int, count: int, seed: int) -> tuple[tuple[Integers, Integers], ...]:
    """The division as the rows stand, then random ones of the same sizes, not stratified, as in the paper."""
    orders = [np.arange(n_documents)]
    orders += [np.random.default_rng([seed, number]).permutation(n_documents) for number in range(1, count)]
    return tuple((np.sort(order[:n_train]), np.sort(order[n_train:])) for order in orders)


def fold_numbers(codes: Integers, plan: Plan, split: int, blocks: Integers | None = None) -> Integers:
    """Which fold each document of a training part is held out in: stratified and shuffled; shape (train,).

    Raises TooFewDocuments for `blocks` that cannot be divided so that every group is in every fold.
    """
    seed = int(np.random.SeedSequence([plan.seed, split]).generate_state(1)[0])
    if blocks is not None:
        parts = part_blocks(blocks, codes, plan.folds, np.random.default_rng(seed))
        if parts is None:
            raise TooFewDocuments(
                f"blocks cannot be divided into {plan.folds} folds with every group in each: lower folds"
            )
        return parts
    folds = StratifiedKFold(plan.folds, shuffle=True, random_state=seed)
    numbers = np.empty(len(codes), np.intp)
    for number, (_, held_out) in enumerate(folds.split(np.zeros(len(codes)), codes)):
        numbers[held_out] = number
    return numbers


def check_room(codes: Integers, names: Sequence[str], split: Split, number: int, plan: Plan) -> None:
    """Every group must fill every fold and give the largest size. Raises TooFewDocuments naming the group."""
    counts = np.bincount(codes[split.train], minlength=len(names))
    tested = np.bincount(codes[split.test], minlength=len(names))
    size = max(plan.sizes)
    for name, n, unseen in zip(names, counts.tolist(), tested.tolist(), strict=True):
        where = f"group {name!r} has {n} document{'' if n == 1 else 's'} to train on in split {number}"
        left = n - -(-n // plan.folds)  # what is left to pick from when the largest fold is held out
        if n < plan.folds:
            raise TooFewDocuments(f"{where}, too few for {plan.folds} folds: lower folds, or merge or drop groups")
        if left < size:
            raise TooFewDocuments(
                f"{where}, {left} of them outside a fold, but the largest size is {size}: lower sizes, or merge groups"
            )
        if unseen == 0:
            raise TooFewDocuments(f"group {name!r} has no test document in split {number}: merge or drop the group")


def _checked(number: int, pair: Any, n_documents: int) -> Split:
    parts = tuple(pair)
    if len(parts) != 2:
        raise InvalidParameter(f"split {number} must be a training and a test part, got {len(parts)} parts")
    train, test = (np.unique(np.asarray(rows)) for rows in parts)
    for name, rows in (("training", train), ("test", test)):
        if rows.ndim != 1 or rows.size == 0 or rows.dtype.kind not in "iu":
            raise InvalidParameter(f"split {number}: its {name} part must be a list of row numbers")
        if rows[0] < 0 or rows[-1] >= n_documents:
            raise InvalidParameter(
                f"split {number}: its {name} part reaches from {rows[0]} to {rows[-1]}, there are {n_documents} rows"
            )
    if np.intersect1d(train, test).size:
        raise InvalidParameter(f"split {number}: training and test part share rows")
    return Split(train.astype(np.intp), test.astype(np.intp))
