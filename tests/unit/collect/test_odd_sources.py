from __future__ import annotations

import gzip
import io

import pytest
from gathering import kept, read, written
from local_web import LocalWeb, page
from page_sources import site_routes, warc_of, write_warc
from prose import article, html_page

from visavis.collect.records import Reason
from visavis.collect.sources.warc import WarcFile
from visavis.collect.state.store import Store
from visavis.collect.text.reading import Reader
from visavis.collect.web.net import Client

ENTRY = "<entry><id>e</id><title>E</title><link href='http://n.test/e'/></entry>"
RDF = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">'
    "<item><title>E</title><link>http://n.test/e</link></item></rdf:RDF>"
)
RSS = "<rss version='2.0'><channel><item><title>E</title><link>http://n.test/e</link></item></channel></rss>"
MAP = "<urlset><url><loc>http://n.test/e</loc></url></urlset>"


@pytest.fixture
def store():
    with Store(":memory:") as store:
        yield store


@pytest.mark.parametrize(
    ("cell", "seen", "problem"),
    [
        ('A 5" barrel ban', "12345", ""),
        (f'"{"long " * 40_000}"', "12345", ""),
        ('"A ""5"" ban" of barrels', "12345", ""),
        ('"never closed', "1345", "never closed"),
        ("a\rb", "1345", "not a row of a table"),
    ],
    ids=["an inch mark", "a long cell", "text after a quote", "an open quote", "a lone return"],
)
def test_a_row_that_is_not_well_formed_costs_no_other(tmp_path, store, cell, seen, problem):
    texts = ["one", cell, "three", "four", "five"]
    rows = [f"{place},{text},https://n.example/{place}" for place, text in enumerate(texts, start=1)]
    found = read(store, str(written(tmp_path, "id,text,url", *rows, name="posts.csv"))).sources[0]
    assert [post.id for post in kept(store)] == list(seen)
    assert [post.urls for post in kept(store)] == [(f"https://n.example/{place}",) for place in seen]
    assert [(one.line, problem in one.reason) for one in found.problems] == ([(3, True)] if problem else [])


def test_what_is_appended_to_a_warc_file_after_its_last_byte_was_read_comes_next_time(tmp_path, store, monkeypatch):
    path, records = tmp_path / "news.warc.gz", WarcFile._records
    warc_of(tmp_path / "more.warc.gz", 42)
    warc_of(path, 40)
    assert path.stat().st_size > 4_096  # a smaller one is read anew whenever it has grown

    def late(source, stream):
        yield from records(source, stream)
        with path.open("ab") as more:
            more.write((tmp_path / "more.warc.gz").read_bytes())

    with monkeypatch.context() as patched:
        patched.setattr(WarcFile, "_records", late)
        assert read(store, str(path)).sources[0].new == 40
    assert read(store, str(path)).sources[0].new == 2


def test_a_page_that_cannot_be_read_is_a_problem_where_only_some_are_wanted(tmp_path, store):
    class Failing(Reader):
        def ask(self, *_, **__):
            return Reason("too slow", "killed")

    warc_of(tmp_path / "a.warc.gz", 2)
    found = read(store, str(tmp_path / "a.warc.gz"), only=("guns",), reader=Failing()).sources[0]
    assert found.seen == 0
    assert ["/story/0: " in found.problems[0].reason, "too slow" in found.problems[1].reason] == [True, True]


@pytest.mark.parametrize("batch", [1, 50])
def test_saved_pages_that_name_one_address_are_all_kept(tmp_path, store, monkeypatch, batch):
    monkeypatch.setattr("visavis.collect.sources.saved.BATCH", batch)
    named = '<link rel="canonical" href="https://n.example/">'
    for number in range(3):
        (tmp_path / f"{number}.html").write_text(named + html_page(f"Story {number}", article(number)))
    (tmp_path / "copy.html").write_bytes((tmp_path / "0.html").read_bytes())
    found = read(store, str(tmp_path)).sources[0]
    first, *others = [post.urls[0] for post in kept(store)]
    assert (first, found.problems) == ("https://n.example/", ())
    assert others == [(tmp_path / f"{number}.html").as_uri() for number in (1, 2)]
    assert [b"Story %d" % place in store.page(url).body for place, url in enumerate([first, *others])] == [True] * 3
    store.set_position(f"html:{tmp_path}", "")
    (tmp_path / "2.html").write_text(named + html_page("Story 4", article(4)))
    again = read(store, str(tmp_path)).sources[0]
    assert (again.new, [others[1] in one.reason for one in again.problems]) == (0, [True])


def test_of_two_pages_of_one_address_the_first_is_kept(tmp_path, store):
    pages = [("https://n.example/1", "200", "text/html", html_page(name, article(1)).encode()) for name in ("A", "B")]
    write_warc(tmp_path / "a.warc.gz", pages)
    read(store, str(tmp_path / "a.warc.gz"))
    assert store.page("https://n.example/1").body == pages[0][3]


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        (f'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">{ENTRY}</feed>', "text/html"),
        (f"<!-- not <html> -->{RDF}", "text/html; charset=utf-8"),
        (f"<b>Notice</b>: line 1 {RSS}", "text/html"),
        (gzip.compress(RSS.encode()), "application/gzip"),
        (gzip.compress(MAP.encode()), "application/octet-stream"),
        (MAP, "text/html"),
    ],
    ids=["Atom", "RDF", "RSS", "packed RSS", "packed sitemap", "sitemap"],
)
def test_an_address_is_read_as_what_its_bytes_are(store, body, media_type):
    with LocalWeb({("n.test", "/feed.xml.gz"): page(body, media_type)}) as web:
        found = read(store, "http://n.test/feed.xml.gz", client=Client(allowance=web.allowance)).sources[0]
        assert web.asked == {("n.test", "/feed.xml.gz"): 1}
    assert (found.problems, [post.urls for post in kept(store)]) == ((), [("http://n.test/e",)])


def test_sources_without_a_position_are_noted_too(tmp_path, store, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"https://n.example/1\n")))
    feed, listed = f"feed:{written(tmp_path, RSS, name='rss.xml')}", str(written(tmp_path, "https://n.example/2"))
    with LocalWeb(site_routes()) as web:
        names = [feed, "-", "site:http://site.test/", listed, "http://site.test/none"]
        read(store, *names, client=Client(allowance=web.allowance))
    assert store.sources() == sorted([feed.removeprefix("feed:"), *names[1:4]])
