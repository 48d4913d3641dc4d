import numpy as np
import pytest

from visavis.embed import create_embedder
from visavis.embed.tfidf import NO_TERM, split_words

TEXTS = ["Waffen und Gesetze", "Gesetze gegen Waffen", "Ärzte im Krankenhaus", "Krankenhaus ohne Ärzte"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Über ÉTAT, 2019!", ["über", "état", "2019"]),
        ("cafe\u0301", ["café"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("Москва слезам", ["москва", "слезам"]),
        ("北京 news", ["北", "京", "news"]),
    ],
)
def test_words_of_any_script_are_found(text, expected):
    assert split_words(text, by="") == expected


def test_vectors_have_length_one_and_alike_texts_are_near():
    found = create_embedder("tfidf").embed(TEXTS).vectors
    assert found.dtype == np.float32
    assert np.linalg.norm(found, axis=1) == pytest.approx(1)
    cosines = found @ found.T
    assert min(cosines[0, 1], cosines[2, 3]) > cosines[:2, 2:].max() + 0.2


def test_the_same_texts_give_the_same_vectors():
    first, second = (create_embedder("tfidf").embed(TEXTS * 40).vectors for _ in range(2))
    assert np.array_equal(first, second)


def test_vocabulary_and_directions_come_from_the_named_rows_only():
    tfidf = create_embedder("tfidf")
    found = tfidf.embed([*TEXTS, "völlig andere Worte"], fit_on=np.arange(4))
    assert found.missing == ((4, NO_TERM),)
    assert found.vectors == pytest.approx(tfidf.embed(TEXTS).vectors, abs=1e-5)


def test_in_large_corpora_a_term_must_occur_twice():
    found = create_embedder("tfidf").embed(["gun law"] * 99 + ["solitary"])
    assert found.missing == ((99, NO_TERM),)
    assert create_embedder("tfidf").embed(["gun law"] * 98 + ["solitary"]).missing == ()


@pytest.mark.parametrize("texts", [[], ["", "  "], ["!"]])
def test_texts_without_words_are_missing(texts):
    found = create_embedder("tfidf").embed(texts)
    assert len(found.vectors) == 0
    assert [place for place, _ in found.missing] == list(range(len(texts)))


def test_one_text_has_a_vector():
    assert create_embedder("tfidf").embed(["gun law"]).vectors.shape == (1, 1)
