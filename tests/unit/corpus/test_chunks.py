"""Work by chunks and in other processes gives what it gives in one piece; texts in a store what they give in memory."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visavis.comparing.prepare import prepare
from visavis.corpus import boilerplate, documents, proposals
from visavis.corpus.boilerplate import remove_boilerplate
from visavis.corpus.duplicates import near_duplicates
from visavis.corpus.looks import look_at
from visavis.corpus.words import Words
from visavis.explain.tokens import read_tokens
from visavis.records.stored import StoredDocument, rename
from visavis.shared import processes, texts

RNG = np.random.default_rng(5)
WORDS = [f"word{number}" for number in range(300)]
NOTICES = ["Sign up for our newsletter today, it is free.", "Copyright 2019 by the Daily Star of Somewhere."]
SENTENCES = [" ".join(RNG.choice(WORDS, 9)) + "." for _ in range(60)]


def corpus(count, seed=0):
    rng = np.random.default_rng(seed)
    return [
        "\n".join(
            [*rng.choice(SENTENCES, 3), *rng.choice(NOTICES, rng.integers(0, 2)), "— “odd” signs é"[: rng.integers(16)]]
        )
        for _ in range(count)
    ]


def everything(found, n_processes):
    cleaned = remove_boilerplate(found, ["post", "star"] * (len(found) // 2), processes=n_processes)
    words = Words.of(cleaned.texts, n_processes)
    copies = near_duplicates(cleaned.texts, words=words, processes=n_processes)
    looks = [look for part in processes.by_chunks(look_at, cleaned.texts, n_processes) for look in part]
    counts, tokens = (cleaned.words, cleaned.removed, cleaned.bare), read_tokens(cleaned.texts, n_processes)
    return [
        *(part.tolist() for part in (*counts, words.flat, words.lengths, copies)),
        *(part.tolist() for part in (tokens.codes, tokens.owners, tokens.words, tokens.joins, tokens.signs)),
        tokens.names,
        list(cleaned.texts),
        words.known,
        looks,
    ]


@given(st.integers(1, 40), st.integers(0, 3))
@settings(max_examples=15)
def test_the_size_of_chunks_changes_nothing(size, seed):
    found = corpus(40, seed)
    whole = everything(found, 1)
    with pytest.MonkeyPatch.context() as patch:
        for module in (processes, boilerplate):
            patch.setattr(module, "CHUNK", size)
        assert everything(found, 1) == whole


def test_processes_change_nothing(monkeypatch):
    found = corpus(60)
    whole = everything(found, 1)
    for module in (processes, boilerplate):
        monkeypatch.setattr(module, "CHUNK", 8)
    assert everything(found, 2) == whole


@pytest.mark.parametrize("threshold", [0.5, 0.8])
def test_a_crowd_of_copies_has_the_leaders_it_has_pair_by_pair(monkeypatch, threshold):
    rng = np.random.default_rng(1)
    base = rng.choice(WORDS, 60)
    found = []
    for _ in range(90):
        text = base.copy()
        text[rng.integers(0, 60, rng.integers(0, 6))] = rng.choice(WORDS)
        found.append(" ".join(text))
    crowded = near_duplicates(found, threshold)
    monkeypatch.setattr(proposals, "CROWD", 1000)
    assert np.array_equal(near_duplicates(found, threshold), crowded)


ROWS = [
    {"id": f"a{number}", "title": f"Title {number}", "outlet": "The Star", "text": f" {text} ", "note": None}
    for number, text in enumerate(corpus(30))
]


@pytest.fixture
def stored(monkeypatch):
    for module in (documents, texts):
        monkeypatch.setattr(module, "MOST_IN_MEMORY", 10)
    return prepare(ROWS)


def test_documents_in_a_store_are_those_in_memory(stored, monkeypatch):
    monkeypatch.undo()
    held = prepare(ROWS)
    rows = np.arange(len(ROWS))[::-1]
    assert all(isinstance(document, StoredDocument) for document in stored.corpus.documents)
    for one, other in zip(stored.corpus.documents, held.corpus.documents, strict=True):
        assert list(one.fields.items()) == list(other.fields.items())
        for name in ("id", "title", "text", "source", "date", "weight", "url", "image", "headline"):
            assert getattr(one, name) == getattr(other, name)
    assert list(stored.texts(rows)) == list(held.texts(rows))
    assert list(stored.cleaned.texts) == list(held.cleaned.texts)
    assert np.array_equal(stored.families(rows), held.families(rows))


def test_a_document_in_a_store_is_renamed_and_keeps_its_text_there(stored):
    document = stored.corpus.documents[3]
    found = rename(document, "other")
    assert (found.id, found.text, found.fields) == ("other", document.text, document.fields)
    assert found._text is document._text
    with pytest.raises(KeyError):
        document.fields["no such column"]
    assert "text" in document.fields
    assert len(document.fields) == 5
