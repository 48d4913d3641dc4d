"""The last pages of workers: thanks and codes, the last questions, and going on with another device."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from visavis.study.app import pages, security
from visavis.study.app.joining import clean
from visavis.study.app.options import state_of, text_of
from visavis.study.fieldwork import resume
from visavis.study.fieldwork.exit_questions import check_exit_answers
from visavis.study.fieldwork.payments import code_of, outcome_of
from visavis.study.store import units
from visavis.study.store.payments import add_exit_answers, exit_answers_of
from visavis.study.store.workers import set_worker

router = APIRouter(default_response_class=HTMLResponse)

Token = Annotated[str, Form(max_length=128)]
Code = Annotated[str, Form(max_length=40)]


@router.get("/w/done")
def done(request: Request, late: Annotated[str, Query(max_length=8)] = "") -> Response:
    """Thanks and the code for those who did something; the last questions; and the next unit, where there is one."""
    state = state_of(request)
    with state.store.reading() as connection:
        worker = security.worker_of(request, connection)
        if worker is None:
            return RedirectResponse("/w", 303)
        unit = units.open_unit_of(connection, worker.id)
        more = state.dispatcher.offers(connection, worker.id, state.now())
        kinds = units.closed_kinds(connection, worker.id)
        said = exit_answers_of(connection, worker.id)
    outcome = outcome_of(worker.state, kinds, more=more or unit is not None)
    code = code_of(state.keys, state.options.codes, worker.pseudonym, outcome)
    back = state.options.return_link.replace("{code}", code) if code else ""
    asked = state.options.exit_questions if outcome == "completed" and not said else ()
    return pages.page(
        request, "done.html", csrf=security.visit_token(request), code=code, outcome=outcome, back=back, more=more,
        unit=unit.token if unit else "", late=bool(late), asked=asked, said=bool(said),
    )  # fmt: skip


@router.post("/w/exit")
async def take_exit(request: Request, csrf: Token = "") -> Response:
    """Take in the answers to the last questions."""
    security.check_visit(request, csrf)
    form = await request.form()
    questions = state_of(request).options.exit_questions
    written = {one.name: clean(str(form.get(f"exit_{one.name}", ""))) for one in questions}
    return await run_in_threadpool(_keep_exit, request, written)


def _keep_exit(request: Request, written: dict[str, str]) -> Response:
    state = state_of(request)
    try:
        answers = check_exit_answers(state.options.exit_questions, written)
    except ValueError as error:
        raise HTTPException(422, text_of(request, "error_choice")) from error
    with state.store.writing() as connection:
        worker = security.worker_of(request, connection)
        if worker is None:
            raise HTTPException(403, text_of(request, "error_not_yours"))
        add_exit_answers(connection, worker.id, answers, state.now())
    return RedirectResponse("/w/done", 303)


@router.post("/w/device")
def show_code(request: Request, csrf: Token = "") -> Response:
    """A code with which another device goes on."""
    security.check_visit(request, csrf)
    state = state_of(request)
    with state.store.writing() as connection:
        worker = security.worker_of(request, connection)
        if worker is None:
            raise HTTPException(403, text_of(request, "error_not_yours"))
        code = resume.new_code(connection, state.keys, worker.id, state.now())
    explained = text_of(request, "device_explained").format(minutes=resume.MINUTES)
    address = str(request.url_for("enter_code").include_query_params(code=code))
    return pages.page(request, "device.html", code=code, address=address, explained=explained)


@router.get("/w/resume")
def enter_code(request: Request, code: Annotated[str, Query(max_length=40)] = "") -> Response:
    """Where the other device enters the code; opening the address alone uses nothing up."""
    return pages.page(
        request, "resume.html", csrf=security.visit_token(request), code=clean(code), wrong=False, participant="",
        explained=text_of(request, "resume_enter"),
    )  # fmt: skip


@router.post("/w/resume")
def use_code(
    request: Request, csrf: Token = "", code: Code = "", participant: Annotated[str, Form(max_length=200)] = ""
) -> Response:
    """Let the other device in, and the first one out."""
    security.check_visit(request, csrf)
    state, cookie = state_of(request), secrets.token_urlsafe(24)
    with state.store.writing() as connection:
        worker = resume.use_code(connection, state.keys, code, state.now())
        if worker is not None:
            set_worker(connection, worker, session=state.keys.session(cookie))
            unit = units.open_unit_of(connection, worker)
    if worker is None:
        return pages.page(
            request, "resume.html", 403, csrf=security.visit_token(request), code="", wrong=True,
            participant=clean(participant), explained=text_of(request, "resume_enter"),
        )  # fmt: skip
    response = RedirectResponse(f"/w/unit/{unit.token}" if unit else "/w/done", 303)
    security.set_worker(request, response, cookie)
    return response
