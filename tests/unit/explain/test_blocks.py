from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visavis.explain.blocks import alone, carries_groups, counts_in_groups, divide, is_pure, too_few
from visavis.explain.kinds import Kind, choose_kinds

labels = st.lists(st.tuples(st.integers(0, 2), st.integers(-1, 4), st.integers(0, 3)), min_size=1, max_size=40)


@given(labels)
def test_every_unit_lies_in_one_group_one_block_and_one_stratum(rows):
    groups, blocks, finer = np.array(rows, np.intp).T
    found = divide("source", blocks, groups, [blocks, finer])
    for unit in np.unique(found.units):
        inside = found.units == unit
        assert len(set(groups[inside])) == len(set(blocks[inside])) == len(set(found.strata[inside])) == 1
    assert np.array_equal(found.codes[blocks >= 0], blocks[blocks >= 0])


@given(labels)
def test_a_block_in_one_group_is_a_unit_and_a_divided_one_a_stratum_of_its_own(rows):
    groups, blocks, finer = np.array(rows, np.intp).T
    blocks = np.abs(blocks)
    found = divide("source", blocks, groups, [blocks, finer])
    whole = is_pure(alone(blocks), groups)
    for block in np.unique(found.codes):
        inside = found.codes == block
        if whole[inside][0]:
            assert len(set(found.units[inside])) == 1
        else:
            assert not set(found.strata[inside]) & set(found.strata[~inside])


def test_units_keep_to_what_is_held_constant():
    groups, blocks = np.array([0, 0, 1, 1, 0, 1]), np.array([0, 0, 1, 1, 2, 3])
    found = divide("source", blocks, groups, [blocks], within=np.array([0, 1, 0, 1, 0, 1]))
    assert found.units.tolist() == [0, 3, 1, 4, 2, 5]
    assert found.strata.tolist() == [0, 1, 0, 1, 0, 1]


def test_a_block_in_two_groups_is_divided_by_what_comes_next_and_then_into_documents():
    groups = np.array([0, 0, 1, 1, 0, 1])
    blocks, stories = np.array([0, 0, 0, 0, 1, 2]), np.array([0, 0, 1, 2, 3, 4])
    found = divide("source", blocks, groups, [blocks, stories])
    assert [found.units[0] == found.units[1], len(set(found.units))] == [True, 5]
    assert len(set(found.strata[:4])) == 1
    assert len(set(found.strata[4:])) == 1
    mixed = divide("source", blocks, groups, [blocks, np.array([0, 0, 0, 1, 2, 3])])
    assert len(set(mixed.strata)) == 3
    assert len(set(mixed.units)) == 6


def test_documents_of_unknown_origin_are_dealt_by_what_else_is_known():
    groups, author, story = np.array([0, 0, 1, 1, 0, 1]), np.array([0, 0, 1, 1, -1, -1]), np.array([0, 0, 1, 1, 2, 2])
    found = divide("author", author, groups, [author, story])
    assert found.strata.tolist()[4] == found.strata.tolist()[5] != found.strata[0]
    together = divide("author", author, np.array([0, 0, 1, 1, 1, 1]), [author, story])
    assert together.units[4] == together.units[5]


def test_documents_of_unknown_origin_are_on_their_own():
    assert alone(np.array([3, -1, 3, -1])).tolist() == [3, 4, 3, 5]
    assert counts_in_groups(np.array([3, -1, 3, -1]), np.array([0, 0, 1, 1]), 2).tolist() == [2, 2]


def test_what_was_dealt_whole_is_seen():
    rng = np.random.default_rng(0)
    blocks = np.repeat(np.arange(20), 10)
    assert carries_groups(blocks, rng.permutation(np.repeat([0, 1], 10))[blocks])
    assert not carries_groups(blocks, rng.integers(0, 2, 200))
    assert not carries_groups(np.arange(200), rng.integers(0, 2, 200))


@pytest.mark.parametrize(("counts", "enough"), [((3, 3), False), ((3, 4), True), ((2, 9), False), ((3, 3, 3), True)])
def test_there_must_be_twenty_ways_to_deal(counts, enough):
    groups = np.repeat(np.arange(len(counts)), counts)
    assert (too_few(np.zeros(len(groups), np.intp), groups, len(counts)) == "") == enough
    if len(groups) <= 7:
        ways = {tuple(order) for order in permutations(groups.tolist())}
        mirrored = 2 if counts[0] == counts[1] else 1
        assert (len(ways) / mirrored >= 20) == (enough or min(counts) < 3)


def test_units_that_no_other_group_can_take_do_not_count():
    strata = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    assert too_few(strata, np.repeat([0, 1], 5), 2) == "at least 3 in each group are needed"


def kinds_of(**codes):
    return [Kind(by, np.asarray(values, np.intp)) for by, values in codes.items()]


def test_the_blocks_that_were_dealt_are_taken():
    rng = np.random.default_rng(1)
    n = 240
    source, day, story = rng.integers(0, 12, n), np.arange(n) // 4, np.arange(n) // 2
    vectors = rng.normal(size=(n, 5))
    known = kinds_of(source=source, author=source * 3 + rng.integers(0, 3, n), date=day, stories=story)

    def chosen(groups, kinds=known):
        return [kind.by for kind in choose_kinds(kinds, groups, vectors)]

    assert chosen(rng.permutation(np.repeat([0, 1], 6))[source]) == ["source", "stories"]
    assert chosen((story % 2).astype(np.intp))[0] == "stories"
    assert chosen((day >= 30).astype(np.intp))[0] == "days"
    assert chosen((day // 7 % 2).astype(np.intp))[0] == "stretches of 7 days"
    assert chosen(rng.integers(0, 2, n)) == ["source", "author", "date", "stories"]
    by_source = (source > 5).astype(np.intp)
    assert chosen(by_source, kinds_of(source=by_source, author=known[1].codes, stories=story))[0] == "author"
    assert chosen(by_source, kinds_of(source=by_source, date=day, stories=np.arange(n)))[0] == "date"
