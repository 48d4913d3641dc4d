"""Titles in plain language, and what shaped a page."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from unit.report.summaries import news, outlets
from visavis.comparing.comparison import Comparison
from visavis.comparing.options import make_options
from visavis.comparing.run import _titled
from visavis.comparing.summarize import asked_options
from visavis.comparing.titles import groups_in_words, make_title, subject
from visavis.records import Corpus, Document, Grouping
from visavis.report import notebook_html, render, sentences


def grouping(names: tuple[str, ...], by: str, *days: datetime) -> Grouping:
    documents = tuple(Document(str(at), text="x", date=day) for at, day in enumerate(days))
    corpus = Corpus(documents, "articles_lead.jsonl.gz", {"date": "published"})
    return Grouping(corpus, by, names, np.zeros(len(documents), np.intp))


def test_a_title_has_the_filter_the_groups_and_the_time() -> None:
    days = [datetime(2012, 3, 1, tzinfo=UTC) + timedelta(days=15 * at) for at in range(200)]
    stray = datetime(2001, 1, 1, tzinfo=UTC)
    found = grouping(("left", "right"), "bias", stray, *days)
    options = make_options(by="bias", filter="topic == 'immigration' and published >= '2001'")
    assert make_title(found, options) == "Immigration, left against right, 2012–2020"
    assert make_title(found, make_options(by="bias")) == "Articles lead, left against right, 2012–2020"


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        (None, "Sotu"), ("topic == 'gun_control'", "Gun control"), ('text contains "water"', "“water”"),
        ("year >= 1900", "Sotu, year ≥ 1900"), ("date < '2020-06' and topic == 'a'", "A"),
        ("a == 'x' or b == 'y'", "Sotu where a == 'x' or b == 'y'"), ("a == 'x and y'", "Sotu where a == 'x and y'"),
        ("`my col` == 'x'", "X"),
    ],
)  # fmt: skip
def test_what_the_filter_asks_for_is_in_the_title(expression: str | None, words: str) -> None:
    assert subject("data/sotu.jsonl.gz", expression, {"date"}) == words


def test_what_is_asked_of_the_column_that_makes_the_groups_is_left_to_their_names() -> None:
    told = "topic == 'immigration' and bias != 'center'"
    assert subject("news.csv", told, by="bias") == "Immigration"
    assert subject("news.csv", "bias in ['left', 'right']", by="bias") == "News"
    assert subject("news.csv", "bias == 'left' or a == 'y'", by="bias") == "News where bias == 'left' or a == 'y'"


@pytest.mark.parametrize(
    ("names", "by", "words"),
    [
        (("left", "right"), "bias", "left against right"),
        (("0", "1"), "group", "group 0 against group 1"),
        (("2023", "2024"), "date:year", "2023 against 2024"),
        (("Tideline", "rest"), "outlet", "Tideline against the rest"),
        (("2024-02", "2024-03"), "date:month", "Feb 2024 against Mar 2024"),
        (("2024-02", "2024-03", "2024-04"), "date:month", "month by month"),
        (("a", "b", "c"), "party", "a, b and c"), (tuple("abcdefgh"), "news_topic", "8 groups by news topic"),
        (tuple("abcd"), "shares:quantiles=4", "4 groups by shares, 4 quantiles"),
        (("2018-03-01..2018-03-09", "2018-03-10..2018-03-19"), "date:spans=2", "1–9 Mar 2018 against 10–19 Mar 2018"),
    ],
)  # fmt: skip
def test_groups_are_named_where_they_are_few(names: tuple[str, ...], by: str, words: str) -> None:
    assert groups_in_words(names, by) == words


def test_every_option_that_is_not_as_usual_is_told_from_python_as_well() -> None:
    options = make_options(
        by="bias", filter="topic == 'a'", only=["left", "right"], min_size=5, spread="source", pin="x",
        colors={"left": "#c33"}, columns={"text": "body"}, seed=3, title="T",
    )  # fmt: skip
    told = asked_options(options, {"contrast": 0.6, "size": 4})
    assert told == {
        "only": ["left", "right"], "min_size": 5, "filter": "topic == 'a'", "columns": {"text": "body"}, "pin": ["x"],
        "spread": "source", "colors": {"left": "#c33"},
    }  # fmt: skip
    assert asked_options(make_options(by="bias"), {}) == {}
    made = replace(news(), parameters=told)
    said = "Only documents where topic == 'a'; only the groups left, right; only groups of at least 5 documents; "
    said += "picks spread over source; pinned: x."
    assert sentences.asked(made) == said
    for text in (render(made, ".html"), notebook_html(made)):
        assert said.replace("'", "&#39;") in text
    assert "pinned: x" in render(made, ".md")


@pytest.mark.parametrize(
    ("title", "value", "titled"),
    [
        ("Articles, left against right", "Art", "Articles, left against right: Art"),
        ("News, 2012–2020", "2012", "News, 2012–2020: 2012"), ("News, a, 2014", "2014", "News, a, 2014"),
        ("Gun control, left against right", "gun control", "Gun control, left against right"),
        ("News, east against north", "north", "News, east against north: north"), ("News", "", "News"),
    ],
)  # fmt: skip
def test_a_facets_value_is_in_the_title_once(title: str, value: str, titled: str) -> None:
    made = outlets()
    found = Comparison(**{one.name: getattr(made, one.name) for one in fields(made)})
    assert _titled(replace(found, title=title), value).title == titled
