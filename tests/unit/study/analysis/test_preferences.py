from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm

from visavis.errors import InvalidParameter
from visavis.study.analysis.flags import leave_out
from visavis.study.analysis.output import as_html, as_markdown, as_record
from visavis.study.analysis.preferring.results import FlaggedReaders
from visavis.study.analysis.preferring.run import analyze_preferences
from visavis.study.analysis.preferring.statistics import (
    FEWEST,
    agreement,
    bradley_terry,
    pooled_kappa,
    preference_interval,
    sign_test,
)
from visavis.study.analysis.statistics import fleiss_kappa
from visavis.study.preferences import Preference


def answers(counts, methods=("a", "b"), machine="", start=0, reasons=()):
    """Each (first, second) of counts is a comparison with so many readers for each method."""
    for number, (first, second) in enumerate(counts, start):
        for reader in range(first + second):
            chosen = methods[0] if reader < first else methods[1]
            yield Preference(
                f"c{number}", f"d{number}", ("left", "right"), methods, f"{machine}w{number}.{reader}", chosen, 2,
                tuple(reasons), methods[reader % 2], 10.0, machine,
            )  # fmt: skip


def test_a_preference_all_share_is_found_with_its_test_and_interval() -> None:
    found = analyze_preferences(answers([(3, 0)] * 9 + [(1, 2)]), resamples=200)
    (pair,) = found.readers[0].pairs
    assert (pair.first, pair.comparisons, pair.answers, pair.wins, pair.losses) == ("a", 10, (28, 2), 9, 1)
    assert pair.share == pytest.approx(28 / 30)
    assert pair.p == pytest.approx(binomtest(9, 10).pvalue)
    assert pair.adjusted == pair.p
    assert pair.interval[0] > 0.5


def test_the_order_in_which_methods_are_written_changes_nothing() -> None:
    one = analyze_preferences(answers([(2, 1)] * 4 + [(0, 3)]), resamples=50)
    other = analyze_preferences(answers([(1, 2)] * 4 + [(3, 0)], ("b", "a")), resamples=50)
    assert one.readers[0].pairs[0].share == other.readers[0].pairs[0].share
    assert one.readers[0].pairs[0].wins == other.readers[0].pairs[0].wins == 4


def test_holm_is_over_all_pairs_of_methods() -> None:
    records = [*answers([(3, 0)] * 8), *answers([(2, 1), (1, 2)] * 4, ("a", "c"), start=20)]
    first, second = analyze_preferences(records, resamples=50).readers[0].pairs
    assert first.adjusted == pytest.approx(2 * first.p)
    assert second.adjusted == 1.0


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any), min_size=2, max_size=30))
def test_intervals_lie_in_0_1_around_the_share_and_mirror(counts) -> None:
    shares = [a / (a + b) for a, b in counts]
    n = sum(a + b for a, b in counts)
    low, high = preference_interval(shares, n)
    assert 0 <= low <= np.mean(shares) + 1e-9
    assert np.mean(shares) - 1e-9 <= high <= 1
    mirrored = preference_interval([1 - share for share in shares], n)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


@given(st.integers(0, 60), st.integers(0, 60))
def test_sign_tests_agree_with_scipy(wins, losses) -> None:
    expected = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert sign_test(wins, losses) == pytest.approx(expected)


@pytest.mark.parametrize("comparisons", [6, 12, 24])
def test_intervals_cover_what_they_claim(comparisons) -> None:
    rng = np.random.default_rng(comparisons)
    for preferred in (0.5, 0.65, 0.8):
        lean = norm.cdf(norm.ppf(preferred) * np.sqrt(1 + 1.36**2) + 1.36 * rng.standard_normal((600, comparisons)))
        shares = rng.binomial(3, lean) / 3
        ends = [preference_interval(row, 3 * comparisons) for row in shares]
        assert np.mean([low <= preferred <= high for low, high in ends]) >= 0.93


def test_strengths_agree_with_the_likelihood_s_own_maximum() -> None:
    rng = np.random.default_rng(0)
    wins = rng.integers(0, 5, (FEWEST - 1, 4, 4)).astype(float)
    found = bradley_terry(wins, 10, rng)
    total = wins.sum(axis=0) + 0.25
    np.fill_diagonal(total, 0)
    skill = np.ones(4)
    for _ in range(5000):  # Zermelo's own iteration
        games = total + total.T
        skill = total.sum(axis=1) / (games / (skill[:, None] + skill[None, :])).sum(axis=1)
        skill /= skill.sum()
    ahead = skill[:, None] / (skill[:, None] + skill[None, :])
    assert found.shares == pytest.approx((ahead.sum(axis=1) - 0.5) / 3, abs=1e-6)
    assert found.intervals == (None,) * 4


def test_strengths_of_methods_that_never_met_are_not_told() -> None:
    wins = np.zeros((12, 4, 4))
    wins[:, 0, 1] = wins[:, 2, 3] = 1
    assert bradley_terry(wins, 10, np.random.default_rng(0)) is None


def test_a_method_that_always_wins_has_a_finite_strength_and_a_bootstrap_interval() -> None:
    wins = np.zeros((12, 2, 2))
    wins[:, 0, 1] = 1
    found = bradley_terry(wins, 100, np.random.default_rng(0))
    assert found.shares[0] == pytest.approx(12.25 / 12.5)
    assert found.intervals[0][0] > 0.9


