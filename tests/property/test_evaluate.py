from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import balanced_accuracy_score
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.svm import SVC

from visavis.evaluate.classifiers.contract import Geometry, Option
from visavis.evaluate.classifiers.nearest import NearestPick
from visavis.evaluate.classifiers.svm import KernelSVM
from visavis.evaluate.metrics import balanced_accuracy, corrected_t_test, mean_and_interval
from visavis.evaluate.plan import Plan
from visavis.evaluate.run import _source
from visavis.evaluate.sharing import Shared
from visavis.evaluate.source import Source
from visavis.evaluate.splits import make_splits

seeds = st.integers(0, 2**32 - 1)
scores = st.lists(st.floats(0, 1), min_size=2, max_size=12)


def geometry_of(examples, unseen, groups):
    among = euclidean_distances(examples, squared=True)
    return Geometry(among, euclidean_distances(unseen, examples, squared=True), groups, np.full(len(unseen), 1e-12))


@given(seeds, st.integers(2, 5), st.booleans())
@settings(max_examples=40)
def test_machines_answer_like_scikit_learns(seed, n_groups, unequal):
    rng = np.random.default_rng(seed)
    groups = (
        np.concatenate([np.arange(n_groups), rng.integers(0, n_groups, 9)]) if unequal else np.arange(12) % n_groups
    )
    groups = groups * 3  # labels need not be 0, 1, 2
    examples, unseen = rng.normal(size=(len(groups), 3)), rng.normal(size=(40, 3))
    options = KernelSVM().options((0.3, 1.1), (0.01, 0.1, 0.4, 10.0))
    told = KernelSVM().predict(geometry_of(examples, unseen, groups), options)
    for option, answer in zip(options, told, strict=True):
        machine = SVC(C=option.cost, gamma=option.gamma, class_weight="balanced").fit(examples, groups)
        margin = np.abs(machine.decision_function(unseen)).reshape(len(unseen), -1).min(axis=1)
        # The solver stops within its tolerance, so a document on the border may fall either way.
        clear = margin > 1e-3 * min(1.0, option.cost)
        assert np.array_equal(answer[clear], machine.predict(unseen)[clear])


@given(seeds)
@settings(max_examples=30)
def test_of_equally_near_picks_the_first_decides(seed):
    rng = np.random.default_rng(seed)
    vectors = rng.integers(0, 2, (60, 12)).astype(float)  # few distances, so many ties
    codes = np.arange(60) % 3
    plan = Plan(methods=("random",), sizes=(2,), splits=1, ceilings=False)
    shared = Shared(Source(vectors, codes, ("a", "b", "c"), make_splits(codes, plan, None)), plan, 0)
    picks = rng.permutation(shared.train)[:9]
    unseen = vectors[shared.unseen(shared.whole)]
    exact = ((unseen[:, None, :] - vectors[picks][None]) ** 2).sum(axis=2)
    told = NearestPick().predict(shared.geometry(shared.whole, picks), [Option()])[0]
    assert np.array_equal(told, codes[picks][exact.argmin(axis=1)])


@pytest.mark.parametrize("n_groups", [2, 5, 24])
def test_many_groups_are_told_like_a_few(n_groups):
    rng = np.random.default_rng(n_groups)
    centers = rng.normal(size=(n_groups, 6)) * 2
    groups = np.repeat(np.arange(n_groups), 3)
    examples, unseen = centers[groups] + rng.normal(size=(len(groups), 6)), rng.normal(size=(80, 6)) * 2
    options = KernelSVM().options((0.1,), (0.01, 1.0, 10.0))
    for option, answer in zip(
        options, KernelSVM().predict(geometry_of(examples, unseen, groups), options), strict=True
    ):
        machine = SVC(C=option.cost, gamma=0.1, class_weight="balanced").fit(examples, groups)
        assert np.mean(answer == machine.predict(unseen)) >= 0.95


