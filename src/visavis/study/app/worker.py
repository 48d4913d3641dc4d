"""The pages of workers."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy import Connection, insert, select, update
from starlette.concurrency import run_in_threadpool

from visavis.study import quality
from visavis.study.app import pages, security
from visavis.study.app.options import SCALES, House, house
from visavis.study.store import schema
from visavis.study.work import Answers, check_answers

router = APIRouter(default_response_class=HTMLResponse)

LONGEST_COMMENT = 2000
LOOPBACK = ("127.0.0.1", "::1", "testclient")
Identity = Annotated[str, Query(max_length=200)]
Word = Annotated[str, Form(max_length=200)]
Token = Annotated[str, Form(max_length=128)]


@router.get("/w")
def welcome(
    request: Request, PROLIFIC_PID: Identity = "", workerId: Identity = "", participant: Identity = ""
) -> Response:
    """Consent and instructions."""
    shared = house(request)
    name = _clean(PROLIFIC_PID or workerId or participant)
    with shared.store.reading() as connection:
        known = security.worker_of(request, connection) is not None
        is_open = known or _takes_part(connection, shared, name)
        is_open = is_open or shared.desk.wants_workers(connection, shared.now())
    return pages.page(
        request, "welcome.html", csrf=security.visit_token(request), is_open=is_open, known=known,
        participant=name, screen=[name for name, _ in shared.options.screen],
        consent=pages.paragraphs(shared.options.consent or pages.CONSENT),
        instructions=pages.paragraphs(shared.options.instructions or pages.INSTRUCTIONS),
    )  # fmt: skip


def _takes_part(connection: Connection, shared: House, participant: str) -> bool:
    """Whether somebody of that id came before, perhaps with another browser."""
    worker = schema.worker
    chosen = select(worker.c.id).where(worker.c.pseudonym == shared.keys.pseudonym(participant))
    return bool(participant) and connection.execute(chosen).first() is not None


@router.post("/w/start")
async def start(request: Request, csrf: Token = "", consent: Word = "", participant: Word = "") -> Response:
    """Begin, or go on with the next unit."""
    security.check_visit(request, csrf)
    form = await request.form()
    shared = house(request)
    declared = {name: _clean(str(form.get(f"screen_{name}", "")))[:200] for name, _ in shared.options.screen}
    return await run_in_threadpool(_begin, request, consent, _clean(participant), declared)


def _begin(request: Request, consent: str, participant: str, declared: dict[str, str]) -> Response:
    shared = house(request)
    cookie = ""
    with shared.store.writing() as connection:
        worker = security.worker_of(request, connection)
        wanted = shared.keys.pseudonym(participant) if participant else ""
        if worker is None or (wanted and wanted != worker.pseudonym):
            if consent != "yes":
                raise HTTPException(422, "To take part, agree to the conditions first.")
            another = worker is not None
            cookie = secrets.token_urlsafe(24)
            number = _join(connection, shared, wanted or secrets.token_hex(12), cookie, declared)
            _flag_duplicates(connection, request, number, another_in_browser=another)
        else:
            number = worker.id
        if participant.startswith(quality.REHEARSAL):
            quality.raise_flag(connection, number, "rehearsal", "a simulated worker", shared.now())
        token = shared.desk.next_unit(connection, number, shared.now())
    response = RedirectResponse(f"/w/unit/{token}" if token else "/w/done", 303)
    if cookie:
        security.set_worker(request, response, cookie)
    return response


def _join(connection: Connection, shared: House, pseudonym: str, cookie: str, declared: dict[str, str]) -> int:
    """The worker of that pseudonym, new or known, now behind this cookie."""
    worker, session = schema.worker, shared.keys.session(cookie)
    found = connection.execute(select(worker).where(worker.c.pseudonym == pseudonym)).first()
    if found is not None:
        connection.execute(update(worker).where(worker.c.id == found.id).values(session=session))
        return int(found.id)
    fits = all(
        declared.get(name, "").casefold() in {answer.casefold() for answer in answers}
        for name, answers in shared.options.screen
    )
    made = connection.execute(
        insert(worker).values(
            pseudonym=pseudonym, session=session, state="quiz" if fits else "screened", before="", joined=shared.now(),
            declared=", ".join(f"{name}={value}" for name, value in declared.items()),
        )
    ).inserted_primary_key  # fmt: skip
    return int(made[0]) if made else 0


def _flag_duplicates(connection: Connection, request: Request, worker: int, *, another_in_browser: bool) -> None:
    """Mark somebody who seems to take part twice. Addresses are hashed, kept in memory and never written."""
    shared = house(request)
    if another_in_browser:
        quality.raise_flag(connection, worker, "duplicate", "another worker used the same browser", shared.now())
    address = request.client.host if request.client else ""
    if not address or address in LOOPBACK:
        return
    name = request.app.state.limiter.name(address, request.headers.get("user-agent", ""))
    first = shared.connections.setdefault(name, worker)
    if first != worker:
        note = "another worker came over the same connection with the same browser"
        quality.raise_flag(connection, worker, "duplicate", note, shared.now())


def _unit(request: Request, connection: Connection, token: str) -> tuple[Any, Any]:
    """A unit and its worker. 404 where there is none, 403 where it is somebody else's."""
    unit = connection.execute(select(schema.unit).where(schema.unit.c.token == _clean(token))).first()
    if unit is None:
        raise HTTPException(404, "There is no such set of questionnaires.")
    worker = security.worker_of(request, connection)
    if worker is None or worker.id != unit.worker_id:
        raise HTTPException(403, "This set of questionnaires belongs to somebody else, or your session has ended.")
    return unit, worker


