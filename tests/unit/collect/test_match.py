from __future__ import annotations

import pytest
from gathering import match_counts

from visavis.collect.records import Post, Query
from visavis.collect.state.store import Store
from visavis.collect.steps.match import LISTED, MatchOptions, NoQueries, match
from visavis.collect.text.words import hashtags

TEXTS = ("gun control now", "#NeverAgain", "control your gun #neveragain", "beef ban", "guns")


@pytest.fixture
def store():
    with Store(":memory:") as store:
        store.add_posts(Post("x", str(n), text, tags=hashtags(text)) for n, text in enumerate(TEXTS))
        store.add_posts([Post("url", "https://a.example/b", "", urls=("https://a.example/b",))])
        yield store


def test_posts_are_counted_per_query_and_once_in_all(store):
    store.set_queries("t", [Query("t", "gun control"), Query("t", "#neveragain"), Query("t", "#gone", kept=False)])
    found = match(store, MatchOptions("t"))
    assert found.counts == {"gun control": 2, "#neveragain": 2, LISTED: 1}
    assert (found.posts, found.matched) == (6, 4)
    assert match_counts(store, "t") == found.counts
    assert match(store, MatchOptions("t")) == found


def test_given_queries_replace_the_kept_ones_and_one_that_matches_nothing_counts_zero(store):
    store.set_queries("t", [Query("t", "gun control")])
    found = match(store, MatchOptions("t", ("beef ban", "zebra")))
    assert found.counts == {"beef ban": 1, "zebra": 0, LISTED: 1}
    assert [query.text for query in store.queries("t")] == ["beef ban", "zebra"]


def test_topics_do_not_disturb_each_other(store):
    match(store, MatchOptions("guns", ("gun control",)))
    match(store, MatchOptions("beef", ("beef ban",)))
    assert match_counts(store, "guns") == {"gun control": 2, LISTED: 1}
    assert match_counts(store, "beef") == {"beef ban": 1, LISTED: 1}


def test_a_topic_without_queries_is_refused_and_those_that_have_some_are_named(store):
    match(store, MatchOptions("guns", ("gun control",)))
    with pytest.raises(NoQueries, match=r"topic 'beef' has no queries \(topics that have: 'guns'\)"):
        match(store, MatchOptions("beef"))


def test_an_interrupted_match_leaves_the_last_one_in_place(store, monkeypatch):
    match(store, MatchOptions("t", ("gun control",)))
    monkeypatch.setattr("visavis.collect.steps.match.EVERY", 1)

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        match(store, MatchOptions("t", ("beef ban",), stop))
    assert match_counts(store, "t") == {"gun control": 2, LISTED: 1}
    assert [query.text for query in store.queries("t")] == ["gun control"]


def test_a_query_has_one_spelling(store):
    found = match(store, MatchOptions("t", ("#NeverAgain", " gun  Control", "#neveragain")))
    assert found.counts == {"#neveragain": 2, "gun control": 2, LISTED: 1}
    assert [query.text for query in store.queries("t")] == ["#neveragain", "gun control"]
