from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from visavis.engines.local import LocalEngine
from visavis.explain import difference
from visavis.explain.blocks import divide
from visavis.explain.dealing import Dealt
from visavis.explain.difference import difference_tests
from visavis.inputs import Grouped
from visavis.records import Compute, Points
from visavis.select import pose

NAMES = ("a", "b", "c", "d")


def session_of(points, codes, threads=1, **told):
    grouped = Grouped(np.array(NAMES[: codes.max() + 1], dtype=object), codes)
    return pose(Points.of(points), grouped, compute=Compute("float64", threads), **told)


def run_tests(session, seed=0, **told):
    keys = [f"document {n}" for n in range(len(session.order))]
    names, rng = NAMES[: session.n_groups], np.random.default_rng(seed)
    found = difference_tests(session.problem(), session.engine, names, keys, rng, **told)
    return found.tests, found.sampled


def shifted(n_groups, each, shift, seed=1):
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(n_groups), each)
    return rng.normal(size=(len(codes), 3)) + shift * codes[:, None], codes


def test_p_values_of_groups_that_do_not_differ_are_near_uniform():
    found = []
    for seed in range(60):
        rng = np.random.default_rng([7, seed])
        codes = np.repeat([0, 1, 2], (10, 14, 12))
        tests, _ = run_tests(session_of(rng.normal(size=(36, 2)), codes), seed)
        found.append([test.p_value for test in tests])
    every = np.array(found)
    assert every.shape == (60, 4)
    for column in every.T:
        assert np.abs(np.sort(column) - (np.arange(60) + 0.5) / 60).max() < 0.21  # Kolmogorov–Smirnov at 1 %
        assert np.mean(column <= 0.1) < 0.25


def test_p_values_of_groups_that_differ_are_as_small_as_they_can_be():
    tests, sampled = run_tests(session_of(*shifted(3, 15, 3.0)))
    assert not sampled
    assert tests[0].p_value == 1 / 1000
    assert max(test.adjusted for test in tests) <= 0.05


def test_one_group_that_differs_in_a_few_documents_is_found():
    rng = np.random.default_rng(0)
    points, codes = rng.normal(size=(200, 5)), np.repeat([0, 1], 100)
    points[:14] = 2.5 + 0.05 * rng.normal(size=(14, 5))  # a story of its own, beside what both have
    assert run_tests(session_of(points, codes))[0][0].p_value < 0.01


def test_the_tests_are_all_at_once_each_against_the_rest_and_pairs_on_request():
    session = session_of(*shifted(4, 6, 0.0))
    assert [test.groups for test in run_tests(session)[0]] == [NAMES, *((name,) for name in NAMES)]
    with_pairs = [test.groups for test in run_tests(session, pairs=True)[0]]
    assert with_pairs == [NAMES, *((name,) for name in NAMES), *combinations(NAMES, 2)]


def test_two_groups_need_one_test_and_one_group_none():
    assert [test.groups for test in run_tests(session_of(*shifted(2, 6, 0.0)), pairs=True)[0]] == [("a", "b")]
    with pytest.warns(UserWarning, match="only one group"):
        alone = session_of(*shifted(1, 6, 0.0))
    assert run_tests(alone) == ((), False)


def test_mmd2_is_that_of_the_kernel():
    points, codes = shifted(3, 8, 0.7)
    gram = np.exp(-0.2 * cdist(points, points, "sqeuclidean"))
    tests, _ = run_tests(session_of(points, codes, gamma=0.2), pairs=True)
    members = [codes == g for g in range(3)]

    def mmd2(inside, outside):
        return (
            gram[np.ix_(inside, inside)].mean()
            + gram[np.ix_(outside, outside)].mean()
            - 2 * gram[np.ix_(inside, outside)].mean()
        )

    rest = [mmd2(inside, ~inside) for inside in members]
    between = [mmd2(members[i], members[j]) for i, j in combinations(range(3), 2)]
    assert [test.mmd2 for test in tests] == pytest.approx([np.mean(rest), *rest, *between], rel=1e-9)


def test_p_values_count_permutations():
    tests, _ = run_tests(session_of(*shifted(4, 5, 0.0)), pairs=True)
    for test in tests:
        assert test.permutations == 999
        reached = test.p_value * (1 + test.permutations) - 1
        assert reached == pytest.approx(round(reached), abs=1e-6)
        assert 0 <= round(reached) <= test.permutations


def test_pairs_of_many_groups_can_be_found_different(monkeypatch):
    """Of 34 groups there are 561 pairs: no p-value of 199 permutations would survive a correction for so many."""
    monkeypatch.setattr("test_difference.NAMES", tuple(f"g{n}" for n in range(34)))
    monkeypatch.setattr(difference, "PERMUTATIONS", 199)
    codes = np.repeat(np.arange(34), 8)
    points = np.random.default_rng(0).normal(size=(len(codes), 3))
    points[codes == 7] += 4.0
    pairs = [test for test in run_tests(session_of(points, codes), pairs=True)[0] if len(test.groups) == 2]
    differ = {test.groups for test in pairs if test.adjusted < 0.05}
    assert len(pairs) == 561
    assert len(differ) > 25
    assert all("g7" in pair for pair in differ)
    assert all(test.adjusted >= test.p_value for test in pairs)


