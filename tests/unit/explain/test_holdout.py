from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from visavis.explain import holdout
from visavis.explain.holdout import (
    Bonds,
    fold_accuracy,
    folds,
    holdout_rows,
    nearest_groups,
    stratified,
)
from visavis.kernel.rbf import RBF


def documents(each=30, shift=8.0, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(3), each)
    return rng.normal(size=(len(codes), 2)) + shift * codes[:, None], codes


X, CODES = documents()
KERNEL = RBF(0.1)


def nearest_to_the_mean(rows):
    """One pick a group: the document nearest to the mean of those it may pick from."""
    found = []
    for code in np.unique(CODES[rows]):
        own = rows[CODES[rows] == code]
        found.append(own[np.argmin(np.linalg.norm(X[own] - X[own].mean(axis=0), axis=1))])
    return np.array(found), CODES[np.array(found)]


def rng(seed=0):
    return np.random.default_rng(seed)


ROWS = np.arange(len(CODES))
ALL = np.ones(len(CODES), bool)
ALONE = Bonds.of_documents(len(CODES))


def parts_of(codes=CODES):
    return folds(np.arange(len(codes)), codes, rng())


def test_folds_are_stratified_and_every_document_is_held_out_once():
    parts = parts_of()
    assert sorted(np.concatenate([test for _, test in parts]).tolist()) == list(range(len(CODES)))
    for train, test in parts:
        assert not set(train) & set(test)
        assert np.bincount(CODES[test]).tolist() == [10, 10, 10]


@pytest.mark.parametrize("codes", [[0, 0, 0, 0], [0, 0, 0, 0, 1, 1]])
def test_nothing_is_held_out_of_one_group_or_where_a_group_is_smaller_than_the_folds(codes):
    assert parts_of(np.array(codes)) == []


def test_nothing_is_held_out_where_a_group_has_no_rows_of_its_own():
    assert folds(ROWS[CODES < 2], CODES, rng()) == []


def test_a_stratified_sample_has_each_group_in_proportion_and_at_least_two():
    codes = np.repeat([0, 1, 2], [800, 190, 3])
    rows = stratified(codes, 100, rng())
    assert rows.tolist() == sorted(set(rows.tolist()))
    assert np.bincount(codes[rows]).tolist() == [81, 19, 2]


def test_above_the_limit_a_sample_is_held_out(monkeypatch):
    rows, sampled = holdout_rows(CODES, ALONE, rng())
    assert not sampled
    assert rows.tolist() == list(range(90))
    monkeypatch.setattr(holdout, "ALL_UP_TO", 89)
    monkeypatch.setattr(holdout, "SAMPLE", 30)
    rows, sampled = holdout_rows(CODES, ALONE, rng())
    assert sampled
    assert np.bincount(CODES[rows]).tolist() == [10, 10, 10]


def test_a_sample_leaves_a_small_group_enough_to_be_held_out(monkeypatch):
    monkeypatch.setattr(holdout, "ALL_UP_TO", 500)
    monkeypatch.setattr(holdout, "SAMPLE", 100)
    codes = np.repeat([0, 1], [600, 4])
    rows, _ = holdout_rows(codes, Bonds.of_documents(len(codes)), rng())
    assert folds(rows, codes, rng())


def test_of_copies_within_a_group_the_first_is_held_out_or_learned_from():
    families = ROWS - ROWS % 3  # triplets, each in one group
    rows, _ = holdout_rows(CODES, Bonds(ROWS, families), rng())
    assert rows.tolist() == np.flatnonzero(families == ROWS).tolist()


def test_a_copy_shared_by_groups_belongs_to_each():
    families = np.where(ROWS == 40, 3, ROWS)
    rows, _ = holdout_rows(CODES, Bonds(ROWS, families), rng())
    assert {3, 40} <= set(rows)


def told_by_picks(codes, test, picks):
    told = nearest_groups(KERNEL, X, test, np.asarray(picks), codes[np.asarray(picks)])
    return fold_accuracy(codes, [(test, test)], [told])


def test_groups_that_lie_apart_are_told_from_their_picks_alone():
    for train, test in parts_of():
        assert told_by_picks(CODES, test, nearest_to_the_mean(train)[0]) == 1.0


def test_groups_that_do_not_differ_are_told_by_chance_alone():
    shuffled = rng(3).permutation(CODES)
    parts = parts_of(shuffled)
    firsts = [[train[shuffled[train] == code][0] for code in range(3)] for train, _ in parts]
    by_picks = [told_by_picks(shuffled, test, picks) for (_, test), picks in zip(parts, firsts, strict=True)]
    assert np.mean(by_picks) == pytest.approx(1 / 3, abs=0.15)


def test_accuracy_counts_every_group_alike_however_many_documents_it_has():
    test = np.concatenate([np.arange(30), [30, 60]])  # picks that always answer the first group are right on 30 of 32
    assert told_by_picks(CODES, test, [0]) == pytest.approx(1 / 3)


def test_the_nearest_pick_is_that_of_the_kernel():
    picks = np.array([3, 40, 70])
    nearest = cdist(X, X[picks]).argmin(axis=1)
    expected = np.mean([np.mean(nearest[code == CODES] == code) for code in range(3)])
    assert told_by_picks(CODES, ROWS, picks) == pytest.approx(expected)
