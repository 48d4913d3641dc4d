from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from visavis.corpus.grouping import GroupOptions, facets, group
from visavis.errors import Incompatible, InvalidParameter, UnknownName, VisavisError
from visavis.records import Corpus, Document, Grouping, SetAside

NOW = datetime(2021, 1, 1, tzinfo=UTC)


def corpus_of(values: list[Any], column: str = "topic", **more: Any) -> Corpus:
    documents = tuple(Document(id=f"d{row}", text="t", fields={column: value}) for row, value in enumerate(values))
    return Corpus(documents, "memory", **more)


def dated(*days: str | None) -> Corpus:
    documents = tuple(
        Document(id=f"d{row}", date=None if day is None else datetime.fromisoformat(day).replace(tzinfo=UTC))
        for row, day in enumerate(days)
    )
    return Corpus(documents, "memory", columns={"date": "published"})


def labels(grouping: Grouping) -> dict[str, str]:
    names = (grouping.names[code] for code in grouping.codes)
    return {document.id: name for document, name in zip(grouping.corpus.documents, names, strict=True)}


def away(grouping: Grouping) -> dict[str, tuple[str, ...]]:
    return {one.reason: one.where for one in grouping.corpus.set_aside}


def test_values_become_groups_in_natural_order_and_blanks_are_set_aside() -> None:
    grouping = group(corpus_of([" b10 ", "b9", None, "", float("nan"), "b9"]), GroupOptions(by="topic"))
    assert grouping.names == ("b9", "b10")
    assert labels(grouping) == {"d0": "b10", "d1": "b9", "d5": "b9"}
    assert away(grouping) == {"no value for topic": ("d2", "d3", "d4")}


def test_numbers_sort_by_value_and_before_words() -> None:
    grouping = group(corpus_of([10, 9, "x", True, -1.5]), GroupOptions(by="topic"))
    assert grouping.names == ("-1.5", "9", "10", "True", "x")


def test_an_unknown_column_lists_the_columns_and_suggests_one() -> None:
    with pytest.raises(UnknownName, match=r"'topics'; did you mean 'topic'\? There are: id, text, topic"):
        group(corpus_of(["a"]), GroupOptions(by="topics"))


def test_an_unknown_period_lists_the_periods() -> None:
    with pytest.raises(UnknownName, match="did you mean 'week'"):
        group(dated("2018-01-01"), GroupOptions(by="date:weekly"))


@pytest.mark.parametrize("by", ["date:spans=0", "date:spans=", "date:quantiles=x", "date:spans=1.5", "date:spans"])
def test_cuts_need_a_positive_number(by: str) -> None:
    with pytest.raises(InvalidParameter, match="whole number of at least 1"):
        group(dated("2018-01-01"), GroupOptions(by=by))


def test_a_column_may_have_a_colon_in_its_name() -> None:
    grouping = group(corpus_of(["a", "b"], column="og:week"), GroupOptions(by="og:week"))
    assert grouping.names == ("a", "b")


def test_the_column_behind_the_date_role_means_the_parsed_date() -> None:
    assert group(dated("2018-03-05", "2018-04-01"), GroupOptions(by="published:month"), NOW).names == (
        "2018-03",
        "2018-04",
    )


def test_the_date_alone_means_days() -> None:
    assert group(dated("2018-03-05T10:00", "2018-03-05T11:00"), GroupOptions(by="date"), NOW).names == ("2018-03-05",)


def test_roles_group_without_a_named_column() -> None:
    documents = (Document("a", source="BBC"), Document("b", source="NPR"))
    assert group(Corpus(documents, "memory"), GroupOptions(by="source")).names == ("BBC", "NPR")


def test_too_many_groups_are_refused_unless_few_are_kept() -> None:
    many = corpus_of([f"s{row}" for row in range(201)] + ["s0"])
    with pytest.raises(InvalidParameter, match=r"201 groups.*month.*quantiles"):
        group(many, GroupOptions(by="topic"))
    assert group(many, GroupOptions(by="topic", only=("s7", "s3"))).names == ("s7", "s3")
    assert group(many, GroupOptions(by="topic", min_size=2)).names == ("s0",)


def test_only_keeps_its_order_and_sets_the_others_aside() -> None:
    grouping = group(corpus_of(["a", "b", "c", "a"]), GroupOptions(by="topic", only=("c", "a")))
    assert grouping.names == ("c", "a")
    assert grouping.codes.tolist() == [1, 0, 1]
    assert away(grouping) == {"group not asked for": ("d1",)}


@pytest.mark.parametrize("options", [GroupOptions(by="topic", only=("z",)), GroupOptions(by="topic", versus="z")])
def test_an_unknown_group_lists_the_groups(options: GroupOptions) -> None:
    with pytest.raises(UnknownName, match="There are: a, b"):
        group(corpus_of(["a", "b"]), options)


def test_versus_merges_all_others_into_the_rest() -> None:
    grouping = group(corpus_of(["a", "b", "c"]), GroupOptions(by="topic", versus="b"))
    assert grouping.names == ("b", "rest")
    assert labels(grouping) == {"d0": "rest", "d1": "b", "d2": "rest"}


