"""Comparisons of very many documents: what stands for them is said, and what follows is the same as far as can be."""

import json

import numpy as np
import pytest

import visavis as vv
from visavis.comparing.run import compare
from visavis.errors import Sampled
from visavis.explain import planes, words
from visavis.explain.holdout import Bonds
from visavis.report import render
from visavis.select import session as sessions


def made(n):
    rng = np.random.default_rng(3)
    topics = ("rain and floods in the valley", "the vote on the harbour bill", "a strike of the ferry crews")
    return [
        {
            "id": f"a{k}",
            "title": f"Report {k}",
            "text": f"Number {k} tells of {topics[(k + k % 2) % 3]}. It was seen by {rng.integers(9, 99)} people.",
            "side": "left" if k % 2 else "right",
        }
        for k in range(n)
    ]


@pytest.fixture(scope="module")
def sampled():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sessions, "SAMPLE", 30)
        patch.setattr(words, "MOST_READ", 80)
        patch.setattr(words, "FEWEST_READ", 10)
        patch.setattr(planes, "MOST_FITTED", 60)
        told = {"candidates": "all", "duplicates": "keep", "method": "mmd-diff-exchange", "size": 2}
        return compare(made(120), "side", exact="no", **told)


def test_the_report_says_what_samples_may_have_cost(sampled):
    (note,) = [note for note in sampled.notes if note.startswith("samples of 60 documents stood for 120")]
    assert "better picks may be worth up to" in note
    assert note in render(sampled, ".md")
    assert "samples of 60 documents stood for 120" in render(sampled, ".html")
    told = json.loads(render(sampled, ".json"))["sampled"]
    assert (told["documents"], told["sampled"]) == (120, 60)
    assert told["missing_at_most"] == pytest.approx(told["share_missing_at_most"] * told["value"])


def test_words_of_a_sample_are_said_to_be_of_it(sampled):
    assert "words were counted in a sample of the documents, 80 of 120; shares are theirs" in sampled.notes
    assert all(term.documents <= 40 for group in sampled.groups for term in group.terms)


def test_every_document_has_a_place_on_the_map(sampled):
    assert sampled.map.points.shape == (120, 2)
    assert np.abs(sampled.map.points).max() <= 1.0
    assert len(sampled.map.titles) == 120


def test_nothing_is_said_where_all_pairs_are_looked_at():
    found = compare(made(60), "side", candidates="all", duplicates="keep", size=2)
    assert found.gap is None
    assert "sampled" not in json.loads(render(found, ".json"))


def test_the_estimator_warns_where_samples_stand_for_the_documents(monkeypatch):
    monkeypatch.setattr(sessions, "SAMPLE", 20)
    rng = np.random.default_rng(0)
    vectors, groups = rng.normal(size=(90, 4)), np.arange(90) % 2
    with pytest.warns(Sampled, match="samples of 40 documents stood for 90"):
        found = vv.ComparativeSummarizer(exact="no").fit(vectors, groups)
    assert found.gap_.n_sampled == 40
    assert vv.ComparativeSummarizer().fit(vectors, groups).gap_ is None


def test_terms_of_a_text_that_was_not_counted_are_those_that_would_have_been():
    texts = [document["text"] + " The mayor's plan for the old town hall." for document in made(30)]
    found = words.GroupWords(texts, np.arange(30) % 2, 2)
    held = found._terms.found
    for row, text in enumerate(texts):
        assert found._terms.held_in(text) == set(held.indices[held.indptr[row] : held.indptr[row + 1]].tolist())


def test_places_of_documents_beyond_the_sample_follow_those_of_the_sample(monkeypatch):
    rng = np.random.default_rng(1)
    codes = np.arange(400) % 2
    vectors = rng.normal(size=(400, 5)) + 3.0 * codes[:, None]
    whole = planes.group_plane(vectors, codes, 2, Bonds.of_documents(400), 0)
    monkeypatch.setattr(planes, "MOST_FITTED", 200)
    found = planes.group_plane(vectors, codes, 2, Bonds.of_documents(400), 0)
    assert found.axes == whole.axes == "groups"
    assert np.corrcoef(found.points[:, 0], whole.points[:, 0])[0, 1] > 0.98
