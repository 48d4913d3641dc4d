"""Who comes in: somebody new, somebody known by their cookie, and nobody by another's id."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from fastapi import HTTPException, Request

from visavis.errors import VisavisError
from visavis.shared.text import storable
from visavis.study.app import security
from visavis.study.app.options import AppState, state_of, text_of
from visavis.study.fieldwork import quality
from visavis.study.fieldwork.keys import same
from visavis.study.records import REHEARSED
from visavis.study.store import Connection
from visavis.study.store.payments import keep_consent, keep_participant
from visavis.study.store.workers import add_flag, add_worker, set_worker, worker_by_pseudonym, worker_by_session

LOOPBACK = ("127.0.0.1", "::1", "testclient")


class InUseById(VisavisError):
    """Somebody has begun with this id, and it is not known to be the one who asks."""


@dataclass(frozen=True)
class Arrival:
    """What somebody brings along: an id and its link's signature, whether they agree, what they declare."""

    participant: str
    signature: str
    agrees: bool
    declared: dict[str, str]


def join(request: Request, connection: Connection, arrival: Arrival, cookie: str) -> tuple[int, bool]:
    """The worker who asks, and whether they are now behind the new cookie.

    An id is no password: where somebody has begun with it, only their own cookie, a signed link or a code of the first
    device lets in. Raises InUseById, and HTTPException for what is missing.
    """
    state = state_of(request)
    worker = security.worker_of(request, connection)
    wanted = state.keys.pseudonym(arrival.participant) if arrival.participant else ""
    if worker is not None and wanted in ("", worker.pseudonym):
        return int(worker.id), False
    begun = worker_by_session(connection, state.keys.session(cookie))
    if begun is not None:
        return int(begun.id), True
    _check(request, arrival)
    held = worker_by_pseudonym(connection, wanted) if wanted else None
    if held is not None:
        if not state.options.signed_links:
            raise InUseById("somebody has begun with this id")
        set_worker(connection, held.id, session=state.keys.session(cookie))
        return int(held.id), True
    number = _add(connection, state, wanted, arrival, cookie)
    _flag_duplicates(connection, request, number, another_in_browser=worker is not None)
    if arrival.participant.startswith(quality.REHEARSAL):
        add_flag(connection, number, REHEARSED, "a simulated worker", state.now())
    return number, True


def check_link(request: Request, participant: str, signature: str) -> None:
    """Refuse a link without the id, or the signature of it, that this study asks for."""
    state = state_of(request)
    options = state.options
    if (options.require_id or options.signed_links) and not participant:
        raise HTTPException(403, text_of(request, "error_id_needed"))
    if options.signed_links and not same(signature, state.keys.link(participant)):
        raise HTTPException(403, text_of(request, "error_link"))


def _check(request: Request, arrival: Arrival) -> None:
    check_link(request, arrival.participant, arrival.signature)
    if not arrival.agrees:
        raise HTTPException(422, text_of(request, "error_consent"))


def _add(connection: Connection, state: AppState, pseudonym: str, arrival: Arrival, cookie: str) -> int:
    """A new worker, with what they agreed to and when."""
    options, declared = state.options, arrival.declared
    fits = all(
        declared.get(name, "").casefold() in {answer.casefold() for answer in answers}
        for name, answers in options.screen
    )
    keep_consent(connection, options.consent_version, options.consent_text, state.now())
    number = add_worker(
        connection, pseudonym=pseudonym or secrets.token_hex(12), session=state.keys.session(cookie),
        state="quiz" if fits else "screened", before="", joined=state.now(), consent=options.consent_version,
        consented=state.now(), declared=", ".join(f"{name}={value}" for name, value in declared.items()),
    )  # fmt: skip
    if arrival.participant:
        keep_participant(connection, number, state.keys.seal(arrival.participant, pseudonym))
    return number


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


def clean(text: str) -> str:
    """What somebody sent, without blanks around it, as any database can hold it."""
    return storable(text).strip()
