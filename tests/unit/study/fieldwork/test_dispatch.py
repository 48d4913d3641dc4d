from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event, select

from unit.study import studies
from unit.study.stage import HOUR, Stage, fill
from visavis.study.fieldwork import quality
from visavis.study.store import read_facts, schema
from visavis.study.store.cells import places_by_state, quota_of_people
from visavis.study.store.judgements import judgements
from visavis.study.store.workers import gold_answers


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    store = studies.make_study(tmp_path / "s.db", n_pairs=3)
    yield Stage(store)
    store.close()


def test_a_unit_is_three_questionnaires_and_a_gold_at_a_random_place(stage: Stage) -> None:
    places = set()
    for _ in range(12):
        items = stage.items(stage.next(stage.worker()))
        golds = [one.place for one in items if one.gold_id is not None]
        assert (len(items), len(golds)) == (4, 1)
        places.update(golds)
    assert len(places) >= 3


def test_a_unit_is_lent_in_few_statements(stage: Stage) -> None:
    stage.next(stage.worker())  # the questionnaires themselves are read once
    worker, asked = stage.worker(), []
    event.listen(stage.store.engine, "after_cursor_execute", lambda *args: asked.append(args[2]))
    stage.next(worker)
    assert 10 < len(asked) <= 17  # one transaction, which everybody else waits for


def test_places_are_counted_in_a_row_for_each_method_and_state(stage: Stage) -> None:
    for _ in range(6):
        stage.finish(stage.next(stage.worker()))
    stage.next(stage.worker())
    with stage.store.reading() as connection:
        found = places_by_state(connection, quota_of_people(read_facts(connection)))
        item = schema.item
        plain = connection.execute(select(item.c.method, item.c.state, item.c.sheet_id).where(item.c.gold_id.is_(None)))
        counted = Counter(tuple(row) for row in plain)
    assert len({(method, state) for method, state, _ in found}) == len(found) < len(counted)
    assert {(method, state, sheet): n for method, state, of in found for sheet, n in of.items()} == dict(counted)


def test_sides_are_drawn_anew_and_what_was_shown_is_stored_with_the_judgement(stage: Stage) -> None:
    lefts = set()
    for _ in range(10):
        token = stage.next(stage.worker())
        stage.finish(token)
        for one in stage.items(token):
            shown = json.loads(one.shown)
            if one.sheet_id == 1:
                lefts.add(shown["left"]["group"])
    assert len(lefts) == 2
    found = [one for one in judgements(stage.store) if not one.gold]
    assert found
    assert all(one.chosen == one.truth for one in found)  # everyone here answers by what was shown


def test_wrong_answers_are_wrong_whatever_the_sides(stage: Stage) -> None:
    for _ in range(4):
        stage.finish(stage.next(stage.worker()), right=False)
    found = judgements(stage.store)
    assert {one.gold for one in found} == {True, False}
    assert all(one.chosen != one.truth for one in found)


def test_a_second_click_changes_nothing(stage: Stage) -> None:
    token = stage.next(stage.worker())
    first = stage.items(token)[0]
    assert stage.answer(token) == "taken"
    assert stage.answer(token, item=first, right=False) == "again"
    assert len(judgements(stage.store)) == 3


def test_two_tabs_get_the_same_unit_and_later_questionnaires_wait(stage: Stage) -> None:
    worker = stage.worker()
    token = stage.next(worker)
    assert stage.next(worker) == token
    with pytest.raises(ValueError, match="comes first"):
        stage.answer(token, item=stage.items(token)[2])


def test_another_units_questionnaire_is_not_taken(stage: Stage) -> None:
    mine, other = stage.next(stage.worker()), stage.next(stage.worker())
    with pytest.raises(LookupError):
        stage.answer(mine, item=stage.items(other)[0])


def test_abandoned_work_returns_to_the_pool_and_what_was_answered_stays(stage: Stage) -> None:
    before = stage.room()
    token = stage.next(stage.worker())
    stage.answer(token)
    stage.answer(token)
    stage.now += 2 * HOUR
    stage.next(stage.worker())
    states = [one.state for one in stage.items(token)]
    assert states == ["done", "done", "expired", "expired"]
    counted = sum(one.sheet_id is not None for one in stage.items(token)[:2])
    assert stage.room() == before - counted - 3


