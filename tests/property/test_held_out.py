"""Whatever the documents, their blocks and copies: nothing lies on both sides of a split, and intervals are sound."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from visavis.explain import holdout
from visavis.explain.holdout import FOLDS, Bonds, folds, holdout_rows
from visavis.explain.interval import accuracy_interval
from visavis.explain.parting import part_blocks

SEEDS = st.integers(0, 10_000)


def drawn(seed, *, pure):
    """Documents in two to four groups, in blocks that lie in one group each (pure) or anywhere, with some copies."""
    rng = np.random.default_rng(seed)
    n, n_groups, n_blocks = int(rng.integers(12, 80)), int(rng.integers(2, 5)), int(rng.integers(6, 30))
    blocks = rng.choice(n_blocks, n, p=rng.dirichlet(np.full(n_blocks, 0.7)))
    codes = (blocks if pure else rng.integers(0, 99, n)) % n_groups
    families = np.arange(n)
    for later in rng.choice(n, n // 6, replace=False):
        families[later] = families[int(rng.integers(0, later + 1))]
    return codes, Bonds(blocks, families), rng


def parted(codes, bonds, seed, n_folds=FOLDS):
    rows, _ = holdout_rows(codes, bonds, np.random.default_rng(seed))
    return rows, folds(rows, codes, np.random.default_rng(seed), n_folds, bonds)


@given(SEEDS, st.booleans(), st.sampled_from([2, 3]))
def test_no_block_and_no_copy_lies_on_both_sides_and_all_groups_do(seed, pure, n_folds):
    codes, bonds, _ = drawn(seed, pure=pure)
    rows, parts = parted(codes, bonds, seed, n_folds)
    assert len(parts) in (0, 2, n_folds)
    for train, test in parts:
        assert not set(bonds.blocks[train]) & set(bonds.blocks[test])
        assert not set(bonds.families[train]) & set(bonds.families[test])
        assert set(codes[train]) == set(codes[test]) == set(codes)
    if parts:
        assert sorted(np.concatenate([test for _, test in parts])) == rows.tolist()


@given(SEEDS)
def test_copies_are_held_out_together_where_documents_are_on_their_own(seed):
    codes, bonds, rng = drawn(seed, pure=False)
    bonds = Bonds(rng.permutation(len(codes)), bonds.families)
    rows, parts = parted(codes, bonds, seed)
    for train, test in parts:
        assert len(train) + len(test) == len(rows)  # nothing is left out to keep copies apart
        assert not set(bonds.families[train]) & set(bonds.families[test])


@given(SEEDS)
def test_groups_with_enough_blocks_of_their_own_can_always_be_parted(seed):
    codes, bonds, _ = drawn(seed, pure=True)
    bonds = Bonds(bonds.blocks, np.arange(len(codes)))
    _, parts = parted(codes, bonds, seed)
    fewest = min(len(set(bonds.blocks[codes == code])) for code in range(codes.max() + 1))
    if codes.max() > 0 and np.unique(bonds.blocks).size < len(codes):
        assert len(parts) == (min(fewest, FOLDS) if fewest >= 2 else 0)


@given(SEEDS, st.integers(3, 5), st.sampled_from([2, 3]))
def test_documents_on_their_own_are_parted_as_scikit_learn_parts_them(seed, each, n_folds):
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.repeat(np.arange(3), [each, 2 * each, 17]))
    bonds = Bonds(rng.permutation(len(codes)) + 5, np.arange(len(codes)))
    _, parts = parted(codes, bonds, seed, n_folds)
    drawn_seed = int(np.random.default_rng(seed).integers(2**31 - 1))
    expected = StratifiedKFold(n_folds, shuffle=True, random_state=drawn_seed).split(codes, codes)
    for (train, test), (plain_train, plain_test) in zip(parts, expected, strict=True):
        assert train.tolist() == plain_train.tolist()
        assert test.tolist() == plain_test.tolist()


def unevenness(numbers, codes):
    shares = np.array([np.bincount(codes[numbers == fold], minlength=codes.max() + 1) for fold in range(3)])
    return float(np.std(shares / shares.sum(axis=0), axis=0).mean())


def by_scikit_learn(blocks, codes, seed):
    numbers = np.empty(len(codes), int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        split = StratifiedGroupKFold(3, shuffle=True, random_state=seed).split(codes, codes, blocks)
        for fold, (_, test) in enumerate(split):
            numbers[test] = fold
    return numbers


def lacks_a_group(numbers, codes):
    return any(set(codes[numbers == fold]) != set(codes) for fold in range(3))


def test_few_big_blocks_are_parted_as_evenly_as_by_scikit_learn_but_no_fold_lacks_a_group():
    ours, theirs, lacking = [], [], 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        n_blocks, n_groups = int(rng.integers(4, 10)), int(rng.integers(2, 5))
        blocks = rng.choice(n_blocks, 80, p=rng.dirichlet(np.full(n_blocks, 0.8)))
        codes = np.where(rng.random(80) < 0.5, blocks % n_groups, rng.integers(0, n_groups, 80))
        if min(len(set(blocks[codes == code])) for code in range(n_groups)) < 3:
            continue
        numbers, plain = part_blocks(blocks, codes, 3, rng), by_scikit_learn(blocks, codes, seed)
        assert not lacks_a_group(numbers, codes)
        lacking += lacks_a_group(plain, codes)
        ours.append(unevenness(numbers, codes))
        theirs.append(unevenness(plain, codes))
    assert np.mean(ours) <= 1.05 * np.mean(theirs)
    assert lacking > 0


def test_blocks_that_cannot_be_parted_are_not():
    blocks, codes = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 2, 0, 1, 1, 2])  # each two groups share one
    assert part_blocks(blocks, codes, 2, np.random.default_rng(0)) is None


def test_a_sample_keeps_several_blocks_of_every_group(monkeypatch):
    monkeypatch.setattr(holdout, "ALL_UP_TO", 500)
    monkeypatch.setattr(holdout, "SAMPLE", 100)
    codes = np.repeat([0, 1], [600, 40])
    blocks = np.concatenate([np.arange(600) % 20, [20, 21, *[22] * 38]])
    for seed in range(20):
        rows, parts = parted(codes, Bonds(blocks, np.arange(640)), seed)
        assert len(rows) < 110
        assert len(parts) == 3


# --- intervals --------------------------------------------------------------------------------------------------------
def answered(seed, *, pure=True):
    codes, bonds, rng = drawn(seed, pure=pure)
    bonds = Bonds(bonds.blocks, np.arange(len(codes)))
    _, parts = parted(codes, bonds, seed)
    right = rng.random(len(codes)) < rng.random()
    numbers = np.zeros(len(codes), int)
    for number, (_, test) in enumerate(parts):
        numbers[test] = number
    return right, codes, numbers, bonds.blocks, parts


@given(SEEDS, st.booleans())
def test_an_interval_lies_within_0_and_1_and_holds_the_accuracy(seed, pure):
    right, codes, numbers, blocks, parts = answered(seed, pure=pure)
    if not parts:
        return
    told = np.where(right, codes, (codes + 1) % (codes.max() + 1))
    accuracy = np.mean([balanced_accuracy_score(codes[test], told[test]) for _, test in parts])
    low, high = accuracy_interval(right, codes, numbers, blocks)
    assert 0 <= low <= accuracy + 1e-9
    assert accuracy - 1e-9 <= high <= 1
    assert high - low > 0.01


@given(SEEDS)
def test_names_and_order_of_documents_blocks_and_groups_change_no_interval(seed):
    right, codes, numbers, blocks, parts = answered(seed)
    if not parts:
        return
    order = np.random.default_rng(seed).permutation(len(codes))
    again = accuracy_interval(right[order], 7 - codes[order], 2 - numbers[order], 99 - blocks[order])
    assert again == pytest.approx(accuracy_interval(right, codes, numbers, blocks), abs=1e-9)


def test_independent_documents_have_the_textbook_interval():
    rng = np.random.default_rng(0)
    codes, numbers = np.repeat([0, 1], 300), np.tile(np.arange(3), 200)
    right = rng.random(600) < 0.7
    low, high = accuracy_interval(right, codes, numbers, np.arange(600))
    spread = np.sqrt(sum(right[codes == g].var() / 300 for g in (0, 1)) / 4)
    assert (high - low) / 2 == pytest.approx(1.96 * spread * np.sqrt(3 / 2), rel=0.03)


def test_an_interval_is_wider_where_blocks_answer_alike():
    rng = np.random.default_rng(0)
    blocks = np.repeat(np.arange(24), 10)
    codes, numbers = blocks % 2, (blocks // 2) % 3
    right = (rng.random(24) < 0.6)[blocks]
    low, high = accuracy_interval(right, codes, numbers, blocks)
    alone_low, alone_high = accuracy_interval(right, codes, numbers, np.arange(240))
    assert high - low > 2.5 * (alone_high - alone_low)


@pytest.mark.parametrize("each", [1, 10])
def test_few_blocks_make_an_interval_wider_than_their_number_alone_would(each, monkeypatch):
    blocks = np.repeat(np.arange(24), each)
    codes, numbers = blocks % 2, (blocks // 2) % 3
    right = (np.random.default_rng(0).random(24) < 0.6)[blocks]
    low, high = accuracy_interval(right, codes, numbers, blocks)
    monkeypatch.setattr("visavis.explain.interval.SCARCE", 0.0)
    narrow_low, narrow_high = accuracy_interval(right, codes, numbers, blocks)
    assert (high - low) / (narrow_high - narrow_low) == pytest.approx(np.sqrt((3 / 2 + 3 / 12) / (3 / 2)))


def test_one_large_block_or_one_small_group_counts_as_few_blocks(monkeypatch):
    def ratio(sizes, codes):
        blocks = np.repeat(np.arange(len(sizes)), sizes)
        right = np.random.default_rng(0).random(len(blocks)) < 0.6
        numbers = np.arange(len(blocks)) % 3
        widths = []
        for scarce in (3.0, 0.0):
            monkeypatch.setattr("visavis.explain.interval.SCARCE", scarce)
            low, high = accuracy_interval(right, np.repeat(codes, sizes), numbers, blocks, np.ones(len(blocks)))
            widths.append(high - low)
        return (widths[0] / widths[1]) ** 2

    lopsided = (40**2 + 20 * 2**2) / 80**2  # Σ s² of a group with one block of 40 documents and twenty of 2
    assert ratio([40, *[2] * 20] * 2, np.repeat([0, 1], 21)) == pytest.approx(1 + 2 * lopsided)
    assert ratio([4] * 24, np.repeat([0, 1], [20, 4])) == pytest.approx(1 + 2 * (1 / 20 + 1 / 4) / 2)


def test_no_interval_is_certain_even_where_everything_was_told_rightly():
    codes, numbers = np.repeat([0, 1], 15), np.tile(np.arange(3), 10)
    low, high = accuracy_interval(np.ones(30, bool), codes, numbers, np.arange(30))
    assert high == 1.0
    assert 0.75 < low < 0.95