@given(st.integers(0, 4))
def test_trained_on_one_group_a_classifier_tells_it(group):
    geometry = geometry_of(np.eye(3), np.zeros((5, 3)), np.full(3, group))
    for classifier in (NearestPick(), KernelSVM()):
        assert classifier.predict(geometry, [Option(1.0, 1.0)]).tolist() == [[group] * 5]


@given(seeds, st.integers(2, 6))
def test_balanced_accuracy_is_scikit_learns(seed, n_groups):
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(n_groups), rng.integers(0, n_groups, 20)])
    told = rng.integers(0, n_groups, (3, len(truth)))
    expected = [balanced_accuracy_score(truth, row) for row in told]
    assert balanced_accuracy(truth, told, n_groups + 1) == pytest.approx(expected)


@given(scores)
def test_the_interval_is_students(values):
    mean, half = mean_and_interval(values)
    assert mean == pytest.approx(np.mean(values))
    error = stats.sem(values)
    if error > 1e-12:
        low, high = stats.t.interval(0.95, len(values) - 1, loc=mean, scale=error)
        assert (mean - half, mean + half) == pytest.approx((low, high))
    else:
        assert half == pytest.approx(0.0, abs=2e-11)  # the t quantile of two values is 12.7


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=12))
def test_without_test_documents_the_corrected_test_is_the_paired_one_and_with_them_it_is_milder(pairs):
    first, second = np.array(pairs).T
    differences = first - second
    plain, corrected = corrected_t_test(first, second, 0.0), corrected_t_test(first, second, 0.25)
    reverse = corrected_t_test(second, first, 0.25)
    assert reverse.p_value == pytest.approx(corrected.p_value)
    assert reverse.difference == pytest.approx(-corrected.difference)
    if differences.std() > 1e-6:
        assert plain.p_value == pytest.approx(stats.ttest_rel(first, second).pvalue, abs=1e-9)
        assert corrected.p_value >= plain.p_value - 1e-12
        n = len(differences)
        t = differences.mean() / np.sqrt((1 / n + 0.25) * differences.var(ddof=1))
        assert corrected.t == pytest.approx(t)


def test_a_difference_that_never_varies_is_certain_and_none_is_none():
    assert corrected_t_test([0.5, 0.6], [0.5, 0.6], 0.25).p_value == 1.0
    assert corrected_t_test([0.75, 0.5], [0.5, 0.25], 0.25).p_value == 0.0
    assert corrected_t_test([0.5], [0.6], 0.25) is None
    assert mean_and_interval([0.5]) == (0.5, None)


@given(seeds, st.integers(2, 4), st.sampled_from([0.0, 0.3, 1.0]), st.sampled_from([2, 3]), st.sampled_from([0.2, 0.4]))
@settings(max_examples=40, deadline=None)
def test_no_block_lies_on_both_sides_of_a_split_or_of_a_fold(seed, n_groups, mixed, folds, share):
    """Blocks of one group, of several, and in between."""
    rng = np.random.default_rng(seed)
    blocks = np.concatenate([np.arange(40), rng.choice(40, 300, p=rng.dirichlet(np.full(40, 0.5)))])
    codes = np.where(rng.random(340) < mixed, rng.integers(0, n_groups, 340), blocks % n_groups)
    plan = Plan(methods=("random",), sizes=(1,), splits=3, folds=folds, test_share=share, seed=seed % 1000)
    source = _source(rng.normal(size=(340, 2)), codes, plan, None, blocks)
    for number, split in enumerate(source.splits):
        assert sorted([*split.train, *split.test]) == list(range(340))
        assert not set(blocks[split.train]) & set(blocks[split.test])
        assert set(codes[split.test]) == set(codes)
        shared = Shared(source, plan, number)
        for part in shared.parts:
            learned, told = shared.train[shared.places(part)], shared.unseen(part)
            assert sorted([*learned, *told]) == split.train.tolist()
            assert not set(blocks[learned]) & set(blocks[told])
            assert set(codes[told]) == set(codes[learned]) == set(codes)
