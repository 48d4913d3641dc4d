"""Whole blocks held out: documents that are not independent never lie on both sides of a split or of a fold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from visavis.errors import InvalidParameter, TooFewDocuments
from visavis.evaluate.plan import Plan
from visavis.explain.blocks import counts_in_groups
from visavis.explain.parting import part_blocks
from visavis.inputs import check_groups
from visavis.records import Blocks, Integers

GIVEN = "given"
MOST_PARTS = 20  # into which blocks are parted, for the sake of a test share such as 3/20


@dataclass(frozen=True, eq=False)
class WholeBlocks:
    """What is held out together: by what blocks are told apart, and each document's block (N,)."""

    by: str
    codes: Integers

    @classmethod
    def of(cls, blocks: Blocks | ArrayLike | None, n_documents: int) -> WholeBlocks | None:
        """From the blocks of documents, or a label for each document; None where there are none.

        Raises InvalidParameter for missing labels, or if they are not one for each document.
        """
        if blocks is None:
            return None
        by, labels = (blocks.by, blocks.codes) if isinstance(blocks, Blocks) else (GIVEN, blocks)
        return cls(by, check_groups(labels, n_documents, "blocks").codes)

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self.codes.max()) + 1

    def as_record(self) -> dict[str, Any]:
        """For JSON."""
        return {"by": self.by, "count": self.count}

    def note(self, trained: Sequence[int], tested: Sequence[int]) -> str:
        """What a reader should know; `trained` and `tested` are the sizes of the splits' parts."""
        shares = sorted({round(100 * test / (train + test)) for train, test in zip(trained, tested, strict=True)})
        among = f"{shares[0]} %" if len(shares) == 1 else f"{shares[0]} to {shares[-1]} %"
        return (
            f"documents of one block (by {self.by}, {self.count:,} blocks) were held out together: "
            f"test parts have {among} of the documents"
        )


def split_blocks(
    codes: Integers, plan: Plan, blocks: WholeBlocks, number: int, names: Sequence[str]
) -> tuple[Integers, Integers]:
    """The training and test rows of a random split of whole blocks, with every group in both and in every fold.

    Blocks go in random order to even parts, and some of these, drawn at random, are the test part: any document is as
    likely to be tested as any other. Where blocks are few, the test part is as near to the plan's share as they allow.
    Raises TooFewDocuments where no such split is found.
    """
    rng = np.random.default_rng([plan.seed, number])
    counts = counts_in_groups(blocks.codes, codes, int(codes.max()) + 1)
    for n_parts, n_tested in _shares(plan.test_share, int(counts.min())):
        parts = part_blocks(blocks.codes, codes, n_parts, rng, at_random=True)
        if parts is None:
            continue
        tested = np.isin(parts, rng.choice(n_parts, n_tested, replace=False))
        train, test = np.flatnonzero(~tested), np.flatnonzero(tested)
        if fold_blocks(codes[train], plan, number, blocks.codes[train]) is not None:
            return train, test
    raise TooFewDocuments(_why_not(counts, plan, blocks, names))


def fold_blocks(codes: Integers, plan: Plan, split: int, blocks: Integers) -> Integers | None:
    """The fold in which each row of a training part is held out with its whole block; None where some lack a group."""
    return part_blocks(blocks, codes, plan.folds, np.random.default_rng([plan.seed, split, plan.folds]))


def check_splits(blocks: WholeBlocks, splits: Sequence[tuple[Integers, Integers]]) -> None:
    """Raise InvalidParameter if a block lies on both sides of one of these splits."""
    for number, (train, test) in enumerate(splits):
        both = np.intersect1d(blocks.codes[train], blocks.codes[test])
        if len(both):
            raise InvalidParameter(
                f"split {number} has {len(both)} of the {blocks.count} blocks (by {blocks.by}) in both parts: "
                "leave out splits, so that they are drawn, or blocks"
            )


def _shares(test_share: float, most: int) -> Iterator[tuple[int, int]]:
    """Into how many parts blocks may go, and how many of these are tested: the nearest to the share first."""
    found = [
        (n_parts, min(max(1, round(test_share * n_parts)), n_parts - 1))
        for n_parts in range(2, min(most, max(MOST_PARTS, round(1 / test_share))) + 1)
    ]
    yield from sorted(found, key=lambda share: (round(abs(share[1] / share[0] - test_share), 9), share[0]))


def _why_not(counts: Integers, plan: Plan, blocks: WholeBlocks, names: Sequence[str]) -> str:
    fewest, needed = int(counts.min()), plan.folds + 1
    if fewest >= needed:
        return (
            f"the blocks (by {blocks.by}) cannot be divided so that every group is in both parts of a split and in "
            f"each of {plan.folds} folds: choose smaller blocks, or lower folds or test_share"
        )
    lower = f"lower folds to {fewest - 1}, " if fewest > 2 else ""
    return (
        f"group {names[int(counts.argmin())]!r} has {fewest} block{'' if fewest == 1 else 's'} (by {blocks.by}), but "
        f"a test part and {plan.folds} folds need {needed}: choose smaller blocks, {lower}or merge or drop the group"
    )
