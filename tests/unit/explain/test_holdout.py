from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from visavis.explain import holdout
from visavis.explain.holdout import (
    RESAMPLES,
    ceiling_accuracy,
    folds,
    holdout_rows,
    picks_accuracy,
    stability,
    stratified,
)


def documents(each=30, shift=8.0, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(3), each)
    return rng.normal(size=(len(codes), 2)) + shift * codes[:, None], codes


X, CODES = documents()


def distances(left, right):
    return cdist(X[left], X[right])


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
    assert picks_accuracy([], np.array(codes), nearest_to_the_mean, distances, 1) is None
    assert ceiling_accuracy([], np.array(codes), X, 1.0) is None


def test_nothing_is_held_out_where_a_group_has_no_rows_of_its_own():
    assert folds(ROWS[CODES < 2], CODES, rng()) == []


def test_a_stratified_sample_has_each_group_in_proportion_and_at_least_two():
    codes = np.repeat([0, 1, 2], [800, 190, 3])
    rows = stratified(codes, 100, rng())
    assert rows.tolist() == sorted(set(rows.tolist()))
    assert np.bincount(codes[rows]).tolist() == [81, 19, 2]


def test_above_the_limit_a_sample_is_held_out(monkeypatch):
    rows, sampled = holdout_rows(CODES, ALL, rng())
    assert not sampled
    assert rows.tolist() == list(range(90))
    monkeypatch.setattr(holdout, "ALL_UP_TO", 89)
    monkeypatch.setattr(holdout, "SAMPLE", 30)
    rows, sampled = holdout_rows(CODES, ALL, rng())
    assert sampled
    assert np.bincount(CODES[rows]).tolist() == [10, 10, 10]


def test_a_sample_leaves_a_small_group_enough_to_be_held_out(monkeypatch):
    monkeypatch.setattr(holdout, "ALL_UP_TO", 500)
    monkeypatch.setattr(holdout, "SAMPLE", 100)
    codes = np.repeat([0, 1], [600, 4])
    rows, _ = holdout_rows(codes, np.ones(len(codes), bool), rng())
    assert folds(rows, codes, rng())


def test_of_copies_one_is_held_out_or_learned_from_and_never_both():
    unique = np.arange(len(CODES)) % 3 == 0
    rows, _ = holdout_rows(CODES, unique, rng())
    assert rows.tolist() == np.flatnonzero(unique).tolist()


def test_groups_that_lie_apart_are_told_from_their_picks_alone():
    parts = parts_of()
    assert picks_accuracy(parts, CODES, nearest_to_the_mean, distances, 1) == 1.0
    assert ceiling_accuracy(parts, CODES, X, 0.1) == 1.0


def test_groups_that_do_not_differ_are_told_by_chance_alone():
    shuffled = rng(3).permutation(CODES)
    parts = parts_of(shuffled)

    def reselect(rows):
        found = np.array([rows[shuffled[rows] == code][0] for code in range(3)])
        return found, shuffled[found]

    assert picks_accuracy(parts, shuffled, reselect, distances, 1) == pytest.approx(1 / 3, abs=0.15)
    assert ceiling_accuracy(parts, shuffled, X, 0.1) == pytest.approx(1 / 3, abs=0.15)


def test_accuracy_is_balanced_and_picks_are_chosen_from_the_training_part_only():
    parts = parts_of()
    seen = []

    def reselect(rows):
        seen.append(rows)
        found = np.array([rows[CODES[rows] == 0][0]])  # always answers the first group
        return found, CODES[found]

    assert picks_accuracy(parts, CODES, reselect, distances, 1) == pytest.approx(1 / 3)
    assert [rows.tolist() for rows in seen] == [train.tolist() for train, _ in parts]


def test_accuracies_do_not_depend_on_threads():
    parts = parts_of()
    for threads in (2, 4):
        assert picks_accuracy(parts, CODES, nearest_to_the_mean, distances, threads) == picks_accuracy(
            parts, CODES, nearest_to_the_mean, distances, 1
        )


def test_stability_is_a_fraction_of_twenty_resamples():
    picks = nearest_to_the_mean(np.arange(len(CODES)))[0]
    found = stability(picks, CODES, ALL, nearest_to_the_mean, distances, rng(), 1)
    assert RESAMPLES == 20
    assert np.allclose(found * 20, np.round(found * 20))
    assert np.all((found >= 0) & (found <= 1))
    assert found.tolist() == stability(picks, CODES, ALL, nearest_to_the_mean, distances, rng(), 4).tolist()


def test_a_pick_that_always_returns_is_stable_and_one_that_never_does_is_not():
    picks = np.array([0, 30, 60])

    def stubborn(_):
        return np.array([0, 35, 60]), np.array([0, 1, 2])

    found = stability(picks, CODES, ALL, stubborn, distances, rng(), 1)
    neighbor = int(np.argsort(distances(np.arange(30, 60), np.array([30]))[:, 0])[1]) + 30
    assert found.tolist() == [1.0, float(neighbor == 35), 1.0]


def test_the_nearest_of_its_group_stands_in_for_a_pick():
    near = int(np.argsort(distances(np.arange(30), np.array([4]))[:, 0])[1])
    found = stability(np.array([4]), CODES, ALL, lambda _: (np.array([near]), np.array([0])), distances, rng(), 1)
    assert found.tolist() == [1.0]


def test_a_copy_that_may_not_be_picked_is_nobodys_neighbor():
    order = np.argsort(distances(np.arange(30), np.array([4]))[:, 0])
    allowed = ALL.copy()
    allowed[order[1:4]] = False
    again = np.array([order[4]])
    found = stability(np.array([4]), CODES, allowed, lambda _: (again, np.array([0])), distances, rng(), 1)
    assert found.tolist() == [1.0]


def test_a_resample_keeps_four_fifths_of_every_group_whether_or_not_the_picks_are_among_them():
    seen = []

    def reselect(rows):
        seen.append(rows)
        return rows[:1], CODES[rows[:1]]

    stability(np.array([5]), CODES, ALL, reselect, distances, rng(), 1)
    assert len(seen) == 20
    assert {5 in rows for rows in seen} == {True, False}
    for rows in seen:
        assert all(count == 24 for count in np.bincount(CODES[rows]))
    assert len({tuple(rows) for rows in seen}) > 1
