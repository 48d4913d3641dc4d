"""Who is to be paid for what: outcomes, codes, and the table a requester works through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from visavis.errors import InvalidParameter
from visavis.shared.spreadsheet import csv_text
from visavis.study.fieldwork.keys import Keys
from visavis.study.store import Connection, Store, payments, read_facts
from visavis.study.store.workers import flag_kinds

OUTCOMES = ("completed", "screened", "failed")
COLUMNS = (
    "participant", "worker", "outcome", "code", "units", "questionnaires", "minutes", "began", "ended", "state",
    "flags", "bonus",
)  # fmt: skip


def outcome_of(state: str, closed: Sequence[str], *, more: bool) -> str:
    """What a worker's visit came to: "completed", "screened" out, "failed" the quiz, or "" while it is undecided.

    `closed` are the kinds of the units they are through with; `more` says whether they have, or may have, another one.
    """
    if state in ("screened", "failed"):
        return state
    if "work" in closed:
        return "completed"
    if more or not closed:
        return ""
    return "completed" if state == "working" else "failed"


def code_of(keys: Keys, codes: Mapping[str, str], pseudonym: str, outcome: str) -> str:
    """The code for an outcome: the one all share, or the worker's own."""
    return (codes.get(outcome) or keys.code(pseudonym, outcome)) if outcome else ""


def check_codes(codes: Mapping[str, str]) -> None:
    """Refuse one code for two outcomes. Raises InvalidParameter."""
    given = [code for code in codes.values() if code]
    if len(set(given)) < len(given):
        raise InvalidParameter(
            "completed, screened out and failed need different codes: nobody else gets that of completers"
        )


def payment_rows(
    connection: Connection, keys: Keys, *, codes: Mapping[str, str] | None = None, bonus: float = 0.0
) -> list[dict[str, Any]]:
    """A row for each worker; `codes` are those the server gives (as it last ran), `bonus` is for each further unit."""
    codes = read_facts(connection).get("codes", {}) if codes is None else codes
    units, times = payments.units_by_worker(connection), payments.time_by_worker(connection)
    flags = flag_kinds(connection)
    rows = []
    for worker in payments.workers_to_pay(connection):
        own = units.get(worker.id, [])
        closed = [unit.kind for unit in own if unit.closed is not None]
        outcome = outcome_of(worker.state, closed, more=len(closed) < len(own))
        spent = times.get(worker.id)
        extra = max(0, closed.count("work") - 1) * bonus
        rows.append(
            {"participant": keys.unseal(worker.participant or "", worker.pseudonym),
             "worker": worker.pseudonym, "outcome": outcome,
             "code": code_of(keys, codes, worker.pseudonym, outcome), "units": closed.count("work"),
             "questionnaires": spent.questionnaires if spent else 0,
             "minutes": round((spent.seconds or 0.0) / 60, 1) if spent else 0.0, "began": _moment(worker.joined),
             "ended": _moment(spent.last) if spent else "", "state": worker.state,
             "flags": " ".join(flags.get(worker.pseudonym, ())), "bonus": round(extra, 2) if extra else ""}
        )  # fmt: skip
    return rows


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """The table, safe in spreadsheets."""
    return csv_text(COLUMNS, [[row[name] for name in COLUMNS] for row in rows])


def exit_answers_csv(store: Store) -> str:
    """What people said at the end, a row for each answer."""
    with store.reading() as connection:
        rows = payments.all_exit_answers(connection)
    columns = ("worker", "question", "answer", "at")
    return csv_text(columns, [(row.pseudonym, row.question, row.answer, _moment(row.at)) for row in rows])
