from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unit.unspaced import cutting_words
from visavis.shared.unspaced import (
    PAIRS,
    UNSPACED,
    count_words,
    has_unspaced,
    part,
    segmenter,
    signs_of,
)

LETTERS = "税消费政府保育園のはカタ々กขคำที่เมือຂ້າວရန်ကុន្ធ។။。，ab 1-"


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("消费税AI", "消 费 税"), ("カ\u3099カ", "カ\u3099 カ"), ("เมื่อวาน", "เมื่ อ วา น"), ("ที่น้ำ", "ที่ น้ำ"),
        ("ភ្នំពេញ", "ភ្នំ ពេ ញ"), ("ရန်ကုန်", "ရ န် ကု န်"), ("ຂ້າວ", "ຂ້າ ວ"), ("English, ελληνικά, 한국어", ""),
    ],
)  # fmt: skip
def test_a_sign_is_a_character_with_its_marks_and_vowels(text: str, signs: str) -> None:
    assert signs_of(text) == signs.split()
    assert has_unspaced(text) == bool(signs)


def test_every_letter_of_such_a_script_is_found_and_no_other() -> None:
    letters = re.compile(f"[{UNSPACED}]")
    signs = map(chr, [*range(0x10000), *range(0x1F000, 0x30000)])
    assert [sign for sign in signs if has_unspaced(f"a{sign}") != bool(letters.search(sign))] == []


def test_without_a_segmenter_texts_are_cut_into_signs_or_pairs_of_them() -> None:
    assert part("AI技术。ok", "").split() == ["AI", "技", "术", "。ok"]
    assert part("提高税", "", PAIRS).split() == ["提高", "高税"]
    assert part("税。", "", PAIRS).split() == ["税", "。"]


@pytest.mark.parametrize(
    "text", ["", "It rained — “hard”, déjà vu.", "Москва слезам не верит", "한국어 텍스트", "हिन्दी भाषा"]
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert part(text, "", PAIRS) is text
    assert count_words(text) == len(text.split())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("今天政府宣布提高票价", "今天 政府 宣布 提高 票价"), ("今天政府宣佈提高票價", "今天 政府 宣佈 提高 票價"),
        ("政府は学校を休校にした", "政府 は 学校 を 休校 に し た"), ("รัฐบาลประกาศลดภาษี", "รัฐบาล ประกาศ ลด ภาษี"),
        ("ភ្នំពេញ", "ភ្នំ ពេ ញ"),  # there is no model for Khmer
    ],
)  # fmt: skip
def test_words_are_cut_where_there_is_a_segmenter(text: str, words: str) -> None:
    with cutting_words(True):
        assert segmenter().startswith("budoux ")
        assert part(text, segmenter()).split() == words.split()


def test_without_the_extra_there_is_no_segmenter() -> None:
    with cutting_words(False):
        assert segmenter() == ""


@given(st.text(alphabet=LETTERS, max_size=40), st.booleans())
def test_parting_adds_nothing_but_blanks(text: str, cut: bool) -> None:
    with cutting_words(cut):
        assert "".join(part(text, segmenter()).split()) == "".join(text.split())