def test_the_odd_group_stands_out_and_the_others_are_not_blamed():
    found, blamed = 0, 0
    for seed in range(40):
        points, codes = shifted(3, 30, 0.0, seed)
        points[codes == 1] += 1.0
        tests = run_tests(session_of(points, codes), seed)[0]
        assert tests[0].adjusted == tests[0].p_value
        found += tests[2].adjusted < 0.05
        blamed += min(tests[1].adjusted, tests[3].adjusted) < 0.05
    assert found == 40
    assert blamed <= 6  # 2 are to be expected


def test_groups_that_all_differ_all_stand_out():
    tests = run_tests(session_of(*shifted(4, 20, 2.0)))[0]
    assert all(test.adjusted < 0.05 for test in tests)


def test_where_nothing_differs_no_group_stands_out():
    for seed in range(10):
        tests = run_tests(session_of(*shifted(4, 12, 0.0, seed)), seed)[0]
        if tests[0].p_value >= 0.05:
            assert all(test.adjusted == tests[0].p_value for test in tests)


def blocks_of(codes, groups, session):
    return divide("stories", codes, groups, [codes]).take(session.order)


def test_stories_dealt_whole_are_not_taken_for_a_difference():
    alone, together = 0, 0
    for seed in range(60):
        rng = np.random.default_rng([3, seed])
        story = np.repeat(np.arange(40), rng.integers(1, 4, 40))
        points = rng.normal(size=(40, 4))[story] + 0.3 * rng.normal(size=(len(story), 4))
        groups = rng.permutation(np.repeat([0, 1], 20))[story]
        session = session_of(points, groups)
        alone += run_tests(session, seed)[0][0].p_value <= 0.05
        test = run_tests(session, seed, blocks=blocks_of(story, groups, session))[0][0]
        assert (test.blocks_by, test.n_blocks) == ("stories", 40)
        together += test.p_value <= 0.05
    assert alone > 20
    assert together <= 8  # 3 are to be expected


def test_too_few_blocks_decide_nothing_and_say_why():
    points, codes = shifted(3, 6, 3.0)
    session = session_of(points, codes)
    tests = run_tests(session, blocks=blocks_of(np.arange(18) // 3, codes, session), pairs=True)[0]
    assert [len(test.groups) for test in tests] == [3, 1, 1, 1, 2, 2, 2]
    for test in tests:
        assert test.p_value is test.adjusted is None
        assert test.why == "at least 3 in each group are needed"
        assert test.mmd2 > 0


def test_the_same_seed_gives_the_same_tests_whatever_the_threads():
    points, codes = shifted(3, 30, 0.3)
    one, four = (run_tests(session_of(points, codes, threads), pairs=True) for threads in (1, 4))
    assert one == four
    assert one == run_tests(session_of(points, codes), pairs=True)
    assert one != run_tests(session_of(points, codes), seed=9, pairs=True)


def test_copies_do_not_enter():
    points, codes = shifted(2, 12, 0.2)
    doubled, twice = np.vstack([points, points[:6], points[:6]]), np.concatenate([codes, codes[:6], codes[:6]])
    allowed = np.arange(len(twice)) < len(codes)
    session = session_of(doubled, twice, gamma=0.5)
    folded = run_tests(session, counted=allowed[session.order])[0][0]
    alone = run_tests(session_of(points, codes, gamma=0.5))[0][0]
    assert (folded.mmd2, folded.p_value) == pytest.approx((alone.mmd2, alone.p_value))


def test_above_the_limits_a_sample_chosen_by_id_is_tested(monkeypatch):
    points, codes = shifted(2, 30, 2.0)
    session = session_of(points, codes)
    whole, sampled = run_tests(session)
    assert not sampled
    for limit in ({"PER_GROUP": 10}, {"IN_ALL": 20}):
        with monkeypatch.context() as patch:
            for name, value in limit.items():
                patch.setattr(difference, name, value)
            tests, sampled = run_tests(session)
            again, _ = run_tests(session)
        assert sampled
        assert tests == again
        assert tests[0].mmd2 != whole[0].mmd2
        assert tests[0].p_value <= 0.01


def test_a_kernel_without_width_is_tested_at_its_own():
    points, codes = shifted(2, 15, 3.0)
    tests, _ = run_tests(session_of(points, codes, kernel="cosine"))
    assert tests[0].p_value < 0.05


def test_units_hold_the_sums_of_their_documents():
    rng = np.random.default_rng(3)
    points = rng.normal(size=(30, 2))
    gram, units = np.exp(-(cdist(points, points) ** 2)), rng.integers(0, 12, 30)
    dealt = Dealt.of(gram, units % 3, (units, np.zeros(30, np.intp)), (1,), LocalEngine(Compute()))
    member = (units == np.unique(units)[:, None]).astype(float)
    sums = member @ gram @ member.T
    assert dealt.grams[0] == pytest.approx(sums - np.diag(np.diag(sums)))
    assert dealt.plain == pytest.approx(np.diag(sums))


def test_the_similarities_that_were_given_stay_as_they_are():
    rng = np.random.default_rng(4)
    points = rng.normal(size=(20, 2))
    gram = np.exp(-(cdist(points, points) ** 2))
    for units in (np.arange(20), np.arange(20) // 2):
        given = gram.copy()
        dealt = Dealt.of(given, units % 2, (units, np.zeros(20, np.intp)), (1, 4, 16), LocalEngine(Compute()))
        assert np.array_equal(given, gram)
        member = (units == np.unique(units)[:, None]).astype(float)
        for power, found in zip((1, 4, 16), dealt.grams, strict=True):
            sums = member @ gram**power @ member.T
            assert found == pytest.approx(sums - np.diag(np.diag(sums)))
