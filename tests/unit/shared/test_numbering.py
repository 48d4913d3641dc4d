"""Words numbered in whole arrays are those that are cut out one text at a time."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from visavis.embed.tfidf import split_words
from visavis.shared import numbering
from visavis.shared.numbering import Numbering
from visavis.shared.plain import PlainWords

PLAIN = PlainWords()
NUMBERING = Numbering(PLAIN, split_words)
SIGNS = st.sampled_from("ab Z9_.,'\n’“—\u00a0é中\u2028ß\0")


def one_by_one(text):
    found = PLAIN.cut(text)
    return split_words(text) if found is None else found


@given(st.lists(st.text(SIGNS, max_size=15), max_size=8), st.sampled_from([1, 10, 10**6]))
@example(["", "’", "a’b", "é a", "\u2028", "same same", "same"], 10**6)
def test_numbers_spell_the_words_of_every_text(texts, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbering, "BLOCK", block)
        found = NUMBERING.number(texts)
    assert [found.known[number] for number in found.flat.tolist()] == [w for text in texts for w in one_by_one(text)]
    assert found.lengths.tolist() == [len(one_by_one(text)) for text in texts]


@given(st.lists(st.text(SIGNS, max_size=15), max_size=8))
def test_words_are_numbered_in_the_order_in_which_they_are_met(texts):
    found = NUMBERING.number(texts)
    assert list(dict.fromkeys(found.flat.tolist())) == list(range(len(found.known)))
    assert len(set(found.known)) == len(found.known)
