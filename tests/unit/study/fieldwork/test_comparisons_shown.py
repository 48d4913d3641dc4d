from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select

from unit.study.comparing import METHODS, PreferenceStage, make_comparisons, stage_of
from unit.study.stage import fill
from visavis.study.analysis.run import Options, analyze_source
from visavis.study.fieldwork.comparing import comparison_texts
from visavis.study.fieldwork.export import as_csv, as_jsonl
from visavis.study.preferences import Preference
from visavis.study.records import REHEARSED
from visavis.study.store import progress, read_facts, schema
from visavis.study.store.comparisons import preferences
from visavis.study.store.erase import erase
from visavis.study.store.workers import add_flag

pytest_plugins = ("unit.study.fixtures",)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[PreferenceStage]:
    store = make_comparisons(tmp_path / "s.db")
    yield stage_of(store)
    store.close()


def test_every_comparison_fills_exactly_with_balanced_sides_and_is_read_as_shown(where: str) -> None:
    stage = stage_of(make_comparisons(where))
    fill(stage)
    while (token := stage.next(simulated(stage))) is not None:  # sides are balanced among simulated readers, too
        stage.finish(token)
    for name in ("", REHEARSED):
        check_balanced([one for one in preferences(stage.store) if not one.gold and one.machine == name])
    found = analyze_source(where, Options(resamples=10))
    assert (found.readers[0].name, found.readers[0].comparisons, found.planned) == ("people", 12, 36)
    erased = preferences(stage.store)[0].worker
    erase(stage.store, erased)
    assert erased not in {one.worker for one in preferences(stage.store)}
    assert stage.room() > 0
    stage.store.close()


def simulated(stage: PreferenceStage) -> int:
    worker = stage.worker()
    with stage.store.writing() as connection:
        add_flag(connection, worker, REHEARSED, "a simulated worker", stage.now)
    return worker


def check_balanced(found: list[Preference]) -> None:
    assert len(found) == 4 * 3 * 3
    assert set(Counter(one.comparison for one in found).values()) == {3}
    assert all(len({one.worker for one in found if one.comparison == name}) == 3 for name in {"c1", "c7"})
    assert all(METHODS.index(one.chosen) == min(map(METHODS.index, one.methods)) for one in found)
    for name in {one.comparison for one in found}:
        assert set(Counter(one.left for one in found if one.comparison == name).values()) == {1, 2}
    for methods in {one.methods for one in found}:
        assert set(Counter(one.left for one in found if one.methods == methods).values()) == {6}


def test_a_page_shows_names_and_texts_and_neither_methods_nor_answers(stage: PreferenceStage) -> None:
    items = stage.items(stage.next(stage.worker()))
    assert {one.gold_id is None for one in items} == {True, False}
    for item in items:
        with stage.store.reading() as connection:
            shown = comparison_texts(connection, item)
        assert set(shown) == {"groups", "left", "right"}
        assert [len(group["documents"]) for group in shown["groups"]] == [2, 2]
        assert [len(part) for side in ("left", "right") for part in shown[side]] == [2] * 4
        assert not any(word in json.dumps(shown) for word in (*METHODS, "truth", "better"))


def test_the_quiz_is_three_golds_and_all_must_be_right(stage: PreferenceStage) -> None:
    able, unable = stage.worker("quiz"), stage.worker("quiz")
    for worker, right in ((able, True), (unable, False)):
        for _ in range(3):
            token = stage.next(worker)
            if token is None or stage.state(worker) == "working":
                break
            assert [one.gold_id is not None for one in stage.items(token)] == [True] * 3
            stage.finish(token, right=right)
    assert (stage.state(able), stage.state(unable)) == ("working", "failed")


def test_the_rule_excludes_who_fails_golds_and_their_comparisons_reopen(tmp_path: Path) -> None:
    stage = stage_of(make_comparisons(tmp_path / "r.db", sets=12))
    worker = stage.worker()
    while stage.state(worker) == "working":
        token = stage.next(worker)
        for item in stage.items(token):
            if stage.state(worker) == "working":
                stage.answer(token, right=item.gold_id is None)
    assert stage.state(worker) == "excluded"
    assert all(one.excluded for one in preferences(stage.store))
    assert stage.room() == 12 * 3 * 3
    stage.store.close()


def test_an_unfinished_study_s_progress_tells_agreement_and_never_what_is_preferred(stage: PreferenceStage) -> None:
    fill(stage)
    with stage.store.reading() as connection:
        facts = read_facts(connection)
        assert progress.agreement(connection, facts) == {"all comparisons": 1.0}
        assert progress.totals(connection, facts)["needed"] == 36
        rows = progress.cells(connection, facts)
    assert rows[0]["compared"] == "kmeans | mmd-diff-grad"
    assert [cell["done"] for row in rows for cell in row["methods"]] == [3] * 12


def test_exports_hold_all_and_are_analyzed_as_the_database_is(stage: PreferenceStage, tmp_path: Path) -> None:
    fill(stage)
    table = tmp_path / "preferences.csv"
    table.write_text(as_csv(stage.store), encoding="utf-8")
    options = Options(resamples=50)
    one, other = (analyze_source(str(where), options) for where in (table, tmp_path / "s.db"))
    assert one.readers == other.readers
    assert other.planned == 36
    assert {json.loads(line)["table"] for line in as_jsonl(stage.store).splitlines()} >= {"preference", "drawn"}


def test_a_comparison_is_answered_once_whatever_the_program_does(stage: PreferenceStage) -> None:
    token = stage.next(stage.worker())
    stage.answer(token)
    item = stage.items(token)[0]
    assert stage.answer(token, item=item) == "again"
    values = {"item_id": item.id, "worker_id": item.worker_id, "side": "left", "reasons": "", "at": 0.0}
    with pytest.raises(Exception, match=r"(?i)unique"), stage.store.writing() as connection:
        connection.execute(insert(schema.preference).values(**values))
    with stage.store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.preference)).scalar_one() == 1
