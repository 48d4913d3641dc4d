from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from local_web import LocalWeb, page, redirect

from visavis.collect.records import Article, Post
from visavis.collect.state.store import Store
from visavis.collect.steps.links import LinkOptions, collect_links
from visavis.collect.steps.match import MatchOptions, match
from visavis.collect.steps.shorteners import ShortLinkOptions, follow
from visavis.collect.text.canonical import canonical, key, preference
from visavis.collect.text.hosts import is_shortener, registered, unwanted
from visavis.collect.web.net import Client
from visavis.collect.web.pace import Manners
from visavis.errors import InvalidParameter
from walking import walk

QUICK = Manners(seconds_a_host=0.0, longest_retry=0.5)


@pytest.fixture
def store():
    with Store(":memory:") as store:
        yield store


def day(number):
    return datetime(2018, 2, number, tzinfo=UTC)


def posted(store, *posts):
    """Posts of a topic, each a day and its links."""
    store.add_posts(
        Post("x", str(number), "guns", time and day(time), urls=urls) for number, (time, *urls) in enumerate(posts)
    )
    match(store, MatchOptions("t", ("guns",)))


def linked(store, web=None, **more):
    client = Client(allowance=web.allowance) if web else Client()
    return collect_links(store, LinkOptions("t", short=ShortLinkOptions(client, QUICK), **more))


def articles(store):
    return {article.url: (article.time, article.weight) for article in store.articles("t")}


@walk(
    "url, plain",
    [
        ("HTTP://WWW.Example.COM:80/a//b?utm_source=x&id=3&fbclid=1#top", "http://www.example.com/a/b?id=3"),
        ("https://n.example/a?b=2&a=1&amp;c=3", "https://n.example/a?a=1&b=2&c=3"),
        ("https://n.example/a?smid=tw&CMP=share_btn_tw&ocid=x", "https://n.example/a"),
        ("https://n.example", "https://n.example/"),
        ("https://n.example/a?bftwnews", "https://n.example/a"),
        ("https://n.example/index.cfm?ID=D59F&cid=4", "https://n.example/index.cfm?ID=D59F&cid=4"),
        ("https://n.example/story?cid=4", "https://n.example/story?cid=4"),
        ("https://n.example/story?12345", "https://n.example/story?12345"),
        ("https://n.example/story?tornado&utm_medium", "https://n.example/story?tornado"),
        ("https://n.example/index.php?12345", "https://n.example/index.php?12345"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
        ("https://l.facebook.com/l.php?u=https%3A%2F%2Fn.example%2Fa%3Futm_id%3D1&h=AT", "https://n.example/a"),
        ("https://www.google.com/url?q=https://n.example/a&sa=D", "https://n.example/a"),
        ("https://www.google.com/amp/s/n.example/a/amp/", "https://n.example/a/amp/"),
        ("https://n-example.cdn.ampproject.org/c/s/n.example/a", "https://n.example/a"),
        ("https://n.example/a?id=YWJj%2BZGVm&utm_id=1", "https://n.example/a?id=YWJj%2BZGVm"),
        ("https://n.example/a?title=%B1%B1%BE%A9", "https://n.example/a?title=%B1%B1%BE%A9"),
        ("https://n.example/a?%75tm_id=1&q=a+b%20c&q=ä", "https://n.example/a?q=%C3%A4&q=a+b%20c"),
        ("https://www.google.com/url?q=https://n.example/a?b=%B1%B1", "https://n.example/a?b=%B1%B1"),
        (
            "https://web.archive.org/web/2018/https://n.example/a",
            "https://web.archive.org/web/2018/https://n.example/a",
        ),
    ],
)
def test_an_address_has_one_spelling(url, plain):
    assert canonical(url) == plain
    assert canonical(plain) == plain


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "ftp://n.example/", "http://user:pw@n.example/", "http://", "http://n.example:99999/", "x",
     "http://[::1", "https://localhost/a", "https://n.example/" + "a" * 5000,
     "https://n.example/\ud800", "https://n.example/a?\ud800", "https://n.example/a?" + "b&" * 201],
)  # fmt: skip
def test_what_is_no_address_on_the_web_has_none(url):
    assert canonical(url) is None


@given(st.from_regex(r"https?://[a-z]{1,8}\.example/[ -~]{0,40}", fullmatch=True))
def test_spelling_an_address_twice_changes_nothing(url):
    once = canonical(url)
    assert once is None or canonical(once) == once


@settings(max_examples=30)
@given(st.lists(st.binary(min_size=1, max_size=8), min_size=2, max_size=2, unique=True))
def test_the_bytes_of_a_value_stay_what_they_are(values):
    urls = [f"https://n.example/a?id={quote(value, safe='')}" for value in values]
    assert [canonical(url) for url in urls] == urls
    assert len({key(url) for url in urls}) == 2


