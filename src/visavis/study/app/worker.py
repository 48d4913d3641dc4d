"""The pages of workers."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from visavis.study.app import pages, security
from visavis.study.app.options import SCALES, AppState, state_of
from visavis.study.fieldwork import quality
from visavis.study.fieldwork.answering import LONGEST_COMMENT, Answers, BadAnswers, check_preference, check_sides
from visavis.study.fieldwork.comparing import comparison_texts
from visavis.study.fieldwork.showing import texts_of
from visavis.study.preferences import CLEARNESS, REASONS
from visavis.study.records import REHEARSED
from visavis.study.store import Connection, read_facts, units
from visavis.study.store.workers import add_flag, add_worker, set_worker, worker_by_pseudonym
from visavis.study.tasks import PREFER

router = APIRouter(default_response_class=HTMLResponse)

LOOPBACK = ("127.0.0.1", "::1", "testclient")
Identity = Annotated[str, Query(max_length=200)]
Word = Annotated[str, Form(max_length=200)]
Token = Annotated[str, Form(max_length=128)]


@router.get("/w")
def welcome(
    request: Request, PROLIFIC_PID: Identity = "", workerId: Identity = "", participant: Identity = ""
) -> Response:
    """Consent and instructions."""
    state = state_of(request)
    name = _clean(PROLIFIC_PID or workerId or participant)
    with state.store.reading() as connection:
        known = security.worker_of(request, connection) is not None
        is_open = known or _takes_part(connection, state, name)
        is_open = is_open or state.dispatcher.wants_workers(connection, state.now())
        task = read_facts(connection)["task"]
    return pages.page(
        request, "welcome.html", csrf=security.visit_token(request), is_open=is_open, known=known,
        title=pages.TITLES[task], participant=name, screen=[name for name, _ in state.options.screen],
        consent=pages.paragraphs(state.options.consent or pages.CONSENT),
        instructions=pages.paragraphs(state.options.instructions or pages.STARTS[task]),
    )  # fmt: skip


def _takes_part(connection: Connection, state: AppState, participant: str) -> bool:
    """Whether somebody of that id came before, perhaps with another browser."""
    return bool(participant) and worker_by_pseudonym(connection, state.keys.pseudonym(participant)) is not None


@router.post("/w/start")
async def start(request: Request, csrf: Token = "", consent: Word = "", participant: Word = "") -> Response:
    """Begin, or go on with the next unit."""
    security.check_visit(request, csrf)
    form = await request.form()
    state = state_of(request)
    declared = {name: _clean(str(form.get(f"screen_{name}", "")))[:200] for name, _ in state.options.screen}
    return await run_in_threadpool(_begin, request, consent, _clean(participant), declared)


def _begin(request: Request, consent: str, participant: str, declared: dict[str, str]) -> Response:
    state = state_of(request)
    cookie = ""
    with state.store.writing() as connection:
        worker = security.worker_of(request, connection)
        wanted = state.keys.pseudonym(participant) if participant else ""
        if worker is None or (wanted and wanted != worker.pseudonym):
            if consent != "yes":
                raise HTTPException(422, "To take part, agree to the conditions first.")
            another = worker is not None
            cookie = secrets.token_urlsafe(24)
            number = _join(connection, state, wanted or secrets.token_hex(12), cookie, declared)
            _flag_duplicates(connection, request, number, another_in_browser=another)
        else:
            number = worker.id
        if participant.startswith(quality.REHEARSAL):
            add_flag(connection, number, REHEARSED, "a simulated worker", state.now())
        token = state.dispatcher.next_unit(connection, number, state.now())
    response = RedirectResponse(f"/w/unit/{token}" if token else "/w/done", 303)
    if cookie:
        security.set_worker(request, response, cookie)
    return response


def _join(connection: Connection, state: AppState, pseudonym: str, cookie: str, declared: dict[str, str]) -> int:
    """The worker of that pseudonym, new or known, now behind this cookie."""
    session = state.keys.session(cookie)
    found = worker_by_pseudonym(connection, pseudonym)
    if found is not None:
        set_worker(connection, found.id, session=session)
        return int(found.id)
    fits = all(
        declared.get(name, "").casefold() in {answer.casefold() for answer in answers}
        for name, answers in state.options.screen
    )
    return add_worker(
        connection, pseudonym=pseudonym, session=session, state="quiz" if fits else "screened", before="",
        joined=state.now(), declared=", ".join(f"{name}={value}" for name, value in declared.items()),
    )  # fmt: skip


def _flag_duplicates(connection: Connection, request: Request, worker: int, *, another_in_browser: bool) -> None:
    """Mark somebody who seems to take part twice. Addresses are hashed, kept in memory and never written."""
    state = state_of(request)
    if another_in_browser:
        add_flag(connection, worker, "duplicate", "another worker used the same browser", state.now())
    address = request.client.host if request.client else ""
    if not address or address in LOOPBACK:
        return
    name = request.app.state.limiter.name(address, request.headers.get("user-agent", ""))
    first = state.connections.setdefault(name, worker)
    if first != worker:
        note = "another worker came over the same connection with the same browser"
        add_flag(connection, worker, "duplicate", note, state.now())


def _unit(request: Request, connection: Connection, token: str) -> tuple[Any, Any]:
    """A unit and its worker. 404 where there is none, 403 where it is somebody else's."""
    unit = units.unit_by_token(connection, _clean(token))
    if unit is None:
        raise HTTPException(404, "There is no such set of questionnaires.")
    worker = security.worker_of(request, connection)
    if worker is None or worker.id != unit.worker_id:
        raise HTTPException(403, "This set of questionnaires belongs to somebody else, or your session has ended.")
    return unit, worker


