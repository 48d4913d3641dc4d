"""Garbage is looked for seldom while very many objects come to stay, and as before when they have."""

from __future__ import annotations

import gc

import pytest

from visavis.shared.garbage import SELDOM, seldom_collected


@pytest.fixture(autouse=True)
def as_before():
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_it_is_as_before_when_the_last_has_left_in_whatever_order():
    gc.set_threshold(701, 11, 12)
    one, other = seldom_collected(), seldom_collected()
    one.__enter__()
    assert gc.get_threshold() == (SELDOM, 11, 12)
    other.__enter__()
    one.__exit__(None, None, None)
    assert gc.get_threshold() == (SELDOM, 11, 12)
    other.__exit__(None, None, None)
    assert gc.get_threshold() == (701, 11, 12)


@pytest.mark.parametrize("threshold", [0, SELDOM + 1])
def test_who_looks_more_seldom_or_never_is_left_alone(threshold):
    gc.set_threshold(threshold, 11, 12)
    with seldom_collected():
        assert gc.get_threshold() == (threshold, 11, 12)
    assert gc.get_threshold() == (threshold, 11, 12)