def test_spellings_of_one_article_share_a_key_and_the_full_secure_page_is_taken():
    spellings = ["http://n.example/a/", "https://www.n.example/a", "https://m.n.example/a", "https://n.example/a/amp"]
    assert len({key(url) for url in spellings}) == 1
    assert min(spellings, key=preference) == "https://www.n.example/a"
    assert (
        key("https://n.example/a?x=b+c&y=A") == key("https://n.example/a?y=%41&x=b%20c") != key("https://n.example/a")
    )
    assert key("https://n.example/a?x=1") != key("https://n.example/a")
    assert key("https://n.example/%E4%BD") != key("https://n.example/%E4%BE")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://twitter.com/a/status/1", "social"),
        ("https://mobile.twitter.com/a/status/1", "social"),
        ("https://www.youtube.com/watch?v=1", "media"),
        ("https://pbs.twimg.com/media/x", "media"),
        ("https://podcasts.apple.com/x", "media"),
        ("https://n.example/photo.JPG", "media"),
        ("https://n.example/bill.pdf", "media"),
        ("https://n.example/", "home page"),
        ("https://n.example/?p=3", None),
        ("https://www.apple.com/newsroom/x", None),
        ("https://twitter.com.evil.example/a", None),
        ("https://nottwitter.com/a", None),
    ],
)
def test_social_and_media_hosts_files_and_home_pages_are_no_articles(url, reason):
    found = unwanted(url)
    assert (found and found.label) == reason


def test_registered_names_and_short_links():
    assert registered("news.a.co.uk") == "a.co.uk"
    shorts = ["https://bit.ly/2abC", "http://nyti.ms/2FEwTVG", "https://econ.trib.al/x1", "https://x.yz/aB3dE"]
    assert [is_shortener(url) for url in shorts] == [True] * 4
    others = [
        "https://youtu.be/abc",
        "https://bit.ly/",
        "https://vox.com/2018/x",
        "https://dems.gov/about",
        "https://x.yz/a-b",
    ]
    assert [is_shortener(url) for url in others] == [False] * 5


def test_an_articles_time_is_its_first_posts_and_its_weight_the_number_of_posts(store):
    posted(
        store,
        (9, "https://n.example/a?utm_source=x", "http://www.n.example/a/"),
        (3, "http://n.example/a#frag"),
        (None, "https://n.example/a"),
        (5, "https://n.example/b", "https://twitter.com/x/status/1", "https://n.example/pic.png", "mailto:me"),
    )
    found = linked(store)
    assert articles(store) == {"https://n.example/a": (day(3), 3), "https://n.example/b": (day(5), 1)}
    assert (found.links, found.articles) == (8, 2)
    assert found.dropped == {"invalid": 1, "media": 1, "social": 1}
    assert {(drop.url, drop.reason.label) for drop in store.drops("t")} == {
        ("mailto:me", "invalid"),
        ("https://n.example/pic.png", "media"),
        ("https://twitter.com/x/status/1", "social"),
    }


def test_only_posts_that_match_count(store):
    store.add_posts([Post("x", "a", "other", urls=("https://n.example/other",))])
    posted(store, (1, "https://n.example/a"))
    linked(store)
    assert list(articles(store)) == ["https://n.example/a"]


def test_a_dropped_link_that_was_brought_back_becomes_an_article(store):
    posted(store, (1, "https://www.youtube.com/watch?v=1"))
    linked(store)
    store.set_undone(store.drops("t"))
    assert linked(store).dropped == {}
    assert list(articles(store)) == ["https://www.youtube.com/watch?v=1"]


def test_short_links_are_followed_once_and_merged_with_what_they_lead_to(store):
    routes = {
        ("bit.ly", "/one"): redirect("http://ow.ly/two"),
        ("ow.ly", "/two"): redirect("https://n.example/a?utm_medium=social"),
        ("bit.ly", "/page"): page("no redirect"),
        ("bit.ly", "/video"): redirect("https://www.youtube.com/watch?v=1", 301),
        ("bit.ly", "/gone"): (404, {}, b""),
    }
    with LocalWeb(routes) as web:
        short = [f"http://bit.ly/{name}" for name in ("one", "page", "video", "gone")]
        posted(store, (4, short[0]), (2, "https://n.example/a"), (5, *short[1:]))
        first = linked(store, web)
        asked = dict(web.asked)
        second = linked(store, web)
        assert dict(web.asked) == asked
    assert first == second
    assert asked == {("bit.ly", f"/{name}"): 1 for name in ("one", "page", "video", "gone")} | {("ow.ly", "/two"): 1}
    assert articles(store) == {"https://n.example/a": (day(2), 2), "http://bit.ly/page": (day(5), 1)}
    assert {(drop.url, drop.reason.label) for drop in store.drops("t")} == {
        ("https://www.youtube.com/watch?v=1", "media"),
        ("http://bit.ly/gone", "short link"),
    }
    assert first.short == 4


