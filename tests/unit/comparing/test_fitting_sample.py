"""Above a number of documents an embedder is fitted on a sample of them, and the report says so."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from unit.comparisons import ROWS
from visavis.comparing.copies import Copies
from visavis.comparing.prepare import prepare

door = importlib.import_module("visavis.comparing.embed")  # the package has a function of that name


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(door, "MOST_FITTED", 4)


def chosen(rows):
    prepared = prepare(rows)
    sample, _ = door.sample_to_fit(prepared, np.arange(len(rows)))
    return {prepared.corpus.documents[row].id for row in sample.tolist()}


@pytest.mark.usefixtures("few")
def test_the_sample_does_not_depend_on_the_order_of_documents():
    assert chosen(ROWS) == chosen(ROWS[::-1])
    assert len(chosen(ROWS)) == 4


@pytest.mark.usefixtures("few")
def test_the_vectors_are_those_fitted_on_the_sample_and_a_note_tells():
    prepared = prepare(ROWS)
    rows = np.arange(len(ROWS))
    points = door.embed(prepared, "tfidf", rows)
    sample, (note,) = door.sample_to_fit(prepared, rows)
    told = door.embed(prepared, "tfidf", rows, rows[sample])
    assert np.array_equal(points.vectors, told.vectors)
    assert points.notes[0] == note
    assert note == f"the embedding was fitted on 4 of the {len(ROWS)} documents, chosen by a hash of their ids"


def test_few_documents_are_all_fitted_on():
    prepared = prepare(ROWS)
    assert door.sample_to_fit(prepared, np.arange(len(ROWS))) == (None, ())


def test_families_of_those_that_have_a_vector_are_found_among_them():
    copy = {**ROWS[0], "id": "copy"}
    blank = {**ROWS[0], "id": "blank", "title": "", "text": "xylophone"}  # a word that no other has
    rows = [blank, *ROWS * 9, copy]
    named = [
        {**row, "id": f"{row['id']}-{number}", "title": f"{row['title']} {number}"} for number, row in enumerate(rows)
    ]
    prepared = prepare([*named, {**named[3], "id": "again"}])
    points = door.embed(prepared, "tfidf", np.arange(len(named) + 1), copies=Copies.FOLD)
    assert len(points.set_aside) == 1
    assert np.array_equal(points.families, prepared.families(points.rows))


@pytest.mark.parametrize(
    ("families", "places", "found"),
    [
        ([0, 1, 1, 3], [1, 2, 3], [0, 0, 2]),
        ([0, 0, 2], [1, 2], None),
        ([0, 0, 2], [0, 2], None),
        ([0, 1], [0, 1], [0, 1]),
    ],
)
def test_who_is_left_out_alone_leaves_the_other_families_as_they_are(families, places, found):
    own = door._among(np.array(families), np.array(places))
    assert (None if own is None else own.tolist()) == found
