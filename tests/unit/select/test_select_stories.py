"""One pick a story: what every search is asked."""

from dataclasses import replace

import numpy as np
import pytest

from visavis.errors import TooFewDocuments
from visavis.inputs import check_groups
from visavis.records import Points
from visavis.select import METHODS, Request, pose, select
from visavis.select.problem import count_stories
from walking import walk

RNG = np.random.default_rng(7)
N = 40
X = RNG.normal(size=(2 * N, 4)) + np.repeat([0.0, 1.0], N)[:, None]
Y = np.repeat(["left", "right"], N)
STORIES = np.tile(np.arange(8), 2 * N // 8)  # eight stories, told in both groups


def session():
    return pose(replace(Points.of(X), stories=STORIES), check_groups(Y, len(X)))


@walk("method", [*METHODS, "softmin+greedy", "nearest+exchange"])
@pytest.mark.filterwarnings("ignore::visavis.errors.MissingGroup", "ignore::visavis.errors.LeftTheData")
def test_no_search_picks_two_documents_of_a_group_that_tell_one_story(method):
    found = select(session(), Request(method=method, size=6))
    for group in (0, 1):
        told = STORIES[found.rows[found.owner == group]]
        assert len(set(told.tolist())) == len(told)
    assert len(found.rows) == 12


def test_both_groups_may_tell_the_same_story():
    found = select(session(), Request(method="mmd-diff-exchange", size=8))
    assert sorted(STORIES[found.rows].tolist()) == sorted([*range(8)] * 2)


def test_more_picks_than_stories_are_refused_with_their_number():
    with pytest.raises(TooFewDocuments, match="has 8 documents to pick from"):
        select(session(), Request(method="mmd-diff-greedy", size=9))


def test_pinned_documents_may_tell_one_story_and_others_keep_away_from_it():
    pins = (0, 8, 16)  # story 0, all of them
    found = select(session(), Request(method="mmd-diff-exchange", size=6, pins=pins))
    rows = found.rows[found.owner == 0].tolist()
    assert set(pins) <= set(rows)
    assert 0 not in STORIES[[row for row in rows if row not in pins]]


def test_stories_are_counted_in_each_group():
    rng = np.random.default_rng(1)
    groups, stories, allowed = rng.integers(0, 4, 60), rng.integers(0, 9, 60), rng.random(60) < 0.5
    told = [len(set(stories[allowed & (groups == group)].tolist())) for group in range(5)]
    assert count_stories(groups, allowed, stories, 5).tolist() == told
    assert count_stories(groups, np.zeros(60, np.bool_), stories, 2).tolist() == [0, 0]
