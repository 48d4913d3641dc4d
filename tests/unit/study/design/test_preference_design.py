from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from conftest import ROOT
from unit.pages import blocks
from visavis.cli.study import study as command
from visavis.errors import InvalidParameter, TooFewDocuments
from visavis.study.comparison_gold import GoldComparison, GoldGroup, comparison_of_record
from visavis.study.design.checks import make_checks
from visavis.study.design.materials import document_sets
from visavis.study.design.plan import StudyPlan
from visavis.study.design.preference_power import EXPECTED, preference_power
from visavis.study.design.preferring import design_preferences, method_pairs
from visavis.study.gold import BadGold, Leads, Text, read_golds
from visavis.study.store import open_store, schema
from visavis.study.store.designs import write_design

WORDS = ("river flood dam water rain levee boat storm", "piano opera violin concert singer stage tune chorus",
         "goal striker keeper match league referee coach penalty")  # fmt: skip


def documents(per_group: int = 40) -> list[dict[str, str]]:
    rng = random.Random(1)
    rows = []
    for group, words in enumerate(WORDS):
        for number in range(per_group):
            chosen = rng.sample(words.split(), 5)
            text = f"The {chosen[0]} met the {chosen[1]} and {chosen[2]}. Then came {chosen[3]} {number}."
            rows.append({"id": f"{group}-{number}", "title": f"{chosen[4].title()} {number}", "text": text,
                         "outlet": f"G{group}"})  # fmt: skip
    return rows


def plan(**options) -> StudyPlan:
    usual = {"by": "outlet", "task": "prefer", "methods": ("kmeans", "random"), "comparisons": 4, "size": 2,
             "documents": 2, "checks": 12}  # fmt: skip
    return StudyPlan(**{**usual, **options})


@pytest.fixture(scope="module")
def designed():
    return design_preferences(documents(), plan(methods=("kmeans", "mmd-diff-greedy", "random")))


def test_every_pair_of_methods_is_compared_on_every_set_unless_they_pick_alike(designed) -> None:
    report = designed.report
    assert report["comparisons"] + sum(count for *_, count in report["alike"]) == 4 * 3
    for place, first, second in designed.comparisons:
        picks = designed.picks[place]
        assert any(set(picks[first][code]) != set(picks[second][code]) for code in picks[first])


def test_what_shows_the_groups_is_drawn_from_the_set_and_was_picked_by_no_method(designed) -> None:
    codes = designed.articles.parts.codes
    for each, picks, drawn in zip(designed.sets, designed.picks, designed.drawn, strict=True):
        picked = {row for found in picks.values() for rows in found.values() for row in rows}
        for code, rows in drawn.items():
            assert len(rows) == 2
            assert set(rows) <= set(each.rows.tolist())
            assert not picked & set(rows)
            assert set(codes[list(rows)]) == {code}


def test_the_same_seed_gives_the_same_study_and_another_another() -> None:
    one, same, other = (design_preferences(documents(), plan(seed=seed)) for seed in (0, 0, 1))
    assert one.picks == same.picks
    assert one.drawn == same.drawn
    assert one.golds == same.golds
    assert one.drawn != other.drawn


def test_methods_that_pick_the_same_documents_are_a_tie_that_is_counted_and_not_asked() -> None:
    found = design_preferences(documents(), plan(methods=("kmeans", "mmd-diff-greedy", "mmd-div-greedy"), contrast=0.0))
    alike = {frozenset(pair[:2]): pair[2] for pair in found.report["alike"]}
    assert alike[frozenset(("mmd-diff-greedy", "mmd-div-greedy"))] == 4  # without contrast they are one method
    assert not any({first, second} == {"mmd-diff-greedy", "mmd-div-greedy"} for _, first, second in found.comparisons)
    with pytest.raises(InvalidParameter, match="pick the same documents everywhere"):
        design_preferences(documents(), plan(methods=("mmd-diff-greedy", "mmd-div-greedy"), contrast=0.0))


def test_golds_are_made_of_held_out_documents_and_look_like_the_rest(designed) -> None:
    texts = {text: row for row, text in enumerate(designed.articles.texts)}
    tested = set(designed.articles.parts.test.tolist())
    codes, names = designed.articles.parts.codes, designed.articles.names
    assert len(designed.golds) == 12
    for gold in designed.golds:
        for group, other in zip(gold.groups, gold.groups[::-1], strict=True):
            assert (len(group.documents), len(group.better), len(group.worse)) == (2, 2, 2)
            rows = {part: [texts[text] for text in getattr(group, part)] for part in ("documents", "better", "worse")}
            assert {names[codes[row]] for row in (*rows["documents"], *rows["better"])} == {group.name}
            assert {names[codes[row]] for row in rows["worse"]} == {other.name}
            assert {row for part in rows.values() for row in part} <= tested


def test_sets_are_whole_where_there_are_pairs_enough_and_halves_where_there_are_not() -> None:
    codes = np.repeat(np.arange(6), 20)
    rows, names, rng = np.arange(120), tuple("abcdef"), np.random.default_rng(0)
    whole = document_sets(codes, rows, 9, 5, names, rng)
    assert len({each.pair for each in whole}) == 9
    assert {len(each.rows) for each in whole} == {40}
    met = Counter(code for each in whole for code in each.pair)
    assert max(met.values()) - min(met.values()) <= 1
    halves = document_sets(codes[:40], rows[:40], 8, 5, names[:2], rng)
    assert {len(each.rows) for each in halves} == {20}
    assert len({tuple(each.rows) for each in halves}) == 8
    with pytest.raises(TooFewDocuments):
        document_sets(codes[:40], rows[:40], 8, 11, names[:2], rng)


