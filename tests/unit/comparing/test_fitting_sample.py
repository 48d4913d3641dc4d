"""Above a number of documents an embedder is fitted on a sample of them, and the report says so."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from unit.comparisons import ROWS
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
