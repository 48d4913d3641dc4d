"""What happens to work: it is lent to a worker, shown, answered or left, and returns to the pool if left.

Every function runs inside one write transaction of the caller's.
"""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from visavis.study.assignment import Cell, Sheet, choose_cells
from visavis.study.fieldwork import quality
from visavis.study.fieldwork.answering import Answers
from visavis.study.fieldwork.comparing import show_comparisons
from visavis.study.fieldwork.pool import has_room, may_run, open_cells
from visavis.study.fieldwork.showing import show_sheets
from visavis.study.shape import PER_UNIT
from visavis.study.store import Connection, read_facts, units
from visavis.study.store.cells import Quota, places_taken, quota_of, quota_of_people
from visavis.study.store.comparisons import add_preference
from visavis.study.store.designs import read_sheets
from visavis.study.store.golds import golds_not_met
from visavis.study.store.workers import add_event, add_flag, set_worker, worker_by_id, worker_by_pseudonym
from visavis.study.tasks import PREFER, rules_of

LEASE = 45 * 60.0
PER_SHORT_UNIT = 1  # questionnaires of a unit of reopened cells, next to its gold


@dataclass(frozen=True)
class Reader:
    """Somebody who may be given work: their row, the quota they count for, and what the study says of itself."""

    row: Any
    quota: Quota
    facts: Mapping[str, Any]

    @property
    def is_person(self) -> bool:
        """Whether it is no machine."""
        return self.row.machine_id is None


def reader_by_id(connection: Connection, worker: int) -> Reader:
    """The reader of that number."""
    row, facts = worker_by_id(connection, worker), read_facts(connection)
    return Reader(row, quota_of(connection, row, facts), facts)