def test_pairs_of_methods_are_all_or_those_with_one() -> None:
    assert method_pairs(plan(methods=("kmeans", "random", "kmedoids"))) == (
        ("kmeans", "random"), ("kmeans", "kmedoids"), ("random", "kmedoids"),
    )  # fmt: skip
    found = method_pairs(plan(methods=("kmeans", "random", "kmedoids"), against="random"))
    assert found == (("kmeans", "random"), ("kmedoids", "random"))
    with pytest.raises(InvalidParameter, match="none of"):
        method_pairs(plan(against="kmedoids"))
    with pytest.raises(InvalidParameter, match="two methods at least"):
        method_pairs(plan(methods=("kmeans",)))


def test_power_grows_with_comparisons_and_shrinks_with_the_number_of_tests() -> None:
    def power(comparisons: int, n_pairs: int) -> float:
        return dict(preference_power(comparisons, 3, n_pairs, 0).power)[EXPECTED]

    assert power(96, 1) > power(48, 1) > power(24, 1) > power(24, 6)
    wanted = preference_power(24, 3, 3, 0).wanted
    assert power(wanted, 3) == pytest.approx(0.8, abs=0.06)
    assert not preference_power(wanted + 8, 3, 3, 0).is_little
    assert preference_power(24, 3, 3, 0).is_little


def test_power_is_that_of_the_report_s_own_test() -> None:
    from visavis.shared.statistics import holm
    from visavis.study.analysis.preferring.statistics import sign_test
    from visavis.study.design.preference_power import _adjusted

    for wins, losses in ((10, 2), (7, 7), (12, 0)):
        by_report = holm([sign_test(wins, losses), 1.0, 1.0])[0]
        assert float(_adjusted(np.array(wins), np.array(losses), 3)) == pytest.approx(by_report)


def test_a_design_is_stored_whole(designed, tmp_path: Path) -> None:
    write_design(designed, str(tmp_path / "s.db"))
    store = open_store(tmp_path / "s.db")
    with store.reading() as connection:
        sheets = connection.execute(schema.sheet.select()).all()
        drawn = connection.execute(schema.drawn.select()).all()
    store.close()
    assert [(row.pair_id - 1, row.first_method, row.second_method) for row in sheets] == list(designed.comparisons)
    assert len(drawn) == 4 * 2 * 2


def test_golds_of_one_s_own_are_masked_and_must_look_like_the_pages_of_the_study() -> None:
    def golds(picks: int) -> list[GoldComparison]:
        texts = [tuple(Text(f"G1 {part} {n}", "In May 2018.") for n in range(picks)) for part in ("a", "b", "c")]
        return [GoldComparison((GoldGroup(f"One {n}", *texts), GoldGroup("Two", *texts))) for n in range(12)]

    options = plan(mask_dates=True, mask_names=True)
    found = design_preferences(documents(), options, golds(2))
    assert {text for gold in found.golds for text in gold.groups[0].better} == {
        Text("▢ b 0", "In ▢."), Text("▢ b 1", "In ▢."),
    }  # fmt: skip
    with pytest.raises(BadGold, match="gold comparison 1 has 3 texts as 'documents' of 'One 0', but the study shows 2"):
        design_preferences(documents(), options, golds(3))


@pytest.mark.parametrize("leads", [Leads(some=True, all=True), Leads(some=False, all=False)])
def test_golds_are_made_of_texts_that_have_leads_as_all_others_do(designed, leads) -> None:
    texts = tuple(Text(text.title) if number % 2 else text for number, text in enumerate(designed.articles.texts))
    made, _ = make_checks(replace(designed.articles, texts=texts), plan(), leads, np.random.default_rng(0))
    parts = [part for gold in made for group in gold.groups for part in (group.documents, group.better, group.worse)]
    assert len(made) == 12
    assert {bool(text.lead) for part in parts for text in part} == {leads.all}


def test_the_gold_comparison_of_the_page_is_one() -> None:
    _, shown = blocks(ROOT / "docs" / "study.md", "json")
    assert [group.name for group in comparison_of_record(json.loads(shown)).groups] == ["Rivers", "Skies"]


def test_gold_comparisons_are_read_from_files_and_checked(tmp_path: Path) -> None:
    text = {"title": "A title", "lead": ""}
    group = {"name": "One", "documents": [text], "better": [text], "worse": [{**text, "title": "Another"}]}
    good = {"groups": [group, {**group, "name": "Two"}]}
    file = tmp_path / "g.json"
    file.write_text(json.dumps([good]), encoding="utf-8")
    assert read_golds(file, comparison_of_record)[0].groups[1].name == "Two"
    bad = [{"groups": [group]}, {"groups": [group, group]}, {"left": []}, [], {"groups": [group, {"name": "Two"}]},
           {"groups": [group, {**good["groups"][1], "worse": []}]}, {"groups": [group, 5]},
           {"groups": [{**one, "worse": one["better"]} for one in good["groups"]]}]  # fmt: skip
    for record in bad:
        with pytest.raises(BadGold):
            comparison_of_record(record)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--task", "prefer", "--questions", "3"], "--questions belongs to --task sort"),
        (["--task", "sort", "--against", "kmeans"], "--against belongs to --task prefer"),
        (["--task", "prefer", "--methods", "kmeans"], "two methods at least"),
    ],
)
def test_options_of_the_other_task_are_refused_in_one_line(options, said, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in documents(4)), encoding="utf-8")
    out = tmp_path / "s.db"
    found = CliRunner().invoke(command, ["design", str(file), "--by", "outlet", *options, "--out", str(out)])
    assert said in str(found.exception)
    assert not out.exists()