@router.get("/w/unit/{token}")
def show_unit(request: Request, token: str) -> Response:
    """The questionnaire that comes next."""
    state = state_of(request)
    with state.store.reading() as connection:
        unit, _ = _unit(request, connection, token)
        if unit.closed is not None:
            return RedirectResponse("/w/done", 303)
        current = state.dispatcher.current(connection, unit.id)
        if unit.expires >= state.now() and current is not None and current.began is not None:
            return _questionnaire(request, connection, unit, current)
    with state.store.writing() as connection:
        if not state.dispatcher.resume(connection, unit, state.now()):
            return RedirectResponse("/w/done", 303)
        return _questionnaire(request, connection, unit, state.dispatcher.current(connection, unit.id))


def _questionnaire(request: Request, connection: Connection, unit: Any, item: Any) -> Response:
    places = [one.place for one in units.items_of(connection, unit.id)]
    asked = {name: SCALES[name] for name in state_of(request).options.ask}
    shown: dict[str, Any]
    if read_facts(connection)["task"] == PREFER:
        template = "preference.html"
        shown = {"texts": comparison_texts(connection, item), "clearness": CLEARNESS, "reasons": REASONS}
    else:
        template, shown = "questionnaire.html", {"texts": texts_of(connection, item)}
    return pages.page(
        request, template, csrf=security.visit_token(request), unit=unit.token, item=item.token,
        number=sum(place <= item.place for place in places), total=len(places), quiz=unit.kind == "quiz", asked=asked,
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
    with state.store.reading() as connection:
        task = read_facts(connection)["task"]
    more: dict[str, Any] = {}
    try:
        sides = check_sides(task, (q0,) if task == PREFER else (q0, q1, q2))
        if task == PREFER:
            more["clearness"], more["reasons"] = check_preference(_scale(clearness), reason)
    except BadAnswers as error:
        raise HTTPException(422, str(error)) from error
    answers = Answers(item, sides, _scale(usefulness), _scale(difficulty), _clean(comment), **more)
    with state.store.writing() as connection:
        unit, worker = _unit(request, connection, token)
        try:
            outcome = state.dispatcher.submit(connection, unit, answers, state.now())
        except LookupError as error:
            raise HTTPException(422, str(error)) from error
        except ValueError as error:
            raise HTTPException(409, str(error)) from error
        where = _after(connection, state, unit, worker.id)
    return RedirectResponse(where + ("?late=1" if outcome == "late" else ""), 303)


def _after(connection: Connection, state: AppState, unit: Any, worker: int) -> str:
    """Where a worker goes after an answer: on with the unit, from the quiz into work, or to the thanks."""
    if units.unit_by_id(connection, unit.id).closed is None:
        return f"/w/unit/{unit.token}"
    following = state.dispatcher.next_unit(connection, worker, state.now()) if unit.kind == "quiz" else None
    return f"/w/unit/{following}" if following else "/w/done"


@router.get("/w/done")
def done(request: Request, late: Annotated[str, Query(max_length=8)] = "") -> Response:
    """Thanks and the completion code for those who did something; and the next unit, where there is one."""
    state = state_of(request)
    with state.store.reading() as connection:
        worker = security.worker_of(request, connection)
        if worker is None:
            return RedirectResponse("/w", 303)
        unit = units.open_unit_of(connection, worker.id)
        more = state.dispatcher.offers(connection, worker.id, state.now())
        kinds = units.closed_kinds(connection, worker.id)
    earned = "work" in kinds if unit else bool(kinds) or worker.state != "quiz"
    code = (state.options.code or state.keys.code(worker.pseudonym)) if earned else ""
    return pages.page(
        request, "done.html", csrf=security.visit_token(request), code=code, unit=unit.token if unit else "",
        more=more, late=bool(late),
    )  # fmt: skip


def _scale(written: str) -> int | None:
    if not written:
        return None
    if written not in ("1", "2", "3", "4", "5"):
        raise HTTPException(422, "Scales go from 1 to 5.")
    return int(written)


def _clean(text: str) -> str:
    """A text any database can hold: no null characters, no half surrogates."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode().strip()
