from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.inter_rater import fleiss_kappa as reference_kappa
from statsmodels.stats.multitest import multipletests

from visavis.errors import InvalidParameter
from visavis.study.analysis import Options, analyze, judgements_of
from visavis.study.analysis.output import as_markdown
from visavis.study.analysis.statistics import fleiss_kappa, sign_test
from visavis.study.records import Goal, Judgement, Material, ShownPicks

FEW = Options(resamples=50)


def judged(question: str, method: str, worker: str, right: bool = True, **more: object) -> Judgement:
    base = Judgement(question, method, ("a", "b"), worker, "a" if right else "b", "a", 10.0, questionnaire="1")
    return replace(base, **more)  # type: ignore[arg-type]


def cell(question: str, method: str, right: int, of: int = 3, **more: object) -> list[Judgement]:
    return [judged(question, method, str(place), place < right, **more) for place in range(of)]


@given(
    st.integers(2, 5).flatmap(
        lambda raters: st.lists(st.integers(0, raters), min_size=2, max_size=30).map(lambda rows: (raters, rows))
    )
)
def test_kappa_agrees_with_statsmodels(drawn: tuple[int, list[int]]) -> None:
    raters, rows = drawn
    counts = [(right, raters - right) for right in rows]
    found = fleiss_kappa(counts)
    if found is None:
        assert len({sum(column) for column in zip(*counts, strict=True)} - {0}) == 1
    else:
        assert found == pytest.approx(reference_kappa(np.array(counts)), abs=1e-12)


def test_kappa_of_three_categories_agrees_with_statsmodels() -> None:
    counts = [(4, 0, 0), (2, 1, 1), (0, 3, 1), (1, 1, 2), (0, 0, 4)]
    assert fleiss_kappa(counts) == pytest.approx(reference_kappa(np.array(counts)), abs=1e-12)


def test_kappa_leaves_out_what_a_single_judge_saw_and_is_undefined_without_variety() -> None:
    counts = [(3, 0), (1, 2), (0, 3)]
    assert fleiss_kappa([*counts, (1, 0), (0, 0)]) == fleiss_kappa(counts)
    assert fleiss_kappa([(3, 0), (3, 0)]) is None
    assert fleiss_kappa([(1, 0)]) is None
    assert fleiss_kappa([]) is None


@given(st.integers(0, 60), st.integers(0, 60))
def test_sign_test_is_the_one_sided_binomial_test(wins: int, losses: int) -> None:
    expected = binomtest(wins, wins + losses, alternative="greater").pvalue if wins + losses else 1.0
    assert sign_test(wins, losses) == pytest.approx(expected, rel=1e-9)


def test_holm_covers_all_ordered_pairs_of_methods() -> None:
    rights = {"x": [3, 3, 3, 3, 3, 2], "y": [1, 1, 0, 1, 2, 3], "z": [0, 1, 1, 2, 1, 1]}
    records = [one for m, rows in rights.items() for k, right in enumerate(rows) for one in cell(str(k), m, right)]
    tests = analyze(records, FEW).readings[0].sign_tests
    assert len(tests) == 6
    adjusted = multipletests([test.p for test in tests], method="holm")[1]
    assert [test.adjusted for test in tests] == pytest.approx(adjusted)
    first = next(test for test in tests if (test.better, test.worse) == ("x", "y"))
    assert (first.wins, first.losses, first.ties) == (5, 1, 0)


def test_ties_are_dropped_and_counts_of_unequal_numbers_of_judges_compare_as_shares() -> None:
    records = [*cell("1", "x", 2), *cell("1", "y", 2, of=2), *cell("2", "x", 3), *cell("2", "y", 2, of=2)]
    test = analyze(records, FEW).readings[0].sign_tests[0]
    assert (test.better, test.wins, test.losses, test.ties) == ("x", 0, 1, 1)