def test_short_links_that_lead_in_circles_or_inside_or_nowhere_end_in_a_reason(store):
    routes = {
        ("bit.ly", "/loop"): redirect("http://bit.ly/loop"),
        ("bit.ly", "/odd"): redirect("file:///etc/passwd"),
        ("bit.ly", "/in"): redirect("http://j.mp/in"),
        ("ow.ly", "/late"): (503, {"Retry-After": "1000000000"}, b""),
    }
    with LocalWeb(routes) as web:
        options = ShortLinkOptions(Client(allowance=web.allowance, resolve=lambda _: ["127.0.0.1"]), QUICK)
        short = [f"http://bit.ly/{name}" for name in ("loop", "odd", "in")]
        found = follow(store, [*short, "http://ow.ly/late"], options)
        assert web.asked["bit.ly", "/loop"] == 5
    reasons = {url.rpartition("/")[2]: end.reason.label for url, end in found.items()}
    assert reasons == {"loop": "redirects", "odd": "url", "in": "address", "late": "retry"}
    assert "http://ow.ly/late" not in store.expansions()


def test_a_busy_shortener_is_asked_again_when_it_says(store):
    replies = [(429, {"Retry-After": "0"}, b""), redirect("https://n.example/a")]
    lock = threading.Lock()

    def serve(_):
        with lock:
            return replies.pop(0)

    with LocalWeb({("bit.ly", "/x"): serve}) as web:
        found = follow(store, ["http://bit.ly/x"], ShortLinkOptions(Client(allowance=web.allowance), QUICK))
    assert found["http://bit.ly/x"].target == "https://n.example/a"


@pytest.mark.parametrize("status", [None, 500, 502, 504])  # None: the line drops
def test_a_shortener_that_is_broken_for_a_while_is_tried_again_in_this_run_and_the_next(store, status):
    def broken(_):
        if web.asked["bit.ly", "/x"] > 4:
            return redirect("https://n.example/a")
        return None if status is None else (status, {}, b"")

    with LocalWeb({("bit.ly", "/x"): broken}) as web:
        options = ShortLinkOptions(Client(allowance=web.allowance), replace(QUICK, first_retry=0.01))
        first = follow(store, ["http://bit.ly/x"], options)["http://bit.ly/x"]
        assert (first.reason.label, store.expansions()) == (f"status {status}" if status else "protocol", {})
        assert follow(store, ["http://bit.ly/x"], options)["http://bit.ly/x"].target == "https://n.example/a"
        assert web.asked["bit.ly", "/x"] == 5


def test_a_link_to_a_private_address_gets_no_further_than_a_reason(store):
    with LocalWeb({("n.test", "/"): page("x")}) as web:
        found = follow(
            store, ["http://127.0.0.1/x", f"http://127.0.0.1:{web.port}/"], ShortLinkOptions(Client(), QUICK)
        )
        assert not web.asked
    assert {end.reason.label for end in found.values()} == {"address", "port"}


def test_without_following_short_links_are_dropped_and_can_be_followed_later(store):
    with LocalWeb({("bit.ly", "/x"): redirect("https://n.example/a")}) as web:
        posted(store, (1, "http://bit.ly/x"))
        assert linked(store, web, expand=False).dropped == {"short link": 1}
        assert not web.asked
        assert linked(store, web).articles == 1
    assert linked(store, expand=False).articles == 1
    assert next(store.articles("t")) == Article("t", "https://n.example/a", day(1), 1)


def test_what_only_looks_short_is_an_article_unless_it_leads_elsewhere(store):
    guessed = ("http://who.int/Covid19", "http://bbc.com/News24")
    assert not is_shortener("https://link.springer.com/article/10.1007/x")
    assert not is_shortener("https://x.com/Reader24")
    with LocalWeb(
        {("who.int", "/Covid19"): (403, {}, b""), ("bbc.com", "/News24"): redirect("http://n.example/a")}
    ) as web:
        posted(store, (1, *guessed, "http://bit.ly/x"))
        assert linked(store, expand=False).dropped == {"short link": 1}
        assert set(articles(store)) == set(guessed)
        linked(store, web)
    assert set(articles(store)) == {guessed[0], "http://n.example/a"}


def test_links_of_a_topic_that_is_not_there_are_refused(store):
    posted(store, (1, "https://n.example/a"))
    with pytest.raises(InvalidParameter, match="there is no topic 'u' in the state file; there are: t"):
        collect_links(store, LinkOptions("u"))
