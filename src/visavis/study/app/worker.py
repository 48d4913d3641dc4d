"""The pages of workers: welcome, and one questionnaire after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from visavis.study.app import pages, security
from visavis.study.app.joining import Arrival, InUseById, check_link, clean, join
from visavis.study.app.options import AppState, state_of, text_of
from visavis.study.fieldwork.answering import LONGEST_COMMENT, Answers, BadAnswers, check_preference, check_sides
from visavis.study.fieldwork.comparing import comparison_texts
from visavis.study.fieldwork.showing import texts_of
from visavis.study.preferences import CLEARNESS, REASONS
from visavis.study.store import Connection, read_facts, units
from visavis.study.tasks import PREFER, SORT

router = APIRouter(default_response_class=HTMLResponse)

PREFIX = {SORT: "", PREFER: "prefer_"}  # how the names of a task's texts begin
Identity = Annotated[str, Query(max_length=200)]
Word = Annotated[str, Form(max_length=200)]
Token = Annotated[str, Form(max_length=128)]


@router.get("/w")
def welcome(
    request: Request, PROLIFIC_PID: Identity = "", workerId: Identity = "", participant: Identity = "",
    signature: Identity = "",
) -> Response:  # fmt: skip
    """Consent and instructions."""
    state = state_of(request)
    name = clean(PROLIFIC_PID or workerId or participant)
    with state.store.reading() as connection:
        known = security.worker_of(request, connection) is not None
        is_open = known or bool(name and state.dispatcher.knows(connection, state.keys.pseudonym(name)))
        is_open = is_open or state.dispatcher.wants_workers(connection, state.now())
        task = read_facts(connection)["task"]
    if not known:
        check_link(request, name, clean(signature))
    options, begins = state.options, PREFIX[task]
    return pages.page(
        request, "welcome.html", csrf=security.visit_token(request), is_open=is_open, known=known, participant=name,
        title=options.texts[f"{begins}welcome_title"], signature=clean(signature),
        screen=[asked for asked, _ in options.screen], consent=pages.paragraphs(options.consent_text),
        instructions=pages.paragraphs(options.instructions or options.texts[f"{begins}instructions"]),
    )  # fmt: skip


@router.post("/w/start")
async def start(
    request: Request, csrf: Token = "", consent: Word = "", participant: Word = "", signature: Word = ""
) -> Response:
    """Begin, or go on with the next unit."""
    request.state.participant = clean(participant)
    request.state.signature = clean(signature)
    security.check_visit(request, csrf)
    form = await request.form()
    asked = [name for name, _ in state_of(request).options.screen]
    declared = {name: clean(str(form.get(f"screen_{name}", "")))[:200] for name in asked}
    arrival = Arrival(clean(participant), clean(signature), consent == "yes", declared)
    return await run_in_threadpool(_begin, request, arrival)


def _begin(request: Request, arrival: Arrival) -> Response:
    state = state_of(request)
    cookie = state.keys.cookie(security.visit_of(request), arrival.participant)
    try:
        with state.store.writing() as connection:
            number, is_new_session = join(request, connection, arrival, cookie)
            token = state.dispatcher.next_unit(connection, number, state.now())
    except InUseById:
        return pages.page(
            request, "resume.html", 409, csrf=security.visit_token(request), code="", wrong=False,
            explained=text_of(request, "resume_in_use"), participant=arrival.participant,
        )  # fmt: skip
    response = RedirectResponse(f"/w/unit/{token}" if token else "/w/done", 303)
    if is_new_session:
        security.set_worker(request, response, cookie)
    return response


def _unit(request: Request, connection: Connection, token: str) -> tuple[Any, Any]:
    """A unit and its worker. 404 where there is none, 403 where it is somebody else's."""
    unit = units.unit_by_token(connection, clean(token))
    if unit is None:
        raise HTTPException(404, text_of(request, "error_no_unit"))
    worker = security.worker_of(request, connection)
    if worker is None or worker.id != unit.worker_id:
        raise HTTPException(403, text_of(request, "error_not_yours"))
    return unit, worker


