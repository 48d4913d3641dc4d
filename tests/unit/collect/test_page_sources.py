from __future__ import annotations

import contextlib
import gzip
import json
import random
import time
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner
from gathering import kept, read, written
from local_web import LocalWeb, page
from page_sources import FILES, Timeline, csv_of, site_routes, statuses, warc_of, write_warc
from prose import article, html_page

from visavis.cli.collect import collect
from visavis.collect.sources.jetstream import post_of
from visavis.collect.sources.twitter import posts_of
from visavis.collect.state.store import Store
from visavis.collect.steps.links import LinkOptions, collect_links
from visavis.collect.steps.match import MatchOptions, match
from visavis.collect.web.net import Client
from visavis.corpus.errors import Unreadable


@pytest.fixture
def store():
    with Store(":memory:") as store:
        yield store


def everything(store):
    """All that was kept of posts and pages, whatever the order."""
    pages = {url: store.page(url) for post in kept(store) for url in post.urls}
    return sorted(map(repr, kept(store))), {url: page and page.body for url, page in pages.items()}


@pytest.mark.parametrize(
    ("name", "lines", "urls"),
    [
        ("a.csv", ["url", "https://n.example/1", "https://n.example/2"], ["1", "2"]),
        ("a.csv", ["https://n.example/1,One", "https://n.example/2,Two"], ["1", "2"]),
        ("a.txt", ["Name;Link", "One;https://n.example/1"], ["1"]),
        ("a.tsv", ["id\turl\ttitle", "\thttps://n.example/1\tOne"], ["1"]),
        ("a.csv", ['"Title","URL"', '"One ""1""","https://n.example/1"', "Two,https://n.example/2"], ["1", "2"]),
        ("a.jsonl", ['{"url": "https://n.example/1"}', '{"link": "https://n.example/2", "title": "Two"}'], ["1", "2"]),
        ("a.jsonl", ['{"urls": ["https://n.example/1"], "date": "2018-02-14"}'], ["1"]),
    ],
)
def test_lists_of_urls_of_ones_own(tmp_path, store, name, lines, urls):
    found = read(store, str(written(tmp_path, *lines, name=name)))
    assert [(post.platform, post.urls) for post in kept(store)] == [("url", (f"https://n.example/{u}",)) for u in urls]
    assert found.sources[0].problems == ()


def test_tables_of_posts_of_ones_own(tmp_path, store):
    rows = ['7,"Guns, and\nmore #Law",2018-02-14T10:00:00Z,ada,https://n.example/1', "8,Again https://n.example/2,,,"]
    read(store, str(written(tmp_path, "id,text,time,author,url", *rows, name="posts.csv")))
    first, second = kept(store)
    assert (first.id, first.text, first.tags, first.author) == ("7", "Guns, and\nmore #Law", ("law",), "ada")
    assert (first.time, first.urls) == (datetime(2018, 2, 14, 10, tzinfo=UTC), ("https://n.example/1",))
    assert second.urls == ("https://n.example/2",)


def test_a_table_that_grew_is_read_on(tmp_path, store):
    path = tmp_path / "list.csv"
    csv_of(path, 3)
    assert read(store, str(path)).sources[0].new == 3
    csv_of(path, 5)
    again = read(store, str(path)).sources[0]
    assert (again.seen, again.new) == (2, 2)


def test_a_table_without_a_link_or_a_text_is_refused(tmp_path, store):
    path = written(tmp_path, "name,age", "ada,36", name="people.csv")
    with pytest.raises(Unreadable, match="the columns are 'name', 'age'; call one of them 'url' or 'text'"):
        read(store, str(path))


@pytest.mark.parametrize(
    ("name", "lines"), [("a.csv", ["name,age", "ada,36"]), ("a.jsonl", ['{"name": "ada"}', '{"name": "bo"}'])]
)
def test_the_command_refuses_what_it_cannot_read_at_all(tmp_path, name, lines):
    path = written(tmp_path, *lines, name=name)
    found = CliRunner().invoke(collect, ["posts", str(path), "--state", str(tmp_path / "s.sqlite")])
    assert isinstance(found.exception, Unreadable)
    assert str(path) in str(found.exception)


def test_the_pages_of_a_warc_file_are_kept_with_the_time_they_were_copied(tmp_path, store):
    warc_of(tmp_path / "CC-NEWS-1.warc.gz", 3)
    found = read(store, str(tmp_path / "CC-NEWS-1.warc.gz")).sources[0]
    assert (found.seen, found.notices, found.problems) == (3, 3, ())
    kept_page = store.page("https://n1.example/story/1")
    assert kept_page.body == html_page("Story 1", article(1)).encode()
    assert kept_page.copied == datetime(2018, 2, 14, 10, tzinfo=UTC)
    assert all(post.time is None for post in kept(store))
    match(store, MatchOptions("t", ("gun control",)))
    assert collect_links(store, LinkOptions("t")).articles == 3
    assert store.unfetched() == []


