"""Words while blocks are dealt: against every deal there is, and against what must not change them."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from visavis.engines.local import LocalEngine
from visavis.explain import contrasts, difference
from visavis.explain.blocks import divide
from visavis.explain.contrasts import Contrasts, pass_together
from visavis.explain.dealing import deal_units
from visavis.explain.difference import difference_tests
from visavis.inputs import Grouped
from visavis.records import Compute, Points
from visavis.select import pose

ENGINE = LocalEngine(Compute("float64"))


def contrasts_of(held, units, groups, strata):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contrasts, "LEAST_UNITS", 1)
        patch.setattr(contrasts, "UNLIKELY", 1.0)
        return Contrasts.of(sparse.csr_matrix(held), units, groups, strata)


def every_order(groups, strata):
    """All ways to deal units within their strata."""
    places = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
    for ways in product(*(set(permutations(groups[own].tolist())) for own in places)):
        order = np.empty_like(groups)
        for own, way in zip(places, ways, strict=True):
            order[own] = way
        yield order


def tiny(seed, n_units=7):
    rng = np.random.default_rng(seed)
    units = np.sort(np.concatenate([np.arange(n_units), rng.integers(0, n_units, 6)]))
    groups, strata = rng.permutation(np.arange(n_units) % 2 + (np.arange(n_units) > 4)), np.arange(n_units) % 2
    return rng.integers(0, 2, (len(units), 5)), units, groups, strata


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_means_and_variances_are_those_of_all_deals(seed):
    held, units, groups, strata = tiny(seed)
    words = contrasts_of(held, units, groups[units], strata[units])
    counts, sizes = words.holders.toarray(), words.sizes
    orders = list(every_order(words.groups, words.strata))
    shares = counts.sum(axis=0) / sizes.sum()
    for group in range(words.n_groups):
        inside = np.array([counts[order == group].sum(axis=0) for order in orders])
        so_many = np.array([sizes[order == group].sum() for order in orders])
        excess = inside - np.outer(so_many, shares)
        assert words.dealt.expected[group] == pytest.approx(inside.mean(axis=0))
        assert words.dealt.variances[group] == pytest.approx(excess.var(axis=0), abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_strengths_are_those_of_the_definition_and_few_groups_are_added_up_as_many(seed):
    held, units, groups, _ = tiny(seed)
    words = contrasts_of(held, units, groups[units], np.zeros(len(units), np.intp))
    orders = deal_units(words.groups, words.strata, np.random.default_rng(seed), 20)
    dealt, counts, sizes = words.dealt, words.holders.toarray(), words.sizes
    task = contrasts.StrengthsOfDeals(dealt, counts.astype(np.float32), sizes, orders, words.n_groups)
    found = task.strengths(slice(0, 20))
    added = contrasts.StrengthsOfDeals(dealt, words.holders.tocoo(), sizes, orders, words.n_groups)
    assert added.strengths(slice(0, 20)) == pytest.approx(found, abs=1e-4)
    for group, deal, term in zip(*np.nonzero(found > contrasts.STRONG), strict=True):
        chosen, hits = orders[:, deal] == group, counts[:, term].sum()
        e, v = dealt.expected[group, term], dealt.variances[group, term]
        x = counts[chosen, term].sum() - (sizes[chosen].sum() - dealt.sizes[group]) * hits / sizes.sum()
        x = min(x, hits)
        rest = (hits - x) * np.log((hits - x) / (hits - e)) if x < hits else 0.0
        z = np.sqrt(2 * (x * np.log(x / e) + rest) * e * (1 - e / hits) / v)
        assert found[group, deal, term] == pytest.approx(z, rel=1e-3)


def corpus(seed, n=120, n_groups=3, n_terms=40, planted=0.0, each=1):
    """Stories dealt whole, and words that documents of a story share; the first group may have a word of its own."""
    rng = np.random.default_rng(seed)
    story = np.repeat(np.arange(n // each), each)
    groups = rng.permutation(np.arange(n // each) % n_groups)[story]
    shares = rng.uniform(0.05, 0.4, n_terms)
    held = rng.random((n // each, n_terms))[story] < shares
    held[:, 0] = rng.random(n) < np.where(groups == 0, planted, 0.0)
    points = np.random.default_rng([seed, 1]).normal(size=(n, 4))
    return points, groups, story, sparse.csr_matrix(held.astype(float))


def found_in(points, groups, story, held, seed=0, names=None):
    names = tuple(f"g{group}" for group in range(groups.max() + 1)) if names is None else names
    grouped = Grouped(np.array(names, dtype=object), groups)
    session = pose(Points.of(points), grouped, compute=Compute("float64", 1))
    order = session.order
    blocks = divide("stories", story, groups, [story]).take(order)
    keys, rng = [str(row) for row in order], np.random.default_rng(seed)
    return difference_tests(session.problem(), ENGINE, names, keys, rng, blocks=blocks, held=held[order])


@pytest.mark.parametrize("seed", range(6))
def test_a_word_tells_only_groups_that_stand_out_and_none_where_nothing_is_shown(seed):
    for planted in (0.0, 0.15, 0.4):
        found = found_in(*corpus(seed, planted=planted))
        stand_out = np.array([test.adjusted < 0.05 for test in found.tests[1:]])
        assert found.telling.shape == (3, 40)
        assert not found.telling[~stand_out].any()
        if found.tests[0].p_value >= 0.05:
            assert not found.telling.any()


def test_a_planted_word_is_found_and_blames_no_other_group():
    found = [found_in(*corpus(seed, planted=0.4), seed=seed) for seed in range(20)]
    assert all(difference.telling[0, 0] > 0 and difference.tests[1].adjusted < 0.05 for difference in found)
    blamed = [min(test.adjusted for test in difference.tests[2:]) < 0.05 for difference in found]
    assert sum(blamed) <= 4  # 1 is to be expected
    assert sum((difference.telling[1:] > 0).any() for difference in found) <= 4


def test_stories_dealt_whole_seldom_show_a_difference_or_a_word():
    differ, with_word, singly = 0, 0, 0
    for seed in range(40):
        points, groups, story, held = corpus(seed, n=160, n_groups=2, each=4)
        found = found_in(points, groups, story, held, seed)
        differ += found.tests[0].p_value < 0.05
        with_word += (found.telling > 0).any()
        singly += (found_in(points, groups, np.arange(len(story)), held, seed).telling > 0).any()
    assert differ <= 6  # 2 are to be expected
    assert with_word <= differ
    assert singly > 20, "documents dealt one by one would show words"


@pytest.mark.parametrize("planted", [0.0, 0.4])
def test_names_and_order_of_groups_and_documents_change_nothing(planted):
    """Up to what is drawn: p-values by as much as 999 deals differ."""
    points, groups, story, held = corpus(3, planted=planted)
    plain = found_in(points, groups, story, held)
    turned = (groups + 1) % 3
    renamed = found_in(points, turned, story, held, names=("z", "a", "k"))
    order = np.random.default_rng(5).permutation(len(groups))
    mixed = found_in(points[order], groups[order], story[order], held[order])
    for other, rows in ((renamed, [1, 2, 0]), (mixed, [0, 1, 2])):
        assert other.tests[0].p_value == pytest.approx(plain.tests[0].p_value, abs=0.06)
        strong = plain.telling > 4
        assert other.telling[rows][strong] == pytest.approx(plain.telling[strong], rel=1e-4)
        for place, row in enumerate(rows):
            assert (other.tests[1 + row].adjusted < 0.05) == (plain.tests[1 + place].adjusted < 0.05)


def test_the_test_of_words_alone_is_that_of_all_deals(monkeypatch):
    """With a kernel that sees nothing, p is how often dealing documents makes as large a strength."""
    monkeypatch.setattr(difference, "PERMUTATIONS", 4_999)
    monkeypatch.setattr(contrasts, "UNLIKELY", 1.0)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        groups = np.repeat([0, 1], 5)
        held = sparse.csr_matrix((rng.random((10, 4)) < 0.5).astype(float))
        found = found_in(np.zeros((10, 2)), groups, np.arange(10), held)
        words = Contrasts.of(held, np.arange(10), groups, np.zeros(10, np.intp))
        orders = np.array(list(every_order(words.groups, words.strata))).T
        orders = np.column_stack([words.groups, orders])
        largest = words.deal(orders, ENGINE).largest.max(axis=0)
        largest = np.maximum(largest, largest.mean())  # below, the kernel that sees nothing is the larger
        expected = np.mean(largest[1:] >= largest[0] - 1e-4)
        assert found.tests[0].p_value == pytest.approx(expected, abs=0.03)


def test_terms_that_could_decide_nothing_are_left_out_wherever_they_are():
    held = np.zeros((40, 5))
    held[:2, 0], held[::8, 1], held[:20, 2], held[:, 3] = 1, 1, 1, 1
    for groups in (np.repeat([0, 1], 20), np.tile([0, 1], 20)):
        words = Contrasts.of(sparse.csr_matrix(held), np.arange(40), groups, np.zeros(40, np.intp))
        assert words.terms.tolist() == [2, 3], "two of five, of which one is everywhere: its strength is 0"
        assert words.deal(words.groups[:, None].repeat(2, axis=1), ENGINE).observed[:, 1].tolist() == [0.0, 0.0]


def test_how_many_pass_together_is_counted_over_the_deals_of_these_groups_alone():
    observed = np.array([[5.0, 3.0, 2.5], [5.0, 5.0, 5.0]])
    counts = np.zeros((2, contrasts.N_BINS), np.intp)
    counts[0, 5] = 10  # 10 strengths of 2.25 in 100 deals: 0.1 are to be expected
    counts[1, :] = 1_000
    strengths = contrasts.Strengths(np.zeros((2, 101)), counts, observed)
    assert pass_together(strengths, np.array([True, False])).tolist() == [[True, True, True], [False] * 3]
    counts[0, 5] = 16  # 0.16 of three are more than 5 %: only what is above them passes
    assert pass_together(strengths, np.array([True, False])).tolist() == [[True, True, True], [False] * 3]
    counts[0, 15] = 16  # strengths of 2.75
    assert pass_together(strengths, np.array([True, False])).tolist() == [[True, True, False], [False] * 3]
    assert not pass_together(strengths, np.array([False, True])).any()