@pytest.mark.parametrize("n_pairs", [1, 4, 5])
def test_few_pairs_give_intervals_over_questions_and_no_claim_about_other_pairs(n_pairs: int) -> None:
    records = [
        replace(one, pair=("a", f"b{pair}"), chosen="a" if one.chosen == "a" else f"b{pair}")
        for pair in range(n_pairs)
        for number in range(12)
        for one in [*cell(str(number), "x", 3), *cell(str(number), "y", 1)]
    ]
    found = analyze(records, FEW)
    reading, text = found.readings[0], as_markdown(found)
    intervals = [*(method.interval for method in reading.methods), *(d.interval for d in reading.differences)]
    assert all(interval is not None and interval[0] < interval[1] for interval in intervals)
    assert "stays above 0" in text
    assert ("nothing can be said about other pairs" in text) is (n_pairs < 5)
    assert f"95 % intervals over {'pairs of groups' if n_pairs == 5 else 'questions'}" in text


def test_an_unfinished_study_is_told_from_its_plan() -> None:
    records = [*cell("1", "x", 1, of=1), *cell("2", "x", 0, of=1)]
    found = analyze(records, FEW, goal=Goal(judgements=3, cells=4))
    assert found.readings[0].methods[0].levels == (0, 0, 0, 0)
    assert "gave 2 judgements of the 12 planned" in as_markdown(found)
    assert any("4 of 4 questions under a method still lack judgements of the 3" in note for note in found.notes)
    done = analyze(records, FEW, goal=Goal(judgements=1, cells=2))
    assert done.notes == ()
    assert "planned" not in as_markdown(done)


def test_gold_and_excluded_judgements_are_kept_apart() -> None:
    records = [
        *cell("1", "x", 2),
        judged("1", "x", "7", excluded=True),
        judged("g", "gold", "0", gold=True, pair=("", ""), chosen="right", truth="right"),
    ]
    found = analyze(records, FEW)
    method = found.readings[0].methods[0]
    assert (method.name, method.judgements, method.correct, method.workers) == ("x", 3, 2, 3)
    assert (found.gold, found.gold_correct, found.excluded) == (1, 1, 1)
    assert "1 judgement set aside (of excluded workers, late or surplus)" in as_markdown(found)


def test_a_worker_counts_once_on_a_question_and_the_report_says_so() -> None:
    found = analyze([*cell("1", "x", 3), judged("1", "x", "0", right=False)], FEW)
    assert found.readings[0].methods[0].correct == found.readings[0].methods[0].judgements == 3
    assert "1 judgements repeat" in found.notes[0]


def test_majority_needs_more_than_half() -> None:
    found = analyze([*cell("1", "x", 2, of=4), *cell("2", "x", 3, of=4)], FEW)
    assert found.readings[0].methods[0].majority == 1
    assert found.readings[0].methods[0].levels == (0, 1, 1, 0, 0)


def test_unfinished_questions_stay_out_of_the_levels_and_are_told() -> None:
    found = analyze([*cell("1", "x", 3), *cell("2", "x", 1, of=2)], FEW)
    assert found.readings[0].methods[0].levels == (1, 0, 0, 0)
    assert any("1 of 2 questions" in note for note in found.notes)


def test_a_pair_named_the_other_way_round_is_the_same_pair() -> None:
    records = [judged("1", "x", "1"), judged("1", "x", "2", pair=("b", "a")), judged("1", "x", "3", right=False)]
    found = analyze(records, FEW)
    assert found.pairs == (("a", "b"),)
    assert found.readings[0].methods[0].questions == 1
    assert judgements_of(records).counted[1].pair == ("a", "b")


def test_questionnaire_time_is_the_sum_of_its_questions() -> None:
    records = [judged(str(q), "x", w, seconds=s) for w, s in (("1", 10.0), ("2", 20.0)) for q in range(3)]
    combined = analyze(records, FEW).readings[0].combined
    assert (combined.seconds_per_question, combined.seconds_per_questionnaire) == (15.0, 45.0)
    untimed = analyze([replace(record, seconds=None) for record in records], FEW).readings[0].combined
    assert (untimed.seconds_per_question, untimed.seconds_per_questionnaire) == (None, None)


