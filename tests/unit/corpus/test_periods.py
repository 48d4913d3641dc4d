from __future__ import annotations

import gzip
import json
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visavis.corpus.dates import parse_date
from visavis.corpus.grouping import GroupOptions, group
from visavis.errors import InvalidParameter
from visavis.records import Corpus, Document, Grouping

NOW = datetime(2021, 1, 1, tzinfo=UTC)


def dated(moments: list[datetime | None]) -> Corpus:
    return Corpus(tuple(Document(f"d{row}", date=moment) for row, moment in enumerate(moments)), "memory")


def days(*written: str) -> Corpus:
    return dated([datetime.fromisoformat(day).replace(tzinfo=UTC) for day in written])


def sizes(grouping: Grouping) -> list[int]:
    return [int((grouping.codes == code).sum()) for code in range(len(grouping.names))]


@pytest.mark.parametrize(
    ("period", "name"),
    [("day", "2018-02-03"), ("week", "2018-W05"), ("month", "2018-02"), ("quarter", "2018-Q1"), ("year", "2018")],
)
def test_periods_are_named_in_utc(period: str, name: str) -> None:
    assert group(days("2018-02-03"), GroupOptions(by=f"date:{period}"), NOW).names == (name,)


def test_weeks_belong_to_the_iso_year() -> None:
    corpus = days("2018-12-31", "2019-01-06", "2017-01-01")
    assert group(corpus, GroupOptions(by="date:week"), NOW).names == ("2016-W52", "2019-W01")


def test_a_moment_in_another_zone_counts_in_utc() -> None:
    east = datetime.fromisoformat("2018-03-01T01:00:00+03:00")
    assert group(dated([east]), GroupOptions(by="date:month"), NOW).names == ("2018-02",)


def test_impossible_dates_are_set_aside_and_never_stretch_a_span() -> None:
    corpus = days("2018-01-01", "2018-01-10", "2050-01-01", "0001-01-01", "1700-01-01", "2018-01-04")
    grouping = group(corpus, GroupOptions(by="date:spans=2"), NOW)
    assert grouping.names == ("2018-01-01..2018-01-05", "2018-01-06..2018-01-10")
    assert {one.reason: one.where for one in grouping.corpus.set_aside} == {
        "implausible date: in the future": ("d2",),
        "implausible date: before the year 1000": ("d3",),
        "implausible date: more than 200 years from the median": ("d4",),
    }


def test_a_date_may_lie_two_days_ahead() -> None:
    corpus = dated([NOW + timedelta(days=2), NOW + timedelta(days=2, seconds=1)])
    assert group(corpus, GroupOptions(by="date:year"), NOW).corpus.documents == corpus.documents[:1]


def test_two_centuries_of_addresses_are_all_plausible() -> None:
    corpus = days(*(f"{year}-01-08" for year in range(1790, 2021)))
    assert len(group(corpus, GroupOptions(by="date:spans=4"), NOW).corpus.documents) == 231


def test_the_ends_of_the_calendar_do_no_harm() -> None:
    zone = datetime.fromisoformat("2018-01-01T00:00:00+05:00").tzinfo
    corpus = dated([datetime(1, 1, 1, tzinfo=zone), datetime.max.replace(tzinfo=zone), datetime(2018, 1, 1)])
    assert [d.id for d in group(corpus, GroupOptions(by="date:year"), NOW).corpus.documents] == ["d2"]


def test_more_spans_than_days_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="cover 2 days"):
        group(days("2018-01-01", "2018-01-02"), GroupOptions(by="date:spans=3"), NOW)


def test_a_few_early_dates_that_stretch_the_spans_are_a_note() -> None:
    corpus = days("2001-01-01", *["2018-01-01"] * 40, *["2018-01-02"] * 40)
    notes = group(corpus, GroupOptions(by="date:spans=2"), NOW).notes
    assert notes == ("2001-01-01..2009-07-02 holds 1 of 81 documents: date:quantiles=2 divides them evenly",)


def test_a_span_without_documents_is_a_note() -> None:
    grouping = group(days("2018-01-01", "2018-01-09"), GroupOptions(by="date:spans=3"), NOW)
    assert grouping.names == ("2018-01-01..2018-01-03", "2018-01-07..2018-01-09")
    assert grouping.notes == ("no documents in 2018-01-04..2018-01-06",)


