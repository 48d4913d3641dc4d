"""What paying people needs, in the database: ids, what was done, consent, codes for another device, exit answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from visavis.study.store import schema
from visavis.study.store.units import was_worked_on
from visavis.study.store.workers import is_person


def keep_participant(connection: Connection, worker: int, participant: str) -> None:
    """Keep the id, sealed, by which somebody is paid."""
    connection.execute(insert(schema.payment).values(worker_id=worker, participant=participant))


def workers_to_pay(connection: Connection) -> Sequence[Any]:
    """Every person with the sealed id they came with, in the order in which they came."""
    worker, payment = schema.worker, schema.payment
    chosen = select(worker, payment.c.participant).outerjoin(payment, payment.c.worker_id == worker.c.id)
    return connection.execute(chosen.where(is_person()).order_by(worker.c.id)).all()


def units_by_worker(connection: Connection) -> dict[int, list[Any]]:
    """The kind of each unit of each worker, and when it was closed."""
    unit = schema.unit
    found: dict[int, list[Any]] = {}
    chosen = select(unit.c.worker_id, unit.c.kind, unit.c.closed).where(unit.c.closed.is_(None) | was_worked_on())
    for row in connection.execute(chosen.order_by(unit.c.id)):
        found.setdefault(row.worker_id, []).append(row)
    return found


def time_by_worker(connection: Connection) -> dict[int, Any]:
    """Of each worker: `questionnaires` answered, the `seconds` they took, and when the `last` was sent."""
    item = schema.item
    seconds = func.sum(item.c.answered - item.c.began)
    chosen = select(
        item.c.worker_id, func.count().label("questionnaires"), seconds.label("seconds"),
        func.max(item.c.answered).label("last"),
    ).where(item.c.answered.is_not(None)).group_by(item.c.worker_id)  # fmt: skip
    return {row.worker_id: row for row in connection.execute(chosen)}


def keep_consent(connection: Connection, version: str, text: str, now: float) -> None:
    """Keep a text that people agree to, once."""
    consent = schema.consent
    if connection.execute(select(consent.c.version).where(consent.c.version == version)).first() is None:
        connection.execute(insert(consent).values(version=version, text=text, since=now))


def add_resume_code(connection: Connection, code: str, worker: int, expires: float) -> None:
    """Store a hashed code; older ones of the worker end."""
    connection.execute(delete(schema.resume_code).where(schema.resume_code.c.worker_id == worker))
    connection.execute(insert(schema.resume_code).values(code=code, worker_id=worker, expires=expires))


def take_resume_code(connection: Connection, code: str, now: float) -> int | None:
    """The worker of a hashed code that holds, which ends with this; None where there is none."""
    resume_code = schema.resume_code
    row = connection.execute(select(resume_code).where(resume_code.c.code == code)).first()
    connection.execute(delete(resume_code).where((resume_code.c.code == code) | (resume_code.c.expires < now)))
    return int(row.worker_id) if row is not None and row.expires >= now else None


def add_exit_answers(connection: Connection, worker: int, answers: Mapping[str, str], now: float) -> None:
    """Keep what somebody said at the end; what was answered before stays."""
    held = exit_answers_of(connection, worker)
    rows = [
        {"worker_id": worker, "question": name, "answer": answer, "at": now}
        for name, answer in answers.items()
        if name not in held
    ]
    if rows:
        connection.execute(insert(schema.exit_answer), rows)


def exit_answers_of(connection: Connection, worker: int) -> dict[str, str]:
    """What a worker said at the end."""
    answer = schema.exit_answer
    chosen = select(answer.c.question, answer.c.answer).where(answer.c.worker_id == worker)
    return {row.question: row.answer for row in connection.execute(chosen)}


def all_exit_answers(connection: Connection) -> Sequence[Any]:
    """pseudonym, question, answer, at: of everybody."""
    answer, worker = schema.exit_answer, schema.worker
    chosen = select(worker.c.pseudonym, answer.c.question, answer.c.answer, answer.c.at)
    return connection.execute(chosen.join(worker, worker.c.id == answer.c.worker_id).order_by(answer.c.id)).all()