@pytest.mark.parametrize("cut", [300, 700, 100_000])
def test_a_warc_file_that_is_damaged_gives_what_it_has_and_says_so(tmp_path, store, cut):
    path = tmp_path / "news.warc.gz"
    warc_of(path, 8)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut] if cut < len(whole) else b"not a WARC file at all")
    found = read(store, str(path)).sources[0]
    assert found.seen == {300: 7, 700: 7}.get(cut, 0)
    assert "damaged" in found.problems[0].reason
    path.write_bytes(whole)
    read(store, str(path))
    assert len(kept(store)) == 8


def test_of_a_warc_file_only_what_matches_may_be_kept(tmp_path, store):
    pages = [(f"https://n.example/{i}", "200", "text/html; charset=windows-1251", f"<p>{text}".encode("cp1251"))
             for i, text in enumerate(["новые правила", "погода", "правила игры"])]  # fmt: skip
    write_warc(tmp_path / "a.warc", pages)
    read(store, f"warc:{tmp_path / 'a.warc'}", only=("правила",))
    assert [post.id for post in kept(store)] == ["https://n.example/0", "https://n.example/2"]


def test_saved_pages_become_articles_by_the_address_they_came_from(tmp_path, store):
    folder = tmp_path / "saved"
    (folder / "deep").mkdir(parents=True)
    (folder / "Page_files").mkdir()
    (folder / "Page_files" / "frame.html").write_text("<p>an advertisement</p>")
    noted = "<!-- saved from url=(0021)https://n.example/one -->"
    (folder / "Page.html").write_text(noted + html_page("One", article(1)))
    (folder / "deep" / "two.htm").write_text(html_page("Two", article(2)))
    (folder / "list.csv").write_text("url\nhttps://n.example/three\n")
    found = read(store, str(folder))
    assert [source.new for source in found.sources] == [1, 2]
    assert read(store, str(folder)).sources[1].seen == 0
    local = (folder / "deep" / "two.htm").as_uri()
    match(store, MatchOptions("t", ("gun control",)))
    assert collect_links(store, LinkOptions("t", expand=False)).articles == 3
    assert set(store.unfetched()) == {"https://n.example/three"}
    assert set(store.unextracted()) == {"https://n.example/one", local}


@pytest.mark.parametrize("address", ["site:http://site.test/", "http://site.test/"])
def test_a_site_is_read_by_its_feeds_and_news_sitemaps(store, address):
    with LocalWeb(site_routes()) as web:
        found = read(store, address, client=Client(allowance=web.allowance)).sources[0]
        assert ("site.test", "/pages.xml") not in web.asked
    assert (found.new, found.problems) == (12, ())
    news = next(post for post in kept(store) if post.text == "News 3")
    assert news.urls == ("http://site.test/2018/gun-vote-3",)
    assert (news.time, news.tags) == (datetime(2018, 2, 14, 15, 3, tzinfo=UTC), ("guns", "law"))


def test_a_sitemap_may_be_named_itself_and_pages_without_titles_are_known_by_their_addresses(store):
    routes = site_routes()
    plain = (
        "<urlset><url><loc>http://site.test/2018/02/gun-vote-in-the-city</loc><lastmod>2018</lastmod></url></urlset>"
    )
    routes["site.test", "/plain.xml.gz"] = page(gzip.compress(plain.encode()), "application/gzip")
    with LocalWeb(routes) as web:
        client = Client(allowance=web.allowance)
        assert read(store, "http://site.test/news.xml", client=client).sources[0].new == 6
        web.routes["site.test", "/robots.txt"] = page("Sitemap: http://site.test/plain.xml.gz", "text/plain")
        read(store, "site:http://site.test/bare", client=client)
    assert ("gun vote in the city", None) in [(post.text, post.time) for post in kept(store)]


def test_a_site_that_names_nothing_says_so(store):
    with LocalWeb({("site.test", "/"): page("<html><body>nothing</body></html>")}) as web:
        found = read(store, "site:http://site.test", client=Client(allowance=web.allowance)).sources[0]
    assert "names no feed" in found.problems[0].reason
    assert found.refused


