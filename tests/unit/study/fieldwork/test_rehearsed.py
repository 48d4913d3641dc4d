"""Simulated workers leave no filled cells behind, and every flag is counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from unit.study import studies
from unit.study.stage import Stage
from visavis.study.analysis import analyze
from visavis.study.records import REHEARSED
from visavis.study.store import Store, progress, read_facts
from visavis.study.store.judgements import judgements
from visavis.study.store.workers import add_flag

pytest_plugins = ("unit.study.fixtures",)


@pytest.fixture
def stage(where: str) -> Iterator[Stage]:
    store = studies.make_study(where, n_pairs=1)
    yield Stage(store)
    store.close()


def simulated(stage: Stage) -> int:
    worker = stage.worker()
    with stage.store.writing() as connection:
        add_flag(connection, worker, REHEARSED, "a simulated worker", stage.now)
    return worker


def totals(store: Store, *, rehearsed: bool) -> dict[str, int]:
    with store.reading() as connection:
        return progress.totals(connection, read_facts(connection), rehearsed=rehearsed)


def test_a_rehearsal_fills_places_of_its_own_and_none_of_peoples(stage: Stage) -> None:
    room = stage.room()
    played = 0
    while (token := stage.next(simulated(stage))) is not None:
        stage.finish(token)
        played += 1
    assert played > 1
    done = totals(stage.store, rehearsed=True)
    assert (done["done"], done["needed"]) == (24, 24)
    people = totals(stage.store, rehearsed=False)
    assert (people["done"], people["open"], people["workers"]) == (0, 0, 0)
    assert stage.room() == room
    token = stage.next(stage.worker())
    assert token is not None
    stage.finish(token)
    assert totals(stage.store, rehearsed=False)["done"] == 2
    report = analyze(judgements(stage.store))
    assert (report.machine, report.readings[0].combined.workers, report.readings[0].combined.judgements) == ("", 1, 6)


def test_every_hasty_questionnaire_raises_a_flag_that_is_counted(tmp_path: Path) -> None:
    stage = Stage(studies.make_study(tmp_path / "s.db", n_pairs=1))
    worker = stage.worker()
    token = stage.next(worker) or ""
    while any(one.state == "open" for one in stage.items(token)):
        stage.answer(token, seconds=1.0)
    with stage.store.reading() as connection:
        [row] = progress.workers(connection)
    assert row["flags"] == ["speed ×3: a questionnaire of 3 questions in 1.0 s"]
    [flag] = analyze(judgements(stage.store)).flags
    assert (flag.kind, flag.workers, flag.judgements) == ("speed", 1, 6)
