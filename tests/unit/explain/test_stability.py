from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from visavis.explain import stability
from visavis.explain.stability import RESAMPLES, chance_of_return, count_resamples, neighborhoods, resamples
from visavis.kernel.rbf import RBF

RNG = np.random.default_rng(0)
CODES = np.repeat(np.arange(3), 30)
X = RNG.normal(size=(90, 2)) + 8.0 * CODES[:, None]
KERNEL = RBF(0.1)
ALL = np.ones(90, bool)


def rng():
    return np.random.default_rng(0)


def around(pick, allowed=ALL):
    return neighborhoods(np.array([pick]), CODES, allowed, KERNEL, X)[0]


def by_distance(pick):
    own = np.flatnonzero(CODES[pick] == CODES)
    return own[np.argsort(cdist(X[own], X[[pick]])[:, 0], kind="stable")].tolist()


@pytest.mark.parametrize("pick", [4, 30, 89])
def test_the_nearest_of_its_group_stands_in_for_a_pick(pick):
    assert around(pick) == {pick, by_distance(pick)[1]}


def test_the_nearest_hundredth_of_a_large_group_stands_in_for_a_pick(monkeypatch):
    monkeypatch.setattr(stability, "NEIGHBORS", 0.1)
    assert around(4) == set(by_distance(4)[:4])


def test_a_copy_that_may_not_be_picked_is_nobodys_neighbor():
    order = by_distance(4)
    allowed = ALL.copy()
    allowed[order[1:4]] = False
    assert around(4, allowed) == {4, order[4]}
    allowed[4] = False  # a pick is its own neighbor, whatever may be picked now
    assert around(4, allowed) >= {4, order[4]}


def test_a_resample_keeps_four_fifths_of_every_group_whether_or_not_the_picks_are_among_them():
    seen = resamples(CODES, 6, rng())
    assert len(seen) == RESAMPLES == 20
    assert {5 in rows for rows in seen} == {True, False}
    for rows in seen:
        assert np.bincount(CODES[rows]).tolist() == [24, 24, 24]
    assert len({tuple(rows) for rows in seen}) > 1


def test_above_the_limit_a_resample_is_one_of_a_sample(monkeypatch):
    monkeypatch.setattr(stability, "RESAMPLE_UP_TO", 45)
    assert {tuple(np.bincount(CODES[rows])) for rows in resamples(CODES, 6, rng())} == {(12, 12, 12)}


def test_many_picks_of_many_documents_are_looked_for_in_fewer_resamples():
    assert count_resamples(1500, 60) == RESAMPLES
    assert RESAMPLES > count_resamples(1500, 100) > count_resamples(2300, 280) == stability.FEWEST_RESAMPLES
    assert len(resamples(np.repeat(np.arange(2), 750), 400, rng())) == stability.FEWEST_RESAMPLES


@pytest.mark.parametrize(("near", "allowed", "drawn"), [(1, 10, 1), (2, 24, 4), (3, 9, 8), (5, 5, 1), (2, 40, 0)])
def test_the_chance_to_return_is_that_of_picks_drawn_at_random(near, allowed, drawn):
    chance = rng()
    hits = [np.any(chance.choice(allowed, drawn, replace=False) < near) for _ in range(20_000)]
    assert chance_of_return(near, allowed, drawn) == pytest.approx(np.mean(hits), abs=0.012)


def test_where_all_are_drawn_a_pick_returns_for_certain():
    assert chance_of_return(1, 7, 7) == 1.0
    assert chance_of_return(1, 7, 9) == 1.0
