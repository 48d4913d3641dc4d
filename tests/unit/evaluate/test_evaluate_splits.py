from __future__ import annotations

import numpy as np
import pytest

from visavis.errors import InvalidParameter, TooFewDocuments
from visavis.evaluate.plan import Plan
from visavis.evaluate.splits import Split, check_room, fold_numbers, make_splits, standard_and_random

CODES = np.repeat([0, 1, 2], [50, 30, 20])


def test_random_splits_part_the_documents_and_keep_the_groups_shares():
    for split in make_splits(CODES, Plan(splits=4), None):
        assert sorted([*split.train, *split.test]) == list(range(100))
        assert np.bincount(CODES[split.test]).tolist() == [10, 6, 4]


def test_the_seed_decides_the_splits():
    first, again, other = (make_splits(CODES, Plan(splits=2, seed=seed), None) for seed in (1, 1, 2))
    assert [s.test.tolist() for s in first] == [s.test.tolist() for s in again]
    assert [s.test.tolist() for s in first] != [s.test.tolist() for s in other]


def test_given_splits_are_used_in_order():
    given = [([0, 1], [2]), ([1, 2], [0])]
    (split,) = make_splits(CODES, Plan(splits=1), given)
    assert (split.train.tolist(), split.test.tolist()) == ([0, 1], [2])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([([0, 1], [1])], "share rows"),
        ([([0, 100], [1])], "reaches from 0 to 100"),
        ([([], [1])], "list of row numbers"),
        ([([0.5], [1])], "list of row numbers"),
    ],
)
def test_bad_splits_are_refused(given, said):
    with pytest.raises(InvalidParameter, match=said):
        make_splits(CODES, Plan(splits=1), given)


def test_more_splits_than_given_are_refused():
    with pytest.raises(InvalidParameter, match="the data bring 1"):
        make_splits(CODES, Plan(splits=2), [([0], [1])])


def test_the_standard_split_comes_first_and_the_others_have_its_sizes():
    splits = standard_and_random(10, 7, 3, 0)
    assert splits[0][0].tolist() == list(range(7))
    assert [len(train) for train, _ in splits] == [7, 7, 7]
    assert splits[1][0].tolist() != splits[2][0].tolist()
    assert all(sorted([*train, *test]) == list(range(10)) for train, test in splits)


def test_folds_are_stratified_and_differ_between_splits():
    plan = Plan()
    folds = fold_numbers(CODES, plan, 0)
    for group, n in enumerate([50, 30, 20]):
        counts = np.bincount(folds[group == CODES], minlength=3)
        assert counts.sum() == n
        assert counts.max() - counts.min() <= 1
    assert not np.array_equal(folds, fold_numbers(CODES, plan, 1))
    assert np.array_equal(folds, fold_numbers(CODES, plan, 0))


def test_a_group_too_small_for_a_fold_is_named():
    split = Split(np.arange(0, 100, 2), np.arange(1, 100, 2))
    check_room(CODES, ("a", "b", "c"), split, 0, Plan(sizes=(6,)))
    with pytest.raises(TooFewDocuments, match=r"'c' has 10 documents .* 6 of them outside a fold"):
        check_room(CODES, ("a", "b", "c"), split, 0, Plan(sizes=(2, 7)))


def test_a_group_without_test_documents_is_named():
    split = Split(np.arange(100), np.arange(10))
    with pytest.raises(TooFewDocuments, match="'b' has no test document"):
        check_room(CODES, ("a", "b", "c"), split, 0, Plan(sizes=(2,)))
