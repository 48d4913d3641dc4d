from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from visavis.explain.views import MOST_PERIODS, timeline

START = datetime(2018, 1, 1, tzinfo=UTC)


def dated(*days):
    return [None if day is None else START + timedelta(days=day) for day in days]


@pytest.mark.parametrize(
    ("span", "unit"),
    [
        (1, "day"),
        (59, "day"),
        (60, "week"),
        (410, "week"),
        (500, "month"),
        (1800, "month"),
        (1900, "quarter"),
        (5500, "year"),
    ],
)
def test_the_finest_unit_with_at_most_sixty_periods_is_taken(span, unit):
    found = timeline(dated(0, span), np.array([0, 1]), 2)
    assert found.unit == unit
    assert 2 <= len(found.periods) <= MOST_PERIODS


def test_counts_are_documents_per_period_and_group_without_gaps():
    found = timeline(dated(0, 0, 2, 2, 2, None), np.array([0, 1, 1, 1, 0, 0]), 2)
    assert found.periods == ("2018-01-01", "2018-01-02", "2018-01-03")
    assert found.counts == ((1, 1), (0, 0), (1, 2))


def test_weeks_are_named_as_iso_names_them():
    found = timeline(dated(-1, 100), np.array([0, 0]), 1)
    assert found.periods[:2] == ("2017-W52", "2018-W01")
    assert len(set(found.periods)) == len(found.periods)


@pytest.mark.parametrize("days", [(None, None), (3, None, None, None, None, None), (3, 3), (3,)])
def test_without_two_periods_or_enough_dates_there_is_no_timeline(days):
    assert timeline(dated(*days), np.zeros(len(days), np.intp), 1) is None


def test_a_few_dates_far_off_do_not_stretch_the_whole():
    moments = dated(-9000, *range(120), 4000)
    found = timeline(moments, np.array([1, *[0, 1] * 60, 0]), 2)
    assert (found.unit, len(found.periods)) == ("week", 18)
    assert (found.earlier, found.later) == ((0, 1), (1, 0))
    assert (found.first, found.last) == (START.date(), (START + timedelta(days=119)).date())
    assert sum(map(sum, found.counts)) == 120


def test_a_group_far_off_is_shown_whatever_it_stretches():
    found = timeline(dated(-9000, *range(120)), np.array([1, *[0] * 120]), 2)
    assert found.earlier == found.later == ()
    assert found.counts[0] == (0, 1)
