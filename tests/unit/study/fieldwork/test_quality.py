from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, update

from unit.study import studies
from unit.study.stage import HOUR, Stage, fill
from visavis.errors import InvalidParameter
from visavis.study.fieldwork import quality
from visavis.study.store import progress, read_facts, schema
from visavis.study.store.golds import add_gold, count_golds, golds_not_met, import_golds, retire_gold
from visavis.study.store.judgements import judgements
from visavis.study.store.workers import gold_answers
from visavis.study.tasks import RULES


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    store = studies.make_study(tmp_path / "s.db", n_pairs=3)
    yield Stage(store)
    store.close()


def test_the_quiz_is_two_golds_and_five_of_six_pass(stage: Stage) -> None:
    worker = stage.worker("quiz")
    token = stage.next(worker)
    assert [one.gold_id is not None for one in stage.items(token)] == [True, True]
    stage.finish(token)
    assert stage.state(worker) == "working"
    assert len(stage.items(stage.next(worker))) == 4


def test_a_failed_quiz_may_be_tried_again_with_new_golds_twice(stage: Stage) -> None:
    worker, met = stage.worker("quiz"), []
    for _ in range(3):
        token = stage.next(worker)
        met += [one.gold_id for one in stage.items(token)]
        stage.finish(token, right=False)
    assert len(set(met)) == 6
    assert stage.state(worker) == "excluded"
    assert stage.next(worker) is None


def test_quiz_and_rule_decide_by_their_numbers() -> None:
    assert quality.judge_quiz(5, 1, RULES["sort"]).what == "go on"
    assert quality.judge_quiz(4, 1, RULES["sort"]).what == "quiz again"
    assert quality.judge_quiz(4, 3, RULES["sort"]).what == "failed"
    bad, good = [True] * 12 + [False] * 6, [True] * 13 + [False] * 5
    assert quality.judge_golds(bad, RULES["sort"]).what == "exclude"
    assert quality.judge_golds(good, RULES["sort"]).what == "go on"
    assert quality.judge_golds(bad[:17], RULES["sort"]).what == "go on"
    assert quality.judge_golds([*good, False, False, False], RULES["sort"]).what == "go on"  # on the first 18


def test_who_misses_golds_is_excluded_at_eighteen_and_the_cells_reopen(tmp_path: Path) -> None:
    stage = Stage(studies.make_study(tmp_path / "s.db", n_pairs=12, golds=14))
    worker = stage.worker("quiz")
    stage.finish(stage.next(worker))
    before = stage.room()
    for number in range(4):
        token = stage.next(worker)
        while any(one.state == "open" for one in stage.items(token)):
            current = next(one for one in stage.items(token) if one.state == "open")
            stage.answer(token, right=current.gold_id is None or number == 0)
    assert stage.state(worker) == "excluded"
    assert stage.room() == before
    assert all(one.excluded for one in judgements(stage.store))
    with stage.store.reading() as connection:
        [row] = progress.workers(connection)
    assert (row["golds"], row["right"], row["reason"]) == (18, 9, "9 of 18 golds right")


def test_an_exclusion_can_be_undone_as_far_as_cells_have_room(stage: Stage) -> None:
    worker = stage.worker()
    stage.finish(stage.next(worker))
    with stage.store.writing() as connection:
        quality.exclude(connection, worker, "because", stage.now)
    assert all(one.excluded for one in judgements(stage.store))
    with stage.store.writing() as connection:
        assert quality.include(connection, worker, stage.now) == 0
    assert not any(one.excluded for one in judgements(stage.store))
    with stage.store.writing() as connection:
        quality.exclude(connection, worker, "again", stage.now)
    fill(stage)
    with stage.store.writing() as connection:
        assert quality.include(connection, worker, stage.now) == 3
    studies.check_balanced(stage.store)


@pytest.mark.parametrize("state", ["quiz", "working", "failed", "screened"])
def test_undoing_an_exclusion_brings_the_state_back_that_was(stage: Stage, state: str) -> None:
    worker = stage.worker(state)
    with stage.store.writing() as connection:
        quality.exclude(connection, worker, "by mistake", stage.now)
        quality.include(connection, worker, stage.now)
    assert stage.state(worker) == state


