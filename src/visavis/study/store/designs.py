"""Putting a design into a database, and reading back what analysis needs of it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Connection, func, insert, select

from visavis.errors import InvalidParameter, VisavisError
from visavis.shared.files import put_in_place
from visavis.study.assign import Sheet
from visavis.study.gold import add_gold
from visavis.study.records import Judgement, Material, Planned, Shown
from visavis.study.shape import OTHER
from visavis.study.store import schema
from visavis.study.store.database import Store, open_store, read_facts, set_fact

if TYPE_CHECKING:
    from visavis.study.design import Designed


def check_new(where: str) -> None:
    """Raises InvalidParameter unless a study can be made there: a URL, or a file that does not exist in a folder."""
    if "://" in where:
        return
    if Path(where).exists():
        raise InvalidParameter(f"{where!r} exists already: choose another name, or remove it first")
    if not Path(where).absolute().parent.is_dir():
        raise InvalidParameter(f"there is no folder for {where!r}: make it first")


def write_design(designed: Designed, where: str) -> None:
    """Make a study of a design, behind a URL or in a new file: whole or not at all. Raises InvalidParameter."""
    check_new(where)
    if "://" in where:
        _make(designed, where)
        return
    try:
        with put_in_place(Path(where)) as beside:
            _make(designed, str(beside))
    except OSError as error:
        raise InvalidParameter(f"cannot write {where!r}: {error.strerror or error}") from error


def _make(designed: Designed, where: str) -> None:
    store = open_store(where, create=True)
    try:
        save_design(store, designed)
    finally:
        store.close()


def save_design(store: Store, designed: Designed, now: float | None = None) -> None:
    """Write a design into an empty database. Raises VisavisError if there is one already."""
    moment = time.time() if now is None else now
    with store.writing() as connection:
        if connection.execute(select(schema.study.c.key)).first() is not None:
            raise VisavisError(f"{store.name} holds a study already: choose another name for the new one")
        for key, value in _facts(designed, moment).items():
            set_fact(connection, key, value)
        _save_documents(connection, designed)
        _save_pairs(connection, designed)
        for gold in designed.golds:
            add_gold(connection, gold, moment)


def _facts(designed: Designed, now: float) -> dict[str, Any]:
    plan = designed.plan
    return {
        "id": designed.id, "made": now, "plan": plan.describe(), "groups": list(designed.articles.names),
        "methods": list(plan.methods), "judgements": plan.judgements, "paused": False,
        "few_golds": plan.few_golds, "report": designed.report,
    }  # fmt: skip


def _save_documents(connection: Connection, designed: Designed) -> None:
    from visavis.study.design import sheets_of  # the server stores no designs and need not load what makes them

    of_design = designed.articles
    tested = set(of_design.parts.test.tolist())
    vectors = of_design.parts.vectors.astype("<f4")
    rows = [
        {"name": document.id, "group_code": int(of_design.parts.codes[row]),
         "part": "test" if row in tested else "train",
         "vector": vectors[row].tobytes()}
        for row, document in enumerate(of_design.documents)
    ]  # fmt: skip
    connection.execute(insert(schema.document), rows)
    shown = {row for sheet in sheets_of(designed) for row in sheet.articles}
    shown |= {row for found in designed.picks.values() for of in found.rows.values() for row in of}
    articles = [
        {"id": row + 1, "document": of_design.documents[row].id, "group_code": int(of_design.parts.codes[row]),
         "title": of_design.texts[row].title, "lead": of_design.texts[row].lead}
        for row in sorted(shown)
    ]  # fmt: skip
    connection.execute(insert(schema.article), articles)


def _save_pairs(connection: Connection, designed: Designed) -> None:
    from visavis.study.design import sheets_of

    pairs = {pair: number for number, pair in enumerate(designed.asked, 1)}
    connection.execute(insert(schema.pair), [{"id": n, "first": p[0], "second": p[1]} for p, n in pairs.items()])
    picks = [
        {"pair_id": pairs[pair], "method": method, "group_code": code, "rank": rank, "article_id": row + 1}
        for (pair, method), found in designed.picks.items()
        for code, rows in found.rows.items()
        for rank, row in enumerate(rows)
    ]
    connection.execute(insert(schema.pick), picks)
    sheets = sheets_of(designed)
    connection.execute(insert(schema.sheet), [{"id": sheet.id, "pair_id": sheet.pair} for sheet in sheets])
    codes = designed.articles.parts.codes
    questions = [
        {"sheet_id": sheet.id, "place": place, "article_id": row + 1, "group_code": int(codes[row])}
        for sheet in sheets
        for place, row in enumerate(sheet.articles)
    ]
    connection.execute(insert(schema.question), [{"id": n, **one} for n, one in enumerate(questions, 1)])
    automatic = [
        {"id": n, "pair_id": pairs[pair], "method": method, "classifier": classifier, "scope": scope, "accuracy": value}
        for n, (pair, method, classifier, scope, value) in enumerate(designed.automatic, 1)
    ]
    connection.execute(insert(schema.automatic), automatic)


def read_sheets(connection: Connection) -> dict[int, Sheet]:
    """The questionnaires by number."""
    pairs = {row.id: row.pair_id for row in connection.execute(select(schema.sheet))}
    articles: dict[int, list[int]] = {}
    for row in connection.execute(select(schema.question).order_by(schema.question.c.id)):
        articles.setdefault(row.sheet_id, []).append(row.article_id)
    return {number: Sheet(number, pair, tuple(articles.get(number, ()))) for number, pair in pairs.items()}


def judgements(store: Store) -> list[Judgement]:
    """Every judgement of the study, gold and uncounted ones marked as such."""
    return [judgement for judgement, _ in judgements_with_rows(store)]


def planned(store: Store) -> Planned:
    """How many judgements the study wants."""
    with store.reading() as connection:
        facts = read_facts(connection)
        questions = connection.execute(select(func.count()).select_from(schema.question)).scalar_one()
    return Planned(int(facts["judgements"]), int(questions) * len(facts["methods"]))


def judgements_with_rows(store: Store) -> list[tuple[Judgement, Mapping[Any, Any]]]:
    """Every judgement next to what surrounds it in the database, for exports."""
    with store.reading() as connection:
        groups = read_facts(connection)["groups"]
        pairs = {row.id: (groups[row.first], groups[row.second]) for row in connection.execute(select(schema.pair))}
        rows = [row._mapping for row in connection.execute(_joined())]
    return [(_judgement(row, pairs, groups), row) for row in rows]


def _joined() -> Any:
    item, judged, worker = schema.item, schema.judgement, schema.worker
    question, sheet, article, gold = schema.question, schema.sheet, schema.article, schema.gold
    return (
        select(
            judged.c.id, judged.c.item_id, judged.c.place, judged.c.question_id, judged.c.side,
            judged.c.group_code.label("chosen"), judged.c.correct, judged.c.at, item.c.method, item.c.gold_id,
            item.c.sheet_id, item.c.state, item.c.shown, item.c.began, item.c.answered, item.c.comment,
            item.c.usefulness, item.c.difficulty, item.c.unit_id, worker.c.pseudonym,
            worker.c.state.label("worker_state"), question.c.group_code.label("truth"), sheet.c.pair_id,
            article.c.document, gold.c.retired,
        )
        .select_from(judged)
        .join(item, item.c.id == judged.c.item_id)
        .join(worker, worker.c.id == judged.c.worker_id)
        .outerjoin(question, question.c.id == judged.c.question_id)
        .outerjoin(sheet, sheet.c.id == item.c.sheet_id)
        .outerjoin(article, article.c.id == question.c.article_id)
        .outerjoin(gold, gold.c.id == item.c.gold_id)
        .order_by(judged.c.id)
    )  # fmt: skip


def _judgement(row: Mapping[Any, Any], pairs: Mapping[int, tuple[str, str]], groups: list[str]) -> Judgement:
    shown = json.loads(row["shown"])
    is_gold = row["gold_id"] is not None
    seconds = None
    if row["began"] is not None and row["answered"] is not None:
        seconds = max(0.0, row["answered"] - row["began"]) / max(1, len(shown["questions"]))
    if is_gold:
        kept = row["side"] if not shown["swapped"] else OTHER[row["side"]]
        truth = kept if row["correct"] else OTHER[kept]
        return Judgement(
            question=f"gold {row['gold_id']}.{shown['questions'][row['place']]}", method="", pair=("left", "right"),
            worker=row["pseudonym"], chosen=kept, truth=truth, seconds=seconds, gold=True,
            excluded=row["state"] != "done", comment=row["comment"] or "", questionnaire=f"gold {row['gold_id']}",
        )  # fmt: skip
    return Judgement(
        question=f"q{row['question_id']}", method=row["method"], pair=pairs[row["pair_id"]], worker=row["pseudonym"],
        chosen=groups[row["chosen"]], truth=groups[row["truth"]], seconds=seconds, gold=False,
        excluded=row["state"] != "done", comment=row["comment"] or "", questionnaire=f"s{row['sheet_id']}",
        article=row["document"],
    )  # fmt: skip


def material(store: Store) -> Material:
    """Vectors, parts and picks, from which classifiers answer the questions people were asked."""
    with store.reading() as connection:
        groups = read_facts(connection)["groups"]
        documents = connection.execute(select(schema.document).order_by(schema.document.c.name)).all()
        pairs = {row.id: (groups[row.first], groups[row.second]) for row in connection.execute(select(schema.pair))}
        named = {row.id: row.document for row in connection.execute(select(schema.article))}
        picks = connection.execute(select(schema.pick).order_by(schema.pick.c.rank)).all()
    shown: dict[tuple[int, str], dict[str, list[str]]] = {}
    for row in picks:
        of_method = shown.setdefault((row.pair_id, row.method), {})
        of_method.setdefault(groups[row.group_code], []).append(named[row.article_id])
    return Material(
        vectors=np.array([np.frombuffer(row.vector, "<f4") for row in documents], np.float64),
        rows={row.name: place for place, row in enumerate(documents)},
        groups={row.name: groups[row.group_code] for row in documents},
        shown=tuple(
            Shown(method, pairs[number], {name: tuple(ids) for name, ids in of.items()})
            for (number, method), of in shown.items()
        ),
        train=tuple(row.name for row in documents if row.part == "train"),
        test=tuple(row.name for row in documents if row.part == "test"),
    )
