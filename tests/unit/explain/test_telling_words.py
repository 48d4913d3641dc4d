from __future__ import annotations

import numpy as np
import pytest

from visavis.explain.words import LEAST, GroupWords, words_of

TEXTS = [
    *(f"the minister and the party met, item {n}" for n in "abcdefgh"),
    *(f"the company and the market rose, item {n}" for n in "abcdefgh"),
    "the minister owns a company",
]
CODES = np.array([0] * 8 + [1] * 8 + [1])


@pytest.fixture(scope="module")
def words():
    return GroupWords(TEXTS, CODES, 2)


def test_words_are_folded_and_function_words_possessives_and_letters_left_out():
    assert words_of("The Minister's A 2018 e-mail, it’s O'Neill’s über_x 3rd!") == [
        "minister", "e-mail", "o'neill", "über_x", "rd",
    ]  # fmt: skip


def test_a_groups_words_are_those_it_has_more_often(words):
    assert set(words.of_group(0)) == {"minister", "party", "met"}
    assert set(words.of_group(1)) == {"company", "market", "rose"}


def test_a_word_of_all_groups_tells_nothing(words):
    for group in (0, 1):
        assert not {"the", "and", "item"} & set(words.of_group(group))


def test_a_documents_words_are_in_it_and_set_its_group_apart(words):
    for row, text in enumerate(TEXTS):
        found = words.of_document(row, int(CODES[row]))
        assert set(found) <= set(words_of(text))
        assert set(found) <= set(words.of_group(int(CODES[row]), most=1000))
    assert words.of_document(16, 1) == ("company",)


def test_the_most_telling_word_comes_first():
    texts = ["coal gas"] * 6 + ["gas"] * 2 + ["gas wind"] * 2 + ["wind"] * 6
    found = GroupWords(texts, np.array([0] * 8 + [1] * 8), 2).of_group(0)
    assert found == ("coal", "gas")


def test_a_word_in_fewer_than_three_documents_says_little():
    assert LEAST == 3
    codes = np.array([0] * 12 + [1] * 12)
    rare = GroupWords(["reef"] * 2 + ["sea"] * 22, codes, 2)
    often = GroupWords(["reef"] * 6 + ["sea"] * 18, codes, 2)
    assert "reef" not in rare.of_group(0)
    assert "reef" in often.of_group(0)


def split(word, inside, outside, each):
    """Two groups of `each` documents, a word in so many of the first and so many of the second."""
    texts = [f"{word} here" if n < count else "here" for count in (inside, outside) for n in range(each)]
    return GroupWords(texts, np.repeat([0, 1], each), 2)


def test_a_difference_that_chance_would_make_tells_nothing():
    assert split("ice", 4, 2, 12).of_group(0) == ()
    assert split("ice", 40, 20, 120).of_group(0) == ("ice",)


def test_a_difference_that_is_sure_but_slight_tells_nothing():
    assert split("news", 1200, 1000, 2000).of_group(0) == ()
    assert split("news", 600, 400, 2000).of_group(0) == ("news",)
    assert split("the", 600, 400, 2000).of_group(0) == ()


def test_documents_count_and_not_how_often_they_say_a_word():
    texts = ["fire " * 500, *["water here"] * 9, *["water there"] * 10]
    assert "fire" not in GroupWords(texts, np.array([0] * 10 + [1] * 10), 2).of_group(0)


def test_not_more_words_than_asked(words):
    assert len(words.of_group(0, most=2)) == 2
    assert words.of_group(0, most=2) == words.of_group(0)[:2]


def test_one_group_alone_shows_its_most_frequent_words():
    found = GroupWords(["ice sea", "ice sea", "ice"], np.zeros(3, np.intp), 1)
    assert found.of_group(0) == ("ice",)


def test_texts_without_words_have_none():
    found = GroupWords(["", "1 2 3", "--"], np.array([0, 1, 1]), 2)
    assert found.of_group(0) == found.of_group(1) == found.of_document(0, 0) == ()
