from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from click.testing import CliRunner

from visavis.cli.collect import collect
from visavis.cli.counting import rate
from visavis.collect.records import Article, Cleaned, Drop, Extracted, Fetch, Page, Post, Query, Reason
from visavis.collect.state.store import Store
from visavis.collect.steps.export import ExportOptions, export_corpus
from visavis.collect.steps.funnel import funnel
from visavis.collect.steps.links import LinkOptions, collect_links
from visavis.collect.steps.match import MatchOptions, match
from visavis.collect.steps.status import status, status_page

NASTY = "<script>alert(1)</script> | `x`"
START = datetime(2018, 2, 14, tzinfo=UTC)
N = 6  # articles


def url(number):
    return f"http://a.test/{number}"


def fill(store, topic):
    """A topic that lost something at every stage."""
    posts = [Post("plain", str(n), "on it", START + timedelta(days=n), urls=(url(n),)) for n in range(N)]
    posts += [Post("plain", "again", "on it", START, urls=(f"{url(0)}?utm_source=x", "http://twitter.com/x"))]
    posts += [Post("plain", "bare", "on it", START), Post("plain", "off", "off it")]
    store.add_posts(posts)
    store.set_queries(topic, [Query(topic, "it"), Query(topic, "#off", "expanded", False, "too general: 3 texts")])
    store.set_matches(topic, [("it", number) for number in range(1, len(posts))])
    store.set_articles(topic, [Article(topic, url(n), START + timedelta(days=n), 1) for n in range(N)])
    store.set_drops(topic, "links", [Drop(topic, "http://twitter.com/x", "links", Reason("social", "twitter.com"))])
    for n in range(4):
        store.add_fetch(Fetch(url(n), "fetched"), Page(url(n), url(n), "text/html", b"x"))
    store.add_fetch(Fetch(url(4), "later", Reason("timeout", "a.test: no answer")))
    store.add_documents([Extracted(url(n), "T", "text", None, "", "en", "a.test") for n in range(2)])
    store.add_documents([Extracted(url(2), reason=Reason("not HTML", "PDF"))])
    drop = Drop(topic, url(1), "clean", Reason("short", "3 words"))
    store.set_cleaned(topic, [Cleaned(topic, url(0), "text", START, 2)], [drop])


@pytest.fixture
def store():
    with Store(":memory:") as store:
        fill(store, "it")
        yield store


def test_every_post_and_link_that_does_not_reach_the_next_stage_has_a_reason(store):
    found = funnel(store, "it")
    assert [(stage.name, stage.count) for stage in (*found.posts, *found.articles)] == [
        ("posts", 9), ("posts on the topic", 8), ("posts with a link", 7),
        ("links", 8), ("articles", 6), ("pages", 4), ("documents", 2), ("kept", 1),
    ]  # fmt: skip
    for stages in (found.posts, found.articles):
        for stage, following in pairwise(stages):
            assert stage.count - sum(loss.count for loss in stage.losses) == following.count
    told = {(loss.kind, loss.reason): loss.count for stage in (*found.posts, *found.articles) for loss in stage.losses}
    assert told == {
        ("dropped", "match no query"): 1, ("dropped", "hold no link"): 1,
        ("dropped", "social"): 1, ("merged", "lead to the same page"): 1,
        ("waiting", "timeout, to try again"): 1, ("waiting", "`fetch` to run"): 1,
        ("dropped", "not HTML"): 1, ("waiting", "`extract` to run"): 1, ("dropped", "short"): 1,
    }  # fmt: skip


def test_a_topic_that_only_has_matches_waits_for_its_links(store):
    store.set_matches("new", [("it", 1), ("it", 2)])
    first = funnel(store, "new").articles[0]
    assert [(loss.kind, loss.count) for loss in first.losses] == [("waiting", 2)]


def losses(stage):
    return [(loss.kind, loss.reason, loss.count) for loss in stage.losses]


