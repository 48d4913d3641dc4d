from __future__ import annotations

import numpy as np
import pytest

from visavis.comparing.tune import SIZES, TRIED, Asked, Bench, decide, honest_accuracy, knee, tune
from visavis.records import Compute, Settings


def bench_of(each=24, stories=3, seed=0, threads=1, n_groups=2, allowed=None, spread=0.3):
    """Groups of several stories each, so that as many picks as stories tell them apart."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(n_groups), each)
    centers = 4.0 * rng.normal(size=(n_groups, stories, 5))
    story = np.tile(np.arange(each) % stories, n_groups)
    vectors = (centers[codes, story] + spread * rng.normal(size=(len(codes), 5))).astype(np.float32)
    allowed = np.ones(len(codes), bool) if allowed is None else allowed
    names = tuple("abcd"[:n_groups])
    unique, compute = np.ones(len(codes), bool), Compute("float32", threads)
    return Bench(vectors, codes, np.ones(len(codes)), allowed, unique, names, compute, seed)


SETTINGS = Settings("mmd-diff-greedy", contrast=0.3)
NUMBERED = Settings("mmd-diff-greedy", gamma=0.05, contrast=0.3)


def sized(bench):
    told = decide(bench, Asked(SETTINGS, "auto"), bench.parts()[0])
    return told.sizes, told.curve


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
    size, curve = sized(bench_of())
    assert [tried for tried, _ in curve] == list(SIZES)
    assert size == knee(list(curve))
    assert all(0 <= score <= 1 for _, score in curve)


@pytest.mark.parametrize("stories", [2, 4])
def test_as_many_picks_as_stories_are_found(stories):
    size, curve = sized(bench_of(each=30, stories=stories, seed=1))
    assert size == stories
    assert dict(curve)[stories] > dict(curve)[1] + 0.2


def test_sizes_stop_at_what_may_be_picked_of_the_smallest_group():
    allowed = np.ones(48, bool)
    allowed[:18] = False  # six are left of the first group
    _, curve = sized(bench_of(allowed=allowed))
    assert [size for size, _ in curve] == [1, 2, 3, 4]


@pytest.mark.parametrize(("each", "size"), [(2, 2), (1, 1)])
def test_where_nothing_can_be_held_out_the_size_is_four_or_all_there_are(each, size):
    assert sized(bench_of(each=each, stories=1)) == (size, ())


def test_tuning_takes_the_best_accuracy_of_the_grid():
    bench = bench_of(stories=4, spread=1.5)
    given = Settings("mmd-diff-greedy", gamma=0.02, contrast=0.6)
    parts, _ = bench.parts()
    tuned = tune(bench, parts, given, 3)
    grid = [(0.02, 0.6), *((0.02 * factor, contrast) for factor in TRIED["gamma"] for contrast in TRIED["contrast"])]
    scores = [
        bench.accuracy(parts, Settings("mmd-diff-greedy", gamma=gamma, contrast=contrast), 3)
        for gamma, contrast in grid
    ]
    assert (tuned.gamma, tuned.contrast) == pytest.approx(grid[int(np.argmax(scores))])
    assert (tuned.method, tuned.kernel) == (given.method, given.kernel)
    assert max(scores) > min(scores)


def test_what_a_method_depends_on_is_tuned_and_nothing_else(monkeypatch):
    tried = []
    monkeypatch.setattr(Bench, "accuracy", lambda _, __, settings, *___: tried.append(settings) or 0.5)
    bench = bench_of()
    parts, _ = bench.parts()
    told = decide(bench, Asked(Settings("kmeans", gamma=0.5), 2, tune=True), parts)
    assert (told.settings, told.tuned) == (Settings("kmeans", gamma=0.5), False)
    assert not tried
    told = decide(bench, Asked(Settings("likelihood-exchange", gamma=0.5), 2, tune=True), parts)
    assert told.tuned
    assert {settings.sharpness for settings in tried} == set(TRIED["sharpness"])
    assert {settings.contrast for settings in tried} == {Settings.contrast}


def test_the_given_parameters_win_ties():
    bench = bench_of(each=6, stories=1, spread=0.01)
    tuned = tune(bench, bench.parts()[0], Settings("mmd-diff-greedy", gamma=0.5, contrast=0.6), 1)
    assert (tuned.gamma, tuned.contrast) == (0.5, 0.6)


def test_picks_of_a_part_come_from_it_and_shrink_to_what_it_has():
    bench = bench_of()
    rows = np.array([1, 2, 30, 31, 32, 40])
    picked, groups = bench.pick_part(rows, SETTINGS, 3)
    assert set(picked) <= set(rows)
    assert np.bincount(groups).tolist() == [2, 3]
    assert groups.tolist() == bench.codes[picked].tolist()


def test_a_group_without_anything_to_pick_is_left_out_of_a_part():
    allowed = np.ones(48, bool)
    allowed[:24] = False
    allowed[0] = True
    with pytest.warns(UserWarning, match="only one group"):
        picked, groups = bench_of(allowed=allowed).pick_part(np.arange(1, 48), SETTINGS, 2)
    assert set(groups) == {1}
    assert set(picked) <= set(range(24, 48))


def test_sizes_by_group_are_kept_in_parts():
    _, groups = bench_of().pick_part(np.arange(48), SETTINGS, {0: 1, 1: 4})
    assert np.bincount(groups).tolist() == [1, 4]


def test_accuracy_does_not_depend_on_threads_and_is_repeated_by_its_seed():
    one, four, again = (bench_of(spread=2.0, threads=threads) for threads in (1, 4, 1))
    parts, _ = one.parts()
    assert one.accuracy(parts, NUMBERED, 2) == four.accuracy(parts, NUMBERED, 2) == again.accuracy(parts, NUMBERED, 2)


def noise(seed):
    """Two groups that do not differ at all."""
    rng = np.random.default_rng(seed)
    codes = np.arange(40) % 2
    every, weights = np.ones(40, bool), np.ones(40)
    vectors = rng.normal(size=(40, 8)).astype(np.float32)
    return Bench(vectors, codes, weights, every, every, ("a", "b"), Compute("float32", 1), seed)


def test_choosing_does_not_flatter_the_accuracy_of_groups_that_do_not_differ():
    asked = Asked(Settings("mmd-diff-greedy", contrast=0.6), 1, tune=True)
    won, honest = [], []
    for seed in range(16):
        bench = noise(seed)
        parts, _ = bench.parts()
        told = decide(bench, asked, parts)
        won.append(bench.accuracy(parts, told.settings, told.sizes))
        honest.append(honest_accuracy(bench, asked, parts))
    assert np.mean(won) > 0.54
    assert np.mean(honest) == pytest.approx(0.5, abs=0.03)


def test_no_choice_for_the_accuracy_sees_the_documents_held_out(monkeypatch):
    bench = bench_of()
    seen = []
    plain = Bench.pick_part
    monkeypatch.setattr(
        Bench, "pick_part", lambda self, rows, *told: seen.append(set(rows)) or plain(self, rows, *told)
    )
    parts, _ = bench.parts()
    for train, test in parts:
        seen.clear()
        decide(bench, Asked(SETTINGS, "auto", tune=True), bench.parts_within(train))
        assert seen
        assert not set().union(*seen) & set(test)
