"""Who is asking: a visitor, a worker, the researcher; and whether a form came from a page of ours."""

from __future__ import annotations

import secrets
from typing import Any

from fastapi import HTTPException, Request, Response

from visavis.study.app.options import AppState, state_of, text_of
from visavis.study.fieldwork.keys import same
from visavis.study.store import Connection
from visavis.study.store.workers import worker_by_session

VISIT, WORKER, ADMIN = "visavis_visit", "visavis_worker", "visavis_admin"
ADMIN_HOURS = 12
WORKER_DAYS = 60


def visit_of(request: Request) -> str:
    """The visitor's cookie, or a new one that `keep_visit` will set."""
    found = request.cookies.get(VISIT, "")
    if not found:
        found = getattr(request.state, "visit", "") or secrets.token_urlsafe(24)
        request.state.visit = found
    return found


def keep_visit(request: Request, response: Response) -> None:
    """Give a new visitor their cookie."""
    fresh = getattr(request.state, "visit", "")
    if fresh:
        secure = state_of(request).options.secure
        response.set_cookie(VISIT, fresh, httponly=True, samesite="lax", secure=secure, path="/")


def visit_token(request: Request) -> str:
    """What forms of worker pages carry."""
    return state_of(request).keys.form("visit:" + visit_of(request))


def check_visit(request: Request, token: str) -> None:
    """Refuse a form that was not made for this visitor."""
    cookie = request.cookies.get(VISIT, "")
    if not cookie or not same(token, state_of(request).keys.form("visit:" + cookie)):
        raise HTTPException(403, text_of(request, "error_expired"))


def worker_of(request: Request, connection: Connection) -> Any:
    """The worker whose cookie this is, or None."""
    cookie = request.cookies.get(WORKER, "")
    if not cookie:
        return None
    return worker_by_session(connection, state_of(request).keys.session(cookie))


def set_worker(request: Request, response: Response, cookie: str) -> None:
    """Let a browser be known as a worker's."""
    response.set_cookie(
        WORKER, cookie, httponly=True, samesite="lax", secure=state_of(request).options.secure, path="/",
        max_age=WORKER_DAYS * 86400,
    )  # fmt: skip


def admin_cookie(state: AppState) -> str:
    """A new admin session: when it began, a nonce, a signature."""
    text = f"{int(state.now())}.{secrets.token_urlsafe(12)}"
    return f"{text}.{state.keys.sign(text)}"


def admin_of(request: Request) -> str:
    """The cookie of an admin session that holds, or ""."""
    state = state_of(request)
    cookie = request.cookies.get(ADMIN, "")
    text, _, signature = cookie.rpartition(".")
    if not text or not same(signature, state.keys.sign(text)) or cookie in state.ended:
        return ""
    began = int(text.partition(".")[0])
    return cookie if 0 <= state.now() - began < ADMIN_HOURS * 3600 else ""


def need_admin(request: Request) -> str:
    """The admin session; pages ask for a login where there is none, forms are refused."""
    cookie = admin_of(request)
    if not cookie:
        if request.method == "GET":
            raise HTTPException(303, headers={"Location": "/admin/login"})
        raise HTTPException(403, "Log in first.")
    return cookie


def admin_token(request: Request) -> str:
    """What forms of admin pages carry."""
    return state_of(request).keys.form("admin:" + request.cookies.get(ADMIN, ""))


def check_admin(request: Request, token: str) -> None:
    """Refuse a form without a session, or not made for it."""
    cookie = need_admin(request)
    if not same(token, state_of(request).keys.form("admin:" + cookie)):
        raise HTTPException(403, text_of(request, "error_expired"))
