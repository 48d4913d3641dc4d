from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visavis.shared.periods import LABELS, Period, begin, believable_range, following, labels_between, read_label

DAYS = st.dates(date(1000, 1, 1), date(9990, 12, 31))
UNITS = st.sampled_from(list(LABELS))


def test_labels_of_a_moment() -> None:
    moment = datetime(2024, 12, 30, 23, tzinfo=UTC)
    assert [name(moment) for name in LABELS.values()] == ["2024-12-30", "2025-W01", "2024-12", "2024-Q4", "2024"]
    assert [name(moment.date()) for name in LABELS.values()] == [name(moment) for name in LABELS.values()]


def test_limits_of_what_is_believable_stay_in_the_calendar() -> None:
    days = [date.min] * 50 + [date.max] * 50
    assert believable_range(days) == (date.min, date.max)
    moments = [datetime.min.replace(tzinfo=UTC)] * 10 + [datetime(2020, 1, 1, tzinfo=UTC)] * 90
    low, high = believable_range(moments)
    assert low == moments[0]
    assert high > moments[-1]


@given(DAYS, UNITS)
def test_a_label_stands_for_the_days_that_bear_it(day: date, unit: str) -> None:
    period = read_label(LABELS[unit](day))
    assert period is not None
    assert period.unit == unit
    assert period.first <= day <= period.last
    assert begin(day, unit) == period.first
    assert following(period.first, unit) == period.last + timedelta(days=1)
    before, after = period.first - timedelta(days=1), period.last + timedelta(days=1)
    names = [LABELS[unit](one) for one in (before, period.first, period.last, after)]
    assert names[0] < names[1] == names[2] < names[3], "labels sort as their days do"


@given(DAYS, st.integers(0, 400), UNITS)
def test_all_periods_between_two_days_are_named_once_or_there_are_too_many(day: date, days: int, unit: str) -> None:
    last = day + timedelta(days=days)
    every = list(dict.fromkeys(LABELS[unit](day + timedelta(days=step)) for step in range(days + 1)))
    assert labels_between(day, last, unit, len(every)) == every
    assert labels_between(day, last, unit, len(every) - 1) is None


@pytest.mark.parametrize("label", ["", "march", "2024-13", "2024-02-30", "2024-W54", "2024-Q5", "0000", "2024-1"])
def test_what_is_no_label_stands_for_nothing(label: str) -> None:
    assert read_label(label) is None


def test_a_week_begins_on_monday_and_a_time_of_day_is_kept() -> None:
    assert begin(date(2026, 1, 1), "week") == date(2025, 12, 29)
    assert begin(date(2025, 12, 28), "week") == date(2025, 12, 22)
    assert following(datetime(2024, 1, 1, 5, tzinfo=UTC), "month") == datetime(2024, 2, 1, 5, tzinfo=UTC)


def test_the_last_days_of_the_calendar_have_labels() -> None:
    assert labels_between(date(9999, 12, 30), date.max, "day", 5) == ["9999-12-30", "9999-12-31"]
    assert read_label("9999-12-31") == Period("day", date.max, date.max)
    assert read_label("9998") == Period("year", date(9998, 1, 1), date(9998, 12, 31))
