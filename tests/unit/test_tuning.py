from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from unit.sessions import choice_of, session_on, stories
from visavis.comparing import tune as tuning
from visavis.comparing.again import PickAgain, folds_within, held_out_accuracy, held_out_folds
from visavis.comparing.assess import assess
from visavis.comparing.tune import SIZES, WIDTHS, decide, knee, tune
from visavis.select import select
from visavis.select.parameters import tunable


def grid_of(method, name):
    return next(parameter.grid for parameter in tunable(method) if parameter.name == name)


def sized(session):
    found = decide(session, choice_of(session, None), held_out_folds(session)[0])
    (size,) = set(found.choice.sizes)
    return size, found.curve


@pytest.mark.parametrize(
    ("curve", "size"),
    [
        ([(1, 0.5), (2, 0.9), (4, 0.92), (8, 0.93)], 2),
        ([(1, 0.5), (2, 0.6), (4, 0.95), (8, 0.96)], 4),
        ([(1, 0.5), (2, 0.6), (4, 0.7), (8, 0.8)], 8),  # a straight line on its logarithmic axis has no knee: the best
        ([(1, 0.9), (2, 0.8), (4, 0.7)], 1),
        ([(1, 0.5), (2, 0.5)], 1),
        ([(1, 0.5), (2, 0.9), (4, 0.6)], 2),
        ([(3, 0.4)], 3),
    ],
)
def test_the_knee_lies_farthest_above_the_line_from_first_to_best(curve, size):
    assert knee(curve) == size


def test_the_chosen_size_is_the_knee_of_a_curve_over_sizes_that_fit():
    size, curve = sized(stories())
    assert [tried for tried, _ in curve] == list(SIZES)
    assert size == knee(list(curve))
    assert all(0 <= score <= 1 for _, score in curve)


@pytest.mark.parametrize("count", [2, 4])
def test_as_many_picks_as_stories_are_found(count):
    size, curve = sized(stories(each=30, stories=count, seed=1))
    assert size == count
    assert dict(curve)[count] > dict(curve)[1] + 0.2


def test_sizes_stop_at_what_may_be_picked_of_the_smallest_group():
    candidates = np.ones(48, bool)
    candidates[:18] = False  # six are left of the first group
    _, curve = sized(stories(candidates=candidates))
    assert [size for size, _ in curve] == [1, 2, 3, 4]


@pytest.mark.parametrize(("each", "size"), [(2, 2), (1, 1)])
def test_where_nothing_can_be_held_out_the_size_is_four_or_all_there_are(each, size):
    assert sized(stories(each=each, stories=1)) == (size, ())


def test_the_chosen_size_has_room_for_the_pins():
    session = stories(each=2, stories=1)
    found = decide(session, choice_of(session, None, least=2), [])
    assert found.choice.sizes == (2, 2)
    assert decide(session, choice_of(session, None, least=5), []).choice.sizes == (5, 5)


def test_a_choice_with_nothing_open_is_taken_as_it_is():
    session = stories()
    given = choice_of(session, 3)
    found = decide(session, given, held_out_folds(session)[0])
    assert found.choice is given
    assert (found.curve, found.tuned) == ((), False)


def test_tuning_takes_the_best_accuracy_of_the_grid():
    session = stories(stories=4, spread=1.5)
    given = choice_of(session, 3, gamma=0.02, parameters={"contrast": 0.6})
    parts, _ = held_out_folds(session)
    tuned = tune(session, parts, given)
    contrasts = grid_of("mmd-diff-greedy", "contrast")
    grid = [(0.02, 0.6), *((0.02 * width, contrast) for width in WIDTHS for contrast in contrasts)]
    scores = [
        held_out_accuracy(session, replace(given, gamma=gamma, parameters={"contrast": contrast}), parts)
        for gamma, contrast in grid
    ]
    assert (tuned.gamma, tuned.parameters["contrast"]) == pytest.approx(grid[int(np.argmax(scores))])
    assert (tuned.method, tuned.kernel, tuned.sizes) == (given.method, given.kernel, given.sizes)
    assert max(scores) > min(scores)


def test_what_a_method_depends_on_is_tuned_and_nothing_else(monkeypatch):
    tried = []
    monkeypatch.setattr(tuning, "held_out_accuracy", lambda _, choice, __: tried.append(choice) or 0.5)
    session = stories(gamma=0.5)
    parts, _ = held_out_folds(session)
    found = decide(session, choice_of(session, 2, "kmeans", parameters={}, tune=True), parts)
    assert (found.choice.parameters, found.choice.gamma, found.tuned) == ({}, 0.5, False)
    assert not tried
    told = {"contrast": 0.4, "sharpness": "auto"}
    found = decide(session, choice_of(session, 2, "softmin-exchange", parameters=told, tune=True), parts)
    assert found.tuned
    assert {choice.parameters["sharpness"] for choice in tried} == set(grid_of("softmin-exchange", "sharpness"))
    assert {choice.parameters["contrast"] for choice in tried} == {0.4}
    assert {choice.gamma for choice in tried} == {0.5 * width for width in WIDTHS}


def test_the_given_parameters_win_ties():
    session = stories(each=6, stories=1, spread=0.01)
    given = choice_of(session, 1, gamma=0.5, parameters={"contrast": 0.6})
    tuned = tune(session, held_out_folds(session)[0], given)
    assert (tuned.gamma, tuned.parameters) == (0.5, {"contrast": 0.6})


def noise(seed):
    """Two groups that do not differ at all."""
    vectors = np.random.default_rng(seed).normal(size=(40, 8)).astype(np.float32)
    return session_on(vectors, np.arange(40) % 2, seed=seed)


def test_choosing_does_not_flatter_the_accuracy_of_groups_that_do_not_differ():
    won, honest = [], []
    for seed in range(16):
        session = noise(seed)
        parts, _ = held_out_folds(session)
        asked = choice_of(session, 1, parameters={"contrast": 0.6}, tune=True)
        found = decide(session, asked, parts).choice
        won.append(held_out_accuracy(session, found, parts))

        def choose(train, session=session, asked=asked):
            return decide(session, asked, folds_within(session, train)).choice

        selection = select(session, session.request(found))
        honest.append(assess(session, selection, ["accuracy"], choose=choose).accuracy)
    assert np.mean(won) > 0.54
    assert np.mean(honest) == pytest.approx(0.5, abs=0.03)


def test_no_choice_for_the_accuracy_sees_the_documents_held_out(monkeypatch):
    session = stories()
    seen = []
    plain = PickAgain.__call__
    monkeypatch.setattr(PickAgain, "__call__", lambda self, rows: seen.append(set(rows)) or plain(self, rows))
    parts, _ = held_out_folds(session)
    for train, test in parts:
        seen.clear()
        decide(session, choice_of(session, None, tune=True), folds_within(session, train))
        assert seen
        assert not set().union(*seen) & set(test)
