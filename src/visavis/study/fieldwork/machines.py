"""Machines at work: units for them, in quotas of their own, and what they are sent of a questionnaire.

A machine has no memory of its own between questionnaires, so it may sit down several times: every sitting is a worker,
for whom all holds that holds for people (no article under two methods, no gold twice), and only the entry quiz is left
out. Machines fill no cell of people's.
"""

from __future__ import annotations

import secrets
from typing import Any

from visavis.study.fieldwork.answering import Answers
from visavis.study.fieldwork.comparing import comparison_texts
from visavis.study.fieldwork.dispatch import Dispatcher
from visavis.study.fieldwork.showing import texts_of
from visavis.study.store import Connection, read_facts, units
from visavis.study.store.machines import UNANSWERED, add_transcript, sittings_of
from visavis.study.store.workers import add_worker
from visavis.study.tasks import PREFER


def unit_for(dispatcher: Dispatcher, connection: Connection, machine: Any, now: float) -> Any:
    """The unit a machine should answer next: one it has begun, or a new one; None where there is none just now."""
    sittings = sittings_of(connection, machine.id)
    begun = [worker for worker in sittings if units.open_unit_of(connection, worker) is not None]
    for worker in (*begun, *sittings[:1]):
        token = dispatcher.next_unit(connection, worker, now)
        if token is not None:
            return units.unit_by_token(connection, token)
    if read_facts(connection)["paused"] or not dispatcher.wants_machine(connection, machine, now):
        return None
    worker = add_worker(
        connection, pseudonym=secrets.token_hex(12), session="", state="working", before="", declared="", joined=now,
        machine_id=machine.id,
    )  # fmt: skip
    token = dispatcher.next_unit(connection, worker, now)
    return units.unit_by_token(connection, token) if token is not None else None


def why_no_unit(dispatcher: Dispatcher, connection: Connection, machine: Any, now: float) -> str:
    """Why a machine is given nothing: "done" where its quota is filled, "paused" where the study is."""
    rests = read_facts(connection)["paused"] and dispatcher.wants_machine(connection, machine, now)
    return "paused" if rests else "done"


def shown_to(connection: Connection, item: Any) -> dict[str, Any]:
    """What a machine is sent of a questionnaire: the texts a person would read. No method, no answer."""
    if read_facts(connection)["task"] == PREFER:
        texts = comparison_texts(connection, item)
        return {"groups": texts["groups"], "x": _by_group(texts, "left"), "y": _by_group(texts, "right")}
    texts = texts_of(connection, item)
    return {"a": texts["left"], "b": texts["right"], "questions": texts["questions"]}


def _by_group(texts: dict[str, Any], side: str) -> list[dict[str, Any]]:
    both = zip(texts["groups"], texts[side], strict=True)
    return [{"group": group["name"], "documents": documents} for group, documents in both]


def take_in(
    dispatcher: Dispatcher, connection: Connection, unit: Any, answers: Answers, said: dict[str, str], now: float
) -> str:
    """Take in a machine's answer, with what it was told and what it said; the outcome, as Dispatcher.submit has it."""
    outcome = dispatcher.submit(connection, unit, answers, now)
    if said and outcome != "again":
        item = next(one for one in units.items_of(connection, unit.id) if one.token == answers.item)
        _keep(connection, item, said, now)
    return outcome


def leave_out(
    dispatcher: Dispatcher, connection: Connection, unit: Any, item: Any, said: dict[str, str], now: float
) -> None:
    """Pass over a questionnaire that a machine could not answer; it is not asked it again."""
    units.set_item(connection, item.id, state=UNANSWERED, answered=now)
    _keep(connection, item, said, now)
    dispatcher.resume(connection, units.unit_by_id(connection, unit.id), now)


def _keep(connection: Connection, item: Any, said: dict[str, str], now: float) -> None:
    words = {name: said.get(name, "") for name in ("model", "host", "prompt", "reply")}
    add_transcript(connection, item_id=item.id, worker_id=item.worker_id, at=now, **words)
