"""The pages of the researcher."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from visavis.errors import VisavisError
from visavis.study import gold
from visavis.study.app import pages, security
from visavis.study.app.options import state_of
from visavis.study.fieldwork import export, payments, quality
from visavis.study.fieldwork import resume as resume_codes
from visavis.study.fieldwork.keys import same
from visavis.study.fieldwork.pool import may_run
from visavis.study.store import Connection, golds, progress, read_facts, set_fact
from visavis.study.store.workers import add_event
from visavis.study.tasks import PREFER

router = APIRouter(default_response_class=HTMLResponse)

Token = Annotated[str, Form(max_length=128)]
Word = Annotated[str, Form(max_length=500)]
Long = Annotated[str, Form(max_length=100_000)]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
Name = Annotated[str, Path(pattern=r"^[0-9a-f]{24}$")]


def _show(request: Request, template: str, **values: Any) -> Response:
    return pages.page(request, template, csrf=security.admin_token(request), **values)


@router.get("/admin/login")
def login_page(request: Request) -> Response:
    """Ask for the password."""
    return pages.page(request, "login.html", csrf=security.visit_token(request), wrong=False)


@router.post("/admin/login")
def login(request: Request, csrf: Token = "", password: Word = "") -> Response:
    """Begin a session."""
    security.check_visit(request, csrf)
    state = state_of(request)
    if not same(password, state.keys.admin):
        return pages.page(request, "login.html", 403, csrf=security.visit_token(request), wrong=True)
    response = RedirectResponse("/admin", 303)
    response.set_cookie(
        security.ADMIN, security.admin_cookie(state), httponly=True, samesite="strict", path="/admin",
        secure=state.options.secure, max_age=security.ADMIN_HOURS * 3600,
    )  # fmt: skip
    return response


@router.post("/admin/logout")
def logout(request: Request, csrf: Token = "") -> Response:
    """End the session."""
    security.check_admin(request, csrf)
    state_of(request).ended.add(security.admin_of(request))
    response = RedirectResponse("/admin/login", 303)
    response.delete_cookie(security.ADMIN, path="/admin")
    return response


@router.get("/admin")
def overview(request: Request) -> Response:
    """Progress per cell, agreement, pause, export."""
    security.need_admin(request)
    with state_of(request).store.reading() as connection:
        facts = read_facts(connection)
        return _show(
            request, "overview.html", facts=facts, totals=progress.totals(connection, facts),
            cells=progress.cells(connection, facts), agreement=progress.agreement(connection, facts),
            events=progress.events(connection), golds=golds.count_golds(connection), runs=may_run(connection, facts),
        )  # fmt: skip


@router.post("/admin/pause")
def pause(request: Request, csrf: Token = "") -> Response:
    """Hand out no more work; what is lent can be finished."""
    return _set_paused(request, csrf, paused=True)


@router.post("/admin/resume")
def resume(request: Request, csrf: Token = "") -> Response:
    """Hand out work again."""
    return _set_paused(request, csrf, paused=False)


def _set_paused(request: Request, csrf: str, *, paused: bool) -> Response:
    security.check_admin(request, csrf)
    state = state_of(request)
    with state.store.writing() as connection:
        if bool(read_facts(connection)["paused"]) != paused:
            set_fact(connection, "paused", paused)
            add_event(connection, "pause" if paused else "resume", "", state.now())
    return RedirectResponse("/admin", 303)


@router.get("/admin/workers")
def workers_page(request: Request) -> Response:
    """Gold accuracy, time and flags of every worker."""
    security.need_admin(request)
    with state_of(request).store.reading() as connection:
        return _show(request, "workers.html", workers=progress.workers(connection))


@router.post("/admin/workers/{name}/exclude")
def exclude(request: Request, name: Name, csrf: Token = "", reason: Word = "") -> Response:
    """Count a worker's judgements no longer."""
    security.check_admin(request, csrf)
    state = state_of(request)
    if not reason.replace("\x00", "").strip():
        raise HTTPException(422, "An exclusion needs a reason.")
    with state.store.writing() as connection:
        worker = _worker(connection, name)
        quality.exclude(connection, worker.id, reason.replace("\x00", ""), state.now())
    return RedirectResponse("/admin/workers", 303)


@router.post("/admin/workers/{name}/include")
def include(request: Request, name: Name, csrf: Token = "") -> Response:
    """Undo an exclusion."""
    security.check_admin(request, csrf)
    state = state_of(request)
    with state.store.writing() as connection:
        quality.include(connection, _worker(connection, name).id, state.now())
    return RedirectResponse("/admin/workers", 303)


def _worker(connection: Connection, name: str) -> Any:
    try:
        return quality.find_worker(connection, name)
    except VisavisError as error:
        raise HTTPException(404, str(error)) from error


@router.post("/admin/workers/{name}/code")
def make_code(request: Request, name: Name, csrf: Token = "") -> Response:
    """A code for somebody who lost the device they began with."""
    security.check_admin(request, csrf)
    state = state_of(request)
    with state.store.writing() as connection:
        code = resume_codes.new_code(connection, state.keys, _worker(connection, name).id, state.now())
        add_event(connection, "code", "for another device", state.now(), _worker(connection, name).id)
    address = str(request.url_for("enter_code").include_query_params(code=code))
    return _show(request, "code.html", name=name, address=address, minutes=resume_codes.MINUTES)