@pytest.mark.parametrize("is_narrower", [True, False])
def test_stages_wait_for_their_step_where_an_earlier_one_ran_again(store, is_narrower):
    store.add_posts([Post("plain", "more", "new", START, urls=(url(number),)) for number in (7, 8)])
    collect_links(store, LinkOptions("it", expand=False))
    match(store, MatchOptions("it", ("off",) if is_narrower else ("on it", "off it", "new")))
    links, articles, *_, kept = funnel(store, "it").articles
    assert losses(links) == [("waiting", "`links` to run again", links.count)]
    assert (articles.count, kept.count) == (N, 1)
    collect_links(store, LinkOptions("it", expand=False))
    found = funnel(store, "it").articles
    told = [loss for stage in found for loss in losses(stage)]
    assert all(count > 0 for _, reason, count in told if "again" not in reason)
    assert ("waiting", "`clean` to run again", 0) in told if is_narrower else found[0].count == 9


def test_a_status_is_of_one_moment(tmp_path):
    with Store(tmp_path / "state.sqlite") as writer:
        fill(writer, "it")
        with Store(tmp_path / "state.sqlite", readonly=True) as reader, reader.snapshot():
            before = funnel(reader, "it")
            writer.set_articles("it", [])
            assert funnel(reader, "it") == before
        assert funnel(writer, "it").articles[1].count == 0


def test_the_status_is_told_as_lines_as_json_and_as_a_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Store("collection.sqlite") as store:
        fill(store, NASTY)
        lines = CliRunner().invoke(collect, ["status", "--html", "status.html"])  # while another holds the state
    assert lines.exit_code == 0, lines.output
    assert "          8  posts on the topic\n" in lines.stdout
    assert "                     1  dropped: not HTML\n" in lines.stdout
    found = json.loads(CliRunner().invoke(collect, ["status", "--json"]).stdout)
    assert found["posts"] == 9
    assert found["topics"][0]["articles"][-1] == {"name": "kept", "count": 1, "losses": []}
    page = (tmp_path / "status.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "script-src" not in page
    assert "default-src &#39;none&#39;" in page
    assert re.search(r"8 posts\s|posts a day", page)


def test_the_volume_is_drawn_over_all_periods(store):
    page = status_page(status(store), "collection.sqlite")
    assert 'aria-label="8 posts from 2018-02-14 to 2018-02-19, at most 3 a day"' in page
    assert 'viewBox="0 0 6 100"' in page
    assert page.count("v-100.00") == 2  # the tallest bar of posts, and that of documents


def test_a_corpus_carries_a_data_sheet(tmp_path):
    with Store(":memory:") as store:
        fill(store, NASTY)
        store.add_source("file:posts.jsonl")
        export_corpus(store, ExportOptions(tmp_path / "c.jsonl"))
        sheet = (tmp_path / "c.datasheet.md").read_text(encoding="utf-8")
        export_corpus(store, ExportOptions(tmp_path / "d.jsonl", sheet=False))
    assert not (tmp_path / "d.datasheet.md").exists()
    assert "<script" not in sheet.replace("\\<script", "")
    for row in (
        "| file:posts.jsonl |", "| plain | 9 |", "| it | in | given |", "| \\#off | out | too general: 3 texts |",
        "| kept | 1 |", "| links | dropped | social | 1 |", "| pages | waiting | \\`extract\\` to run | 1 |",
    ):  # fmt: skip
        assert row in sheet
    assert "1 documents, 2018-02-14T00:00:00Z to 2018-02-14T00:00:00Z." in sheet
    assert "| trafilatura | " in sheet


def test_every_step_tells_how_far_it_is(tmp_path, monkeypatch):
    told = {}
    monkeypatch.setattr("visavis.cli.counting.Counting.__call__", lambda _, step, *counts: told.update({step: counts}))
    monkeypatch.chdir(tmp_path)
    with Store("collection.sqlite") as store:
        fill(store, "it")
    steps = ("expand --topic it --query it --fewest 1 --window all", "clean")
    for line in steps:
        assert CliRunner().invoke(collect, line.split()).exit_code == 0, line
    assert told == {"clean": (2, 2)}  # no hashtag, nothing to judge


@pytest.mark.parametrize(("speed", "said"), [(None, ""), (0.5, "30/min"), (2.345, "2.3/s"), (1234.5, "1,234/s")])
def test_a_rate_is_said_a_second_or_a_minute(speed, said):
    assert rate(speed) == said