class Dispatcher:
    """Hands out units of work and takes answers in."""

    def __init__(self, *, lease: float = LEASE, most_units: int = 0, rng: random.Random | None = None) -> None:
        """A worker is lent at most `most_units` units of work; 0 sets no limit."""
        self.lease, self.most_units = lease, most_units
        self.rng = rng or random.SystemRandom()
        self._sheets: tuple[str, dict[int, Sheet]] | None = None

    def next_unit(self, connection: Connection, worker: int, now: float) -> str | None:
        """The token of the worker's unit: the open one, or a new one; None where nothing is there for them."""
        found = units.open_unit_of(connection, worker)
        if found is not None:
            token: str | None = found.token if self.resume(connection, found, now) else None
            if token is not None:
                return token
        reader = reader_by_id(connection, worker)
        if not self._may_work(connection, reader):
            return None
        units.expire_items(connection, now)
        give = self._quiz if reader.row.state == "quiz" else self._work
        return give(connection, reader, now)

    def knows(self, connection: Connection, pseudonym: str) -> bool:
        """Whether somebody of that name takes part already."""
        return worker_by_pseudonym(connection, pseudonym) is not None

    def _may_work(self, connection: Connection, reader: Reader) -> bool:
        """Whether a worker is at work and work is handed out; machines need no golds, which judge people."""
        if reader.row.state not in quality.AT_WORK:
            return False
        return may_run(connection, reader.facts) if reader.is_person else not reader.facts["paused"]

    def wants_workers(self, connection: Connection, now: float) -> bool:
        """Whether there is something to do for somebody new."""
        facts = read_facts(connection)
        return may_run(connection, facts) and self._has_room(connection, facts, quota_of_people(facts), now)

    def wants_machine(self, connection: Connection, machine: Any, now: float) -> bool:
        """Whether a machine has not answered all it should, though work may rest just now."""
        quota = Quota(machine.id, machine.judgements)
        return self._has_room(connection, read_facts(connection), quota, now)

    def _has_room(self, connection: Connection, facts: Mapping[str, Any], quota: Quota, now: float) -> bool:
        return has_room(connection, len(self.sheets(connection, facts)), facts, quota, now)

    def offers(self, connection: Connection, worker: int, now: float) -> bool:
        """Whether there is more for this worker than what they have been given."""
        reader = reader_by_id(connection, worker)
        if not self._may_work(connection, reader):
            return False
        golds = golds_not_met(connection, worker)
        if reader.row.state == "quiz":
            enough = len(golds) >= rules_of(reader.facts).quiz_golds
            return enough and self._has_room(connection, reader.facts, reader.quota, now)
        return bool(golds) and bool(self._cells_for(connection, reader, now))

    def resume(self, connection: Connection, unit: Any, now: float) -> bool:
        """Take up a unit again: the lease begins anew, and what others filled meanwhile is dropped.

        False where nothing of it is left to answer, which closes it.
        """
        if unit.expires < now:
            self._take_up(connection, unit, now, began=None)
        current = units.first_open(units.items_of(connection, unit.id))
        if current is None:
            units.close_unit(connection, unit.id, now)
            return False
        _begin(connection, current, now)
        return True

    def _take_up(self, connection: Connection, unit: Any, now: float, **values: Any) -> None:
        """Lend an expired unit again, as far as its cells have room."""
        units.expire_items(connection, now)
        quota = reader_by_id(connection, unit.worker_id).quota
        for item in units.items_of(connection, unit.id):
            if item.state == "expired" and item.answered is None:
                taken = 0 if item.sheet_id is None else places_taken(connection, item.sheet_id, item.method, quota)
                room = item.sheet_id is None or taken < quota.judgements
                units.set_item(connection, item.id, state="open" if room else "dropped", **values)
        self._extend(connection, unit.id, now)

    def submit(self, connection: Connection, unit: Any, answers: Answers, now: float) -> str:
        """Take in one questionnaire: "taken", "again" (it was there already), "late" (it does not count any more).

        It is late where others filled the cell, and where the unit is closed. Raises LookupError for a questionnaire
        that is not this unit's, ValueError for one whose turn is not yet.
        """
        items = units.items_of(connection, unit.id)
        item = _find(items, answers.item)
        if item.answered is not None:
            return "again"
        if unit.closed is not None:
            self._store(connection, item, answers, "late", now)
            return "late"
        if unit.expires < now:
            self._take_up(connection, unit, now)
            items = units.items_of(connection, unit.id)
            item = _find(items, answers.item)
        current = units.first_open(items)
        if current is not None and current.place < item.place:
            raise ValueError("another questionnaire comes first")
        state = "done" if item.state == "open" else "late"
        self._store(connection, item, answers, state, now)
        self._extend(connection, unit.id, now)
        current = units.first_open(units.items_of(connection, unit.id))
        if current is None:
            units.close_unit(connection, unit.id, now)
        else:
            _begin(connection, current, now)
        return "taken" if state == "done" else "late"

    def _store(self, connection: Connection, item: Any, answers: Answers, state: str, now: float) -> None:
        units.add_judgements(connection, _judgement_rows(item, answers, now))
        if answers.clearness is not None:
            self._prefer(connection, item, answers, now)
        more = {"usefulness": answers.usefulness, "difficulty": answers.difficulty, "comment": answers.comment or None}
        units.set_item(connection, item.id, state=state, answered=now, **more)
        self._after(connection, item, answers, state, now)

    def _prefer(self, connection: Connection, item: Any, answers: Answers, now: float) -> None:
        """Keep which summary was preferred, golds included, with how clearly and why."""
        add_preference(
            connection, item_id=item.id, worker_id=item.worker_id, side=answers.sides[0], at=now,
            clearness=answers.clearness, reasons=" ".join(answers.reasons),
        )  # fmt: skip

    def _after(self, connection: Connection, item: Any, answers: Answers, state: str, now: float) -> None:
        """Speed, golds and the quiz, judged as soon as the answers are in."""
        taken = now - item.began if item.began is not None else None
        is_person = worker_by_id(connection, item.worker_id).machine_id is None
        if is_person and taken is not None and taken < quality.FASTEST * len(answers.sides):
            note = f"a questionnaire of {len(answers.sides)} questions in {taken:.1f} s"
            add_flag(connection, item.worker_id, "speed", note, now, each=True)
        if item.gold_id is None or state != "done":
            return
        if quality.apply_rule(connection, item.worker_id, rules_of(read_facts(connection)), now):
            return
        unit = units.unit_by_id(connection, item.unit_id)
        if unit.kind == "quiz" and units.first_open(units.items_of(connection, unit.id)) is None:
            self._after_quiz(connection, unit, now)

    def _after_quiz(self, connection: Connection, unit: Any, now: float) -> None:
        attempts = units.count_units(connection, unit.worker_id, "quiz")
        rules = rules_of(read_facts(connection))
        verdict = quality.judge_quiz(units.count_right(connection, unit.id), attempts, rules)
        states = {"go on": "working", "quiz again": "quiz", "failed": "failed"}
        set_worker(connection, unit.worker_id, state=states[verdict.what])
        if verdict.what == "failed":
            add_event(connection, "quiz", verdict.note, now, unit.worker_id)

    def _quiz(self, connection: Connection, reader: Reader, now: float) -> str | None:
        golds, count = self._golds(connection, reader), rules_of(reader.facts).quiz_golds
        if len(golds) < count or not self._has_room(connection, reader.facts, reader.quota, now):
            return None
        return self._issue(connection, reader, "quiz", golds[:count], now)

    def _work(self, connection: Connection, reader: Reader, now: float) -> str | None:
        cells = self._cells_for(connection, reader, now)
        golds = self._golds(connection, reader)
        if not cells or (reader.is_person and not golds):
            return None
        parts: list[Cell | int] = list(cells)
        if golds:
            parts.insert(self.rng.randint(0, len(parts)), golds[0])
        return self._issue(connection, reader, "work", parts, now)

    def _cells_for(self, connection: Connection, reader: Reader, now: float) -> list[Cell]:
        """Cells nobody was ever given first, in whole units; then reopened ones, in short units."""
        if self.most_units and units.count_units(connection, reader.row.id, "work") >= self.most_units:
            return []
        sheets = self.sheets(connection, reader.facts)
        room, fresh = open_cells(connection, sheets, reader.facts, reader.quota, now)
        given = [Cell(row.sheet_id, row.method) for row in units.sheets_lent_to(connection, reader.row.id)]
        chosen = choose_cells(fresh, sheets, given, PER_UNIT, self.rng)
        return chosen or choose_cells(room, sheets, given, PER_SHORT_UNIT, self.rng)

    def sheets(self, connection: Connection, facts: Mapping[str, Any]) -> dict[int, Sheet]:
        """The questionnaires, which never change once a study is designed."""
        if self._sheets is None or self._sheets[0] != facts["id"]:
            self._sheets = (facts["id"], read_sheets(connection))
        return self._sheets[1]

    def _golds(self, connection: Connection, reader: Reader) -> list[int]:
        """Golds in use that the worker has not met in any wording, in random order."""
        numbers = golds_not_met(connection, reader.row.id)
        self.rng.shuffle(numbers)
        return numbers

    def _issue(self, connection: Connection, reader: Reader, kind: str, parts: Sequence[Cell | int], now: float) -> str:
        token, worker = secrets.token_urlsafe(24), reader.row.id
        if reader.facts["task"] == PREFER:
            shown = show_comparisons(connection, parts, reader.quota, self.rng)
        else:
            shown = show_sheets(connection, parts, self.rng)
        number = units.add_unit(
            connection, token=token, worker_id=worker, kind=kind, issued=now, expires=now + self.lease, closed=None
        )
        items = [
            {"token": secrets.token_urlsafe(16), "unit_id": number, "worker_id": worker, "place": place,
             "state": "open", "began": now if place == 0 else None, **one}
            for place, one in enumerate(shown)
        ]  # fmt: skip
        units.add_items(connection, items)
        return token

    def _extend(self, connection: Connection, unit: int, now: float) -> None:
        """The lease runs from the last sign of life. What had been taken back comes back only by `resume`."""
        units.extend_unit(connection, unit, now + self.lease)


def _find(items: Sequence[Any], token: str) -> Any:
    """The questionnaire of that token. Raises LookupError."""
    for item in items:
        if secrets.compare_digest(item.token.encode(), token.encode()):
            return item
    raise LookupError("this questionnaire is not part of the unit")


def _judgement_rows(item: Any, answers: Answers, now: float) -> list[dict[str, Any]]:
    """The answers that are right or wrong, read by what was shown; a preference is neither, unless it is a gold."""
    shown = json.loads(item.shown)
    rows = []
    for place, (side, truth) in enumerate(zip(answers.sides, shown.get("truth", ()), strict=False)):
        row = {"item_id": item.id, "worker_id": item.worker_id, "place": place, "side": side, "at": now}
        if item.gold_id is None:
            code = shown[side]["group"]
            rows.append({**row, "question_id": shown["questions"][place], "group_code": code, "correct": code == truth})
        else:
            rows.append({**row, "question_id": None, "group_code": None, "correct": side == truth})
    return rows


def _begin(connection: Connection, item: Any, now: float) -> None:
    if item.began is None:
        units.set_item(connection, item.id, began=now)
