"""Putting a design into a database."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, insert, select

from visavis.errors import InvalidParameter, VisavisError
from visavis.shared.files import put_in_place
from visavis.study.assignment import Sheet
from visavis.study.store import schema
from visavis.study.store.database import Store, open_store, set_fact
from visavis.study.store.documents import save_documents
from visavis.study.store.golds import add_gold
from visavis.study.store.preference_designs import save_comparisons
from visavis.study.tasks import PREFER

if TYPE_CHECKING:
    from visavis.study.design.preferring import PreferenceDesign
    from visavis.study.design.run import StudyDesign

    AnyDesign = StudyDesign | PreferenceDesign


def check_new(where: str) -> None:
    """Raises InvalidParameter unless a study can be made there: a URL, or a file that does not exist in a folder."""
    if "://" in where:
        return
    if Path(where).exists():
        raise InvalidParameter(f"{where!r} exists already: choose another name, or remove it first")
    if not Path(where).absolute().parent.is_dir():
        raise InvalidParameter(f"there is no folder for {where!r}: make it first")


def write_design(design: AnyDesign, where: str) -> None:
    """Make a study of a design, behind a URL or in a new file: whole or not at all. Raises InvalidParameter."""
    check_new(where)
    if "://" in where:
        _make(design, where)
        return
    try:
        with put_in_place(Path(where)) as beside:
            _make(design, str(beside))
    except OSError as error:
        raise InvalidParameter(f"cannot write {where!r}: {error.strerror or error}") from error


def _make(design: AnyDesign, where: str) -> None:
    store = open_store(where, create=True)
    try:
        save_design(store, design)
    finally:
        store.close()


def save_design(store: Store, design: AnyDesign, now: float | None = None) -> None:
    """Write a design into an empty database. Raises VisavisError if there is one already."""
    moment = time.time() if now is None else now
    with store.writing() as connection:
        if connection.execute(select(schema.study.c.key)).first() is not None:
            raise VisavisError(f"{store.name} holds a study already: choose another name for the new one")
        for key, value in _facts(design, moment).items():
            set_fact(connection, key, value)
        save: Any = save_comparisons if design.plan.task == PREFER else _save_pairs
        save(connection, design)
        for gold in design.golds:
            add_gold(connection, gold, moment)


def _facts(design: AnyDesign, now: float) -> dict[str, Any]:
    plan = design.plan
    return {
        "id": design.id, "made": now, "plan": plan.describe(), "groups": list(design.articles.names),
        "methods": list(plan.methods), "judgements": plan.judgements, "paused": False,
        "few_golds": plan.few_golds, "report": design.report, "task": plan.task,
    }  # fmt: skip


def _save_pairs(connection: Connection, design: StudyDesign) -> None:
    shown = {row for sheet in design.sheets for row in sheet.articles}
    shown |= {row for found in design.picks.values() for of in found.rows.values() for row in of}
    save_documents(connection, design.articles, shown)
    pairs = {pair: number for number, pair in enumerate(design.asked, 1)}
    connection.execute(insert(schema.pair), [{"id": n, "first": p[0], "second": p[1]} for p, n in pairs.items()])
    picks = [
        {"pair_id": pairs[pair], "method": method, "group_code": code, "rank": rank, "article_id": row + 1}
        for (pair, method), found in design.picks.items()
        for code, rows in found.rows.items()
        for rank, row in enumerate(rows)
    ]
    connection.execute(insert(schema.pick), picks)
    sheets = design.sheets
    connection.execute(insert(schema.sheet), [{"id": sheet.id, "pair_id": sheet.pair} for sheet in sheets])
    codes = design.articles.parts.codes
    questions = [
        {"sheet_id": sheet.id, "place": place, "article_id": row + 1, "group_code": int(codes[row])}
        for sheet in sheets
        for place, row in enumerate(sheet.articles)
    ]
    connection.execute(insert(schema.question), [{"id": n, **one} for n, one in enumerate(questions, 1)])
    automatic = [
        {"id": n, "pair_id": pairs[pair], "method": method, "classifier": classifier, "scope": scope, "accuracy": value}
        for n, (pair, method, classifier, scope, value) in enumerate(design.automatic, 1)
    ]
    connection.execute(insert(schema.automatic), automatic)


def read_sheets(connection: Connection) -> dict[int, Sheet]:
    """The questionnaires by number."""
    pairs = {row.id: row.pair_id for row in connection.execute(select(schema.sheet))}
    articles: dict[int, list[int]] = {}
    for row in connection.execute(select(schema.question).order_by(schema.question.c.id)):
        articles.setdefault(row.sheet_id, []).append(row.article_id)
    return {number: Sheet(number, pair, tuple(articles.get(number, ()))) for number, pair in pairs.items()}
