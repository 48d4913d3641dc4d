"""The measures for a reader against their definitions written out."""

from __future__ import annotations

from itertools import combinations
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student

from visavis.errors import InvalidParameter
from visavis.evaluate import Grid, Plan, evaluate
from visavis.evaluate.measures import percentiles, share_set_aside, variety, weigh_terms
from visavis.evaluate.metrics import corrected_half_width, corrected_t_test, mean_and_interval
from visavis.evaluate.sharing import Shared
from visavis.evaluate.source import Source
from visavis.evaluate.splits import Split, make_splits
from visavis.evaluate.stability import Agreement

WORDS = ["apple", "pear", "plum", "train", "tram", "bus"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), min_size=2, max_size=9)
FEW = settings(max_examples=60)


def cosine(texts, a, b):
    """Of TF-IDF written out: (1 + ln tf) · (ln((1 + N)/(1 + df)) + 1)."""
    split = [text.split() for text in texts]

    def weights(words):
        counts = {word: sum(word in other for other in split) for word in words}
        idf = {word: log((1 + len(texts)) / (1 + n)) + 1 for word, n in counts.items()}
        return {word: (1 + log(words.count(word))) * idf[word] for word in words}

    first, second = weights(split[a]), weights(split[b])
    lengths = [sqrt(sum(value**2 for value in one.values())) for one in (first, second)]
    if not all(lengths):
        return 0.0
    return sum(value * second.get(word, 0.0) for word, value in first.items()) / (lengths[0] * lengths[1])


@FEW
@given(TEXTS, st.data())
def test_variety_is_one_less_the_cosine_of_the_two_picks_most_alike(texts, data):
    picks = np.array(data.draw(st.lists(st.integers(0, len(texts) - 1), min_size=1, unique=True)))
    groups = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(picks), max_size=len(picks))))
    found = []
    for group in set(groups.tolist()):
        pairs = list(combinations(picks[groups == group].tolist(), 2))
        if pairs:
            found.append(1 - max(cosine(texts, a, b) for a, b in pairs))
    told = variety(weigh_terms(texts), picks, groups)
    if not found or not any(text.split() for text in texts):
        assert told is None
    else:
        assert told == pytest.approx(np.mean(found), abs=1e-12)


def test_without_texts_or_words_there_is_no_variety():
    assert weigh_terms(["", " . "]) is None
    assert variety(None, np.array([0, 1]), np.array([0, 0])) is None


@FEW
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=12))
def test_percentiles_count_the_others_of_the_group_that_are_surpassed(documents):
    groups, values = (np.array(column) for column in zip(*documents, strict=True))
    told = percentiles(values.astype(float), groups)
    for row, (group, value) in enumerate(documents):
        others = [v for other, (g, v) in enumerate(documents) if g == group and other != row]
        expected = np.mean([0.5 * (v <= value) + 0.5 * (v < value) for v in others]) if others else 0.5
        assert told[row] == pytest.approx(expected)


def agreement_written_out(groups, splits, first, second):
    a, b = splits
    common = set(a.train.tolist()) & set(b.train.tolist())
    shared = chance = most = 0.0
    for group in set(groups.tolist()):
        own = {row for row in common if groups[row] == group}
        one, two = set(first.tolist()) & own, set(second.tolist()) & own
        shared += len(one & two)
        chance += len(one) * len(two) / len(own) if own else 0.0
        most += min(len(one), len(two))
    return None if most - chance < 1e-9 else (shared - chance) / (most - chance)


@FEW
@given(st.data())
def test_agreement_is_that_of_all_pairs_of_splits_written_out(data):
    n, n_splits = data.draw(st.integers(4, 12)), data.draw(st.integers(1, 4))
    groups = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    rows = st.lists(st.integers(0, n - 1), min_size=1, unique=True).map(np.array)
    splits = [Split(data.draw(rows), np.array([], int)) for _ in range(n_splits)]
    chosen = [data.draw(st.lists(st.sampled_from(s.train.tolist()), min_size=1, unique=True)) for s in splits]
    picks = {number: np.array(found) for number, found in enumerate(chosen)}
    told = Agreement(groups, splits).by_split(picks)
    for split in picks:
        pairs = [sorted((split, other)) for other in picks if other != split]
        known = [agreement_written_out(groups, (splits[a], splits[b]), picks[a], picks[b]) for a, b in pairs]
        values = [value for value in known if value is not None]
        assert told[split] == (pytest.approx(np.mean(values)) if values else None)


