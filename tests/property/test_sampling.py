"""Samples that stand for all documents: what decides them, what they agree with, and what they cost."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visavis.engines.local import LocalEngine
from visavis.inputs import check_groups
from visavis.kernel.operations import GroupSums
from visavis.kernel.part import PartPairs
from visavis.records import Compute, Points, Quota
from visavis.select import session as sessions
from visavis.select.budget import needed
from visavis.select.leading import on_leading, walks, walks_of_leading
from visavis.select.search import Request, select
from visavis.select.session import pose
from visavis.shared.hashing import hash_rows

METHODS = [
    "mmd-diff-greedy", "mmd-diff-grad", "mmd-diff-exchange", "mmd-between-greedy", "nn-comp-greedy",
    "softmin-exchange", "kmedoids", "mmd-critic",
]  # fmt: skip


def made(n, seed=0, d=6, n_groups=2):
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, n_groups, n)
    groups[:n_groups] = range(n_groups)
    topics = rng.normal(size=(2 + n_groups, d))
    return topics[rng.integers(0, 3, n) * (groups + 1) % len(topics)] + rng.normal(size=(n, d)) * 0.7, groups


def posed(vectors, groups, exact="no", threads=1, **more):
    compute = Compute(threads=threads)
    return pose(Points.of(vectors), check_groups(groups, len(groups)), exact=exact, compute=compute, **more)


def sampled_ids(session, ids):
    return {ids[row] for row in session.order[session.problem().sample.rows]}


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(sessions, "SAMPLE", 40)


@given(seed=st.integers(0, 99))
@settings(max_examples=15, deadline=None)
def test_the_sample_of_a_group_depends_on_its_ids_alone(seed):
    rng = np.random.default_rng(seed)
    vectors, groups = made(300, seed)
    ids = [f"document {k}" for k in range(len(groups))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sessions, "SAMPLE", 20)
        first = sampled_ids(posed(vectors, groups, ids=ids), ids)
        order = rng.permutation(len(groups))
        shuffled = posed(vectors[order], groups[order], threads=2, ids=[ids[k] for k in order])
        assert sampled_ids(shuffled, [ids[k] for k in order]) == first
        kept = np.flatnonzero(groups == 0)
        with pytest.warns(UserWarning, match="only one group"):
            alone = posed(vectors[kept], groups[kept], ids=[ids[k] for k in kept])
        assert sampled_ids(alone, [ids[k] for k in kept]) == {one for one in first if groups[int(one.split()[1])] == 0}
    assert len(first) == 40


def test_without_ids_samples_are_drawn_by_what_vectors_hold():
    vectors, _ = made(50)
    order = np.random.default_rng(0).permutation(50)
    keys = hash_rows(vectors)
    assert len(set(keys.tolist())) == 50
    assert np.array_equal(hash_rows(vectors[order]), keys[order])
    single = vectors.astype(np.float32)
    assert np.array_equal(hash_rows(single), hash_rows(single.astype(np.float64)))
    assert hash_rows(np.array([[0.0]])) == hash_rows(np.array([[-0.0]]))


@pytest.mark.parametrize("method", METHODS)
def test_a_sample_of_everything_is_exact(method):
    vectors, groups = made(120)
    exact, sampled = (select(posed(vectors, groups, how), Request(method=method)) for how in ("yes", "no"))
    assert sampled.sequence == exact.sequence
    assert sampled.values == pytest.approx(exact.values, rel=1e-6)
    assert sampled.gap is None


def test_sums_over_a_sample_of_everything_are_the_sums():
    vectors, groups = made(200, n_groups=3)
    folds = np.arange(200) % 3
    for more in ({}, {"cells": folds, "gamma": [0.1, 0.2]}):
        exact, sampled = (posed(vectors, groups, how, **more) for how in ("yes", "no"))
        part = None if not more else (0, 2)
        mine, theirs = (one.problem(part=part).similarity_sums() for one in (sampled, exact))
        assert mine == pytest.approx(theirs, rel=1e-5)


@pytest.mark.usefixtures("few")
def test_weights_of_a_sample_add_up_to_those_of_each_group():
    vectors, groups = made(300, n_groups=3)
    points = Points.of(vectors, np.random.default_rng(1).uniform(0.5, 3, 300))
    problem = pose(points, check_groups(groups, 300), exact="no").problem()
    drawn = problem.sample
    own = problem.owners(drawn.rows.tolist())
    assert np.bincount(own, drawn.weights) == pytest.approx(problem.totals())
    assert np.bincount(own).tolist() == [40, 40, 40]


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("method", METHODS)
def test_every_method_works_on_samples_with_any_number_of_threads(method):
    vectors, groups = made(300)
    one, two = (select(posed(vectors, groups, threads=threads), Request(method=method, size=3)) for threads in (1, 3))
    assert one.sequence == two.sequence
    assert len(set(one.sequence)) == 6
    assert one.gap.n_sampled == 80
    assert one.gap.n_documents == 300
    assert one.gap.most >= 0


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("method", ["mmd-diff-greedy", "softmin-exchange"])
def test_the_estimated_gap_covers_the_real_one_in_most_problems(method):
    covered, shares = [], []
    for seed in range(25 if method == "mmd-diff-greedy" else 12):
        vectors, groups = made(300, seed)
        exact, sampled = (select(posed(vectors, groups, how), Request(method=method)) for how in ("yes", "no"))
        missing = exact.trace[-1].sum() - sampled.trace[-1].sum()
        covered.append(missing <= sampled.gap.most)
        shares.append(sampled.gap.share)
    assert np.mean(covered) >= 0.85
    assert np.median(shares) < {"mmd-diff-greedy": 0.6, "softmin-exchange": 1.0}[method]  # and says something


def test_auto_looks_at_all_pairs_up_to_the_reach_of_the_engine():
    vectors, groups = made(100)
    grouped = check_groups(groups, 100)
    for reach, sampled in ((100**2 * 6, False), (100**2 * 6 - 1, True)):
        session = pose(Points.of(vectors), grouped, exact="auto", engine=LocalEngine(reach=reach))
        assert (session.keys is not None) == sampled
    similar, narrow = Points.of(vectors @ vectors.T), LocalEngine(reach=1)
    given = pose(similar, grouped, kernel="precomputed", exact="auto", engine=narrow)
    assert given.keys is None


@pytest.mark.usefixtures("few")
def test_pins_stay_and_bans_hold_on_samples():
    vectors, groups = made(300)
    session = posed(vectors, groups)
    request = Request(method="softmin-exchange", pins=(7,), allowed=~np.isin(np.arange(300), (11, 12)))
    picked = select(session, request).rows.tolist()
    assert 7 in picked
    assert not {11, 12} & set(picked)


@pytest.mark.parametrize("method", ["mmd-diff-greedy", "softmin-exchange"])
def test_a_search_stays_within_what_is_said_to_be_needed(method, monkeypatch):
    monkeypatch.setattr(sessions, "SAMPLE", 500)
    vectors, groups = made(12_000, d=20)
    vectors = vectors.astype(np.float32)
    compute = Compute(memory_mb=16)
    tracemalloc.start()
    try:
        session = pose(Points.of(vectors), check_groups(groups, 12_000), exact="no", compute=compute)
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        select(session, Request(method=method, size=4)).gap  # noqa: B018 (which looks at all documents once more)
        peak = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert peak <= needed(12_000, 20, 2, 8) + compute.memory_mb * 2**20


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("kernel", ["rbf", "cosine"])
def test_sums_over_a_sample_are_those_of_its_columns(kernel):
    vectors, groups = made(200, n_groups=3)
    problem = posed(vectors, groups, kernel=kernel).problem()
    own = problem.owners(problem.sample.rows.tolist())
    similar = problem.pairs.block(slice(0, 200), problem.sample.rows, exact=True)
    wanted = [similar[:, own == group] @ problem.sample.weights[own == group] for group in range(3)]
    assert problem.similarity_sums() == pytest.approx(np.stack(wanted, axis=1), rel=1e-5, abs=1e-5)


def test_the_pairs_of_some_documents_are_those_among_all():
    vectors, groups = made(80)
    pairs = posed(vectors, groups, "yes").problem().pairs
    rows = np.arange(1, 80, 3)
    part, weights = PartPairs(pairs, rows), np.random.default_rng(0).uniform(size=(len(rows), 2))
    whole = pairs.block(rows, rows, exact=True)
    few_rows, everyone = np.array([4, 2]), slice(0, len(rows))
    assert part.gram(np.arange(len(rows)), exact=True) == pytest.approx(whole)
    assert part.block(few_rows, everyone, exact=True) == pytest.approx(whole[few_rows])
    assert part.columns(few_rows, exact=True) == pytest.approx(whole[:, few_rows])
    near = pairs.proximity(rows[few_rows], rows, exact=True)
    assert part.proximity(few_rows, everyone, exact=True) == pytest.approx(near)
    assert part.sums(weights) == pytest.approx(whole @ weights, rel=1e-5)
    (sums,) = part.reduce(GroupSums(weights), few_rows, everyone)
    assert sums == pytest.approx(whole[few_rows] @ weights, rel=1e-5)
    assert part.best(np.arange(len(rows), dtype=float), np.ones(len(rows), bool)).tolist() == [len(rows) - 1]


def test_walks_among_the_leading_are_those_among_all_where_all_lead():
    vectors, groups = made(90)
    problem = posed(vectors, groups).problem(allowed=np.arange(90) % 4 > 0)
    mine, theirs = (find(problem, [0, 1], (0.2, 0.7), 5, 9) for find in (walks_of_leading, walks))
    for group in (0, 1):
        for one, other in zip(mine[group], theirs[group], strict=True):
            assert [step.pick for step in one] == [step.pick for step in other]
            assert all(np.array_equal(a.leading, b.leading) for a, b in zip(one, other, strict=True))


@pytest.mark.usefixtures("few")
def test_the_leading_are_candidates_and_hold_the_sample():
    vectors, groups = made(400)
    problem = posed(vectors, groups).problem(allowed=np.arange(400) % 2 > 0, pinned=(3,))
    fewer = on_leading(problem, Quota(sizes=(4, 4)))
    assert not np.any(fewer.allowed & ~problem.allowed)
    assert fewer.allowed[problem.sample.rows].sum() == problem.allowed[problem.sample.rows].sum()
    assert all(fewer.allowed[pin] for pins in fewer.pinned for pin in pins)
