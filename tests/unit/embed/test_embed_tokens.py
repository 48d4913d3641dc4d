import numpy as np
import pytest

from visavis.embed.tokens import readings, tokenize


def cut(text):
    tokens = tokenize([text])
    return [tokens.distinct[number] for number in tokens.ids]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Senate voted.", ["the", "senate", "voted"]),
        ("the U.S. and the U.K", ["the", "u.s.", "and", "the", "u.k"]),
        ("a well-known man’s idea", ["a", "well-known", "man’s", "idea"]),
        ("the workers' rights", ["the", "workers", "rights"]),
        ("end.The next", ["end", "the", "next"]),
        ("cafe\u0301", ["café"]),
        ("see https://t.co/AbC?x=1 now", ["see", "https://t.co/abc?x=1", "now"]),
        ("#NeverAgain @Who", ["neveragain", "who"]),
        ("", []),
    ],
)
def test_texts_are_cut_into_tokens(text, expected):
    assert cut(text) == expected


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("senate", [("senate",)]),
        ("don't", [("don't",), ("do", "n't")]),
        ("don’t", [("don't",), ("do", "n't")]),
        ("can't", [("can't",), ("can", "n't")]),
        ("won't", [("won't",), ("will", "n't")]),
        ("trump's", [("trump's",), ("trump", "'s")]),
        ("well-known", [("well-known",), ("well", "known")]),
        ("covid-19", [("covid-19",), ("covid",)]),
        ("u.s.", [("u.s.",), ("u.s",), ("us",)]),
        ("café", [("café",), ("cafe",)]),
        ("2019", []),
        ("1990's", []),
        ("https://t.co/abc", []),
    ],
)
def test_tokens_are_read_whole_first_then_in_parts(token, expected):
    assert readings(token) == expected


def test_a_decade_or_a_single_letter_says_nothing_unless_it_is_known_whole():
    assert readings("1990s")[-1] == ()
    assert readings("x")[-1] == ()


def test_counts_are_the_same_however_often_they_are_asked_for():
    tokens = tokenize(["gun gun law", "", "law and gun law"])
    before = tokens.ids.copy(), tokens.starts.copy()
    first, second = tokens.counts().toarray(), tokens.counts().toarray()
    assert first.tolist() == [[2, 1, 0], [0, 0, 0], [1, 2, 1]]
    assert second.tolist() == first.tolist()
    assert np.array_equal(tokens.ids, before[0])
    assert np.array_equal(tokens.starts, before[1])