@router.get("/w/unit/{token}")
def show_unit(request: Request, token: str) -> Response:
    """The questionnaire that comes next."""
    shared = house(request)
    with shared.store.reading() as connection:
        unit, _ = _unit(request, connection, token)
        if unit.closed is not None:
            return RedirectResponse("/w/done", 303)
        current = shared.desk.current(connection, unit.id)
        if unit.expires >= shared.now() and current is not None and current.began is not None:
            return _questionnaire(request, connection, unit, current)
    with shared.store.writing() as connection:
        if not shared.desk.resume(connection, unit, shared.now()):
            return RedirectResponse("/w/done", 303)
        return _questionnaire(request, connection, unit, shared.desk.current(connection, unit.id))


def _questionnaire(request: Request, connection: Connection, unit: Any, item: Any) -> Response:
    item_table = schema.item
    places = connection.execute(select(item_table.c.place).where(item_table.c.unit_id == unit.id)).scalars().all()
    asked = {name: SCALES[name] for name in house(request).options.ask}
    return pages.page(
        request, "questionnaire.html", csrf=security.visit_token(request), unit=unit.token, item=item.token,
        number=sum(place <= item.place for place in places), total=len(places), quiz=unit.kind == "quiz", asked=asked,
        texts=pages.questionnaire(connection, item), longest=LONGEST_COMMENT,
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
) -> Response:
    """Take in one questionnaire."""
    security.check_visit(request, csrf)
    shared = house(request)
    try:
        sides = check_answers((q0, q1, q2))
    except ValueError as error:
        raise HTTPException(422, str(error)) from error
    answers = Answers(item, sides, _scale(usefulness), _scale(difficulty), _clean(comment))
    with shared.store.writing() as connection:
        unit, worker = _unit(request, connection, token)
        try:
            outcome = shared.desk.submit(connection, unit, answers, shared.now())
        except LookupError as error:
            raise HTTPException(422, str(error)) from error
        except ValueError as error:
            raise HTTPException(409, str(error)) from error
        where = _after(connection, shared, unit, worker.id)
    return RedirectResponse(where + ("?late=1" if outcome == "late" else ""), 303)


def _after(connection: Connection, shared: House, unit: Any, worker: int) -> str:
    """Where a worker goes after an answer: on with the unit, from the quiz into work, or to the thanks."""
    closed = connection.execute(select(schema.unit.c.closed).where(schema.unit.c.id == unit.id)).scalar_one()
    if closed is None:
        return f"/w/unit/{unit.token}"
    following = shared.desk.next_unit(connection, worker, shared.now()) if unit.kind == "quiz" else None
    return f"/w/unit/{following}" if following else "/w/done"


@router.get("/w/done")
def done(request: Request, late: Annotated[str, Query(max_length=8)] = "") -> Response:
    """Thanks and the completion code for those who did something; and the next unit, where there is one."""
    shared = house(request)
    with shared.store.reading() as connection:
        worker = security.worker_of(request, connection)
        if worker is None:
            return RedirectResponse("/w", 303)
        unit = shared.desk.open_unit(connection, worker.id)
        more = shared.desk.offers(connection, worker.id, shared.now())
        kinds = _closed_units(connection, worker.id)
    earned = "work" in kinds if unit else bool(kinds) or worker.state != "quiz"
    code = (shared.options.code or shared.keys.code(worker.pseudonym)) if earned else ""
    return pages.page(
        request, "done.html", csrf=security.visit_token(request), code=code, unit=unit.token if unit else "",
        more=more, late=bool(late),
    )  # fmt: skip


def _closed_units(connection: Connection, worker: int) -> set[str]:
    """The kinds of units that a worker is through with."""
    unit = schema.unit
    chosen = select(unit.c.kind).where(unit.c.worker_id == worker, unit.c.closed.is_not(None))
    return set(connection.execute(chosen).scalars())


def _scale(written: str) -> int | None:
    if not written:
        return None
    if written not in ("1", "2", "3", "4", "5"):
        raise HTTPException(422, "Scales go from 1 to 5.")
    return int(written)


def _clean(text: str) -> str:
    """A text any database can hold: no null characters, no half surrogates."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode().strip()
