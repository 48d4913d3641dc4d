from __future__ import annotations

import pytest
from prose import article, html_page

from visavis.collect.records import Article, Fetch, Page
from visavis.collect.state.store import Store
from visavis.collect.steps.extract import ExtractOptions, extract_pages
from visavis.collect.text.encodings import decode_page as decoded
from visavis.collect.text.markup import depth
from visavis.collect.text.reading import ChildLimits, Extractor, outlet_of

URL = "https://www.news.example/2026/a"


@pytest.fixture(scope="module")
def extractor():
    with Extractor(ChildLimits(seconds=20, memory_mb=400)) as extractor:
        yield extractor


def read(extractor, body, content_type="text/html; charset=utf-8"):
    return extractor.read(Page(URL, URL, content_type, body if isinstance(body, bytes) else body.encode()))


def test_title_text_date_author_language_and_outlet_are_found(extractor):
    text = article(1)
    found = read(extractor, html_page("A vote on safety", text))
    assert " ".join(found.text.split()) == text
    assert (found.title, found.author, found.language, found.outlet) == (
        "A vote on safety", "Ada Writer", "en", "news.example",
    )  # fmt: skip
    assert found.date.date().isoformat() == "2026-02-03"
    assert found.reason is None


def test_menus_and_footers_are_no_part_of_the_text(extractor):
    found = read(extractor, html_page("Title", article(2)))
    assert "All rights reserved" not in found.text
    assert "Sport" not in found.text


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"%PDF-1.7 ...", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"PK\x03\x04zip", "ZIP"),
        (bytes(range(32)) * 100, "not text"),
        (b"<div>" * 100_000, "nested deeper"),
        (b"<html><body></body></html>", "no article"),
        (b"plain words", "no article"),
    ],
)
def test_what_holds_no_article_is_kept_with_the_reason(extractor, body, reason):
    found = read(extractor, body)
    assert reason in str(found.reason)
    assert found.text == ""


def test_a_page_that_kills_or_stalls_its_reader_costs_that_reader_only():
    with Extractor(ChildLimits(seconds=0.5)) as extractor:
        extractor.read(Page(URL, URL, "", b""))
        import os
        import signal

        os.kill(extractor._child.pid, signal.SIGSTOP)
        assert "not read in 0.5 s" in str(read(extractor, "x").reason)
    with Extractor() as extractor:
        extractor.read(Page(URL, URL, "", b""))
        os.kill(extractor._child.pid, signal.SIGSEGV)
        assert "died" in str(read(extractor, "x").reason)
        assert read(extractor, html_page("After", article(3))).title == "After"


def test_the_readers_memory_is_limited():
    with Extractor(ChildLimits(memory_mb=100)) as extractor:
        found = read(extractor, "<html><body>" + "<p>one <b>two</b></p>" * 800_000)
        assert found.reason.label in ("memory", "reader died")
        assert read(extractor, html_page("After", article(3))).title == "After"


def test_the_reader_is_replaced_after_a_while():
    with Extractor(ChildLimits(pages=1)) as extractor:
        read(extractor, "x")
        first = extractor._child.pid
        read(extractor, "x")
        assert extractor._child.pid != first


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("é – ж".encode(), "text/html; charset=latin-1"),
        ("é".encode("latin-1"), "text/html; charset=iso-8859-1"),
        (b"<meta charset=cp1251>" + "ж".encode("cp1251"), "text/html"),
        ("ж".encode("utf-16"), "text/html"),
        (b"\xef\xbb\xbf" + "é".encode(), "text/html; charset=nonsense"),
        ("é".encode("latin-1"), "text/html; charset=idna"),
        ("日本".encode("shift_jis"), "text/html; charset=Shift_JIS"),
    ],
)
def test_character_sets_are_found_whatever_the_header_says(body, content_type):
    text = decoded(body, content_type)
    assert any(letter in text for letter in "éж日")
    assert "\ufffd" not in text


def test_depth_counts_what_must_be_closed():
    assert depth("<div><p>a<p>b<p>c<br><span></span></div><div/>") == 2
    assert depth("<div class='a/b'><div id=x /><b></b></div>") == 2


@pytest.mark.parametrize(("letters", "closed"), [("a", 1), ("a ", 1), ("/", 0), ("<a", 1), ("</", 0)])
def test_a_tag_without_an_end_is_read_once(letters, closed):
    """Were it read again from each of its letters, this would not come to an end."""
    begun = "<" + letters * 200_000
    assert (depth(begun), depth(f"{begun}>")) == (0, closed)


def test_outlets_are_registered_domains():
    assert outlet_of("https://www.bbc.co.uk/news/1") == outlet_of("https://news.bbc.co.uk/") == "bbc.co.uk"
    assert outlet_of("http://news.test/") == "news.test"


def stored(pages):
    store = Store(":memory:")
    store.set_articles("t", [Article("t", url, None, 1) for url in pages])
    for url, body in pages.items():
        store.add_fetch(Fetch(url, "fetched"), Page(url, url, "text/html", body.encode()))
    return store


@pytest.mark.usefixtures("kept_readers")
def test_every_page_is_read_once_and_failures_are_drops_that_can_be_tried_again():
    pages = {f"http://a.test/{i}": html_page(f"Title {i}", article(i)) for i in range(4)}
    with stored({**pages, "http://a.test/bad": "%PDF"}) as store:
        told = []
        result = extract_pages(
            store, ExtractOptions(workers=2, progress=lambda done, total: told.append((done, total)))
        )
        assert (result.extracted, result.missed) == (4, {"not HTML": 1})
        assert told[-1] == (5, 5)
        assert [str(drop.reason) for drop in store.drops("t")] == ["not HTML: PDF"]
        assert extract_pages(store).extracted == 0
        store.set_undone(store.drops("t"))
        assert extract_pages(store).missed == {"not HTML": 1}
        assert [drop.undone for drop in store.drops("t")] == [False]
