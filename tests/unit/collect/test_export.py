from __future__ import annotations

import csv
import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from prose import article

from visavis.collect.records import Article, Extracted, Post, Query
from visavis.collect.state.store import Store
from visavis.collect.steps.clean import clean_documents
from visavis.collect.steps.export import ExportOptions, TableRow, corpus_table, export_corpus
from visavis.collect.steps.volume import counts_over_time, volume_chart
from visavis.corpus import read_corpus
from visavis.errors import InvalidParameter, TooFewDocuments

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
TITLES = ["=1+1", "<b>Bold</b> & more", 'Comma, "quote"\tand\u2028line']
READ = ["=1+1", "Bold & more", 'Comma, "quote"\tand\u2028line']  # tags are no words of a title


@pytest.fixture
def store():
    with Store(":memory:") as store:
        store.add_posts([Post("x", str(i), "gun control", START) for i in range(7)])
        for topic in ("guns", "votes"):
            store.set_queries(topic, [Query(topic, "gun control"), Query(topic, "#neveragain")])
            store.set_matches(topic, [("gun control", 1), ("#neveragain", 1), ("gun control", 2)])
        urls = [f"http://a.test/{i}" for i in range(3)]
        documents = [
            Extracted(url, title, article(url), START, "Ada", "en", "a.test")
            for url, title in zip(urls, TITLES, strict=True)
        ]
        store.set_articles(
            "guns", [Article("guns", url, START + timedelta(days=i), i + 1) for i, url in enumerate(urls)]
        )
        store.set_articles("votes", [Article("votes", urls[0], START, 9), Article("votes", "http://b.test/", None, 1)])
        store.add_documents(documents)
        clean_documents(store)
        yield store


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_the_corpus_is_read_without_options_weights_included(store, tmp_path, suffix):
    path = tmp_path / f"corpus{suffix}"
    result = export_corpus(store, ExportOptions(path, ("guns",)))
    corpus = read_corpus([path])
    assert (result.documents, len(corpus.documents)) == (3, 3)
    for i, document in enumerate(corpus.documents):
        assert document.title.lstrip("'") == READ[i]
        assert " ".join(document.text.split()) == article(f"http://a.test/{i}")
        assert (document.source, document.url, document.weight) == ("a.test", f"http://a.test/{i}", i + 1)
        assert document.date == START + timedelta(days=i)
    assert corpus.set_aside == ()


def test_a_document_in_two_topics_has_two_ids(store, tmp_path):
    export_corpus(store, ExportOptions(tmp_path / "c.jsonl"))
    rows = [json.loads(line) for line in (tmp_path / "c.jsonl").open()]
    assert [row["topic"] for row in rows] == ["guns"] * 3 + ["votes"]
    assert len({row["id"] for row in rows}) == 4
    assert [row["weight"] for row in rows] == [1, 2, 3, 9]


def test_a_spreadsheet_runs_nothing_from_the_corpus(store, tmp_path):
    export_corpus(store, ExportOptions(tmp_path / "c.csv", ("guns",)))
    with (tmp_path / "c.csv").open(newline="") as file:
        assert next(csv.DictReader(file))["title"] == "'=1+1"


def test_the_table_counts_as_the_papers_does(store, tmp_path):
    rows = (TableRow("guns", 2, 2, 3, 3), TableRow("votes", 2, 2, 2, 1))
    assert corpus_table(store) == rows
    assert export_corpus(store, ExportOptions(tmp_path / "c.csv", table=tmp_path / "t.md")).table == rows
    assert (tmp_path / "t.md").read_text().splitlines()[2] == "| guns | 2 | 2 | 3 | 3 |"
    export_corpus(store, ExportOptions(tmp_path / "c.csv", table=tmp_path / "t.csv"))
    assert (tmp_path / "t.csv").read_text().splitlines()[0] == "topic,queries,posts,articles,articles after cleaning"


def test_periods_suit_the_span_and_leave_no_gap():
    unit, bars = counts_over_time([START, START + timedelta(days=3), START + timedelta(days=3, hours=2)])
    assert (unit, [bar.count for bar in bars]) == ("day", [1, 0, 0, 2])
    unit, bars = counts_over_time([START, START + timedelta(days=200)])
    assert (unit, sum(bar.count for bar in bars)) == ("week", 2)
    assert {bar.first.weekday() for bar in bars} == {0}  # Mondays, as in a comparison
    assert all(bar.end == following.first for bar, following in pairwise(bars))
    unit, bars = counts_over_time([START, START + timedelta(days=1000)])
    assert (unit, str(bars[0].first), bars[0].count, len(bars)) == ("month", "2026-01-01", 1, 33)
    assert counts_over_time([]) == ("day", [])


@pytest.mark.parametrize(("suffix", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("html", b"<!doctype html>")])
def test_the_volume_over_time_is_drawn(store, tmp_path, suffix, begins):
    path = tmp_path / f"volume.{suffix}"
    export_corpus(store, ExportOptions(tmp_path / "c.jsonl", chart=path))
    assert path.read_bytes().startswith(begins)


def test_a_topics_name_cannot_end_the_pages_script():
    page = volume_chart({"</script><script>alert(1)</script>": [START]}, ".html")
    assert "<script>alert(1)" not in page
    assert "Content-Security-Policy" in page


def test_what_cannot_be_written_is_refused_before_anything_is(store, tmp_path):
    with pytest.raises(InvalidParameter, match=r"\.jsonl, \.csv, \.parquet"):
        export_corpus(store, ExportOptions(tmp_path / "c.xml"))
    with pytest.raises(InvalidParameter, match="there are: guns, votes"):
        export_corpus(store, ExportOptions(tmp_path / "c.csv", ("cats",)))
    with pytest.raises(TooFewDocuments), Store(":memory:") as empty:
        export_corpus(empty, ExportOptions(tmp_path / "c.csv"))
    assert list(tmp_path.iterdir()) == []


def test_a_topic_named_twice_is_written_once(store, tmp_path):
    assert export_corpus(store, ExportOptions(tmp_path / "c.jsonl", ("guns", "guns"))).documents == 3


@pytest.mark.parametrize("more", [{"chart": "c.gif"}, {"table": "t.html"}])
def test_a_chart_or_table_that_cannot_be_written_is_refused_before_the_corpus_is(tmp_path, more):
    paths = {name: tmp_path / path for name, path in more.items()}
    with pytest.raises(InvalidParameter, match="can be written as"):
        ExportOptions(tmp_path / "c.jsonl", **paths)
