"""Asking a model: questionnaire after questionnaire, each answer stored before the next is asked, so that a kill loses
nothing but the answer under way."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from visavis.contracts import ChatModel
from visavis.errors import InvalidParameter, Unanswered, Unusable
from visavis.study.asking.prompt import compose
from visavis.study.asking.reading import read_answer
from visavis.study.fieldwork.answering import Answers
from visavis.study.fieldwork.dispatch import Dispatcher
from visavis.study.fieldwork.machines import leave_out, shown_to, take_in, unit_for, why_no_unit
from visavis.study.fieldwork.pool import PAUSED
from visavis.study.store import Store, read_facts, units
from visavis.study.store.machines import add_machine, machine_by_name
from visavis.study.tasks import OF_A_MACHINE

LEASE = 24 * 3600.0  # nobody else answers for a machine, so that it may be slow


@dataclass(frozen=True)
class Turn:
    """One questionnaire to be asked: its unit, its item, the task and what is shown."""

    unit: Any
    item: Any
    task: str
    shown: dict[str, Any]

    @property
    def questions(self) -> int:
        """How many answers are wanted."""
        return len(self.shown["questions"]) if "questions" in self.shown else 1


@dataclass(frozen=True)
class Asked:
    """What came of it: questionnaires answered, left out as the model's answers were in no form, and why it ended.

    `stopped` is blank where the machine's quota is filled.
    """

    machine: str
    answered: int
    left_out: int
    stopped: str


def ask_model(
    store: Store,
    model: ChatModel,
    *,
    name: str = "",
    judgements: int | None = None,
    tries: int = 3,
    tell: Callable[[int], None] | None = None,
    now: Callable[[], float] = time.time,
) -> Asked:
    """Let a model answer a study as the machine `name` (its own name, if none is given), until its quota is filled.

    A new machine gets a quota of `judgements` for every cell (one to sort, two to prefer, if none is given); one that
    is known goes on where it stopped. A questionnaire is left out after `tries` answers in no form that can be read.
    Raises InvalidParameter where the machine was retired.
    """
    called = name or model.model
    dispatcher = Dispatcher(lease=LEASE)
    with store.writing() as connection:
        if machine_by_name(connection, called) is None:
            add_machine(connection, called, judgements or OF_A_MACHINE[read_facts(connection)["task"]], now())
    answered = left_out = 0
    while (turn := _next_turn(store, dispatcher, called, now())) is not None:
        messages = compose(turn.task, turn.shown)
        said = {"model": model.model, "host": model.host, "prompt": json.dumps(messages, ensure_ascii=False)}
        try:
            answer, said["reply"] = _ask(model, messages, turn, tries)
        except Unanswered as error:
            return Asked(called, answered, left_out, str(error))
        with store.writing() as connection:
            if answer is None:
                leave_out(dispatcher, connection, turn.unit, turn.item, said, now())
                left_out += 1
            else:
                sides = {"item": turn.item.token, "sides": tuple(answer.pop("answers"))}
                take_in(dispatcher, connection, turn.unit, Answers(**sides, **_more(answer)), said, now())
                answered += 1
        if tell is not None:
            tell(answered + left_out)
    return Asked(called, answered, left_out, _why_ended(store, dispatcher, called, now()))


def _why_ended(store: Store, dispatcher: Dispatcher, name: str, now: float) -> str:
    """Blank where the quota is filled; a study that is paused hands nothing out."""
    with store.reading() as connection:
        why = why_no_unit(dispatcher, connection, machine_by_name(connection, name), now)
    return PAUSED if why == "paused" else ""


def _more(answer: dict[str, Any]) -> dict[str, Any]:
    return {**answer, "reasons": tuple(answer["reasons"])} if "reasons" in answer else answer


def _next_turn(store: Store, dispatcher: Dispatcher, name: str, now: float) -> Turn | None:
    with store.writing() as connection:
        machine = machine_by_name(connection, name)
        if machine.retired:
            raise InvalidParameter(f"the machine {name!r} was retired: give the model another name with --name")
        unit = unit_for(dispatcher, connection, machine, now)
        if unit is None:
            return None
        item = units.first_open(units.items_of(connection, unit.id))
        return Turn(unit, item, read_facts(connection)["task"], shown_to(connection, item))


def _ask(model: ChatModel, messages: list[dict[str, str]], turn: Turn, tries: int) -> tuple[dict[str, Any] | None, str]:
    """The answer and what was said; None for an answer where no try had a form that can be read."""
    said = ""
    for _ in range(tries):
        try:
            said = model.ask(messages)
        except Unusable as error:
            said = str(error)
            continue
        try:
            return read_answer(turn.task, said, turn.questions), said
        except Unanswered:
            continue
    return None, said