def test_work_lent_beyond_its_lease_takes_no_place_from_an_exclusion_undone(tmp_path: Path) -> None:
    stage = Stage(studies.make_study(tmp_path / "s.db", n_pairs=1, methods=("kmeans",), judgements=1))
    worker = stage.worker()
    stage.finish(stage.next(worker))
    with stage.store.writing() as connection:
        quality.exclude(connection, worker, "by mistake", stage.now)
    assert stage.next(stage.worker()) is not None
    stage.now += 5 * HOUR
    with stage.store.writing() as connection:
        assert quality.include(connection, worker, stage.now) == 0
    assert not any(one.excluded for one in judgements(stage.store))


def miss_golds(stage: Stage, worker: int, units: int) -> list[int]:
    """Pass the quiz, then miss every gold of some units; the golds met in them."""
    stage.finish(stage.next(worker))
    met = []
    for _ in range(units):
        token = stage.next(worker)
        while any(one.state == "open" for one in stage.items(token)):
            current = next(one for one in stage.items(token) if one.state == "open")
            stage.answer(token, right=current.gold_id is None)
        met += [one.gold_id for one in stage.items(token) if one.gold_id]
    return met


@pytest.mark.parametrize("when", ["before", "while"])
def test_the_rule_is_judged_once_whatever_golds_are_retired(tmp_path: Path, when: str) -> None:
    stage = Stage(studies.make_study(tmp_path / "s.db", n_pairs=12, golds=20))
    worker = stage.worker("quiz")
    met = miss_golds(stage, worker, 4)
    assert stage.state(worker) == "excluded"
    with stage.store.writing() as connection:
        quality.include(connection, worker, stage.now)
    token = stage.next(worker)
    own = next(one.gold_id for one in stage.items(token) if one.gold_id)
    with stage.store.writing() as connection:
        retire_gold(connection, met[0] if when == "before" else own, retired=True)
    stage.finish(token)
    assert stage.state(worker) == "working"


def test_a_restored_gold_cannot_carry_a_worker_past_the_rule(tmp_path: Path) -> None:
    stage = Stage(studies.make_study(tmp_path / "s.db", n_pairs=12, golds=20))
    worker = stage.worker("quiz")
    met = miss_golds(stage, worker, 3)
    with stage.store.writing() as connection:
        retire_gold(connection, met[0], retired=True)
    token = stage.next(worker)
    stage.finish(token)
    assert stage.state(worker) == "working"
    with stage.store.writing() as connection:
        retire_gold(connection, met[0], retired=False)
    stage.finish(stage.next(worker))
    assert stage.state(worker) == "excluded"  # 9 of the first 18


def test_an_exclusion_needs_a_reason(stage: Stage) -> None:
    worker = stage.worker()
    with stage.store.writing() as connection, pytest.raises(InvalidParameter):
        quality.exclude(connection, worker, "  ", 0.0)


def test_impossible_speed_is_flagged_for_each_questionnaire(stage: Stage) -> None:
    token = stage.next(stage.worker())
    stage.answer(token, seconds=60)
    with stage.store.reading() as connection:
        assert connection.execute(select(schema.flag)).all() == []
    stage.answer(token, seconds=1)
    stage.answer(token, seconds=1)
    with stage.store.reading() as connection:
        assert [row.kind for row in connection.execute(select(schema.flag))] == ["speed", "speed"]


def test_golds_that_many_fail_are_marked_for_review() -> None:
    assert not quality.wants_review([True] * 4)
    assert quality.wants_review([True, True, False, False, False])
    assert not quality.wants_review([True] * 3 + [False] * 7)  # 30 % is not more than 30 %


def test_who_met_a_gold_does_not_meet_its_new_wording(stage: Stage) -> None:
    worker = stage.worker()
    met = next(one.gold_id for one in stage.items(stage.next(worker)) if one.gold_id)
    with stage.store.writing() as connection:
        connection.execute(update(schema.gold).where(schema.gold.c.id != met).values(retired=True))
        new = add_gold(connection, studies.gold(50), 0.0, instead_of=met)
        rows = {row.id: row for row in connection.execute(select(schema.gold))}
        assert rows[met].retired
        assert rows[new].lineage == met
        assert golds_not_met(connection, worker) == []


