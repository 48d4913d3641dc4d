"""Classifiers that see every document to learn from: they tell what there is to tell, and see nothing held out."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

from visavis.explain.bags import MOST_WORDS, bag_words, weigh_terms
from visavis.explain.everything import MANY_GROUPS, OneAgainstRest, Seen, TellByEverything
from visavis.explain.holdout import fold_accuracy, folds

WORDS = [f"w{n}" for n in range(60)]


def texts(codes, rng, told=0.15):
    """Words by chance, of which a share is the group's own."""
    own = [WORDS[3 * code : 3 * code + 3] for code in range(int(codes.max()) + 1)]
    return [[rng.choice(own[code] if rng.random() < told else WORDS) for _ in range(25)] for code in codes]


def seen(n_groups=2, each=30, *, told=0.15, bags=True, shift=1.0, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(n_groups), each)
    vectors = (rng.normal(size=(len(codes), 4)) + shift * codes[:, None]).astype(np.float32)
    return Seen(codes, vectors, bag_words(texts(codes, rng, told)) if bags else None, 0.2)


def tasks_of(found, seed=0):
    parts = folds(np.arange(len(found.codes)), found.codes, np.random.default_rng(seed))
    return [(part, folds(part[0], found.codes, np.random.default_rng(seed), 2)) for part in parts]


def accuracy(found, seed=0):
    tasks = tasks_of(found, seed)
    told = [TellByEverything(found)(task).predicted for task in tasks]
    return fold_accuracy(found.codes, [fold for fold, _ in tasks], told)


@pytest.mark.parametrize("n_groups", [2, 3, MANY_GROUPS + 1])
def test_what_words_alone_tell_is_told(n_groups):
    assert accuracy(seen(n_groups, told=0.6, shift=0.0)) > 0.9


@pytest.mark.parametrize("bags", [True, False])
def test_what_vectors_alone_tell_is_told(bags):
    assert accuracy(seen(told=0.0, shift=4.0, bags=bags)) > 0.95


@pytest.mark.parametrize("n_groups", [2, 4])
def test_groups_that_do_not_differ_are_told_by_chance_alone(n_groups):
    found = [accuracy(seen(n_groups, told=0.0, shift=0.0, seed=seed), seed) for seed in range(12)]
    assert np.mean(found) == pytest.approx(1 / n_groups, abs=0.05)


def test_neither_choice_nor_scaling_sees_what_is_held_out():
    found = seen()
    (fold, inner), *_ = tasks_of(found)
    _, test = fold
    told = TellByEverything(found)((fold, inner))
    rng = np.random.default_rng(9)
    codes, vectors, bags = found.codes.copy(), found.vectors.copy(), found.bags.copy().tolil()
    codes[test], vectors[test], bags[test[1:]] = 1 - codes[test], rng.normal(size=(len(test), 4)) * 99, 0
    bags[test[1], :40] = 5.0
    vectors[test[0]], others = found.vectors[test[0]], replace(found, codes=codes, vectors=vectors, bags=bags.tocsr())
    again = TellByEverything(others)((fold, inner))
    assert again.within == told.within
    assert again.predicted[0] == told.predicted[0]  # the one that stayed as it was
    assert not set(np.concatenate([np.concatenate(part) for part in inner])) & set(test)


def test_the_best_within_is_chosen_and_the_first_where_nothing_can_be_tried():
    found = seen(told=0.0, shift=4.0)  # words tell nothing, vectors everything, and words come first
    (fold, inner), *_ = tasks_of(found)
    task = TellByEverything(found)
    assert task((fold, inner)).within > 0.95
    untried = task((fold, []))
    assert untried.within is None
    assert np.mean(untried.predicted == found.codes[fold[1]]) < 0.8


def test_the_task_can_be_sent_elsewhere():
    found = seen()
    task = TellByEverything(found)
    sent = pickle.loads(pickle.dumps(task))  # noqa: S301 (our own, a moment ago)
    for one in tasks_of(found):
        assert sent(one).predicted.tolist() == task(one).predicted.tolist()


def test_two_groups_are_told_as_by_each_against_the_rest():
    found = seen(told=0.4)
    rows = weigh_terms(found.bags, np.arange(60))
    assert np.mean(OneAgainstRest(1.0).fit(rows, found.codes).predict(rows) == found.codes) > 0.9
    named = OneAgainstRest(1.0).fit(rows, found.codes + 5).predict(rows)
    assert set(named) == {5, 6}


# --- bags -------------------------------------------------------------------------------------------------------------
def test_bags_are_weighed_as_scikit_learn_weighs_them():
    rng = np.random.default_rng(1)
    said = texts(np.zeros(150, int), rng)
    counter = TfidfVectorizer(analyzer=lambda words: words, sublinear_tf=True, min_df=2)
    pairs = [[*words, *(f"{a} {b}" for a, b in pairwise(words))] for words in said]
    expected = counter.fit_transform(pairs)
    found = weigh_terms(bag_words(said), np.arange(150))
    assert found.shape == expected.shape
    assert np.allclose((found @ found.T).toarray(), (expected @ expected.T).toarray())


def test_terms_of_other_rows_are_left_out_and_no_pair_spans_two_texts():
    bags = bag_words([["a", "b"], ["c", "a"], [], ["d"]])
    assert bags.shape == (4, 4 + 2)
    known = weigh_terms(bags, np.array([0]))
    assert known.shape == (4, 3)  # a, b, "a b"
    assert known[[3]].nnz == 0


def test_long_texts_are_cut_and_texts_without_words_are_nothing():
    assert bag_words([["a", "b"] * MOST_WORDS]).max() == pytest.approx(1 + np.log(MOST_WORDS / 2))
    assert weigh_terms(bag_words([[], []]), np.array([0])).shape == (2, 1)


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csr_matrix])
def test_sparse_vectors_are_told_apart_like_dense_ones(kind):
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1], 40)
    dense = (rng.random((80, 12)) < 0.3) * rng.normal(1.0, 0.3, (80, 12)) + 2.0 * (codes[:, None] == np.arange(12) % 3)
    train, test = np.arange(0, 80, 2), np.arange(1, 80, 2)
    fold = train, test
    inner = [(train[::2], train[1::2]), (train[1::2], train[::2])]
    one, other = (TellByEverything(Seen(codes, vectors, None, 0.1))((fold, inner)) for vectors in (dense, kind(dense)))
    assert np.mean(one.predicted == codes[test]) > 0.8
    assert np.array_equal(one.predicted, other.predicted)
    assert one.within == pytest.approx(other.within)
