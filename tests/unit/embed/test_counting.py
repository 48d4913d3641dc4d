"""Terms counted in whole arrays, and their main directions, are scikit-learn's to the last bit."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.utils.extmath import randomized_svd

from visavis.embed import counting, directions, tfidf
from visavis.embed.counting import Vocabulary, count_terms
from visavis.embed.directions import main_directions
from visavis.embed.tfidf import Tfidf, split_words

WORDS = st.sampled_from(["tax", "taxes", "a", "rain", "river", "é", "中文", "tax-cut", "Rain", "b2"])
TEXTS = st.lists(st.lists(WORDS, max_size=8).map(" ".join), min_size=1, max_size=8)
CUT = tfidf._cut({})


def by_scikit_learn(texts, **options):
    cut = partial(split_words, by="")
    counter = CountVectorizer(tokenizer=cut, token_pattern=None, ngram_range=(1, 2), dtype=np.float32, **options)
    try:
        return counter.fit_transform(texts), tuple(counter.get_feature_names_out().tolist())
    except ValueError:
        return sparse.csr_matrix((len(texts), 0), dtype=np.float32), ()


@given(TEXTS, st.sampled_from([1, 2]))
def test_terms_and_their_order_are_those_of_scikit_learn(texts, fewest):
    theirs, terms = by_scikit_learn(texts, min_df=fewest)
    names, counts = count_terms(texts, CUT, fewest)
    assert names == terms
    assert np.array_equal(counts.indptr, theirs.indptr)
    assert np.array_equal(counts.indices, theirs.indices)  # in the same order: sums over a row round alike
    assert np.array_equal(counts.data, theirs.data)


@pytest.mark.parametrize("threads", [1, 2])
def test_terms_depend_neither_on_threads_nor_on_parts(threads, monkeypatch):
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(["tax", "rain", "river", "a", "é", "roof"], rng.integers(0, 9))) for _ in range(60)]
    whole, counts = count_terms(texts, CUT, 2)
    monkeypatch.setattr(counting, "PART", 7)
    names, parts = count_terms(texts, CUT, 2, threads)
    assert names == whole
    assert all(np.array_equal(getattr(parts, of), getattr(counts, of)) for of in ("indptr", "indices", "data"))


@given(TEXTS, TEXTS)
def test_later_texts_are_counted_by_the_terms_of_earlier_ones(texts, later):
    names, _ = count_terms(texts, CUT, 1)
    theirs = by_scikit_learn(later, vocabulary=names)[0] if names else sparse.csr_matrix((len(later), 0))
    assert (Vocabulary.of(names).count(later, CUT) != theirs).nnz == 0


@pytest.mark.parametrize("shape", [(40, 90), (90, 40), (70, 70)])
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("part", [directions.PART, 50])
def test_main_directions_are_those_of_scikit_learn(shape, threads, part, monkeypatch):
    monkeypatch.setattr(directions, "PART", part)
    rows = sparse.random_array(shape, density=0.2, format="csr", rng=np.random.default_rng(3), dtype=np.float32)
    theirs = randomized_svd(rows, 5, n_iter=5, random_state=0)[2]
    assert np.array_equal(main_directions(rows, 5, threads), theirs)


def test_vectors_depend_neither_on_threads_nor_on_strips(monkeypatch):
    rng = np.random.default_rng(0)
    words = [f"word{number}" for number in range(40)]
    texts = [" ".join(rng.choice(words, 12)) for _ in range(120)]
    whole = Tfidf(dimensions=6).embed(texts)
    counter = TfidfVectorizer(
        tokenizer=split_words, token_pattern=None, ngram_range=(1, 2), sublinear_tf=True, dtype=np.float32, min_df=2
    )
    theirs = (
        counter.fit_transform(texts) @ randomized_svd(counter.fit_transform(texts), 6, n_iter=5, random_state=0)[2].T
    )
    assert np.allclose(whole.vectors, theirs / np.linalg.norm(theirs, axis=1, keepdims=True), atol=1e-6)
    monkeypatch.setattr(tfidf, "STRIP", 7)
    for threads in (1, 3):
        again = Tfidf(dimensions=6).with_threads(threads).embed(texts)
        assert np.array_equal(again.vectors, whole.vectors)
        assert np.array_equal(again.fitted.embed(texts[:50]).vectors, whole.fitted.embed(texts[:50]).vectors)