@router.get("/w/unit/{token}")
def show_unit(request: Request, token: str) -> Response:
    """The questionnaire that comes next."""
    state = state_of(request)
    with state.store.reading() as connection:
        unit, _ = _unit(request, connection, token)
        if unit.closed is not None:
            return RedirectResponse("/w/done", 303)
        items = units.items_of(connection, unit.id)
        current = units.first_open(items)
        if unit.expires >= state.now() and current is not None and current.began is not None:
            return _questionnaire(request, connection, unit, items)
    with state.store.writing() as connection:
        if not state.dispatcher.resume(connection, unit, state.now()):
            return RedirectResponse("/w/done", 303)
        return _questionnaire(request, connection, unit, units.items_of(connection, unit.id))


def _questionnaire(request: Request, connection: Connection, unit: Any, items: Sequence[Any]) -> Response:
    """The page of the first of a unit's questionnaires that waits for an answer."""
    item = units.first_open(items)
    asked = {name: text_of(request, name) for name in state_of(request).options.ask}
    shown: dict[str, Any]
    if read_facts(connection)["task"] == PREFER:
        template = "preference.html"
        shown = {"texts": comparison_texts(connection, item), "clearness": CLEARNESS, "reasons": REASONS}
    else:
        template, shown = "questionnaire.html", {"texts": texts_of(connection, item)}
    return pages.page(
        request, template, csrf=security.visit_token(request), unit=unit.token, item=item.token,
        number=sum(one.place <= item.place for one in items), total=len(items), quiz=unit.kind == "quiz", asked=asked,
        longest=LONGEST_COMMENT, **shown,
    )  # fmt: skip


@router.post("/w/unit/{token}")
def take_unit(
    request: Request,
    token: str,
    csrf: Token = "",
    item: Token = "",
    q0: Word = "",
    q1: Word = "",
    q2: Word = "",
    usefulness: Word = "",
    difficulty: Word = "",
    comment: Annotated[str, Form(max_length=LONGEST_COMMENT)] = "",
    clearness: Word = "",
    reason: Annotated[tuple[str, ...], Form(max_length=20)] = (),
) -> Response:
    """Take in one questionnaire."""
    security.check_visit(request, csrf)
    state = state_of(request)
    ratings = {"usefulness": _scale(request, usefulness), "difficulty": _scale(request, difficulty)}
    sent = Answers(item, (q0, q1, q2), **ratings, comment=clean(comment), reasons=reason)
    with state.store.writing() as connection:
        answers = _checked(request, read_facts(connection)["task"], sent, clearness)
        unit, worker = _unit(request, connection, token)
        try:
            outcome = state.dispatcher.submit(connection, unit, answers, state.now())
        except LookupError as error:
            raise HTTPException(422, text_of(request, "error_item")) from error
        except ValueError as error:
            raise HTTPException(409, text_of(request, "error_order")) from error
        where = _after(connection, state, unit, worker.id)
    return RedirectResponse(where + ("?late=1" if outcome == "late" else ""), 303)


def _checked(request: Request, task: str, sent: Answers, clearness: str) -> Answers:
    """What was sent, as far as the task asks for it. 422 where something is missing."""
    try:
        if task == SORT:
            return replace(sent, sides=check_sides(task, sent.sides), reasons=())
        sides = check_sides(task, sent.sides[:1])
        clear, reasons = check_preference(_scale(request, clearness), sent.reasons)
        return replace(sent, sides=sides, clearness=clear, reasons=reasons)
    except BadAnswers as error:
        raise HTTPException(422, text_of(request, f"error_{PREFIX[task]}answers")) from error


def _after(connection: Connection, state: AppState, unit: Any, worker: int) -> str:
    """Where a worker goes after an answer: on with the unit, from the quiz into work, or to the thanks."""
    if units.unit_by_id(connection, unit.id).closed is None:
        return f"/w/unit/{unit.token}"
    following = state.dispatcher.next_unit(connection, worker, state.now()) if unit.kind == "quiz" else None
    return f"/w/unit/{following}" if following else "/w/done"


def _scale(request: Request, written: str) -> int | None:
    if not written:
        return None
    if written not in ("1", "2", "3", "4", "5"):
        raise HTTPException(422, text_of(request, "error_scale"))
    return int(written)
