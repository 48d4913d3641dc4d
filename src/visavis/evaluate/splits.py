"""Training and test parts, and the folds inside a training part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from visavis.errors import InvalidParameter, TooFewDocuments
from visavis.evaluate.plan import Plan
from visavis.evaluate.whole_blocks import WholeBlocks, check_splits, fold_blocks, split_blocks
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
    blocks: WholeBlocks | None = None,
) -> tuple[Split, ...]:
    """The first of the given splits, or random ones, stratified by group; of whole `blocks`, where these are told.

    Raises InvalidParameter, and TooFewDocuments for groups that cannot be in both parts.
    """
    names = names or tuple(f"number {code}" for code in range(int(codes.max()) + 1))
    given = () if given is None else tuple(given)
    if given:
        if len(given) < plan.splits:
            raise InvalidParameter(f"splits={plan.splits} but the data bring {len(given)}: lower splits")
        checked = tuple(_checked(number, pair, len(codes)) for number, pair in enumerate(given[: plan.splits]))
        if blocks is not None:
            check_splits(blocks, [(split.train, split.test) for split in checked])
        return checked
    counts = np.bincount(codes)
    if counts.min() < 2:
        raise TooFewDocuments(
            f"group {names[int(counts.argmin())]!r} has a single document, which cannot be in both parts: "
            "merge or drop the group"
        )
    if blocks is not None:
        return tuple(Split(*split_blocks(codes, plan, blocks, number, names)) for number in range(plan.splits))
    shuffle = StratifiedShuffleSplit(plan.splits, test_size=plan.test_share, random_state=plan.seed)
    try:
        found = list(shuffle.split(np.zeros(len(codes)), codes))
    except ValueError as error:
        raise InvalidParameter(f"test_share={plan.test_share:g} of {len(codes)} documents: {error}") from error
    return tuple(Split(np.sort(train).astype(np.intp), np.sort(test).astype(np.intp)) for train, test in found)


def standard_and_random(n_documents: int, n_train: int, count: int, seed: int) -> tuple[tuple[Integers, Integers], ...]:
    """The division as the rows stand, then random ones of the same sizes, not stratified, as in the paper."""
    orders = [np.arange(n_documents)]
    orders += [np.random.default_rng([seed, number]).permutation(n_documents) for number in range(1, count)]
    return tuple((np.sort(order[:n_train]), np.sort(order[n_train:])) for order in orders)


def fold_numbers(codes: Integers, plan: Plan, split: int, blocks: Integers | None = None) -> Integers:
    """Which fold each document of a training part is held out in: stratified and shuffled; shape (train,).

    Raises TooFewDocuments for `blocks` that cannot be divided so that every group is in every fold.
    """
    if blocks is not None:
        found = fold_blocks(codes, plan, split, blocks)
        if found is None:
            raise TooFewDocuments(
                f"the blocks to train on in split {split} cannot be divided into {plan.folds} folds with every group "
                "in each: lower folds, or choose smaller blocks"
            )
        return found
    seed = int(np.random.SeedSequence([plan.seed, split]).generate_state(1)[0])
    folds = StratifiedKFold(plan.folds, shuffle=True, random_state=seed)
    numbers = np.empty(len(codes), np.intp)
    for number, (_, held_out) in enumerate(folds.split(np.zeros(len(codes)), codes)):
        numbers[held_out] = number
    return numbers


def check_room(
    codes: Integers,
    names: Sequence[str],
    split: Split,
    number: int,
    plan: Plan,
    blocks: WholeBlocks | None = None,
) -> None:
    """Every group must fill every fold and give the largest size. Raises TooFewDocuments naming the group."""
    counts = np.bincount(codes[split.train], minlength=len(names))
    tested = np.bincount(codes[split.test], minlength=len(names))
    size = max(plan.sizes)
    bound = None if blocks is None else blocks.codes[split.train]
    held_out = _largest_folds(codes[split.train], counts, plan, number, bound)
    for name, n, unseen, largest in zip(names, counts.tolist(), tested.tolist(), held_out.tolist(), strict=True):
        where = f"group {name!r} has {n} document{'' if n == 1 else 's'} to train on in split {number}"
        left = n - largest
        if n < plan.folds:
            raise TooFewDocuments(f"{where}, too few for {plan.folds} folds: lower folds, or merge or drop groups")
        if left < size:
            raise TooFewDocuments(
                f"{where}, {left} of them outside a fold, but the largest size is {size}: lower sizes, or merge groups"
            )
        if unseen == 0:
            raise TooFewDocuments(f"group {name!r} has no test document in split {number}: merge or drop the group")


def _largest_folds(codes: Integers, counts: Integers, plan: Plan, number: int, blocks: Integers | None) -> Integers:
    """How many documents of each group are held out, at most, in a fold; folds of blocks are not even."""
    if blocks is None:
        return -(-counts // plan.folds)
    held_out = np.zeros((plan.folds, len(counts)), np.intp)
    np.add.at(held_out, (fold_numbers(codes, plan, number, blocks), codes), 1)
    return np.asarray(held_out.max(axis=0))


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