def test_the_same_picks_agree_wholly_and_random_ones_by_chance_alone():
    groups, rng = np.repeat([0, 1], 40), np.random.default_rng(0)
    splits = [Split(np.sort(rng.permutation(80)[:64]), np.array([], int)) for _ in range(60)]
    agreement = Agreement(groups, splits)
    everywhere = np.intersect1d(splits[0].train, splits[1].train)[:6]
    assert agreement.by_split({0: everywhere, 1: everywhere}) == {0: 1.0, 1: 1.0}
    random = {number: rng.choice(split.train, 12, replace=False) for number, split in enumerate(splits)}
    assert abs(np.mean(list(agreement.by_split(random).values()))) < 0.02


def test_the_share_set_aside_is_that_of_the_picks():
    assert share_set_aside(np.array([True, False, True, False]), np.array([0, 1, 2])) == pytest.approx(1 / 3)
    assert share_set_aside(None, np.array([0])) is None


@pytest.mark.parametrize(
    ("grid", "gamma"),
    [
        (Grid(gammas=(0.25, 1.0, 4.0), contrasts=(0.3,)), "median"),
        (Grid(gammas=(0.5, 1.5, 8.0), contrasts=(0.3,)), 1),
        (Grid(gammas=(0.01, 0.02, 0.5), contrasts=(0.3,), absolute=True), 0.02),
    ],
)
def test_typicality_is_the_rank_of_the_mean_similarity_at_one_gamma(grid, gamma):
    rng = np.random.default_rng(0)
    codes = np.arange(90) % 3
    vectors = rng.normal(size=(90, 4)) + codes[:, None]
    plan = Plan(methods=("mmd+greedy",), sizes=(2,), splits=1, grid=grid, ceilings=False)
    shared = Shared(Source(vectors, codes, ("a", "b", "c"), make_splits(codes, plan, None)), plan, 0)
    train = np.sort(shared.train)
    squared = ((vectors[train][:, None] - vectors[train][None]) ** 2).sum(axis=2)
    width = 1 / np.median(squared[np.triu_indices(len(train), 1)]) if gamma == "median" else gamma
    width = shared.gammas[1] if gamma == 1 else width
    similar = np.exp(-width * squared)
    for place, row in enumerate(train):
        own = codes[train] == codes[row]
        means = similar[:, own].mean(axis=1)
        expected = (means[own] < means[place]).sum() / (own.sum() - 1)
        assert shared.typicality[row] == pytest.approx(expected)
    assert np.isnan(shared.typicality[shared.test]).all()
    picks = shared.train[:5]
    assert shared.measure(picks, 2)["typicality"] == pytest.approx(shared.typicality[picks].mean())


def test_typicality_is_not_told_where_no_method_needs_the_pairs():
    codes = np.arange(60) % 2
    vectors = np.random.default_rng(0).normal(size=(60, 3))
    plan = Plan(methods=("kmeans", "random"), sizes=(2,), splits=1, ceilings=False)
    shared = Shared(Source(vectors, codes, ("a", "b"), make_splits(codes, plan, None)), plan, 0)
    assert shared.measure(shared.train[:4], 2)["typicality"] is None


@given(st.lists(st.floats(0, 1), min_size=2, max_size=12), st.floats(0.01, 1))
def test_the_corrected_interval_is_that_of_nadeau_and_bengio(values, ratio):
    count = len(values)
    error = sqrt((1 / count + ratio) * np.var(values, ddof=1))
    told = corrected_half_width(values, ratio)
    assert told == pytest.approx(student.ppf(0.975, count - 1) * error)
    assert told >= mean_and_interval(values)[1] * (1 - 1e-12)
    assert corrected_half_width(values[:1], ratio) is None


def test_the_interval_of_a_difference_ends_at_zero_where_p_is_one_in_twenty():
    first, second = [0.5, 0.7, 0.9, 0.6], [0.4, 0.7, 0.7, 0.5]
    test = corrected_t_test(first, second, 0.25)
    edge = student.ppf(0.975, 3) / test.t * test.difference
    assert test.half_width == pytest.approx(edge)


SMALL = Plan(methods=("random",), sizes=(2,), splits=1, ceilings=False)
X, Y = np.random.default_rng(1).normal(size=(40, 3)), np.arange(40) % 2


@pytest.mark.parametrize(
    ("aids", "message"),
    [
        ({"texts": ["a"] * 39}, "39 texts but 40"),
        ({"texts": "a" * 40}, "texts"),
        ({"worthy": np.ones(39, bool)}, "worthy must be 40"),
        ({"worthy": np.ones(40)}, "worthy must be 40"),
    ],
)
def test_texts_and_marks_that_do_not_fit_are_refused(aids, message):
    with pytest.raises(InvalidParameter, match=message):
        evaluate(X, Y, SMALL, **aids)
