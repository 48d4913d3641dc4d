"""A long embedding tells how far it is, and what it leaves behind no longer does."""

import pickle
import sys

import numpy as np
import pytest

from unit.embed.models import stand_in
from visavis.comparing.embed import EmbedderInputs
from visavis.contracts import Telling
from visavis.embed import create_embedder, tfidf

TEXTS = [f"word{n % 7} word{n % 5} word{n % 3}" for n in range(40)]


@pytest.mark.parametrize("fit_on", [None, np.arange(20)])
def test_tfidf_counts_its_rounds_and_the_parts_of_the_texts(monkeypatch, fit_on):
    monkeypatch.setattr(tfidf, "STRIP", 8)
    said = []
    found = create_embedder("tfidf").with_progress(said.append).embed(TEXTS, fit_on)
    n_fitted = 40 if fit_on is None else 20
    assert said[0] == f"embedding: counting the words of {n_fitted} texts"
    assert "embedding: rounds to the main themes: 5 of 5" in said
    assert ("embedding: parts of the texts: 5 of 5" in said) == (fit_on is not None)
    assert np.array_equal(found.vectors, create_embedder("tfidf").embed(TEXTS, fit_on).vectors)
    pickle.dumps(found)  # whoever listened is forgotten


def test_a_model_tells_its_parts(monkeypatch):
    stand_in(monkeypatch)
    model = create_embedder("a-model")
    monkeypatch.setattr("visavis.embed.neural.PART", 16)
    said = []
    assert isinstance(model, Telling)
    found = model.with_progress(said.append).embed(TEXTS)
    assert said == [f"embedding: parts of the texts: {n} of 3" for n in range(4)]
    assert np.array_equal(found.vectors, model.embed(TEXTS).vectors)
    said.clear()
    found.fitted.embed(TEXTS)
    assert said == []


def test_a_part_is_counted_once_it_is_done(monkeypatch):
    loaded = stand_in(monkeypatch)
    model = create_embedder("a-model")
    monkeypatch.setattr("visavis.embed.neural.PART", 16)
    encode, done = sys.modules["sentence_transformers"].SentenceTransformer.encode, []
    counting = lambda own, texts, **_: (done.append(1), encode(own, texts))[1]  # noqa: E731
    monkeypatch.setattr(sys.modules["sentence_transformers"].SentenceTransformer, "encode", counting)
    told = []
    model.with_progress(lambda stage: told.append((stage[-6:], len(done)))).embed(TEXTS)
    assert told == [("0 of 3", 0), ("1 of 3", 1), ("2 of 3", 2), ("3 of 3", 3)]
    assert loaded == ["a-model"]


def test_inputs_pass_it_on_and_ask_nothing_of_who_cannot_tell():
    said = []
    EmbedderInputs("tfidf", TEXTS, tell=said.append).embed()
    assert said
    said.clear()
    EmbedderInputs("glove", ["guns and laws"], tell=said.append).embed()
    assert said == []
