"""What a page carries so that its readers can choose anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from unit import comparisons
from unit.report.shortlists import Untold
from unit.sessions import stories
from visavis.comparing import shortlist
from visavis.comparing.shortlist import make_shortlist
from visavis.records import Candidate, Document, GroupShortlist, Outside, Shortlist
from visavis.report import html, json_
from visavis.report.html.live import as_record
from visavis.select.search import Request, select


def shortlist_of(monkeypatch, count=12, size=3, **told):
    monkeypatch.setattr(shortlist, "_count", lambda *_: count)
    session = stories(each=60, stories=6)
    picks = select(session, Request("mmd-diff-greedy", {"contrast": 0.6}, size=size, **told))
    return session, picks, make_shortlist(session, picks, Untold())


def test_own_picks_and_pins_are_among_the_candidates(monkeypatch):
    _, picks, short = shortlist_of(monkeypatch, pins=(7, 70))
    rows = [short.candidates[number].row for numbers in short.picks for number in numbers]
    assert rows == picks.rows[picks.by_group].tolist()
    assert [short.candidates[number].row for number in short.pins] == [7, 70]
    assert [len(group.rows) for group in short.groups] == [12, 12]
    assert short.contrast == 0.6


def test_candidates_hold_the_greedy_picks_at_every_contrast(monkeypatch):
    session, _, short = shortlist_of(monkeypatch, count=55)
    for at, contrast in enumerate(short.contrasts):
        found = select(session, Request("mmd-diff-greedy", {"contrast": contrast}, size=16))
        for group, part in enumerate(short.groups):
            assert part.rows[part.paths[at]].tolist() == found.rows[found.owner == group].tolist()


def test_no_document_outside_gains_more_or_is_less_similar_than_is_said(monkeypatch):
    session, _, short = shortlist_of(monkeypatch)
    problem = session.problem()
    means = problem.similarity_sums() / problem.totals()
    for group, part in enumerate(short.groups):
        outside = np.setdiff1d(np.flatnonzero(session.codes == group), part.rows)
        assert len(outside) == part.n_outside == len(part.outside.own)
        assert np.all(problem.pairs.block(outside, part.rows, exact=True) >= part.floors)
        assert np.all(part.outside.own >= means[outside, group])
        assert np.all(part.outside.rest <= means[outside, 1 - group])
        assert np.allclose(part.outside.own, means[outside, group], atol=1e-6)


def test_of_very_many_documents_those_outside_are_only_counted(monkeypatch):
    monkeypatch.setattr(shortlist, "MOST_OUTSIDE", 50)
    _, _, short = shortlist_of(monkeypatch)
    assert [(group.n_outside, group.outside) for group in short.groups] == [(48, None), (48, None)]
    assert [group["outside"] for group in as_record(short)["groups"]] == [None, None]


def test_small_groups_are_stored_whole(monkeypatch):
    _, _, short = shortlist_of(monkeypatch, count=100)
    assert [(len(group.rows), group.n_outside) for group in short.groups] == [(60, 0), (60, 0)]


def test_there_is_none_where_picks_are_too_many(monkeypatch):
    assert shortlist_of(monkeypatch, count=12, size=7)[2] is None


def full_shortlist(n_groups, n_documents=10_000):
    """As large as it gets, of documents with long titles and addresses."""
    rng, count = np.random.default_rng(0), shortlist._count(n_groups, False)
    left = n_documents // n_groups
    codes, means = np.zeros(count, np.intp), rng.random(count)
    outside = Outside(*(rng.random(left).astype(np.float32) for _ in range(3)), np.full(left, -1), None)
    group = GroupShortlist(
        codes, means, means, rng.random((count, count)).astype(np.float32), codes, None, codes, means,
        np.zeros((20, 16), np.intp), rng.random((20, 16)), left, outside,
    )  # fmt: skip
    document = Document("d" * 12, "A title of words " * 6, "Some words of a text " * 40, None, "The Daily Paper",
                        "https://paper.example/" + "path-" * 16)  # fmt: skip
    candidate = Candidate(document, 0, 0, 0, ("words",), 50.0, 50.0)
    return Shortlist("kmeans", 0.6, (0.0,), 1e-7, (group,) * n_groups, (candidate,) * (n_groups * count), ((0,),), ())


@pytest.mark.parametrize("n_groups", [1, 2, 4, 12])
def test_it_takes_at_most_a_megabyte_and_a_half_for_ten_thousand_documents(n_groups):
    assert 500_000 < len(html._json(as_record(full_shortlist(n_groups))).encode()) < 1_500_000


def test_the_page_carries_it_unless_told_not_to_and_json_never_does():
    made = comparisons.compare(live=True)
    assert made.shortlist is not None
    still = replace(made, shortlist=None)
    assert json_.render(made) == json_.render(still)
    assert 'id="live-data"' in html.render(made)
    assert 'id="live-data"' not in html.render(still)
    assert comparisons.compare(live=False).shortlist is None