@router.get("/admin/payments")
def payments_page(request: Request) -> Response:
    """Who is to be paid for what."""
    security.need_admin(request)
    state = state_of(request)
    with state.store.reading() as connection:
        rows = payments.payment_rows(connection, state.keys, codes=state.options.codes)
    return _show(request, "payments.html", rows=rows)


@router.get("/admin/gold")
def golds_page(request: Request) -> Response:
    """All golds, and a form for a new one."""
    security.need_admin(request)
    with state_of(request).store.reading() as connection:
        found, task = quality.golds_with_review(connection), read_facts(connection)["task"]
        return _show(request, "golds.html", golds=found, values=_blank(), number=0, task=task)


@router.get("/admin/gold/{number}")
def gold_page(request: Request, number: Number) -> Response:
    """One gold, to be worded anew."""
    security.need_admin(request)
    with state_of(request).store.reading() as connection:
        content = golds.gold_content(connection, number)
    if content is None:
        raise HTTPException(404, f"There is no gold questionnaire {number}.")
    if "groups" in content:  # a comparison, which is worded in a file
        return _show(request, "gold.html", groups=content["groups"], number=number)
    return _show(request, "gold.html", values=_written(content), number=number, groups=())


@router.post("/admin/gold")
def add_gold(
    request: Request,
    csrf: Token = "",
    instead_of: Annotated[int, Form(ge=0, le=2**31 - 1)] = 0,
    left: Long = "",
    right: Long = "",
    question0: Long = "",
    question1: Long = "",
    question2: Long = "",
    answer0: Word = "",
    answer1: Word = "",
    answer2: Word = "",
) -> Response:
    """Store a gold, new or in place of another."""
    security.check_admin(request, csrf)
    state = state_of(request)
    questions = ((question0, answer0), (question1, answer1), (question2, answer2))
    try:
        made = gold.Gold(_texts(left), _texts(right), tuple(_question(*one) for one in questions))
        with state.store.writing() as connection:
            if read_facts(connection)["task"] == PREFER:
                raise gold.BadGold(
                    "golds of this study are comparisons: bring them in with `visavis study gold import`"
                )
            golds.add_gold(connection, made, state.now(), instead_of=instead_of or None)
    except VisavisError as error:
        raise HTTPException(422, str(error)) from error
    return RedirectResponse("/admin/gold", 303)


@router.post("/admin/gold/{number}/retire")
def retire(request: Request, number: Number, csrf: Token = "") -> Response:
    """Take a gold out of use."""
    return _set_retired(request, number, csrf, retired=True)


@router.post("/admin/gold/{number}/restore")
def restore(request: Request, number: Number, csrf: Token = "") -> Response:
    """Use a gold again."""
    return _set_retired(request, number, csrf, retired=False)


def _set_retired(request: Request, number: int, csrf: str, *, retired: bool) -> Response:
    security.check_admin(request, csrf)
    with state_of(request).store.writing() as connection:
        if not golds.retire_gold(connection, number, retired=retired):
            raise HTTPException(404, f"There is no gold questionnaire {number}.")
    return RedirectResponse("/admin/gold", 303)


@router.get("/admin/export/judgements.csv", response_class=Response)
def export_csv(request: Request) -> Response:
    """All judgements as a table."""
    security.need_admin(request)
    return _download(export.as_csv(state_of(request).store), "text/csv; charset=utf-8", "judgements.csv")


@router.get("/admin/export/study.jsonl", response_class=Response)
def export_jsonl(request: Request) -> Response:
    """Everything, one object a line."""
    security.need_admin(request)
    return _download(export.as_jsonl(state_of(request).store), "application/x-ndjson", "study.jsonl")


@router.get("/admin/export/payments.csv", response_class=Response)
def export_payments(request: Request) -> Response:
    """Codes and ids, for whoever pays."""
    security.need_admin(request)
    state = state_of(request)
    with state.store.reading() as connection:
        rows = payments.payment_rows(connection, state.keys, codes=state.options.codes)
    return _download(payments.as_csv(rows), "text/csv; charset=utf-8", "payments.csv")


@router.get("/admin/export/exit-answers.csv", response_class=Response)
def export_exit_answers(request: Request) -> Response:
    """What people said at the end."""
    security.need_admin(request)
    content = payments.exit_answers_csv(state_of(request).store)
    return _download(content, "text/csv; charset=utf-8", "exit-answers.csv")


def _download(content: str, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _texts(written: str) -> tuple[gold.Text, ...]:
    """Articles from a text field: blank lines part them, the first line of each is its title."""
    found = []
    for block in pages.paragraphs(written):
        title, _, lead = block.partition("\n")
        found.append(gold.Text(title.strip(), " ".join(lead.split())))
    return tuple(found)


def _question(written: str, answer: str) -> gold.GoldQuestion:
    texts = _texts(written)
    if len(texts) != 1:
        raise gold.BadGold("each gold question is one article: its title on the first line, then its lead")
    return gold.GoldQuestion(texts[0], answer)


def _blank() -> dict[str, Any]:
    return {"left": "", "right": "", "questions": [("", "left"), ("", "left"), ("", "right")]}


def _written(record: dict[str, Any]) -> dict[str, Any]:
    """A stored gold as its form shows it."""

    def block(text: dict[str, str]) -> str:
        return "\n".join(" ".join(text[name].split()) for name in ("title", "lead")).strip()

    questions = [(block(one["text"]), one["answer"]) for one in record["questions"]]
    return {side: "\n\n".join(map(block, record[side])) for side in ("left", "right")} | {"questions": questions}