def test_versus_refuses_a_group_called_rest() -> None:
    with pytest.raises(InvalidParameter, match="'rest'"):
        group(corpus_of(["a", "rest"]), GroupOptions(by="topic", versus="a"))


def test_small_groups_are_dropped_with_a_note() -> None:
    grouping = group(corpus_of(["a", "a", "b", "c", "c"]), GroupOptions(by="topic", min_size=2))
    assert grouping.names == ("a", "c")
    assert away(grouping) == {"group smaller than 2": ("d2",)}
    assert grouping.notes == ("dropped 1 group, b (1): fewer than 2 documents each",)


def test_small_groups_are_merged_last() -> None:
    values = ["z", "z", "b", "c"]
    grouping = group(corpus_of(values), GroupOptions(by="topic", min_size=2, small="merge"))
    assert grouping.names == ("z", "other")
    assert labels(grouping)["d3"] == "other"
    assert "merged 2 groups" in grouping.notes[0]


def test_a_merged_group_that_is_still_small_is_dropped() -> None:
    grouping = group(corpus_of(["a", "a", "a", "b"]), GroupOptions(by="topic", min_size=3, small="merge"))
    assert grouping.names == ("a",)
    assert away(grouping) == {"group smaller than 3": ("d3",)}


def test_small_groups_join_a_group_that_is_called_other() -> None:
    values = ["other", "other", "a", "z", "z"]
    grouping = group(corpus_of(values), GroupOptions(by="topic", min_size=2, small="merge"))
    assert grouping.names == ("z", "other")
    assert grouping.codes.tolist() == [1, 1, 1, 0, 0]


def test_a_single_group_is_a_note_and_none_an_error() -> None:
    assert "nothing to compare" in group(corpus_of(["a"]), GroupOptions(by="topic")).notes[0]
    with pytest.raises(InvalidParameter, match="no value for topic: 2"):
        group(corpus_of(["", None]), GroupOptions(by="topic"))


def test_nothing_to_group_by_lists_the_columns() -> None:
    with pytest.raises(InvalidParameter, match="topic"):
        group(corpus_of(["a"]), GroupOptions())


def test_the_filter_goes_first_and_is_reported() -> None:
    grouping = group(corpus_of(["a", "b", "c"]), GroupOptions(by="topic", filter="topic in ['a', 'c']"))
    assert grouping.names == ("a", "c")
    assert away(grouping) == {"not matched by the filter": ("d1",)}


def test_a_filter_that_matches_nothing_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="matches none of 2 documents"):
        group(corpus_of(["a", "b"]), GroupOptions(by="topic", filter="topic == 'z'"))


def test_vectors_follow_their_documents_and_splits_are_renumbered() -> None:
    splits = ((np.array([0, 1]), np.array([2])),)
    vectors = np.arange(6.0).reshape(3, 2)
    before = (SetAside("no text", ("f:9",)),)
    whole = corpus_of(["a", "b", "a"], vectors=vectors, splits=splits, set_aside=before)
    kept = group(whole, GroupOptions(by="topic")).corpus
    assert kept.splits is splits
    assert kept.vectors is vectors
    part = group(whole, GroupOptions(by="topic", only=("a",))).corpus
    assert [(train.tolist(), test.tolist()) for train, test in part.splits] == [([0], [1])]
    assert part.vectors is not None
    assert part.vectors.tolist() == [[0, 1], [4, 5]]
    assert part.set_aside == (*before, SetAside("group not asked for", ("d1",)))
    assert len(whole.documents) == 3


@pytest.mark.parametrize(
    "options", [{"min_size": 0}, {"min_size": True}, {"small": "keep"}, {"date_order": "ymd"}, {"min_size": 1.5}]
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter, match=next(iter(options))):
        GroupOptions(by="topic", **options)


def test_ranges_are_half_open_and_keep_their_order() -> None:
    corpus = dated("2018-01-31T23:59", "2018-02-01", "2018-03-01", "2017-12-31", None)
    options = GroupOptions(groups=("late=2018-02-01..2018-03-01", "early=2018-01-01..2018-02-01"))
    grouping = group(corpus, options, NOW)
    assert grouping.names == ("late", "early")
    assert labels(grouping) == {"d0": "early", "d1": "late"}
    assert away(grouping) == {"outside the given groups": ("d2", "d3"), "no date": ("d4",)}
    assert grouping.by == "date"


def test_ranges_may_be_open_and_carry_times() -> None:
    corpus = dated("1999-01-01", "2018-01-01T11:59", "2018-01-01T12:00")
    options = GroupOptions(groups=("before=..2018-01-01T12:00", "after=2018-01-01T12:00Z.."))
    assert labels(group(corpus, options, NOW)) == {"d0": "before", "d1": "before", "d2": "after"}


def test_a_range_without_documents_is_a_note() -> None:
    grouping = group(dated("2018-01-01"), GroupOptions(groups=("a=2018..2019", "b=2019..2020")), NOW)
    assert grouping.names == ("a",)
    assert "no documents in b" in grouping.notes