def test_agreement_is_that_of_all_pairs_of_readers() -> None:
    counts = [(3, 0), (2, 1), (0, 2), (1, 0)]
    said = [["a"] * a + ["b"] * b for a, b in counts]
    pairs = [one == other for each in said for one, other in itertools.combinations(each, 2)]
    assert agreement(counts) == pytest.approx(np.mean(pairs))
    assert agreement([(1, 0)]) is None


def test_machines_are_reported_apart_and_beside_people() -> None:
    people = answers([(3, 0)] * 6 + [(0, 3)] * 2)
    machine = answers([(1, 0)] * 5 + [(0, 1)] * 3, machine="m")
    found = analyze_preferences([*people, *machine], resamples=50)
    assert [readers.name for readers in found.readers] == ["people", "m"]
    assert found.readers[0].answers == 24
    (versus,) = found.versus
    assert (versus.comparisons, versus.decided, versus.same) == (8, 8, 7)
    assert versus.difference == pytest.approx(5 / 8 - 6 / 8)
    assert versus.interval[0] < versus.difference < versus.interval[1]
    text = as_markdown(found)
    assert "What the machine m preferred" in text
    assert "preferred the same summary as most people in 7 of 8" in text


def test_machines_alone_are_analyzed_and_said_to_be_no_people() -> None:
    found = analyze_preferences(answers([(1, 0)] * 4, machine="m"), resamples=50)
    assert [readers.name for readers in found.readers] == ["m"]
    assert "no person has answered yet" in as_markdown(found)


def test_gold_and_excluded_answers_are_not_counted_and_a_second_answer_is_none() -> None:
    counted = list(answers([(1, 0)] * 3))
    gold = Preference("gold 1", "gold 1", ("", ""), ("right", "wrong"), "w", "right", gold=True)
    excluded = Preference("c9", "d9", ("l", "r"), ("a", "b"), "w", "b", excluded=True)
    found = analyze_preferences([*counted, counted[0], gold, excluded], resamples=10)
    people = found.readers[0]
    assert (people.answers, people.gold, people.gold_correct, people.excluded) == (3, 1, 1, 1)
    assert "repeat one by the same worker" in found.notes[0]


def test_flags_are_counted_and_can_be_left_out() -> None:
    hasty = [replace(one, flags=("speed",)) for one in answers([(0, 1)] * 4, start=0)]
    gold = Preference("gold 1", "gold 1", ("", ""), ("right", "wrong"), "w0.0", "wrong", gold=True, flags=("speed",))
    records = [*(replace(one, worker=f"calm {one.worker}") for one in answers([(2, 0)] * 4)), *hasty, gold]
    found = analyze_preferences(records, resamples=10)
    assert found.readers[0].flags == (FlaggedReaders("speed", 4, 4, 1, 0, (1.0,)),)
    assert found.readers[0].pairs[0].share == pytest.approx(2 / 3)
    assert "| speed | 4 | 4 | 0 of 1 | 100.0 % |" in as_markdown(found)
    assert as_record(found)["readers"][0]["flags"][0]["shares_without"] == [1.0]
    left = analyze_preferences(leave_out(records, ("speed", "duplicate")), resamples=10).readers[0]
    assert (left.pairs[0].share, left.excluded, left.flags) == (1.0, 4, ())
    with pytest.raises(InvalidParameter, match="no flag 'sped' to leave out: flags are speed, duplicate"):
        leave_out(records, ("sped",))


def test_simulated_readers_are_called_neither_people_nor_a_machine() -> None:
    records = [replace(one, flags=("rehearsal",)) for one in answers([(2, 0)] * 4)]
    text = as_markdown(analyze_preferences(records, resamples=10))
    assert "What simulated workers, who are no people, preferred" in text
    assert "the machine rehearsal" not in text.lower()
    assert "with a flag" not in text


def test_nothing_to_count_and_a_method_that_was_not_shown_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="no preference can be counted"):
        analyze_preferences([])
    with pytest.raises(InvalidParameter, match="'c' is preferred, but the methods are 'a' and 'b'"):
        analyze_preferences([Preference("c", "d", ("l", "r"), ("a", "b"), "w", "c")])


def test_the_page_has_its_tables_figures_and_reasons() -> None:
    records = [*answers([(3, 0)] * 8, reasons=("represents",)), *answers([(2, 1)] * 8, ("a", "c<b>"), start=20)]
    found = analyze_preferences(records, resamples=50, alike=2)
    page = as_html(found)
    assert page.count("<svg") == 2
    assert "c<b>" not in page
    assert "it represents the groups (60.0 %)" in page
    assert "2 comparisons were not asked" in page
    record = as_record(found)
    assert record["task"] == "prefer"
    assert record["readers"][0]["pairs"][0]["reasons"]["represents"] == [24, 0]


def test_pooled_kappa_is_fleiss_for_one_pair_and_gives_no_credit_for_lopsided_pairs() -> None:
    counts = [(3, 0), (2, 1), (0, 3), (1, 2), (3, 0)]
    assert pooled_kappa([counts]) == pytest.approx(fleiss_kappa(counts))
    rng = np.random.default_rng(0)
    alone = [[(int(first), 3 - int(first)) for first in rng.binomial(3, share, 4000)] for share in (0.9, 0.1)]
    assert abs(pooled_kappa(alone)) < 0.03  # readers who do not look at each other's comparisons
    assert pooled_kappa([[(3, 0)] * 5]) is None
