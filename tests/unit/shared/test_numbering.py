"""Words as numbers, and plain texts cut as others are."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from visavis.corpus import words
from visavis.embed.tfidf import _all_words
from visavis.shared.numbering import number_words
from visavis.shared.plain import PlainWords

SIGNS = st.sampled_from("ab Z9_.,'\n’“—\u00a0é中\u2028ß\0")
TEXTS = st.lists(st.text(SIGNS, max_size=15), max_size=8)


@given(TEXTS)
@example(["", "’", "a’b", "é a", "\u2028", "same same", "same"])
def test_numbers_spell_the_words_of_every_text(texts):
    found = number_words(texts, str.split)
    assert [found.known[number] for number in found.flat.tolist()] == [word for text in texts for word in text.split()]
    assert found.lengths.tolist() == [len(text.split()) for text in texts]


@given(TEXTS)
def test_words_are_numbered_in_the_order_in_which_they_are_met(texts):
    found = number_words(texts, str.split)
    assert list(dict.fromkeys(found.flat.tolist())) == list(range(len(found.known)))
    assert len(set(found.known)) == len(found.known)


@given(st.text(SIGNS, max_size=15))
@example("a’b_c — d")
def test_plain_texts_are_cut_as_others_are(text):
    for cut, kept in ((words._cut, "_"), (lambda text: _all_words(text, ""), "")):
        if PlainWords(kept).cut(text) is not None:
            marked = cut(f"{text} é")  # no longer plain
            assert [word for word in marked if word != "é"] == [
                word for word in cut(text) if len(word) > 1 or kept or not word.isascii()
            ]
