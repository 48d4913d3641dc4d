from __future__ import annotations

import sqlite3
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from gathering import kept, match_counts

from visavis.collect.records import (
    Article,
    Cleaned,
    Drop,
    Expansion,
    Extracted,
    Fetch,
    Page,
    Post,
    Problem,
    Query,
    Reason,
)
from visavis.collect.state import schema, statefile
from visavis.collect.state.store import BadState, Store
from visavis.shared.locks import InUse

NOON = datetime(2018, 2, 14, 12, tzinfo=UTC)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state.sqlite"


@pytest.fixture
def store(path):
    with Store(path) as store:
        yield store


def test_posts_come_back_as_they_were_kept_and_only_once(store):
    post = Post("x", "1", "Hällo #Tag", NOON, "me", ("tag",), ("https://a.example/b",))
    assert store.add_posts([post, post]) == 1
    assert store.add_posts([post]) == 0
    assert kept(store) == [post]


def test_what_one_run_kept_the_next_one_finds(path):
    with Store(path) as store:
        store.add_posts([Post("x", "1", "a")])
        store.set_position("s", "17")
        store.add_problems([Problem("s", 3, "bad"), Problem("s", 3, "bad")])
    with Store(path) as store:
        assert store.count("posts") == 1
        assert store.position("s") == "17"
        assert store.position("other") is None
        assert list(store.problems()) == [Problem("s", 3, "bad")]


def test_text_that_utf8_cannot_write_is_kept_without_what_it_cannot(store):
    store.add_posts([Post("x", "1", "half \ud83d a pair")])
    assert [post.text for post in kept(store)] == ["half ? a pair"]


def test_queries_keep_their_order_and_those_filtered_out_their_reason(store):
    queries = [Query("t", "z"), Query("t", "#a", "expanded", False, "a place"), Query("t", "#b", "expanded")]
    store.set_queries("t", queries)
    store.set_queries("t", queries)
    assert [query.text for query in store.queries("t")] == ["z", "#b"]
    assert list(store.queries("t", kept=False)) == queries


def test_articles_are_replaced_while_what_was_fetched_stays(store):
    store.set_articles("t", [Article("t", "http://a.example/", NOON, 2), Article("t", "http://b.example/", None, 9)])
    assert store.unfetched("t") == ["http://b.example/", "http://a.example/"]
    page = Page("http://a.example/", "http://a.example/x", "text/html", b"\x00\xff" * 500)
    store.add_fetch(Fetch("http://a.example/", "fetched", status=200), page)
    store.add_fetch(Fetch("http://b.example/", "failed", Reason("timeout")))
    store.set_articles("t", [Article("t", "http://a.example/", NOON, 3)])
    assert store.page("http://a.example/") == page
    assert store.page("http://b.example/") is None
    assert store.unfetched() == []
    assert [fetch.state for fetch in store.fetches()] == ["fetched", "failed"]
    assert store.unextracted() == ["http://a.example/"]


def test_documents_and_what_cleaning_left_of_them_come_back_in_time_order(store):
    urls = ["http://late.example/", "http://early.example/", "http://undated.example/"]
    times = [datetime(2018, 3, 1, tzinfo=UTC), NOON, None]
    store.set_articles("t", [Article("t", url, time, 1) for url, time in zip(urls, times, strict=True)])
    store.add_documents([Extracted(url, "title", "text", NOON, "a", "en", "o") for url in urls])
    assert [article.url for article, _ in store.documents("t")] == [urls[1], urls[0], urls[2]]
    cleaned = [Cleaned("t", url, "clean", time, 4, 1) for url, time in zip(urls, times, strict=True)]
    assert store.set_cleaned("t", cleaned, [Drop("t", "http://x.example/", "clean", Reason("spam"))]) == 3
    found = list(store.cleaned("t"))
    assert [document for document, _ in found] == [cleaned[1], cleaned[0], cleaned[2]]
    assert found[0][1].title == "title"
    assert store.count("drops", "t") == 1


def test_what_was_brought_back_stays_so_when_the_step_runs_again(store):
    drops = [
        Drop("t", "http://a.example/", "clean", Reason("spam")),
        Drop("t", "http://b.example/", "clean", Reason("spam")),
    ]
    store.set_drops("t", "clean", drops)
    assert store.set_undone(drops[:1]) == 1
    assert store.set_undone(drops[:1]) == 0
    store.set_drops("t", "clean", drops[1:])
    assert store.undone("t", "clean") == {("http://a.example/", "spam")}
    assert [drop.undone for drop in store.drops("t", "spam")] == [True, False]
    assert store.set_undone(drops[:1], undone=False) == 1
    assert store.undone("t", "clean") == set()


