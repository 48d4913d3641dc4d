"""p-values of several tests, adjusted together."""

from __future__ import annotations

import numpy as np
import pytest

from visavis.explain.difference import adjust_together
from visavis.shared.statistics import holm


def plainly(reached, dealt):
    """By the words of the definition: the deals of the tests not before each, largest first."""
    ranked, running, found = sorted(range(len(reached)), key=lambda k: -reached[k]), 0.0, {}
    for place, test in enumerate(ranked):
        count = sum(int(np.sum(dealt[other] >= reached[test])) for other in ranked[place:])
        running = max(running, min(1.0, (1 + count) / (1 + len(dealt[0]))))
        found[test] = running
    return [found[test] for test in range(len(reached))]


@pytest.mark.parametrize("seed", range(6))
def test_every_test_counts_the_deals_of_those_not_before_it(seed):
    rng = np.random.default_rng(seed)
    dealt = rng.gamma(2.0, size=(12, 1)) * rng.normal(size=(12, 40))
    reached = 2.5 * rng.normal(size=12)
    assert adjust_together(reached.tolist(), list(dealt), 0.0) == pytest.approx(plainly(reached, dealt))


def test_one_test_keeps_its_p_value_and_none_has_none():
    dealt = np.array([0.1, 0.5, 0.5 - 1e-12, 0.9])
    assert adjust_together([0.5], [dealt], 1e-9) == [4 / 5]
    assert adjust_together([], [], 1e-9) == []


def test_where_deals_are_alike_it_is_holms_way_without_its_grain():
    rng = np.random.default_rng(1)
    reached, dealt = np.array([3.2, 0.3, 3.9, 1.0, 2.2]), rng.normal(size=(5, 20_000))
    together = adjust_together(reached.tolist(), list(dealt), 0.0)
    fine = [(1 + np.sum(dealt >= one)) / (1 + dealt.size) for one in reached]
    assert together == pytest.approx(holm(fine), abs=0.01)
    few = adjust_together([4.0] + [0.0] * 999, list(rng.normal(size=(1000, 99))), 0.0)
    assert few[0] < 0.1  # by its own 99 deals it could not be below .01 · 1,000


@pytest.mark.parametrize("alike", [0.0, 0.9])
def test_none_of_many_tests_without_a_difference_is_rejected_more_often_than_promised(alike):
    """Tests of different spread of their deals, independent or not, half of them with a difference."""
    rng, wrong = np.random.default_rng(2), 0
    shapes = np.where(np.arange(30) % 2, 1.0, 2.0)[:, None]  # of a normal and of a heavier tail
    for _ in range(400):
        together = np.sqrt(alike) * rng.normal() + np.sqrt(1 - alike) * rng.normal(size=(30, 1))
        found = np.concatenate([together, rng.normal(size=(30, 99))], axis=1)
        found = np.sign(found) * np.abs(found) ** shapes
        found[15:, 0] += 30.0
        adjusted = np.array(adjust_together(found[:, 0].tolist(), list(found[:, 1:]), 0.0))
        assert np.all(adjusted[15:] < 0.05)
        wrong += bool(np.any(adjusted[:15] < 0.05))
    assert wrong / 400 < 0.08
