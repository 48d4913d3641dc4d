"""Splits and folds of whole blocks."""

from __future__ import annotations

import numpy as np
import pytest

from visavis.errors import InvalidParameter, TooFewDocuments
from visavis.evaluate.plan import Plan
from visavis.evaluate.splits import Split, check_room, fold_numbers, make_splits
from visavis.evaluate.whole_blocks import WholeBlocks
from visavis.records import Blocks

PLAN = Plan(methods=("kmeans",), sizes=(2,), splits=10)
FEW = np.repeat([0, 1, 2, 3, 4, 5, 6, 7], 5)  # four blocks in each of two groups
HALVES = np.repeat([0, 1], 20)


def split_up(codes, blocks, **told):
    plan = Plan(**{"methods": ("kmeans",), "sizes": (2,), "splits": 10, **told})
    return make_splits(codes, plan, None, ("left", "right"), WholeBlocks.of(blocks, len(codes)))


def test_large_blocks_do_not_always_meet_the_same_others():
    sizes = np.array([40, 31, 23, 17, 11, 7])  # of outlets, the same in both groups
    blocks, codes = np.repeat(np.arange(12), np.tile(sizes, 2)), np.repeat([0, 1], sizes.sum())
    tested = [frozenset(blocks[split.test].tolist()) for split in split_up(codes, blocks, splits=40)]
    assert len(set(tested)) > 20
    largest = [(0 in blocks, 6 in blocks) for blocks in tested]
    assert {(True, True), (True, False), (False, True)} <= set(largest)


def test_every_document_is_tested_about_as_often():
    rng = np.random.default_rng(0)
    blocks = rng.choice(30, 300, p=rng.dirichlet(np.ones(30)))
    codes = blocks % 2
    counts = np.zeros(300)
    for split in split_up(codes, blocks, splits=300):
        counts[split.test] += 1
    assert 0.14 < (counts / 300).min() <= (counts / 300).max() < 0.26


@pytest.mark.parametrize(("share", "expected"), [(0.2, 0.2), (0.4, 0.4), (0.15, 0.15), (0.75, 0.75)])
def test_the_test_part_has_the_share_that_was_asked_for(share, expected):
    codes, blocks = np.arange(1200) % 2, np.repeat(np.arange(120), 10)
    for split in split_up(codes, blocks, test_share=share):
        assert len(split.test) / 1200 == pytest.approx(expected, abs=0.02)


def test_few_blocks_make_larger_test_parts():
    for split in split_up(HALVES, FEW):
        assert len(split.test) == 10  # a quarter, where a fifth was asked for


def test_what_cannot_be_done_is_refused_with_what_would_do():
    three = np.where(FEW == 7, 6, FEW)
    with pytest.raises(TooFewDocuments, match=r"'right' has 3 blocks \(by given\), but a test part and 3 folds need 4"):
        split_up(HALVES, three)
    assert len(split_up(HALVES, three, folds=2)) == 10
    with pytest.raises(TooFewDocuments, match="lower folds to 2, or merge or drop the group"):
        split_up(HALVES, three)
    with pytest.raises(TooFewDocuments, match=r"has 1 block .*choose smaller blocks, or merge or drop the group"):
        split_up(HALVES, HALVES)
    with pytest.raises(TooFewDocuments, match="lower folds or test_share"):
        split_up(HALVES, FEW, test_share=0.5)
    with pytest.raises(TooFewDocuments, match="split 0 cannot be divided into 3 folds"):
        fold_numbers(HALVES, PLAN, 0, HALVES * 2)


def test_given_splits_must_not_part_blocks():
    blocks = WholeBlocks.of(FEW, 40)
    fair = [(np.flatnonzero(FEW % 4 != 3), np.flatnonzero(FEW % 4 == 3))]
    (split,) = make_splits(HALVES, Plan(splits=1), fair, (), blocks)
    assert np.array_equal(split.test, fair[0][1])
    with pytest.raises(InvalidParameter, match=r"split 0 has 8 of the 8 blocks \(by given\) in both parts"):
        make_splits(HALVES, Plan(splits=1), [(np.arange(0, 40, 2), np.arange(1, 40, 2))], (), blocks)


def test_room_is_what_the_largest_fold_leaves():
    blocks = WholeBlocks.of([*np.repeat([0, 1, 2, 3], (24, 4, 4, 4)), *np.repeat([4, 5, 6, 7], 9)], 72)
    codes, split = np.repeat([0, 1], 36), Split(np.flatnonzero(blocks.codes % 4 != 3), np.array([35, 71]))
    check_room(codes, ("a", "b"), split, 0, Plan(sizes=(8,)), blocks)
    check_room(codes, ("a", "b"), split, 0, Plan(sizes=(9,)))
    with pytest.raises(TooFewDocuments, match="group 'a' has 32 documents to train on in split 0, 8 of them outside"):
        check_room(codes, ("a", "b"), split, 0, Plan(sizes=(9,)), blocks)


def test_blocks_are_labels_or_those_of_documents():
    assert WholeBlocks.of(None, 3) is None
    assert WholeBlocks.of(["x", "y", "x"], 3).as_record() == {"by": "given", "count": 2}
    told = Blocks("outlet", np.array([7, 3, 7]), np.arange(3), np.zeros(3, np.intp))
    assert WholeBlocks.of(told, 3).as_record() == {"by": "outlet", "count": 2}
    for wrong in (["x", "y"], [1.0, np.nan, 2.0], ["x", None, "y"]):
        with pytest.raises(InvalidParameter, match="blocks"):
            WholeBlocks.of(wrong, 3)


def test_the_note_tells_by_what_and_how_much():
    blocks = WholeBlocks("outlet", np.arange(1234))
    assert blocks.note([80, 70], [20, 30]) == (
        "documents of one block (by outlet, 1,234 blocks) were held out together: test parts have 20 to 30 % of the "
        "documents"
    )
    assert blocks.note([80], [20]).endswith("test parts have 20 % of the documents")
