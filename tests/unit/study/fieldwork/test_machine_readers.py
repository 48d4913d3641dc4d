from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from unit.study import studies
from unit.study.comparing import METHODS as COMPARED
from unit.study.comparing import make_comparisons
from unit.study.stage import Stage, fill
from unit.study.visiting import Site, client_of
from visavis.errors import InvalidParameter, UnknownName
from visavis.study.analysis.run import Options, analyze_source
from visavis.study.store import Store, schema
from visavis.study.store.comparisons import preferences
from visavis.study.store.judgements import judgements
from visavis.study.store.machines import add_machine, all_machines, machine_by_name, retire_machine

pytest_plugins = ("unit.study.fixtures",)


class Machine:
    """A program that answers over HTTP, all on the left."""

    def __init__(self, site: Site, name: str = "robot", judgements: int = 1) -> None:
        with site.store.writing() as connection:
            self.token = add_machine(connection, name, judgements, 0.0)
        self.client = client_of(site.app)
        self.headers = {"Authorization": f"Bearer {self.token}"}
        self.seen: list[dict] = []

    def unit(self) -> dict:
        return self.client.get("/api/unit", headers=self.headers).json()

    def send(self, body: object) -> object:
        """Send what is to be JSON; half characters are written as JSON lets through."""
        return self.client.post("/api/answers", content=json.dumps(body), headers=self.headers)

    def work(self) -> int:
        """Answer until there is nothing left; how many questionnaires that were."""
        answered = 0
        while (unit := self.unit())["unit"] is not None:
            for one in unit["questionnaires"]:
                self.seen.append(one)
                more = {"clearness": 1, "reasons": ["worth"]} if unit["task"] == "prefer" else {}
                count = len(one.get("questions", [1]))
                body = {"unit": unit["unit"], "questionnaire": one["id"], "answers": ["left"] * count, **more}
                assert self.send(body).status_code == 200
                answered += 1
        return answered


@pytest.fixture
def sorting(make_site: Callable[..., Site]) -> Site:
    return make_site(n_pairs=1)


@pytest.fixture
def preferring(where: str, tmp_path: Path) -> Site:
    return Site(tmp_path, store=make_comparisons(where, sets=2), where=where)


def counted(store: Store) -> Counter:
    return Counter((one.machine, one.question, one.method) for one in judgements(store) if not one.gold)


def test_a_machine_answers_every_cell_once_in_sittings_that_stay_blind(sorting: Site) -> None:
    machine = Machine(sorting)
    machine.work()
    found = counted(sorting.store)
    assert len(found) == 6 * 4
    assert set(found.values()) == {1}
    studies.check_blind(sorting.store)
    check_seen(machine, studies.METHODS)


def check_seen(machine: Machine, methods: tuple[str, ...]) -> None:
    """Neither answers nor methods were sent, and golds looked like the rest."""
    text = json.dumps(machine.seen)
    assert not any(word in text for word in (*methods, "truth", "gold", "correct", "better", "swapped"))
    assert len({tuple(sorted(one)) for one in machine.seen}) == 1
    assert "Rivers" in text  # golds were among them


def test_machines_fill_no_cell_of_people_have_quotas_of_their_own_and_are_reported_apart(sorting: Site) -> None:
    Machine(sorting, "one").work()
    check_analysis_of_one(sorting)
    stage = Stage(sorting.store)
    assert stage.room() == 2 * 4 * 3
    fill(stage)
    check_analysis_beside_people(sorting)
    Machine(sorting, "two", judgements=2).work()
    found = counted(sorting.store)
    assert {found[key] for key in found if key[0] == "one"} == {1}
    assert {found[key] for key in found if key[0] == "two"} == {2}
    assert {found[key] for key in found if not key[0]} == {3}
    with sorting.store.reading() as connection:
        assert [one["answered"] for one in all_machines(connection)] == [8, 16]


def check_analysis_of_one(site: Site) -> None:
    found = analyze_source(site.where, Options(resamples=20, classifiers=False))
    assert (found.machine, found.machines) == ("one", ())
    assert found.title == "What the machine one made of a study"


def check_analysis_beside_people(site: Site) -> None:
    found = analyze_source(site.where, Options(resamples=20, classifiers=False))
    assert found.readings[0].combined.judgements == 6 * 4 * 3
    (machine,) = found.machines
    assert machine.name == "one"
    assert machine.reading.combined.judgements == 6 * 4
    assert [one.questions for one in machine.versus] == [6] * 4
    assert all(one.same == round(6 * (1 + one.difference)) for one in machine.versus)  # people are always right here


def test_machines_prefer_too_with_reasons_and_balanced_sides(preferring: Site) -> None:
    machine = Machine(preferring, judgements=2)
    machine.work()
    found = [one for one in preferences(preferring.store) if not one.gold]
    assert Counter(one.comparison for one in found) == dict.fromkeys([f"c{n}" for n in range(1, 7)], 2)
    assert {(one.machine, one.clearness, one.reasons) for one in found} == {("robot", 1, ("worth",))}
    for name in {one.comparison for one in found}:
        assert len({one.left for one in found if one.comparison == name}) == 2
    check_seen(machine, COMPARED)


