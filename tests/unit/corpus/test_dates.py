from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pytest

from visavis.corpus.dates import decide_order, parse_date
from walking import walk

DAY = datetime(2018, 3, 5, tzinfo=UTC)
MORNING = datetime(2018, 3, 5, 10, 11, 12, tzinfo=UTC)


@walk("value", [
        "2018-03-05", "20180305", "2018/03/05", "2018-3-5", "2018.03.05", "2018-W10-1", " 2018-03-05 ",
        "2018-03-05T00:00:00Z", "2018-03-05 00:00", "2018-03-05T02:00+02:00", "2018-03-04T19:00:00-0500",
        "Mar 5, 2018", "March 5, 2018", "march 5 2018", "Mar. 5th, 2018", "5 March 2018", "5 Mar 2018", "5-Mar-18",
        "Monday, March 5, 2018", "Mon, 05 Mar 2018 00:00:00 GMT", "Mon, 5 Mar 2018 00:00:00 +0000 (UTC)",
        "Mon Mar 05 00:00:00 +0000 2018", "Mon Mar  5 00:00:00 2018", "Sun, 04 Mar 2018 19:00:00 EST",
        "3/5/2018", "03/05/18", "3-5-2018", "3.5.2018", "3/5/2018 12:00 AM", "1520208000", "1520208000000",
        1520208000, 1520208000.0, 1520208000000, np.int64(1520208000), 20180305, date(2018, 3, 5),
        datetime(2018, 3, 5), datetime(2018, 3, 5, 2, tzinfo=timezone(timedelta(hours=2))),
        np.datetime64("2018-03-05"), np.datetime64("2018-03-05T00:00:00.000000000"),
    ], ids=repr)  # fmt: skip
def test_common_forms_of_one_day_are_read_alike(value: object) -> None:
    assert parse_date(value).moment == DAY


@pytest.mark.parametrize(
    "value",
    [
        "2018-03-05T10:11:12", "2018-03-05 10:11:12 UTC", "2018-03-05T12:11:12+0200", "20180305T101112Z",
        "20180305101112",
        "2018-03-05 10:11:12 +00:00", "3/5/2018 10:11:12 AM", "Mar 5, 2018 10:11:12", "5 Mar 2018 10:11:12 GMT",
        "Mon Mar 05 10:11:12 +0000 2018", "1520244672", "2018-03-05T05:11:12-05:00", "March 5, 2018, 5:11:12 a.m. EST",
    ],
)  # fmt: skip
def test_times_of_day_and_zones_are_read_into_utc(value: str) -> None:
    found = parse_date(value).moment
    assert found == MORNING
    assert found is not None
    assert found.tzinfo is UTC


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2018-03-05T10:11:12.5Z", MORNING.replace(microsecond=500_000)),
        ("2018-03-05 10:11:12.123456789+00:00", MORNING.replace(microsecond=123_456)),
        ("1520244672250", MORNING.replace(microsecond=250_000)),
        ("2018-03", datetime(2018, 3, 1, tzinfo=UTC)),
        ("March 2018", datetime(2018, 3, 1, tzinfo=UTC)),
        ("2018", datetime(2018, 1, 1, tzinfo=UTC)),
        (2018, datetime(2018, 1, 1, tzinfo=UTC)),
        ("3/5/68", datetime(2068, 3, 5, tzinfo=UTC)),
        ("3/5/69", datetime(1969, 3, 5, tzinfo=UTC)),
        ("123456789", datetime(1973, 11, 29, 21, 33, 9, tzinfo=UTC)),
    ],
)
def test_fractions_months_years_and_short_years(value: object, expected: datetime) -> None:
    assert parse_date(value).moment == expected


@pytest.mark.parametrize(
    ("value", "order", "expected", "ambiguous"),
    [
        ("3/5/2018", None, (2018, 3, 5), True),
        ("3/5/2018", "mdy", (2018, 3, 5), False),
        ("3/5/2018", "dmy", (2018, 5, 3), False),
        ("25/3/2018", None, (2018, 3, 25), False),
        ("3/25/2018", None, (2018, 3, 25), False),
        ("4/4/2018", None, (2018, 4, 4), False),
    ],
)
def test_the_order_of_day_and_month_is_as_told_or_as_possible(
    value: str, order: str | None, expected: tuple[int, int, int], ambiguous: bool
) -> None:
    parsed = parse_date(value, order)
    assert parsed.moment == datetime(*expected, tzinfo=UTC)
    assert parsed.ambiguous is ambiguous


@walk("value, why", [
        ("", "empty"), ("  ", "empty"), (None, "empty"), (float("nan"), "empty"), (np.datetime64("NaT"), "empty"),
        ("soon", "not a date"), (True, "not a date"), ([2018], "not a date"), ("12345", "not a date"),
        (-5, "not a Unix time"),
        ("2018-02-30", "no such day or time"), ("31/31/2018", "no such day or time"),
        (float("inf"), "no such day or time"),
        ("3/25/2018 25:00", "no such day or time"), ("0001-11-30", "the year 0001 is before 1000"),
        ("9999-12-31T23:00:00-05:00", "no such day or time"), ("Mar 5, 2018 10:00 XYZ", "unknown time zone 'xyz'"),
        ("Mar 5, 2018 13:00 PM", "not a time of day"), ("2" * 200, "too long for a date"), (10**400, "not a date"),
        (np.datetime64("99999-01-01"), "out of range"),
    ], ids=lambda value: repr(value)[:30])  # fmt: skip
def test_what_is_no_date_says_why(value: object, why: str) -> None:
    parsed = parse_date(value)
    assert parsed.moment is None
    assert parsed.why == why


def test_a_date_that_contradicts_the_order_is_not_read() -> None:
    assert parse_date("3/25/2018", "dmy").why == "not day/month/year"
    assert parse_date("25/3/2018", "mdy").why == "not month/day/year"


@pytest.mark.parametrize(
    ("values", "order"),
    [
        (["3/5/2018", "3/25/2018"], "mdy"),
        (["3/5/2018", "25/3/2018"], "dmy"),
        (["3/5/2018", "25/3/2018", "3/25/2018"], None),
        (["3/5/2018", "2018-03-25", None, 7], None),
        (["31/31/2018"], None),
    ],
)
def test_values_that_can_be_read_one_way_only_decide_the_order(values: list[object], order: str | None) -> None:
    assert decide_order(values) == order
