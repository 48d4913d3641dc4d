"""Words cut by a table are those that a regular expression finds."""

from __future__ import annotations

import re

import pytest

from visavis.shared.plain import PlainWords

PLAIN = ["", "  ", "One two", "it's 3.5% of_all", "A–b “quoted”…\u00a0end", "tab\tand\nline", "x\x00y\x1fz"]


@pytest.mark.parametrize("text", PLAIN)
def test_words_of_plain_texts_are_runs_of_letters_and_digits(text):
    assert PlainWords().cut(text) == re.findall(r"[^\W_]+", text.lower())
    assert PlainWords(kept="_").cut(text) == re.findall(r"\w+", text.casefold())


@pytest.mark.parametrize("text", ["café", "Straße", "东京", "\ufb01ne", "a\u0301", "€ 5", "half \ud800"])
def test_texts_with_other_letters_or_marks_are_left_to_others(text):
    assert PlainWords().cut(text) is None


@pytest.mark.parametrize("first", range(0, 0x3000, 0x400))
def test_no_sign_is_taken_for_a_blank_that_is_part_of_a_word(first):
    for code in range(first, first + 0x400):
        text = f"ab{chr(code)}cd"
        assert PlainWords(kept="_").cut(text) in (None, re.findall(r"\w+", text.casefold()))
