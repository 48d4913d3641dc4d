"""The interface for machines: units as JSON, answers as JSON, a bearer token of their own."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from visavis.shared.text import storable
from visavis.study.app.options import state_of
from visavis.study.fieldwork.answering import BadAnswers, read_answers
from visavis.study.fieldwork.machines import shown_to, take_in, unit_for, why_no_unit
from visavis.study.store import Connection, read_facts, units
from visavis.study.store.machines import machine_by_token
from visavis.study.store.workers import worker_by_id

router = APIRouter(prefix="/api", default_response_class=JSONResponse)

LONGEST_TRANSCRIPT = 200_000
SCHEME = "bearer "


def _machine(request: Request, connection: Connection) -> Any:
    """The machine whose token the request bears. 401 where there is none, or the machine was retired."""
    given = request.headers.get("authorization", "")
    token = given[len(SCHEME) :].strip() if given.lower().startswith(SCHEME) else ""
    found = machine_by_token(connection, token) if token else None
    if found is None:
        raise HTTPException(
            401, "a token of a machine is needed: `visavis study machine add` makes one", {"WWW-Authenticate": "Bearer"}
        )
    return found


@router.get("/unit")
def give_unit(request: Request) -> dict[str, Any]:
    """The unit to answer next, with what is left of it; without one, `state` says whether all is done or work rests."""
    state = state_of(request)
    with state.store.writing() as connection:
        machine = _machine(request, connection)
        facts = read_facts(connection)
        unit = unit_for(state.dispatcher, connection, machine, state.now())
        if unit is None:
            why = why_no_unit(state.dispatcher, connection, machine, state.now())
            return {"task": facts["task"], "state": why, "unit": None, "questionnaires": []}
        waiting = [item for item in units.items_of(connection, unit.id) if item.state == "open"]
        shown = [{"id": item.token, **shown_to(connection, item)} for item in waiting]
        return {"task": facts["task"], "state": "open", "unit": unit.token, "questionnaires": shown}


@router.post("/answers")
async def take_answers(request: Request) -> dict[str, Any]:
    """Take in the answer to one questionnaire of a unit, in their order."""
    try:
        sent = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise HTTPException(422, "the body is no JSON object") from None
    return await run_in_threadpool(_take, request, sent)


def _take(request: Request, sent: Any) -> dict[str, Any]:
    state = state_of(request)
    with state.store.writing() as connection:
        machine = _machine(request, connection)
        unit = _unit(connection, machine, sent)
        try:
            answers = read_answers(read_facts(connection)["task"], sent)
            said = _transcript(sent)
            outcome = take_in(state.dispatcher, connection, unit, answers, said, state.now())
        except (BadAnswers, LookupError) as error:
            raise HTTPException(422, str(error)) from error
        except ValueError as error:
            raise HTTPException(409, str(error)) from error
        left = sum(item.state == "open" for item in units.items_of(connection, unit.id))
    return {"outcome": outcome, "left": left}


def _unit(connection: Connection, machine: Any, sent: Any) -> Any:
    """The unit an answer is for. 422 without one, 404 where it is not this machine's."""
    if not isinstance(sent, dict) or not isinstance(sent.get("unit"), str):
        raise HTTPException(422, "the body needs 'unit', 'questionnaire' and 'answers'")
    unit = units.unit_by_token(connection, storable(sent["unit"]))
    if unit is None or worker_by_id(connection, unit.worker_id).machine_id != machine.id:
        raise HTTPException(404, "there is no such unit of this machine")
    return unit


def _transcript(sent: dict[str, Any]) -> dict[str, str]:
    """What the machine says it was told and said, where it says so."""
    found = sent.get("transcript") or {}
    if not isinstance(found, dict) or any(not isinstance(value, str) for value in found.values()):
        raise BadAnswers("transcript is an object of texts: model, host, prompt, reply")
    if sum(map(len, found.values())) > LONGEST_TRANSCRIPT:
        raise BadAnswers(f"a transcript has at most {LONGEST_TRANSCRIPT:,} characters")
    return {name: storable(value) for name, value in found.items()}
