from __future__ import annotations

import numpy as np

from visavis.explain.stretches import find_stretches


def news(memory, n_days=400, each=4, seed=0):
    """Documents of days whose subject changes every `memory` days; halves of the time are the groups."""
    rng = np.random.default_rng(seed)
    day = np.repeat(np.arange(n_days), each)
    subject = rng.normal(size=(n_days // memory + 1, 8))[day // memory]
    return day.astype(np.float64), (day >= n_days // 2).astype(np.intp), subject + rng.normal(size=subject.shape)


def test_stretches_are_about_as_long_as_what_happens():
    lengths = [find_stretches(*news(memory, n_days=1200))[1] for memory in (1, 7, 20)]
    assert lengths[0] == 1
    assert 20 <= lengths[1] <= 40
    assert lengths[1] < lengths[2] <= 100


def test_stretches_follow_each_other_and_lie_in_one_group():
    days, groups, vectors = news(10)
    found, length = find_stretches(days, groups, vectors)
    assert np.all(np.diff(found) >= 0)
    assert set(found.tolist()) == set(range(found.max() + 1))
    for stretch in range(found.max() + 1):
        inside = found == stretch
        assert len(set(groups[inside])) == 1
        assert np.ptp(days[inside]) < 1.5 * length


def test_time_that_was_dealt_in_weeks_is_cut_in_weeks():
    days, _, vectors = news(1)
    rng = np.random.default_rng(4)
    groups = rng.integers(0, 2, 60)[(days // 7).astype(np.intp)]
    found, length = find_stretches(days, groups, vectors)
    assert length == 7
    for stretch in range(found.max() + 1):
        assert len(set(groups[found == stretch])) == 1


def test_documents_without_a_date_are_in_no_stretch():
    days, groups, vectors = news(5)
    days[::7] = np.nan
    found, _ = find_stretches(days, groups, vectors)
    assert np.array_equal(found < 0, np.isnan(days))


def test_a_group_keeps_six_stretches_where_half_of_what_is_common_has_faded():
    days, groups, vectors = news(14, n_days=100, each=8)
    found, length = find_stretches(days, groups, vectors)
    assert length == 7
    assert [len(set(found[groups == group])) for group in (0, 1)] == [7, 7]