@given(st.lists(st.integers(0, 400), min_size=1, max_size=30), st.integers(1, 12))
def test_spans_cover_all_days_once_and_hold_their_documents(offsets: list[int], n_spans: int) -> None:
    start = datetime(2015, 3, 1, 13, 5, tzinfo=UTC)
    corpus = dated([start + timedelta(days=offset) for offset in offsets])
    n_days = max(offsets) - min(offsets) + 1
    if n_spans > n_days:
        with pytest.raises(InvalidParameter):
            group(corpus, GroupOptions(by=f"date:spans={n_spans}"), NOW)
        return
    grouping = group(corpus, GroupOptions(by=f"date:spans={n_spans}"), NOW)
    limits = [tuple(map(date.fromisoformat, name.split(".."))) for name in grouping.names]
    assert limits[0][0] == (start + timedelta(days=min(offsets))).date()
    assert limits[-1][1] == (start + timedelta(days=max(offsets))).date()
    assert all(low[1] < high[0] for low, high in pairwise(limits))
    lengths = {(high - low).days + 1 for low, high in limits}
    assert lengths <= {n_days // n_spans, -(-n_days // n_spans)}
    for document, code in zip(grouping.corpus.documents, grouping.codes, strict=True):
        assert document.date is not None
        assert limits[code][0] <= document.date.date() <= limits[code][1]


def other_column(*values: object) -> Corpus:
    documents = tuple(Document(f"d{row}", fields={"seen": value}) for row, value in enumerate(values))
    return Corpus(documents, "memory")


def test_another_column_is_read_as_dates_in_the_order_its_values_agree_on() -> None:
    corpus = other_column("3/4/2018", "25/4/2018", "", "nonsense")
    grouping = group(corpus, GroupOptions(by="seen:month"), NOW)
    assert grouping.names == ("2018-04",)
    assert {one.reason: one.where for one in grouping.corpus.set_aside} == {
        "no date": ("d2",),
        "unreadable date": ("d3",),
    }


def test_dates_that_could_be_read_in_two_ways_are_a_note_until_the_order_is_given() -> None:
    corpus = other_column("3/4/2018", "5/4/2018")
    unclear = group(corpus, GroupOptions(by="seen:month"), NOW)
    assert unclear.names == ("2018-03", "2018-05")
    assert "2 dates in 'seen' could be read in two ways" in unclear.notes[0]
    clear = group(corpus, GroupOptions(by="seen:month", date_order="dmy"), NOW)
    assert clear.names == ("2018-04",)
    assert not any("two ways" in note for note in clear.notes)


def test_quantiles_keep_equal_values_together_and_name_real_edges() -> None:
    corpus = other_column(1, "2", 2, 2.0, 3, 50, "many", None, True)
    grouping = group(corpus, GroupOptions(by="seen:quantiles=3"))
    assert grouping.names == ("1", "2", "3..50")
    assert sizes(grouping) == [1, 3, 2]
    assert {one.reason: one.where for one in grouping.corpus.set_aside} == {
        "no number in seen": ("d6", "d8"),
        "no value for seen": ("d7",),
    }


def test_fewer_distinct_values_than_quantiles_give_fewer_groups_and_a_note() -> None:
    grouping = group(other_column(1, 1, 1, 0.5), GroupOptions(by="seen:quantiles=4"))
    assert grouping.names == ("0.5", "1")
    assert "2 groups made" in grouping.notes[0]


@given(st.lists(st.integers(-5, 5) | st.floats(-1e300, 1e300), min_size=1, max_size=40), st.integers(1, 8))
def test_quantiles_make_as_many_groups_as_values_allow(values: list[float], n_groups: int) -> None:
    grouping = group(other_column(*values), GroupOptions(by=f"seen:quantiles={n_groups}"))
    assert len(grouping.names) == min(n_groups, len(set(map(float, values))))
    highest = [-float("inf")] * len(grouping.names)
    for value, code in sorted(zip(values, grouping.codes.tolist(), strict=True)):
        assert value >= max(highest[: code + 1])
        assert all(highest[later] == -float("inf") for later in range(code + 1, len(highest)))
        highest[code] = value


def test_distinct_values_are_cut_into_equal_parts() -> None:
    assert sizes(group(other_column(*range(12)), GroupOptions(by="seen:quantiles=4"))) == [3, 3, 3, 3]


def test_quantiles_of_dates_are_named_by_their_days() -> None:
    corpus = days("2018-01-01", "2018-01-02", "2018-01-02T10:00", "2019-05-05")
    grouping = group(corpus, GroupOptions(by="date:quantiles=2"), NOW)
    assert grouping.names in (
        ("2018-01-01..2018-01-01", "2018-01-02..2019-05-05"),
        ("2018-01-01..2018-01-02", "2019-05-05..2019-05-05"),
    )


def test_the_dirt_in_real_news_does_not_reach_the_spans(data_folder: Path) -> None:
    with gzip.open(data_folder / "news" / "articles_lead.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    documents = tuple(Document(row["id"], date=parse_date(row["date"]).moment, fields=row) for row in rows)
    grouping = group(Corpus(documents, "news"), GroupOptions(by="date:spans=2"), NOW)
    assert grouping.names[0].startswith("2010-")
    assert grouping.names[1].split("..")[1].startswith("2020-")
    reasons = {one.reason: one.count for one in grouping.corpus.set_aside}
    assert reasons["implausible date: in the future"] == 1
    assert reasons["no date"] >= 4407
    assert reasons["stray date: far from 98 % of the others, it would stretch the spans"] == 2
    assert min(np.bincount(grouping.codes)) > 10_000
