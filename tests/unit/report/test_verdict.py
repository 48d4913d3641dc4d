"""Three outcomes of the test, in words; pairs of groups; what is said of picks."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import combinations

import pytest

from unit.report.summaries import news, outlets
from unit.report.test_words import printed
from visavis.records import TwoSampleTest
from visavis.report import facts, render, sentences
from visavis.report.verdict import dealt, verdict

NAMES = ("March", "April", "May")


def told(summary) -> str:
    return verdict(summary).detail.replace("\u202f", " ").replace("\xa0", " ")


def months(p=0.001, adjusted=(0.003, 0.3, 0.4), pairs=(), **about):
    """A summary of three months; `pairs` are the p-values of every two of them."""
    base = news(3)
    groups = tuple(replace(group, name=name) for group, name in zip(base.groups, NAMES, strict=True))
    couples = zip(combinations(NAMES, 2), pairs, strict=False)
    tests = (
        TwoSampleTest(NAMES, 0.02, p, p, **about),
        *(TwoSampleTest((name,), 0.01, q, q) for name, q in zip(NAMES, adjusted, strict=True)),
        *(TwoSampleTest(couple, 0.01, q, q) for couple, q in couples),
    )
    return replace(base, groups=groups, test=tests)


@pytest.mark.parametrize(
    ("p", "outcome"),
    [(0.001, "differ"), (0.0499, "differ"), (0.05, "not shown"), (1.0, "not shown"), (None, "undecided")],
)
def test_a_verdict_has_three_outcomes(p, outcome):
    record = json.loads(render(months(p), ".json"))
    assert record["verdict"] == outcome
    assert record["test"][0]["p_value"] == p


def test_what_was_not_tested_has_no_verdict():
    assert json.loads(render(replace(news(), test=()), ".json"))["verdict"] is None
    assert verdict(months(float("nan"))).outcome is None


def test_at_its_resolution_a_p_value_is_only_a_bound():
    assert "at most 1 time in 1,000 (p ≤ 0.001)" in told(months(0.001))
    assert "about 1 time in 1,000 (p = 0.001)" in told(months(0.001, permutations=4999))
    assert "at most 1 time in 5,000 (p < 0.001)" in told(months(1 / 5000, permutations=4999))
    assert "about 1 time in 48 (p = 0.021)" in told(months(1 / 48))


@pytest.mark.parametrize(
    ("by", "words"),
    [
        ("source", "shuffling whole outlets (24 of them)"), ("author", "shuffling whole authors (24 of them)"),
        ("date", "shuffling whole days (24 of them)"), ("date:week", "shuffling whole weeks (24 of them)"),
        ("stories", "shuffling whole stories (24 of them)"), ("documents", "shuffling single documents"),
        ("stretches of 14 days", "shuffling stretches of 14 days (24 of them)"),
        ("party", "shuffling whole sets of documents with the same party (24 of them)"),
    ],
)  # fmt: skip
def test_what_was_dealt_anew_is_said_in_plain_words(by, words):
    assert dealt(TwoSampleTest(("a", "b"), 0.1, 0.5, 0.5, by, 24)) == words
    for p in (0.001, 0.4):
        assert words in told(months(p, blocks_by=by, n_blocks=24))


def test_only_groups_that_stand_out_are_named_for_it_and_the_others_are_not_blamed():
    assert "March stands out from the others; nothing shows that April and May differ from each other." in told(
        months()
    )
    assert "March and April stand out from the others; nothing shows that May does." in told(
        months(adjusted=(0.01, 0.02, 0.3))
    )
    assert "Each of them stands out from the others." in told(months(adjusted=(0.01, 0.02, 0.03)))
    assert "no group clearly stands out" in told(months(adjusted=(0.2, 0.2, 0.3)))
    assert "March stands out from the others." in told(months(adjusted=(0.01, None, None)))
    assert "stand" not in told(months(0.3, adjusted=(0.2, 0.2, 0.3)))
    assert "Taken one at a time, though, March stands out from the others." in told(months(0.06))


def test_many_groups_are_counted_and_not_listed():
    base = news(20)
    assert "19 of the 20 groups stand out" in told(base)


def test_an_undecided_test_says_why_and_what_would_be_needed():
    why = "at least 3 in each group are needed"
    found = months(None, adjusted=(None, None, None), why=why, blocks_by="source", n_blocks=7)
    assert verdict(found).headline == "Nothing can be decided"
    assert told(found).startswith("There are 7 outlets to deal anew: at least 3 in each group are needed. Read")
    assert "7 outlets to deal anew: that is too few" in told(replace(found, test=(replace(found.test[0], why=""),)))
    for text in (render(found, ".html"), render(found, ".md"), " ".join(printed(found, 300).split())):
        assert "Nothing can be decided" in text
        assert "at least 3 in each group are needed" in text
    assert render(found, ".html").count("not decided") >= 4


def test_the_database_holds_blocks_intervals_and_the_outcome():
    made = replace(months(None, blocks_by="source", n_blocks=7, why="Too few."), accuracy_interval=(0.5, 0.7))
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(render(made, ".sqlite"))
        row = database.execute("SELECT p_value, blocks_by, n_blocks, permutations, why FROM tests").fetchone()
        assert row == (None, "source", 7, 999, "Too few.")
        about = dict(database.execute("SELECT key, value FROM about"))
        assert (about["outcome"], about["accuracy_interval"]) == ("undecided", "[0.5, 0.7]")
        names = {row[1] for row in database.execute("PRAGMA table_info(picks)")}
        assert {"typical", "distinct", "stability_by_chance", "resamples", "stands_for", "stands_for_rest"} <= names


def test_every_two_groups_have_a_cell_with_its_p_value_and_a_shade():
    page = render(months(pairs=(0.001, 0.02, None)), ".html")
    table = re.search(r'<figure class="pairs">.*?</figure>', page, re.DOTALL)[0]
    assert table.count('scope="col"') == table.count('scope="row"') == 2
    assert '<td class="strong" title="March and April: yes, p\xa0=\xa00.001">.001</td>' in table
    assert '<td class="some" title="March and May: yes, p\xa0=\xa00.020">.020</td>' in table
    assert '<td class="undecided" title="April and May: not decided">?</td>' in table
    assert "April against May" not in page[page.index("All 4 tests") :].split("</table>")[0]
    for text in (render(months(pairs=(0.001, 0.02, None)), ".md"), printed(months(pairs=(0.001, 0.02, None)), 120)):
        assert "April against May" in text
    assert '<figure class="pairs">' not in render(months(), ".html")


def many(n_groups):
    base = news(n_groups)
    names = [group.name for group in base.groups]
    return replace(base, test=base.test + tuple(TwoSampleTest(c, 0.1, 0.01, 0.2) for c in combinations(names, 2)))


def test_up_to_twenty_groups_have_a_picture_and_more_a_list():
    drawn, listed = render(many(20), ".html"), render(many(21), ".html")
    assert drawn.count('<td class="alike"') == 190
    assert '<figure class="pairs">' not in listed
    assert "All 232 tests" in listed
    assert "0 of 210 pairs of groups differ." in printed(many(21), 120)


def with_pick(**changes):
    """A summary of two outlets whose first pick is known better."""
    base = outlets()
    group = replace(base.groups[0], name="March")
    first = replace(group.picks[0], **changes)
    return replace(base, groups=(replace(group, picks=(first, *group.picks[1:])), base.groups[1]))


def test_percentiles_are_said_with_the_raw_values_at_hand():
    scores = replace(outlets().groups[0].picks[0].scores, coverage=0.41, typical=93.9, distinct=88.0)
    made = with_pick(scores=scores)
    pick, group = made.groups[0].picks[0], made.groups[0]
    said = "more typical than 93 % of March, more distinct than 88 %"
    assert sentences.standing(pick, group).replace("\u202f", " ") == said
    assert f"{said} (coverage 0.41, " in render(made, ".md").replace("\u202f", " ")
    page = render(made, ".html").replace("\u202f", " ")
    assert 'title="more typical than 93 % of March (coverage 0.41)"' in page
    assert "typical  ━━━━━━━━━━━─  93 % (0.41)" in printed(made, 100).replace("\u202f", " ")
    assert facts.rank(99.9).replace("\u202f", " ") == "99 %"


def test_what_a_pick_stands_for_is_said_of_its_group_and_of_the_rest():
    made = with_pick(stands_for=0.31, stands_for_rest=0.04)
    said = "tands for 31 % of March, 4 % of the rest"
    for text in (render(made, ".html"), render(made, ".md"), printed(made, 100)):
        assert said in text.replace("\u202f", " ")
    alone = with_pick(stands_for=1.0, stands_for_rest=None)
    assert (
        sentences.stands_for(alone.groups[0].picks[0], alone.groups[0]).replace("\u202f", " ")
        == "stands for 100 % of March"
    )


def test_stability_is_said_beside_chance():
    made = with_pick(stability=14 / 19, resamples=19, stability_by_chance=0.11)
    assert (
        sentences.stability(made.groups[0].picks[0], made)
        == "picked again in 14 of 19 resamples that hold it; by chance 2"
    )
