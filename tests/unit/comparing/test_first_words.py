"""The words that decide which documents tell most of their group: those of more than the lead, and counted."""

from __future__ import annotations

import numpy as np
import pytest

from visavis.comparing.documents import Reading
from visavis.comparing.prepare import OPENING, prepare

SENTENCE = "The council met again in the evening to hear what neighbors said. "


def rows_of(texts, titles=None, **reading):
    titles = titles or [""] * len(texts)
    documents = [
        {"id": str(n), "title": title, "text": text} for n, (title, text) in enumerate(zip(titles, texts, strict=True))
    ]
    prepared = prepare(documents, Reading(boilerplate="keep", **reading))
    rows = np.arange(len(documents))
    words = prepared.first_words(rows)
    return prepared.word_rows(rows).toarray(), {word: place for place, word in enumerate(words.known)}


def test_words_behind_the_lead_count_up_to_so_many_characters():
    near, far = SENTENCE * 4 + "Harbor. ", SENTENCE * (4 * OPENING // len(SENTENCE) + 1) + "Glacier. "
    found, known = rows_of([near, far, "Bridge of stone."], lead=3)
    assert found[0, known["harbor"]] > 0
    assert "glacier" not in known


def test_a_word_weighs_more_the_more_often_a_text_has_it():
    found, known = rows_of(["harbor harbor harbor bridge", "glacier meadow", "orchard canyon"])
    assert found[0, known["harbor"]] == pytest.approx(3 * found[0, known["bridge"]])
    assert np.allclose(np.linalg.norm(found, axis=1), 1)


def test_a_title_counts_within_the_same_characters():
    _, known = rows_of(["meadow"], ["harbor " * OPENING + "glacier"], lead=3)
    assert "harbor" in known
    assert not {"glacier", "meadow"} & set(known)


def test_where_whole_texts_are_read_all_their_words_count():
    _, known = rows_of([SENTENCE * 100 + "Glacier."], lead=None)
    assert "glacier" in known


def test_titles_alone_are_all_there_is_where_no_sentence_is_read():
    _, known = rows_of(["meadow " * OPENING], ["harbor"], lead=0)
    assert "harbor" in known
    assert "meadow" not in known