def test_every_answer_renews_the_lease(stage: Stage) -> None:
    token = stage.next(stage.worker())
    for _ in range(3):
        assert stage.answer(token, seconds=0.9 * HOUR) == "taken"
        stage.next(stage.worker())
    assert [one.state for one in stage.items(token)].count("done") == 3


def test_who_returns_late_goes_on_where_there_is_room_and_is_thanked_where_there_is_none(stage: Stage) -> None:
    early, late = stage.worker(), stage.worker()
    kept, lost = stage.next(early), stage.next(late)
    stage.now += 2 * HOUR
    assert stage.answer(kept) == "taken"  # nobody was given the place meanwhile
    stage.now += 2 * HOUR
    fill(stage)
    first = next(one for one in stage.items(lost) if one.sheet_id is not None)
    with stage.store.writing() as connection:
        unit = connection.execute(select(schema.unit).where(schema.unit.c.token == lost)).one()
        before = [one for one in stage.items(lost) if one.place < first.place]
    for one in before:
        stage.answer(lost, item=one)
    assert stage.answer(lost, item=first) == "late"
    assert next(one for one in stage.items(lost) if one.id == first.id).state in ("late", "dropped")
    assert unit.worker_id == late
    studies.check_balanced(stage.store)


def test_answers_to_a_closed_unit_are_kept_and_not_counted(stage: Stage) -> None:
    worker = stage.worker()
    token = stage.next(worker)
    waiting = stage.items(token)[0]
    with stage.store.writing() as connection:
        quality.exclude(connection, worker, "because", stage.now)
    assert stage.answer(token, item=waiting) == "late"
    assert stage.answer(token, item=waiting) == "again"
    found = judgements(stage.store)
    assert [(one.excluded, one.worker) for one in found] == [(True, f"{0:024x}")] * 3
    assert stage.items(token)[0].state == "late"


def test_a_gold_answered_too_late_judges_nobody(stage: Stage) -> None:
    worker = stage.worker("quiz")
    token = stage.next(worker)
    with stage.store.writing() as connection:
        quality.exclude(connection, worker, "by mistake", stage.now)
    stage.answer(token, item=stage.items(token)[0], right=False)
    with stage.store.writing() as connection:
        quality.include(connection, worker, stage.now)
        assert gold_answers(connection, worker) == []
    assert stage.state(worker) == "quiz"


def test_nobody_is_quizzed_for_nothing(stage: Stage) -> None:
    newcomer = stage.worker("quiz")
    fill(stage)
    assert stage.next(newcomer) is None
    with stage.store.reading() as connection:
        assert not stage.dispatcher.offers(connection, newcomer, stage.now)
        assert not stage.dispatcher.wants_workers(connection, stage.now)


def test_work_lent_beyond_its_lease_is_offered_to_others(tmp_path: Path) -> None:
    stage = Stage(studies.make_study(tmp_path / "s.db", n_pairs=1, methods=("kmeans",), judgements=1))
    stage.next(stage.worker())
    other = stage.worker()
    for passed, offered in ((0.0, False), (2 * HOUR, True)):
        stage.now += passed
        with stage.store.reading() as connection:
            assert stage.dispatcher.offers(connection, other, stage.now) is offered
            assert stage.dispatcher.wants_workers(connection, stage.now) is offered


def test_reopened_cells_come_in_shorter_units(stage: Stage) -> None:
    gone = [stage.next(stage.worker()) for _ in range(3)]
    stage.now += 2 * HOUR
    sizes = []
    while (token := stage.next(stage.worker())) is not None:
        sizes.append(len(stage.items(token)))
        stage.finish(token)
    assert len(gone) == 3
    assert sizes[0] == 4
    assert sizes[-1] == 2
    studies.check_balanced(stage.store)
    studies.check_blind(stage.store)


def test_every_cell_fills_exactly_and_then_nobody_is_given_anything(stage: Stage) -> None:
    fill(stage)
    assert stage.room() == 0
    assert studies.check_balanced(stage.store) == 18 * 4
    studies.check_blind(stage.store)
    assert stage.next(stage.worker()) is None