def test_ranges_may_use_another_column() -> None:
    corpus = corpus_of(["13/2/2018", "14/3/2018"], column="seen")
    options = GroupOptions(by="seen", groups=("a=2018-02..2018-03", "b=2018-03..2018-04"))
    assert group(corpus, options, NOW).names == ("a", "b")


@pytest.mark.parametrize(
    ("groups", "says"),
    [
        (("a=2018..2019", "b=2018-06..2020"), "overlap from 2018-06-01"),
        (("a=..", "b=2018.."), "overlap"),
        (("a=2019..2018",), "empty"),
        (("a=2018..2018",), "empty"),
        (("a=2018..2019", "a=2019..2020"), "twice"),
        (("a=soon..2019",), "'soon'"),
        (("a=3/5/2018..2019",), "two ways"),
        (("2018..2019",), "NAME=FROM..TO"),
        (("=2018..2019",), "NAME=FROM..TO"),
        (("a=2018",), "NAME=FROM..TO"),
        (("a=@/nonexistent/ids.txt",), "No such file"),
    ],
)
def test_groups_that_make_no_sense_are_refused_in_one_line(groups: tuple[str, ...], says: str) -> None:
    with pytest.raises(InvalidParameter, match=says) as caught:
        group(dated("2018-01-01"), GroupOptions(groups=groups), NOW)
    assert "\n" not in str(caught.value)


def test_a_period_and_ranges_exclude_each_other() -> None:
    with pytest.raises(Incompatible, match="date:month"):
        group(dated("2018-01-01"), GroupOptions(by="date:month", groups=("a=2018..2019",)), NOW)


def test_id_lists_group_and_count_strangers(tmp_path: Any) -> None:
    (tmp_path / "a.txt").write_text("\ufeffd1\n\n d0 \nstranger\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("d2\n", encoding="utf-8")
    options = GroupOptions(groups=(f"A=@{tmp_path}/a.txt", f"B=@{tmp_path}/b.txt"))
    grouping = group(corpus_of(["x"] * 4), options)
    assert labels(grouping) == {"d0": "A", "d1": "A", "d2": "B"}
    assert grouping.notes == ("ids listed that no document has: 1",)
    assert away(grouping) == {"outside the given groups": ("d3",)}


@pytest.mark.parametrize(("content", "says"), [(b"d0\n", "'d0'.*both"), (b"\n", "no ids"), (b"\xff\xfe\x00", "UTF-8")])
def test_id_lists_that_cannot_be_used_are_refused(tmp_path: Any, content: bytes, says: str) -> None:
    (tmp_path / "a.txt").write_bytes(b"d0\n")
    (tmp_path / "b.txt").write_bytes(content)
    with pytest.raises(InvalidParameter, match=says):
        group(corpus_of(["x"]), GroupOptions(groups=(f"A=@{tmp_path}/a.txt", f"B=@{tmp_path}/b.txt")))


def test_a_document_in_a_list_and_a_range_is_refused(tmp_path: Any) -> None:
    (tmp_path / "a.txt").write_text("d0\n")
    with pytest.raises(InvalidParameter, match="'d0'"):
        group(dated("2018-01-01"), GroupOptions(groups=(f"A=@{tmp_path}/a.txt", "B=2018..2019")), NOW)


def test_a_column_beside_id_lists_is_refused(tmp_path: Any) -> None:
    (tmp_path / "a.txt").write_text("d0\n")
    with pytest.raises(Incompatible, match="topic"):
        group(corpus_of(["x"]), GroupOptions(by="topic", groups=(f"A=@{tmp_path}/a.txt",)))


def test_facets_part_the_corpus_by_value() -> None:
    whole = corpus_of(["b", "a", "", "b"], vectors=np.eye(4))
    parts = facets(whole, "topic")
    assert [(name, [document.id for document in part.documents]) for name, part in parts] == [
        ("a", ["d1"]),
        ("b", ["d0", "d3"]),
    ]
    assert parts[1][1].set_aside == (SetAside("no value for topic", ("d2",)),)
    assert parts[1][1].vectors is not None
    assert parts[1][1].vectors.tolist() == np.eye(4)[[0, 3]].tolist()


def test_facets_may_be_periods() -> None:
    assert [name for name, _ in facets(dated("2018-03-05", "2017-04-01", None), "date:year")] == ["2017", "2018"]


def test_facets_read_dates_as_told_and_keep_what_there_is_to_say_of_them() -> None:
    whole = corpus_of(["3/5/2018", "4/5/2018"])
    assert [name for name, _ in facets(whole, "topic:month", "dmy")] == ["2018-05"]
    parts = facets(whole, "topic:month")
    assert [name for name, _ in parts] == ["2018-03", "2018-04"]
    assert all("could be read in two ways" in part.notes[-1] for _, part in parts)


def test_facets_refuse_an_unknown_column() -> None:
    with pytest.raises(VisavisError, match="'tpic'; did you mean 'topic'"):
        facets(corpus_of(["a"]), "tpic")