def test_the_token_is_stored_as_a_hash_and_another_opens_nothing(preferring: Site) -> None:
    machine = Machine(preferring)
    assert not any(machine.token in str(row) for row in preferring.rows())
    for headers in ({}, {"Authorization": "Bearer nonsense"}, {"Authorization": f"Basic {machine.token}"}):
        answer = machine.client.get("/api/unit", headers=headers)
        assert answer.status_code == 401
        assert "token" in answer.json()["error"]
        assert answer.headers["www-authenticate"] == "Bearer"
    with preferring.store.writing() as connection:
        retire_machine(connection, "robot")
    assert machine.client.get("/api/unit", headers=machine.headers).status_code == 401


def test_what_is_no_answer_is_refused_and_changes_nothing(preferring: Site) -> None:
    machine = Machine(preferring)
    unit = machine.unit()
    first, second = unit["questionnaires"][:2]
    good = {"unit": unit["unit"], "questionnaire": first["id"], "answers": ["left"], "clearness": 2, "reasons": []}
    before = preferring.rows()
    wrong = [
        ({"questionnaire": "x"}, 422), ({"answers": ["up"]}, 422), ({"answers": "left"}, 422), ({"answers": []}, 422),
        ({"clearness": 9}, 422), ({"clearness": True}, 422), ({"reasons": ["luck"]}, 422), ({"reasons": [1]}, 422),
        ({"unit": "x"}, 404), ({"unit": 5}, 422), ({"questionnaire": second["id"]}, 409),
        ({"unit": "\ud800"}, 404), ({"questionnaire": "\ud800"}, 422), ({"answers": ["\ud800"]}, 422),
        ({"reasons": ["\udfff"]}, 422), ({"transcript": "x"}, 422), ({"transcript": {"reply": "x" * 200_001}}, 422),
    ]  # fmt: skip
    for change, status in wrong:
        answer = machine.send({**good, **change})
        assert (answer.status_code, change) == (status, change)
        assert answer.json()["error"]
    assert machine.send([]).status_code == 422
    raw = machine.client.post("/api/answers", content=b"{", headers=machine.headers)
    assert raw.status_code == 422
    assert preferring.rows() == before
    assert machine.send(good).json() == {"outcome": "taken", "left": len(unit["questionnaires"]) - 1}
    assert machine.send(good).json()["outcome"] == "again"


def test_a_unit_of_another_machine_or_of_a_person_is_not_found(preferring: Site) -> None:
    one, other = Machine(preferring, "one"), Machine(preferring, "other")
    unit = one.unit()
    body = {"unit": unit["unit"], "questionnaire": unit["questionnaires"][0]["id"], "answers": ["left"], "clearness": 1}
    assert other.send(body).status_code == 404
    person = preferring.visitor()
    person.start("P")
    assert one.send({**body, "unit": person.unit.rpartition("/")[2]}).status_code == 404


def test_a_transcript_is_kept_with_the_answer_and_erased_with_the_worker(preferring: Site) -> None:
    machine = Machine(preferring)
    unit = machine.unit()
    body = {"unit": unit["unit"], "questionnaire": unit["questionnaires"][0]["id"], "answers": ["left"], "clearness": 1}
    said = {"model": "m", "host": "h", "prompt": "p\x00", "reply": "r\ud800"}
    assert machine.send({**body, "transcript": said}).status_code == 200
    with preferring.store.reading() as connection:
        (row,) = connection.execute(schema.transcript.select()).all()
    assert (row.model, row.host, row.prompt, row.reply) == ("m", "h", "p", "r?")


def test_a_paused_study_gives_machines_nothing_and_says_that_it_is_not_done(preferring: Site) -> None:
    machine = Machine(preferring)
    admin = preferring.admin()
    admin.post("/admin/pause", admin.csrf())
    assert machine.unit() == {"task": "prefer", "state": "paused", "unit": None, "questionnaires": []}
    admin.post("/admin/resume", admin.csrf())
    assert machine.unit()["state"] == "open"
    machine.work()
    admin.post("/admin/pause", admin.csrf())
    assert machine.unit()["state"] == "done"  # paused or not, its quota is filled


def test_machines_need_no_golds(tmp_path: Path) -> None:
    site = Site(tmp_path, store=make_comparisons(tmp_path / "n.db", sets=2, golds=0))
    assert Machine(site).work() == 6


def test_names_are_checked(preferring: Site) -> None:
    Machine(preferring, "robot")
    for name in ("robot", "", "a\nb", "x" * 101):
        with pytest.raises(InvalidParameter), preferring.store.writing() as connection:
            add_machine(connection, name, 1, 0.0)
    with pytest.raises(UnknownName), preferring.store.writing() as connection:
        retire_machine(connection, "nobody")
    with preferring.store.reading() as connection:
        assert machine_by_name(connection, "nobody") is None
