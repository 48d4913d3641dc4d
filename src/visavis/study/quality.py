"""Whose judgements count: the entry quiz, the rule judged at 18 golds, flags, exclusion and its undoing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from visavis.errors import InvalidParameter, UnknownName
from visavis.study.shape import FEWEST_GOLDS
from visavis.study.store import schema

QUIZ_GOLDS = 2
QUIZ_PASS = 5  # of 6
QUIZ_ATTEMPTS = 3  # an able worker has a bad day once in nine quizzes; golds are new each time
RULE_AT = 18
RULE_PASS = 13
FASTEST = 3.0  # seconds a question takes at the very least
REVIEW_WORKERS, REVIEW_SHARE = 5, 0.3
REHEARSAL = "rehearsal-"  # how the ids of simulated participants begin

FILED = ("quiz", "working")  # states in which a worker may be given work
LIVE = ("open", "done")  # states in which a questionnaire takes a place in its cell


def fewest_golds(*, few: bool) -> int:
    """How many golds must be in use before work is handed out; where `few` suffice, enough for a quiz and a unit."""
    return QUIZ_GOLDS + 1 if few else FEWEST_GOLDS


@dataclass(frozen=True)
class Verdict:
    """What follows from a worker's golds: "go on", "quiz again", "failed" (the quiz), or "exclude"."""

    what: str
    note: str = ""


def judge_quiz(right: int, attempts: int) -> Verdict:
    """After a quiz of six questions, the `attempts`-th of this worker."""
    if right >= QUIZ_PASS:
        return Verdict("go on")
    return Verdict("quiz again") if attempts < QUIZ_ATTEMPTS else Verdict("failed", f"quiz failed {attempts} times")


def judge_golds(answers: list[bool]) -> Verdict:
    """The rule, on the first 18 golds; before there are so many it excludes nobody."""
    right = sum(answers[:RULE_AT])
    if len(answers) >= RULE_AT and right < RULE_PASS:
        return Verdict("exclude", f"{right} of {RULE_AT} golds right")
    return Verdict("go on")


def apply_rule(connection: Connection, worker: int, now: float) -> bool:
    """Judge a worker by the rule, once, as soon as there are golds enough; whether that excluded them."""
    of_worker = schema.worker.c.id == worker
    golds = gold_answers(connection, worker)
    if len(golds) < RULE_AT or connection.execute(select(schema.worker.c.judged).where(of_worker)).scalar_one():
        return False
    connection.execute(update(schema.worker).where(of_worker).values(judged=True))
    verdict = judge_golds(golds)
    if verdict.what == "exclude":
        exclude(connection, worker, verdict.note, now)
    return verdict.what == "exclude"


def gold_answers(connection: Connection, worker: int) -> list[bool]:
    """Whether a worker was right about each gold question, in the order answered.

    Golds out of use and answers that came late do not count.
    """
    judged, item, gold = schema.judgement, schema.item, schema.gold
    found = connection.execute(
        select(judged.c.correct)
        .join(item, item.c.id == judged.c.item_id)
        .join(gold, gold.c.id == item.c.gold_id)
        .where(judged.c.worker_id == worker, gold.c.retired.is_(False), item.c.state == "done")
        .order_by(judged.c.id)
    )
    return [bool(row.correct) for row in found]


def find_worker(connection: Connection, pseudonym: str) -> Any:
    """The worker of that pseudonym. Raises UnknownName."""
    row = connection.execute(select(schema.worker).where(schema.worker.c.pseudonym == pseudonym)).first()
    if row is None:
        raise UnknownName(f"there is no worker {pseudonym!r}")
    return row


def exclude(connection: Connection, worker: int, reason: str, now: float) -> None:
    """Keep a worker's judgements but count none; their cells reopen. Raises InvalidParameter without a reason."""
    if not reason.strip():
        raise InvalidParameter("an exclusion needs a reason")
    state = connection.execute(select(schema.worker.c.state).where(schema.worker.c.id == worker)).scalar_one()
    if state == "excluded":
        return
    connection.execute(update(schema.worker).where(schema.worker.c.id == worker).values(state="excluded", before=state))
    of_worker = schema.item.c.worker_id == worker
    connection.execute(update(schema.item).where(of_worker, schema.item.c.state == "done").values(state="excluded"))
    connection.execute(update(schema.item).where(of_worker, schema.item.c.state == "open").values(state="expired"))
    connection.execute(
        update(schema.unit).where(schema.unit.c.worker_id == worker, schema.unit.c.closed.is_(None)).values(closed=now)
    )
    record(connection, "exclude", reason.strip(), now, worker)


def include(connection: Connection, worker: int, judgements: int, now: float) -> int:
    """Undo an exclusion: judgements count again where their cell still has room; returns how many could not."""
    row = connection.execute(select(schema.worker).where(schema.worker.c.id == worker)).one()
    if row.state != "excluded":
        return 0
    connection.execute(update(schema.worker).where(schema.worker.c.id == worker).values(state=row.before))
    reap(connection, now)
    surplus = 0
    mine = connection.execute(
        select(schema.item).where(schema.item.c.worker_id == worker, schema.item.c.state == "excluded")
    ).all()
    for item in mine:
        fits = item.gold_id is not None or taken(connection, item.sheet_id, item.method) < judgements
        surplus += not fits
        state = "done" if fits else "surplus"
        connection.execute(update(schema.item).where(schema.item.c.id == item.id).values(state=state))
    record(connection, "include", f"{surplus} questionnaires find their cell full" if surplus else "", now, worker)
    return surplus


def reap(connection: Connection, now: float) -> None:
    """Return to the pool what was lent for longer than the lease."""
    unit, item = schema.unit, schema.item
    late = select(unit.c.id).where(unit.c.closed.is_(None), unit.c.expires < now)
    connection.execute(update(item).where(item.c.state == "open", item.c.unit_id.in_(late)).values(state="expired"))


def taken(connection: Connection, sheet: int, method: str) -> int:
    """How many places of a cell are filled or lent out."""
    item = schema.item
    counted = select(func.count()).select_from(item)
    counted = counted.where(item.c.sheet_id == sheet, item.c.method == method, item.c.state.in_(LIVE))
    return int(connection.execute(counted).scalar_one())


def raise_flag(connection: Connection, worker: int, kind: str, note: str, now: float) -> None:
    """Mark a worker for the researcher's eye; the same kind once."""
    flag = schema.flag
    if connection.execute(select(flag.c.id).where(flag.c.worker_id == worker, flag.c.kind == kind)).first() is None:
        connection.execute(insert(flag).values(worker_id=worker, kind=kind, note=note, at=now))


def record(connection: Connection, kind: str, note: str, now: float, worker: int | None = None) -> None:
    """Write down that something was decided."""
    connection.execute(insert(schema.event).values(at=now, kind=kind, worker_id=worker, note=note))
