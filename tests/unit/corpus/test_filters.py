from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visavis.corpus.filters import matches
from visavis.errors import InvalidParameter, UnknownName, VisavisError
from visavis.records import Corpus, Document
from walking import walk

FIELDS: dict[str, Any] = {
    "topic": "Gun Control",
    "year": 2018,
    "score": "7.5",
    "count": "10",
    "flagged": True,
    "checked": "FALSE",
    "empty": " ",
    "none": None,
    "nan": float("nan"),
    "tags": ["Left", "Senate"],
    "my column": "x",
    "source-url": "bbc.com",
    "big": 10**400,
    "tweet": "971234567890123457",
}
DOCUMENT = Document(
    "a1", title="A Vote", source="BBC", date=datetime(2018, 3, 5, 10, 30, tzinfo=UTC), weight=2.0, fields=FIELDS
)
CORPUS = Corpus((DOCUMENT, Document("a2", fields={"rare": 1})), "memory", columns={"date": "published"})


@walk(
    "expression",
    [
        "topic == 'Gun Control'",
        'topic != "Gun"',
        "topic contains 'gUN'",
        "not topic contains 'tax'",
        "topic not contains 'tax'",
        "topic in ['x', 'Gun Control']",
        "topic not in ['x']",
        "not topic in []",
        "year == 2018 and year == '2018'",
        "year >= 2018 and year < 2018.5",
        "year in [2017, 2018]",
        "year > '999'",
        "count > 9",
        "count == 10.0",
        "score > 7 and score <= 7.5e0",
        "score > -1",
        "topic != 3",
        "flagged == true and checked == false",
        "flagged != false",
        "tags contains 'senate'",
        "source == 'BBC' and title contains 'vote' and weight == 2",
        "`my column` == 'x'",
        "source-url == 'bbc.com'",
        "big != 3",
        "tweet == 971234567890123457",
        "date >= '2018-03-05' and date <= '2018-03-05'",
        "date == '2018-03' and date == '2018'",
        "date > '2018-02' and date < '2018-04'",
        "date == '2018-03-05T10:30Z'",
        "date in ['2017', '2018-03']",
        "published == '2018-03-05'",
        "year == 1 or year == 2 or (year == 2018 and not year == 3)",
        "year == 2018 or year == 1 and year == 2",
        "not (year == 1 or year == 2)",
    ],
)
def test_true_of_the_document(expression: str) -> None:
    assert matches(expression, CORPUS)(DOCUMENT)


@walk(
    "expression",
    [
        "topic == 'gun control'",
        "topic == 'Gun'",
        "topic < 5",
        "empty == ''",
        "empty != 'x'",
        "none != 1",
        "none not in [1]",
        "nan != 1",
        "rare != 2",
        "year in []",
        "date > '2018-03-05'",
        "date < '2018-03'",
        "date != '2018'",
        "tweet == 971234567890123456",
        "flagged == 1",
        "(year == 2018 or year == 1) and year == 2",
    ],
)
def test_false_of_the_document(expression: str) -> None:
    assert not matches(expression, CORPUS)(DOCUMENT)


@walk(
    "expression, says",
    [
        ("topic", "expected a comparison after 'topic' at character 6"),
        ("topic 'x'", "expected a comparison after 'topic' at character 7"),
        ("", "expected a column at character 1"),
        ("topic = 'x'", "unexpected '=' at character 7; write == to compare"),
        ("topic == elections", "after '==' at character 10"),
        ("topic == elections", "text stands in quotes"),
        ("topic == 'x", "never closed at character 10"),
        ("topic == 'x' && year == 1", "write and, or, not"),
        ("topic == 'x' year == 1", "expected 'and' or 'or' after 'x' at character 14"),
        ("(topic == 'x'", r"expected '\)'"),
        ("topic in 'x'", r"expected a list in \[ \]"),
        ("topic in ['x' 'y']", "expected ',' or ']'"),
        ("topic in ['x'", "expected ',' or ']'"),
        ("topic not == 'x'", "expected 'in' or 'contains'"),
        ("and", "expected a column at character 1"),
        ("topic.upper() == 'x'", "unknown column"),
        ("year + 1 == 2", "at character 6"),
        ("year == 1e999", "too large"),
        ("flagged < true", "true and false"),
        ("date == 5", "holds dates"),
        ("date contains '2018'", "holds dates"),
        ("date == 'soon'", "no clear date"),
        ("date == '3/5/2018'", "two ways"),
        ("(" * 51 + "year == 1" + ")" * 51, "nested deeper than 50"),
        ("not " * 51 + "year == 1", "nested deeper than 50"),
        ("year == 1 or " * 400, "at most 4000"),
    ],
)
def test_what_is_not_in_the_language_is_refused_in_one_line(expression: str, says: str) -> None:
    with pytest.raises(VisavisError, match=says) as caught:
        matches(expression, CORPUS)
    assert "\n" not in str(caught.value)


def test_fifty_levels_are_read() -> None:
    assert matches("(" * 50 + "year == 2018" + ")" * 50, CORPUS)(DOCUMENT)


def test_an_unknown_column_lists_the_columns_and_suggests_one() -> None:
    with pytest.raises(UnknownName, match=r"'topics'; did you mean 'topic'.*There are: id, title, date"):
        matches("topics == 'x'", CORPUS)


def test_without_a_corpus_columns_are_sought_in_the_document() -> None:
    test = matches("topics == 'x' or date < '2000'")
    with pytest.raises(UnknownName, match="did you mean 'topic'"):
        test(DOCUMENT)
    assert matches("date >= '2018' and year == 2018")(DOCUMENT)


def test_the_error_type_names_the_option() -> None:
    with pytest.raises(InvalidParameter, match=r"^filter: "):
        matches("topic ==", CORPUS)


PIECES = ["topic", "date", "year", "tags", "==", "!=", "<", "in", "contains", "and", "or", "not", "(", ")", "[", "]"]
PIECES += [",", "'x'", '"', "`", "7", "-1e5", "9" * 400, "true", "'2018'", "'0001-01-01'", "'9999-12-31'", "\n", "²"]


@given(st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join))
def test_garbage_raises_nothing_but_our_errors(expression: str) -> None:
    found: object
    try:
        found = matches(expression, CORPUS)(DOCUMENT)
    except VisavisError as error:
        found = str(error)
    assert found in (True, False) or "\n" not in str(found)


@given(
    st.sampled_from(["==", "!=", "<", "<=", ">", ">="]),
    st.sampled_from(["'x'", "5", "true", "'2018-01-01'", "1.5"]),
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers()) | st.dates(),
)
def test_any_value_can_be_compared(symbol: str, literal: str, value: object) -> None:
    try:
        test = matches(f"c {symbol} {literal}")
    except InvalidParameter:
        assert literal == "true"
        return
    assert test(Document("a", fields={"c": value})) in (True, False)
