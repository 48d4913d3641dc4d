"""Splits and folds of whole blocks."""

from __future__ import annotations

import numpy as np
import pytest

from visavis.errors import TooFewDocuments
from visavis.evaluate.plan import Plan
from visavis.evaluate.splits import fold_numbers, make_splits

RNG = np.random.default_rng(0)
BLOCKS = RNG.integers(0, 24, 300)
CODES = np.where(RNG.random(300) < 0.8, BLOCKS % 3, RNG.integers(0, 3, 300))
PLAN = Plan(methods=("kmeans",), sizes=(2,), splits=4)


def test_no_block_is_in_both_parts_or_in_two_folds():
    splits = make_splits(CODES, PLAN, None, blocks=BLOCKS)
    assert len({tuple(split.test) for split in splits}) == 4
    for number, split in enumerate(splits):
        assert sorted([*split.train, *split.test]) == list(range(300))
        assert not set(BLOCKS[split.train]) & set(BLOCKS[split.test])
        assert 30 < len(split.test) < 90
        numbers = fold_numbers(CODES[split.train], PLAN, number, BLOCKS[split.train])
        for fold in range(PLAN.folds):
            held_out = numbers == fold
            assert not set(BLOCKS[split.train][held_out]) & set(BLOCKS[split.train][~held_out])
            assert set(CODES[split.train][held_out]) == {0, 1, 2}


def test_few_blocks_make_larger_test_parts_and_too_few_none():
    codes = np.repeat([0, 1], 10)
    (split, *_) = make_splits(codes, PLAN, None, blocks=np.repeat([0, 1, 2, 3], 5))
    assert len(split.test) == 10
    with pytest.raises(TooFewDocuments, match="every group is in both parts"):
        make_splits(codes, PLAN, None, blocks=codes)
    with pytest.raises(TooFewDocuments, match="3 folds"):
        fold_numbers(codes, PLAN, 0, np.repeat([0, 1, 2, 3], 5))
