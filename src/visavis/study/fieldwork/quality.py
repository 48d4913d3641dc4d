"""Whose judgements count: the entry quiz, the rule judged by golds, flags, exclusion and its undoing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from visavis.errors import InvalidParameter, UnknownName
from visavis.study.store import Connection, progress, read_facts
from visavis.study.store.cells import places_taken, quota_of
from visavis.study.store.units import change_states, close_units_of, expire_items, items_in_state, set_item
from visavis.study.store.workers import add_event, gold_answers, set_worker, worker_by_id, worker_by_pseudonym
from visavis.study.tasks import Rules

FASTEST = 3.0  # seconds a question takes at the very least
REVIEW_WORKERS, REVIEW_SHARE = 5, 0.3
REHEARSAL = "rehearsal-"  # how the ids of simulated participants begin

AT_WORK = ("quiz", "working")  # states in which a worker may be given work


@dataclass(frozen=True)
class Verdict:
    """What follows from a worker's golds: "go on", "quiz again", "failed" (the quiz), or "exclude"."""

    what: str
    note: str = ""


def judge_quiz(right: int, attempts: int, rules: Rules) -> Verdict:
    """After a quiz with so many questions right, the `attempts`-th of this worker."""
    if right >= rules.quiz_pass:
        return Verdict("go on")
    return Verdict("quiz again") if attempts < rules.attempts else Verdict("failed", f"quiz failed {attempts} times")


def judge_golds(answers: list[bool], rules: Rules) -> Verdict:
    """The rule, on the first golds it is judged by; before there are so many it excludes nobody."""
    right = sum(answers[: rules.rule_at])
    if len(answers) >= rules.rule_at and right < rules.rule_pass:
        return Verdict("exclude", f"{right} of {rules.rule_at} golds right")
    return Verdict("go on")


def apply_rule(connection: Connection, worker: int, rules: Rules, now: float) -> bool:
    """Judge a person by the rule, once, as soon as there are golds enough; whether that excluded them.

    Machines are not judged: what they made of the golds is reported.
    """
    golds, row = gold_answers(connection, worker), worker_by_id(connection, worker)
    if len(golds) < rules.rule_at or row.judged or row.machine_id is not None:
        return False
    set_worker(connection, worker, judged=True)
    verdict = judge_golds(golds, rules)
    if verdict.what == "exclude":
        exclude(connection, worker, verdict.note, now)
    return verdict.what == "exclude"


def find_worker(connection: Connection, pseudonym: str) -> Any:
    """The worker of that pseudonym. Raises UnknownName."""
    row = worker_by_pseudonym(connection, pseudonym)
    if row is None:
        raise UnknownName(f"there is no worker {pseudonym!r}")
    return row


def exclude(connection: Connection, worker: int, reason: str, now: float) -> None:
    """Keep a worker's judgements but count none; their cells reopen. Raises InvalidParameter without a reason."""
    if not reason.strip():
        raise InvalidParameter("an exclusion needs a reason")
    state = worker_by_id(connection, worker).state
    if state == "excluded":
        return
    set_worker(connection, worker, state="excluded", before=state)
    change_states(connection, worker, {"done": "excluded", "open": "expired"})
    close_units_of(connection, worker, now)
    add_event(connection, "exclude", reason.strip(), now, worker)


def include(connection: Connection, worker: int, now: float) -> int:
    """Undo an exclusion: judgements count again where their cell still has room; returns how many could not."""
    row = worker_by_id(connection, worker)
    if row.state != "excluded":
        return 0
    quota = quota_of(connection, row, read_facts(connection))
    set_worker(connection, worker, state=row.before)
    expire_items(connection, now)
    surplus = 0
    for item in items_in_state(connection, worker, "excluded"):
        fits = (
            item.gold_id is not None or places_taken(connection, item.sheet_id, item.method, quota) < quota.judgements
        )
        surplus += not fits
        set_item(connection, item.id, state="done" if fits else "surplus")
    add_event(connection, "include", f"{surplus} questionnaires find their cell full" if surplus else "", now, worker)
    return surplus


def golds_with_review(connection: Connection) -> list[dict[str, Any]]:
    """A row for each gold: how many met it, how many failed each question, and whether it wants a second look."""
    rows = progress.golds(connection)
    for row in rows:
        row["review"] = any(map(wants_review, row["missed"]))
        row["missed"] = [sum(question) for question in row["missed"]]
    return rows


def wants_review(missed: Sequence[bool]) -> bool:
    """Whether more than 30 % of at least 5 workers missed a gold question: the gold may be wrong, not they."""
    return len(missed) >= REVIEW_WORKERS and sum(missed) > REVIEW_SHARE * len(missed)
