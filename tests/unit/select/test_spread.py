"""Picks spread over origins: what every search is asked."""

from dataclasses import replace

import numpy as np
import pytest

from visavis.inputs import check_groups
from visavis.records import Points
from visavis.select import METHODS, Request, pose, select
from walking import walk

RNG = np.random.default_rng(5)
N = 40
X = RNG.normal(size=(2 * N, 4)) + np.repeat([0.0, 1.0], N)[:, None]
Y = np.repeat(["left", "right"], N)
STORIES = np.tile(np.arange(N) // 2, 2)  # each told twice in a group, by one origin
ORIGINS = np.where(STORIES < 14, 0, STORIES % 5 + 1)  # the first has 28 documents of each group


def picks_of(method, size, origins=ORIGINS, **more):
    points = replace(Points.of(X), stories=STORIES, origins=origins)
    found = select(pose(points, check_groups(Y, len(X))), Request(method=method, size=size, **more))
    return [found.rows[found.owner == group] for group in (0, 1)]


@walk("method", [*(name for name in METHODS if name != "mmd-critic"), "softmin+greedy"])
@pytest.mark.filterwarnings("ignore::visavis.errors.LeftTheData")
def test_no_search_picks_two_of_an_origin_while_there_are_others(method):
    for rows in picks_of(method, 6):
        assert sorted(ORIGINS[rows].tolist()) == [0, 1, 2, 3, 4, 5]
        assert len(set(STORIES[rows].tolist())) == 6


def test_mmd_critic_spreads_what_it_picks_of_a_group():
    for rows in picks_of("mmd-critic", 2):
        assert len(set(ORIGINS[rows].tolist())) == len(rows)


@pytest.mark.parametrize("method", ["softmin-exchange", "mmd-diff-grad", "kmedoids", "random", "kmeans"])
@pytest.mark.filterwarnings("ignore::visavis.errors.LeftTheData")
def test_with_fewer_origins_than_picks_each_has_about_as_many(method):
    two = np.arange(2 * N) % 2
    for rows in picks_of(method, 5, two):
        assert sorted(np.bincount(two[rows]).tolist()) == [2, 3]


def test_what_is_pinned_counts_and_stays():
    rows = picks_of("softmin-exchange", 4, pins=(0, 2))[0]
    assert {0, 2} <= set(rows.tolist())
    assert 0 not in ORIGINS[[row for row in rows if row not in (0, 2)]]


def test_without_origins_nothing_changes():
    same = np.arange(2 * N)
    for method in ("softmin-exchange", "mmd-diff-grad", "kmedoids"):
        for one, other in zip(picks_of(method, 4, None), picks_of(method, 4, same), strict=True):
            assert one.tolist() == other.tolist()
