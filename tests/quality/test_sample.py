from __future__ import annotations

import functools
import json
import random
from collections import Counter

import pytest

from visavis import compare
from visavis.corpus.duplicates import near_duplicates
from visavis.datasets import sample_key, sample_path
from visavis.report import render

pytestmark = pytest.mark.usefixtures("few_resamples")
KEY = sample_key()
ARTICLES = [json.loads(line) for line in sample_path().read_text(encoding="utf-8").splitlines()]
PLANTED = ("major", "minor")
EVENTS = {
    "2024-02": {"port alder", "accord", "treaty", "emissions", "nations", "signed", "methane"},
    "2024-03": {"coral", "maren reef", "reef", "lagoon", "carbon", "tax"},
    "2024-04": {"velden", "flood", "kestrel point", "river", "battery", "lithium"},
    "2024-05": {"corran", "hills", "fire", "burned", "acres", "court"},
}
EMPHASIS = {
    "Meridian Post": {"minister", "party", "vote", "government", "bill", "lawmakers"},
    "The Harbor Ledger": {"percent", "million", "cost", "company", "billion", "price"},
    "Tideline": {"ice", "satellite", "researchers", "team", "museum"},
    "Valley Courier": {"street", "school", "hall", "neighbors", "town", "county"},
}


@functools.cache
def compared(by, size, method=None):
    return compare(sample_path(), by, lead=None, size=size, **({"method": method} if method else {}))


def kinds(summary):
    return Counter(KEY[pick.document.id]["kind"] for group in summary.groups for pick in group.picks)


def share(summary, *wanted):
    found = kinds(summary)
    return sum(found[kind] for kind in wanted) / found.total()


def test_the_key_speaks_of_every_article():
    assert [row["id"] for row in ARTICLES] == list(KEY)
    assert len(KEY) == 256
    assert {row["kind"] for row in KEY.values()} == {"major", "minor", "common", "emphasis"}
    months = {}
    for row in KEY.values():
        if row["kind"] in PLANTED:
            months.setdefault(row["theme"], set()).add(row["id"][:7])
    assert {len(found) for found in months.values()} == {1}, "a planted event belongs to one month"
    assert len(months) == 8


def test_the_copies_of_the_key_are_alike_and_nothing_else_is():
    texts = [f"{row['title']} {row['text']}" for row in ARTICLES]
    place = {row["id"]: n for n, row in enumerate(ARTICLES)}
    leader = near_duplicates(texts, 0.5)
    copies = {row["id"]: row["copy_of"] for row in KEY.values() if row["copy_of"]}
    assert len(copies) == 16
    for copy, original in copies.items():
        assert KEY[copy]["theme"] == KEY[original]["theme"]
        assert leader[place[copy]] == leader[place[original]]
    assert {ARTICLES[n]["id"] for n in range(256) if leader[n] != n} == set(copies)


@pytest.mark.parametrize(("size", "events"), [(2, 6), (4, 7)])
def test_picks_of_the_months_are_mostly_their_events(size, events):
    ours = compared("published:month", size)
    assert share(ours, *PLANTED) >= 0.65, "lowering a floor needs a reason in the changelog"
    assert share(ours, "common") <= 0.25, "raising it needs a reason in the changelog"
    told = {(group.name, KEY[pick.document.id]["theme"]) for group in ours.groups for pick in group.picks
            if KEY[pick.document.id]["kind"] in PLANTED}  # fmt: skip
    assert len(told) >= events, f"each of four months has two events, lowering a floor needs a reason: {sorted(told)}"


def test_the_months_differ_and_their_words_are_their_events():
    summary = compared("published:month", 4)
    assert summary.test[0].p_value < 0.05
    assert [group.name for group in summary.groups] == list(EVENTS)
    for group in summary.groups:
        assert len(EVENTS[group.name] & set(group.words)) >= 2, "few, but sure"


def test_the_outlets_differ_and_their_words_are_their_emphasis():
    summary = compared("outlet", 4)
    assert all(test.adjusted < 0.05 for test in summary.test)
    assert summary.accuracy >= 0.45, "lowering a floor needs a reason in the changelog"
    with_glove = compare(sample_path(), "outlet", lead=None, embedder="glove")
    assert with_glove.accuracy >= 0.75, "lowering a floor needs a reason in the changelog"
    assert [group.name for group in summary.groups] == list(EMPHASIS)
    for group in summary.groups:
        assert len(EMPHASIS[group.name] & set(group.words)) >= 3, "few, but sure"


def test_words_of_one_outlet_are_not_those_of_another():
    summary = compared("outlet", 4)
    for group in summary.groups:
        others = set().union(*(words for name, words in EMPHASIS.items() if name != group.name))
        assert not others & set(group.words)


def test_random_groups_rarely_differ_and_the_report_says_so_first():
    summaries = []
    for seed in range(1, 9):
        rng = random.Random(seed)
        rows = [{**row, "side": rng.choice("AB")} for row in ARTICLES]
        summaries.append(compare(rows, "side", lead=None, size=2))
    alike = [summary for summary in summaries if summary.test[0].p_value > 0.05]
    assert len(alike) >= 7, "one in twenty differs by chance"
    assert sum(summary.accuracy for summary in summaries) / 8 < 0.56
    for summary in alike:
        page = render(summary, ".html")
        first_pick = page.index(summary.groups[0].picks[0].document.url)
        assert page.index("this could be chance") < first_pick
