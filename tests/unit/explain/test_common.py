"""Common ground: what every group writes about, or nothing."""

from __future__ import annotations

import numpy as np
import pytest

from unit.sessions import session_on
from visavis.explain.common import SHARED, TYPICAL, common_ground, typicality


def overlapping(shared, apart=6.0, each=60, seed=0):
    """Two groups of two topics: one of their own, and one that is the same for both, of so many documents each."""
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(2 * each, 4))
    for group in (0, 1):
        own = np.arange(group * each + shared, (group + 1) * each)
        vectors[own, group] += apart
    return session_on(vectors.astype(np.float32), np.repeat([0, 1], each))


def reference_typicality(problem, codes):
    """The share of a group's documents whose mean similarity with the others of the group is no larger."""
    k = problem.columns(range(problem.n_documents))
    near = np.zeros((len(codes), codes.max() + 1))
    for i in range(len(codes)):
        for g in range(codes.max() + 1):
            mates = [j for j in range(len(codes)) if codes[j] == g and j != i]
            near[i, g] = k[i, mates].mean()
    return np.array(
        [[np.mean(near[codes == g, g] <= near[i, g] + 1e-12) for g in range(near.shape[1])] for i in range(len(codes))]
    )


def test_typicality_is_the_share_of_a_groups_documents_that_are_no_nearer():
    session = overlapping(20, each=25)
    problem = session.problem()
    found = typicality(problem)
    assert found == pytest.approx(reference_typicality(problem, session.codes[session.order]), abs=0.05)
    assert typicality(problem) is found


def test_what_both_groups_write_about_is_their_common_ground():
    session = overlapping(45)
    problem = session.problem()
    found = common_ground(problem, [])
    assert 1 <= len(found) <= 3
    assert all(place % 60 < 45 for place in found)
    assert (typicality(problem)[found] >= TYPICAL).all()


def test_groups_of_different_topics_have_none():
    assert common_ground(overlapping(0).problem(), []) == []


def test_a_few_documents_between_the_groups_are_no_common_ground():
    session = overlapping(2)
    assert np.mean(typicality(session.problem()).min(axis=1) >= TYPICAL) < SHARED
    assert common_ground(session.problem(), []) == []


def test_no_pick_no_story_of_a_pick_and_no_story_twice():
    problem = overlapping(45).problem()
    stories = np.arange(problem.n_documents) % 5
    first = common_ground(problem, [], stories)
    assert len({stories[place] for place in first}) == len(first)
    again = common_ground(problem, first, stories)
    assert not {stories[place] for place in first} & {stories[place] for place in again}


def test_they_are_kept_apart():
    problem = overlapping(45).problem()
    found = common_ground(problem, [])
    k = problem.columns(found)
    for i, place in enumerate(found[1:], 1):
        assert all(k[place, j] < np.quantile(k[:, j], 0.9) for j in range(i))


def test_what_may_not_be_picked_is_not_shown():
    session = overlapping(45)
    first = common_ground(session.problem(), [])[0]
    allowed = np.ones(120, bool)
    allowed[session.order[first]] = False
    assert first not in common_ground(session.problem(allowed=allowed), [])


def test_one_group_has_no_common_ground():
    with pytest.warns(UserWarning, match="only one group"):
        alone = session_on(np.random.default_rng(0).normal(size=(20, 3)).astype(np.float32), np.zeros(20, np.intp))
    assert common_ground(alone.problem(), []) == []
