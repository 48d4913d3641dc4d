from __future__ import annotations

from datetime import timedelta

import pytest
from planted import HOSTS, START, Planted

from visavis.collect.records import Query
from visavis.collect.sources import Live, open_source
from visavis.collect.state.store import Store
from visavis.collect.steps.clean import clean_documents
from visavis.collect.steps.export import ExportOptions, export_corpus
from visavis.collect.steps.extract import ExtractOptions, extract_pages
from visavis.collect.steps.fetch import FetchOptions, fetch_pages
from visavis.collect.steps.links import LinkOptions, collect_links
from visavis.collect.steps.match import MatchOptions, match
from visavis.collect.steps.posts import PostOptions, gather
from visavis.collect.steps.shorteners import ShortLinkOptions
from visavis.collect.web.net import Client
from visavis.collect.web.pace import Manners
from visavis.corpus import read_corpus

pytestmark = pytest.mark.usefixtures("kept_readers")
QUICK = Manners(seconds_a_host=0.0)


def harvest(store, web, folder, planted):
    """All steps, in the order in which a user takes them."""
    client = Client(allowance=web.allowance)
    posts = folder / "posts.jsonl"
    posts.write_text("\n".join(planted.lines))
    sources = (open_source(str(posts)), open_source("http://feeds.test/all.rss"))
    gather(store, PostOptions(sources, Live(client=client)))
    store.set_queries("guns", [Query("guns", "gun control"), Query("guns", "#gunreformnow", "expanded")])
    match(store, MatchOptions("guns"))
    collect_links(store, LinkOptions("guns", short=ShortLinkOptions(client, QUICK)))
    fetch_pages(store, FetchOptions(manners=QUICK, allowance=web.allowance))
    extract_pages(store, ExtractOptions(workers=2))
    clean_documents(store)
    return export_corpus(store, ExportOptions(folder / "corpus.jsonl", table=folder / "table.csv"))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("harvest")
    planted = Planted()
    with planted.web() as web, Store(folder / "state.sqlite") as store:
        result = harvest(store, web, folder, planted)
        yield planted, web, store, folder, result


def test_the_corpus_is_exactly_the_planted_one(run):
    planted, _, _, folder, result = run
    corpus = read_corpus([folder / "corpus.jsonl"])
    found = {document.url: document for document in corpus.documents}
    assert set(found) == set(planted.expected)
    assert result.documents == len(planted.expected) == 200
    for url, (text, weight, hours) in planted.expected.items():
        document = found[url]
        assert " ".join(document.text.split()) == text
        assert (document.weight, document.date) == (weight, START + timedelta(hours=hours))
        assert document.source in HOSTS


def test_everything_else_went_for_the_reason_it_was_planted_for(run):
    planted, _, store, _, _ = run
    dropped = {drop.url: drop.reason.label for drop in store.drops("guns") if drop.step != "links"}
    assert dropped == planted.reasons


def test_the_table_tells_the_story(run):
    planted, _, _, folder, result = run
    (row,) = result.table
    assert (row.topic, row.queries, row.cleaned) == ("guns", 2, 200)
    assert row.articles == len(planted.expected) + len(planted.reasons)
    assert row.posts == len(planted.lines) + len(planted.entries) - 10
    assert (folder / "table.csv").read_text().splitlines()[1] == f"guns,2,{row.posts},{row.articles},200"


def test_no_page_was_asked_for_twice_and_no_forbidden_one_at_all(run):
    _, web, _, _, _ = run
    pages = {asked: count for asked, count in web.asked.items() if asked[0] != "feeds.test"}
    assert set(pages.values()) == {1}
    assert not [asked for asked in pages if asked[1].startswith(("/members/", "/unasked/"))]
    assert not [
        asked for asked in pages if asked[0] in ("closed.test", "broken-robots.test") and "robots" not in asked[1]
    ]


def test_running_again_asks_for_nothing_and_changes_nothing(run, tmp_path):
    planted, web, store, folder, _ = run
    before = sum(count for (host, _), count in web.asked.items() if host != "feeds.test")
    harvest(store, web, tmp_path, planted)
    assert sum(count for (host, _), count in web.asked.items() if host != "feeds.test") == before
    assert (tmp_path / "corpus.jsonl").read_bytes() == (folder / "corpus.jsonl").read_bytes()