def test_topics_are_those_with_queries_matches_or_articles(store):
    store.set_queries("b", [Query("b", "x")])
    store.set_articles("a", [Article("a", "http://a.example/", None, 1)])
    store.add_posts([Post("x", "1", "x")])
    assert store.set_matches("c", [("x", 1), ("x", 1), ("#y", 1)]) == 2
    assert store.topics() == ("a", "b", "c")
    assert match_counts(store, "c") == {"x": 1, "#y": 1}


def test_short_links_are_remembered(store):
    store.add_expansions(
        [Expansion("http://s.example/1", "http://a.example/"), Expansion("http://s.example/2", "", Reason("no"))]
    )
    assert store.expansions()["http://s.example/2"].reason == Reason("no")


def test_a_transaction_is_kept_whole_or_not_at_all(store):
    def half() -> None:
        with store.transaction():
            store.add_posts([Post("x", "1", "a")])
            store.set_position("s", "1")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert (store.count("posts"), store.position("s")) == (0, None)


def test_a_second_writer_is_refused_and_a_reader_is_not(path, store):
    store.add_posts([Post("x", "1", "a")])
    with pytest.raises(InUse, match="another process"):
        Store(path)
    with Store(path, readonly=True) as reader:
        assert reader.count("posts") == 1
        with pytest.raises(BadState, match="readonly"):
            reader.add_posts([Post("x", "2", "b")])


def test_a_writer_that_was_killed_leaves_no_lock_and_nothing_half_written(path):
    code = (
        "import os, sys, signal\n"
        "from visavis.collect.state.store import Store\nfrom visavis.collect.records import Post\n"
        f"s = Store({str(path)!r})\ns.add_posts([Post('x', '1', 'kept')])\n"
        "with s.transaction():\n    s.add_posts([Post('x', '2', 'lost')])\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == -9
    with Store(path) as store:
        assert [post.text for post in kept(store)] == ["kept"]


def test_a_file_of_something_else_is_refused_and_left_as_it_was(tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text("not a database, " * 100)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine(a)")
    connection.close()
    before = text.read_bytes(), other.read_bytes()
    for path in (text, other):
        with pytest.raises(BadState):
            Store(path)
    assert (text.read_bytes(), other.read_bytes()) == before


def test_a_newer_schema_is_refused_and_an_older_one_brought_up(path, monkeypatch):
    Store(path).close()
    more = (*schema.MIGRATIONS, ("CREATE TABLE added(a)",))
    with monkeypatch.context() as patched:
        patched.setattr(statefile, "MIGRATIONS", more)
        patched.setattr(statefile, "VERSION", len(more))
        with pytest.raises(BadState, match="older schema"):
            Store(path, readonly=True)
        with Store(path) as store:
            assert store.count("added") == 0
    with pytest.raises(BadState, match="newer visavis"):
        Store(path)
    assert Store(":memory:").count("posts") == 0


def test_a_full_disk_is_named_as_such_and_leaves_nothing_half_done(store):
    store.add_posts([Post("x", "0", "first")])
    store.execute(f"PRAGMA max_page_count = {store.execute('PRAGMA page_count')[0][0] + 2}")

    def fill() -> None:
        with store.transaction():
            store.set_position("s", "1")
            store.add_posts(Post("x", str(n), "long " * 400) for n in range(1, 100))

    with pytest.raises(BadState, match="disk is full"):
        fill()
    assert (store.count("posts"), store.position("s")) == (1, None)
    store.execute("PRAGMA max_page_count = 100000")
    assert store.add_posts([Post("x", "1", "a")]) == 1


def test_the_sources_of_an_older_state_file_are_known(path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(statefile, "MIGRATIONS", schema.MIGRATIONS[:4])
        patched.setattr(statefile, "VERSION", 4)
        with Store(path) as old:
            old.set_position("posts.jsonl", "3")
    with Store(path) as store:
        assert store.sources() == ["posts.jsonl"]


def test_failures_of_an_older_state_file_that_may_pass_are_tried_again(path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(statefile, "MIGRATIONS", schema.MIGRATIONS[:1])
        patched.setattr(statefile, "VERSION", 1)
        with Store(path) as old:
            reasons = ["timeout: a", "status 404: b", "robots: c disallows d", "robots: e, so nothing is asked there"]
            for n, reason in enumerate(reasons):
                article = ("t", f"http://{n}.example/", 1)
                old.insert("INSERT INTO articles(topic, url, weight) VALUES (?, ?, ?)", [article])
                values = (f"http://{n}.example/", "failed" if n < 2 else "refused", reason)
                old.insert("INSERT INTO fetches(url, state, reason) VALUES (?, ?, ?)", [values])
    with Store(path) as store:
        assert store.unfetched() == ["http://0.example/", "http://3.example/"]
        assert [str(fetch.reason) for fetch in store.fetches()] == reasons
        assert [fetch.reason.label for fetch in store.fetches()] == ["timeout", "status 404", "robots", "robots"]