def test_kappa_of_the_group_chosen_differs_from_that_of_being_right() -> None:
    records = [
        *cell("1", "x", 3), *cell("2", "x", 3), *(replace(one, truth="b", chosen="b") for one in cell("3", "x", 3)),
        *(replace(one, truth="b", chosen="b") for one in cell("4", "x", 3)),
    ]  # fmt: skip
    method = analyze(records, FEW).readings[0].methods[0]
    assert method.kappa_correct is None
    assert method.kappa_choice == pytest.approx(1.0)


def test_two_readings_only_where_an_order_was_recorded() -> None:
    records = cell("1", "x", 3)
    assert [one.reading for one in analyze(records, FEW).readings] == ["shown"]
    both = analyze([replace(one, published="b") for one in records], FEW)
    assert [one.reading for one in both.readings] == ["published", "shown"]
    assert [one.methods[0].correct for one in both.readings] == [0, 3]
    assert both.contradicted == 1


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([judged("1", "x", "1", chosen="c")], "chosen is 'c', but the groups are 'a' and 'b'"),
        ([judged("1", "x", "1", pair=("a", "a"))], "a pair needs two groups"),
        ([judged("1", "x", "1", gold=True)], "1 gold, 0 excluded"),
        ([], "no judgement can be counted"),
    ],
)
def test_what_cannot_be_counted_is_refused(records: list[Judgement], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        analyze(records, FEW)


def test_resamples_and_page_must_be_positive() -> None:
    with pytest.raises(InvalidParameter, match="at least 1"):
        analyze(cell("1", "x", 3), Options(resamples=0))


def material(noise: float = 0.3) -> Material:
    rng = np.random.default_rng(3)
    groups = {f"{group}{k}": group for group in "ab" for k in range(30)}
    centers = {"a": np.zeros(4), "b": np.full(4, 2.0)}
    vectors = np.array([centers[group] + noise * rng.standard_normal(4) for group in groups.values()])
    shown = ShownPicks("x", ("b", "a"), {"a": ("a0", "a1"), "b": ("b0", "b1")})
    rows = {name: row for row, name in enumerate(groups)}
    train = tuple(name for name in groups if int(name[1:]) < 15)
    return Material(vectors, rows, groups, (shown,), train, tuple(set(groups) - set(train)))


def test_classifiers_answer_the_same_questions_the_whole_test_set_and_with_all_the_training_part() -> None:
    wrong = [replace(one, truth="b", chosen="b") for one in cell("a21", "x", 3)]  # an article of a, said to be of b
    found = analyze([*cell("a20", "x", 3), *wrong], FEW, material=material()).classifiers
    assert found is not None
    scores = {(score.judge, score.scope): score.value for score in found.scores}
    assert scores == {("svm", "same"): 0.5, ("1-nn", "same"): 0.5, ("svm", "whole"): 1.0, ("1-nn", "whole"): 1.0}
    assert found.ceiling == 1.0
    assert {score.pair for score in found.scores} == {("a", "b")}


def test_accuracy_on_the_whole_test_set_is_balanced() -> None:
    all_of_a = ShownPicks("x", ("a", "b"), {"a": ("a0", "a1"), "b": ()})
    few = replace(material(), shown=(all_of_a,), test=("a20", "a21", "a22", "b20"))
    found = analyze(cell("a20", "x", 3), FEW, material=few).classifiers
    assert found is not None
    assert {score.value for score in found.scores if score.scope == "whole"} == {0.5}


def test_without_vectors_of_the_picks_there_are_no_classifiers() -> None:
    assert analyze(cell("elsewhere", "x", 3), FEW, material=material()).classifiers is None
    assert analyze(cell("a20", "x", 3), replace(FEW, classifiers=False), material=material()).classifiers is None