def test_a_post_that_two_servers_show_is_kept_once_and_old_pages_are_read_backwards(store):
    with LocalWeb({}, hosts=("a.test", "b.test")) as web:
        timelines = [Timeline(web, server, 100) for server in ("a.test", "b.test")]
        client = Client(allowance=web.allowance)
        names = [f"mastodon:http://{server}/news" for server in ("a.test", "b.test")]
        found = read(store, *names, client=client)
        assert [source.new for source in found.sources] == [100, 80]
        timelines[0].count = 130
        assert read(store, names[0], client=client).sources[0].new == 30
    assert kept(store)[0].text.endswith("\nA vote on guns")


def test_the_first_reading_of_a_timeline_ends_somewhere(store):
    with LocalWeb({}, hosts=("a.test",)) as web:
        Timeline(web, "a.test", 900)
        client = Client(allowance=web.allowance)
        assert read(store, "mastodon:http://a.test/news", client=client).sources[0].new == 400
        assert read(store, "mastodon:http://a.test/news", client=client).sources[0].new == 0


def test_the_title_of_a_card_is_matched():
    card = {
        "$type": "app.bsky.embed.external",
        "external": {"uri": "https://n.example/a", "title": "A vote on gun control"},
    }
    record = {"text": "Look at this", "createdAt": "2018-02-14T10:00:00Z", "embed": card}
    commit = {"operation": "create", "collection": "app.bsky.feed.post", "rkey": "k", "record": record}
    assert (
        post_of({"did": "did:x", "commit": commit}, 1_700_000_000_000_000).text == "Look at this\nA vote on gun control"
    )


@pytest.mark.parametrize(
    ("entities", "urls"),
    [
        (None, ("https://t.co/abc", "https://t.co/pic")),
        ({"urls": [{"expanded_url": "https://n.example/a"}]}, ("https://n.example/a",)),
        ({"hashtags": [{"tag": "x"}]}, ()),
    ],
)
def test_a_post_of_x_without_entities_still_gives_its_links(entities, urls):
    item = {
        "id": "1",
        "author_id": "2",
        "created_at": "2018-02-14T10:00:00Z",
        "text": "See https://t.co/abc https://t.co/pic",
    }
    (post,) = posts_of({"data": [item | ({"entities": entities} if entities else {})]})
    assert post.urls == urls


def test_a_hostile_scrap_or_feed_costs_no_time_here(store):
    feed = "<rss version='2.0'><channel><item><title>x</title><link>http://a.test/1</link><description>{}</description></item></channel></rss>"
    routes = {("a.test", "/feed"): page(feed.format("&lt;" * 25_000 + "&lt;p " * 15_000), "application/rss+xml")}
    with LocalWeb(routes, hosts=("b.test",)) as web:
        web.routes["b.test", "/api/v1/timelines/tag/news?limit=40"] = page(
            json.dumps([statuses(1, 1)[0] | {"content": "<" * 300_000 + "<a href='http://n.example'>" * 9}]),
            "application/json",
        )
        began = time.process_time()
        read(store, "http://a.test/feed", "mastodon:http://b.test/news", client=Client(allowance=web.allowance))
        assert time.process_time() - began < 2.0
    assert {post.platform for post in kept(store)} == {"feed", "mastodon"}


class Killed(BaseException):
    """Stands for a process that dies."""


@pytest.mark.parametrize("kind", list(FILES))
def test_a_reading_that_dies_at_any_moment_goes_on_as_if_it_had_not(tmp_path, monkeypatch, kind):
    monkeypatch.setattr("visavis.collect.sources.pages.BATCH", 4)
    monkeypatch.setattr("visavis.collect.sources.saved.BATCH", 4)
    monkeypatch.setattr("visavis.collect.sources.warc.BATCH", 4)
    monkeypatch.setattr("visavis.collect.sources.lines.BATCH", 4)
    name, make = FILES[kind]
    make(tmp_path / name, 18)
    with Store(":memory:") as calm:
        read(calm, str(tmp_path / name))
        expected = everything(calm)
    assert len(expected[0]) == 18
    rng, state = random.Random(kind), tmp_path / "state.sqlite"
    for where in ("add_posts", "set_position", "add_pages") * 4:
        left = [rng.randrange(1, 5)]
        with monkeypatch.context() as patched, Store(state) as store:
            whole = getattr(Store, where)

            def dying(self, *told, whole=whole, left=left):
                done = whole(self, *told)
                left[0] -= 1
                if not left[0]:
                    raise Killed
                return done

            patched.setattr(Store, where, dying)
            with contextlib.suppress(Killed):
                read(store, str(tmp_path / name))
    with Store(state) as store:
        read(store, str(tmp_path / name))
        assert everything(store) == expected
