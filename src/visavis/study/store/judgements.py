"""What was judged, and what analysis needs beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sqlalchemy import func, select

from visavis.study.records import Goal, Judgement, Material, ShownPicks
from visavis.study.shape import OTHER
from visavis.study.store import schema
from visavis.study.store.database import Store, read_facts
from visavis.study.store.workers import flag_kinds, reader_name


def judgements(store: Store) -> list[Judgement]:
    """Every judgement of the study, gold and uncounted ones marked as such."""
    return [judgement for judgement, _ in judgements_with_rows(store)]


def goal(store: Store) -> Goal:
    """How many judgements the study wants."""
    with store.reading() as connection:
        facts = read_facts(connection)
        questions = connection.execute(select(func.count()).select_from(schema.question)).scalar_one()
    return Goal(int(facts["judgements"]), int(questions) * len(facts["methods"]))


def judgements_with_rows(store: Store) -> list[tuple[Judgement, Mapping[Any, Any]]]:
    """Every judgement next to what surrounds it in the database, for exports."""
    with store.reading() as connection:
        groups = read_facts(connection)["groups"]
        pairs = {row.id: (groups[row.first], groups[row.second]) for row in connection.execute(select(schema.pair))}
        rows = [row._mapping for row in connection.execute(_joined())]
        flags = flag_kinds(connection)
    found = ((_judgement(row, pairs, groups), row) for row in rows)
    return [(replace(one, **_about_worker(row, flags.get(one.worker, []))), row) for one, row in found]


def _about_worker(row: Mapping[Any, Any], flags: Sequence[str]) -> dict[str, Any]:
    """Ratings, flags, and the name of the reader."""
    told = {"usefulness": row["usefulness"], "difficulty": row["difficulty"], "flags": tuple(flags)}
    return {**told, "machine": reader_name(row["machine"], flags)}


def _joined() -> Any:
    item, judged, worker = schema.item, schema.judgement, schema.worker
    question, sheet, article, gold = schema.question, schema.sheet, schema.article, schema.gold
    machine = schema.machine
    return (
        select(
            judged.c.id, judged.c.item_id, judged.c.place, judged.c.question_id, judged.c.side,
            judged.c.group_code.label("chosen"), judged.c.correct, judged.c.at, item.c.method, item.c.gold_id,
            item.c.sheet_id, item.c.state, item.c.shown, item.c.began, item.c.answered, item.c.comment,
            item.c.usefulness, item.c.difficulty, item.c.unit_id, worker.c.pseudonym, machine.c.name.label("machine"),
            worker.c.state.label("worker_state"), question.c.group_code.label("truth"), sheet.c.pair_id,
            article.c.document, gold.c.retired,
        )
        .select_from(judged)
        .join(item, item.c.id == judged.c.item_id)
        .join(worker, worker.c.id == judged.c.worker_id)
        .outerjoin(machine, machine.c.id == worker.c.machine_id)
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
            ShownPicks(method, pairs[number], {name: tuple(ids) for name, ids in of.items()})
            for (number, method), of in shown.items()
        ),
        train=tuple(row.name for row in documents if row.part == "train"),
        test=tuple(row.name for row in documents if row.part == "test"),
    )