def test_one_wording_of_a_gold_is_in_use_at_most(stage: Stage) -> None:
    with stage.store.writing() as connection:
        first = add_gold(connection, studies.gold(50), 0.0, instead_of=1)
        assert add_gold(connection, studies.gold(50), 0.0, instead_of=1) == first  # sent twice
        second = add_gold(connection, studies.gold(51), 0.0, instead_of=1)  # an edit of a retired one
        assert live(connection, 1) == [second]
        assert retire_gold(connection, first, retired=False)
        assert live(connection, 1) == [first]
        with pytest.raises(InvalidParameter, match="gold questionnaire 2 says the same"):
            add_gold(connection, studies.gold(1), 0.0, instead_of=1)
        assert live(connection, 1) == [first]
        assert count_golds(connection) == 12


def live(connection: object, lineage: int) -> list[int]:
    chosen = select(schema.gold.c.id).where(schema.gold.c.lineage == lineage, schema.gold.c.retired.is_(False))
    return list(connection.execute(chosen).scalars())


def test_golds_that_are_there_already_are_not_added_again(stage: Stage) -> None:
    golds = [studies.gold(number) for number in range(14)]
    with stage.store.writing() as connection:
        retire_gold(connection, 3, retired=True)
        assert import_golds(connection, golds, 0.0) == 2
        assert import_golds(connection, golds, 0.0) == 0
        assert count_golds(connection) == 13
        assert live(connection, 3) == []


def test_two_wordings_left_in_use_by_an_older_version_count_and_come_as_one(stage: Stage) -> None:
    worker = stage.worker("quiz")
    with stage.store.writing() as connection:
        connection.execute(update(schema.gold).where(schema.gold.c.id == 2).values(lineage=1))
        assert count_golds(connection) == 11
        assert 1 not in golds_not_met(connection, worker)
        assert len(golds_not_met(connection, worker)) == 11


def test_retired_golds_judge_nobody(stage: Stage) -> None:
    worker = stage.worker("quiz")
    token = stage.next(worker)
    stage.finish(token, right=False)
    with stage.store.writing() as connection:
        assert gold_answers(connection, worker) == [False] * 6
        for one in stage.items(token):
            retire_gold(connection, one.gold_id, retired=True)
        assert gold_answers(connection, worker) == []


def test_a_paused_study_gives_nothing_new_but_lets_units_be_finished(stage: Stage) -> None:
    worker = stage.worker()
    token = stage.next(worker)
    with stage.store.writing() as connection:
        studies.set_fact(connection, "paused", True)
    assert stage.next(worker) == token
    assert stage.answer(token) == "taken"
    assert stage.next(stage.worker()) is None


def test_fewer_than_eight_golds_open_no_study_unless_told(tmp_path: Path) -> None:
    stage = Stage(studies.make_study(tmp_path / "s.db", golds=7))
    assert stage.next(stage.worker()) is None
    with stage.store.writing() as connection:
        studies.set_fact(connection, "few_golds", True)
    assert stage.next(stage.worker()) is not None


def test_agreement_and_progress_are_told_by_method_without_accuracy(stage: Stage) -> None:
    with stage.store.reading() as connection:
        facts = read_facts(connection)
        assert set(progress.agreement(connection, facts).values()) == {None}
    fill(stage)
    with stage.store.reading() as connection:
        assert set(progress.agreement(connection, facts).values()) == {1.0}
        assert progress.totals(connection, facts) | {"workers": 0} == {
            "needed": 72,
            "done": 72,
            "open": 0,
            "workers": 0,
        }
        for row in progress.cells(connection, facts):
            assert row["methods"] == [{"done": 3, "open": 0}] * 4


def test_two_who_disagree_lower_the_agreement(stage: Stage) -> None:
    with stage.store.reading() as connection:
        facts = read_facts(connection)
    while (token := stage.next(stage.worker())) is not None:
        stage.finish(token, right=stage.rng.random() < 0.5)
    with stage.store.reading() as connection:
        found = progress.agreement(connection, facts)
    assert all(0.33 <= value < 1 for value in found.values())
