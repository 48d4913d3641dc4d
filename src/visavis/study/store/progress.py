"""What the researcher sees while a study runs: cells, agreement, workers, golds. Never which method does better."""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from sqlalchemy import Connection, func, select

from visavis.study.store import schema
from visavis.study.store.units import LIVE
from visavis.study.store.workers import is_person, is_rehearsed
from visavis.study.tasks import PREFER, cell_methods


def cells(connection: Connection, facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A row for each questionnaire: its pair, and for each method how much is counted and lent out."""
    item, worker = schema.item, schema.worker
    counts: dict[tuple[int, str], dict[str, int]] = defaultdict(lambda: {"done": 0, "open": 0})
    found = connection.execute(
        select(item.c.sheet_id, item.c.method, item.c.state, func.count().label("n"))
        .join(worker, worker.c.id == item.c.worker_id)
        .where(item.c.sheet_id.is_not(None), item.c.state.in_(LIVE), is_person())
        .group_by(item.c.sheet_id, item.c.method, item.c.state)
    )
    for row in found:
        counts[row.sheet_id, row.method][row.state] = row.n
    groups = facts["groups"]
    sheets = connection.execute(
        select(schema.sheet, schema.pair.c.first, schema.pair.c.second)
        .join(schema.pair, schema.pair.c.id == schema.sheet.c.pair_id)
        .order_by(schema.sheet.c.id)
    )
    return [
        {"sheet": row.id, "pair": f"{groups[row.first]} | {groups[row.second]}",
         "methods": [counts[row.id, method] for method in cell_methods(facts)],
         "compared": f"{row.first_method} | {row.second_method}" if row.first_method else ""}
        for row in sheets
    ]  # fmt: skip


def totals(connection: Connection, facts: Mapping[str, Any], *, rehearsed: bool = False) -> dict[str, int]:
    """Questionnaires needed of people, or of simulated ones, counted and lent out to them, and how many they are."""
    item, worker = schema.item, schema.worker
    who = is_rehearsed() if rehearsed else is_person()
    of_cells = (item.c.sheet_id.is_not(None), who)
    chosen = select(item.c.state, func.count().label("n")).join(worker, worker.c.id == item.c.worker_id)
    chosen = chosen.where(*of_cells).group_by(item.c.state)
    states = {row.state: int(row.n) for row in connection.execute(chosen)}
    sheets = int(connection.execute(select(func.count()).select_from(schema.sheet)).scalar_one())
    people = select(func.count()).select_from(worker).where(who)
    workers = int(connection.execute(people).scalar_one())
    needed = sheets * len(cell_methods(facts)) * int(facts["judgements"])
    return {"needed": needed, "done": states.get("done", 0), "open": states.get("open", 0), "workers": workers}


def agreement(connection: Connection, facts: Mapping[str, Any]) -> dict[str, float | None]:
    """How often two people chose the same group for a question, by method; None before two have met.

    Of comparisons, how often two preferred the same summary.
    """
    if facts["task"] == PREFER:
        return {"all comparisons": _same_preferred(connection)}
    judged, item, worker = schema.judgement, schema.item, schema.worker
    found = connection.execute(
        select(judged.c.question_id, item.c.method, judged.c.group_code)
        .join(item, item.c.id == judged.c.item_id)
        .join(worker, worker.c.id == item.c.worker_id)
        .where(item.c.state == "done", item.c.sheet_id.is_not(None), is_person())
    )
    chosen: dict[tuple[str, int], list[int]] = defaultdict(list)
    for row in found:
        chosen[row.method, row.question_id].append(row.group_code)
    answer: dict[str, float | None] = {}
    for method in facts["methods"]:
        same = [
            left == right for (of, _), codes in chosen.items() if of == method for left, right in combinations(codes, 2)
        ]
        answer[method] = sum(same) / len(same) if same else None
    return answer


def _same_preferred(connection: Connection) -> float | None:
    preferred, item, worker = schema.preference, schema.item, schema.worker
    found = connection.execute(
        select(item.c.sheet_id, item.c.shown, preferred.c.side)
        .join(item, item.c.id == preferred.c.item_id)
        .join(worker, worker.c.id == item.c.worker_id)
        .where(item.c.state == "done", item.c.sheet_id.is_not(None), is_person())
    )
    chosen: dict[int, list[str]] = defaultdict(list)
    for row in found:
        chosen[row.sheet_id].append(json.loads(row.shown)[row.side]["method"])
    same = [left == right for methods in chosen.values() for left, right in combinations(methods, 2)]
    return sum(same) / len(same) if same else None


def workers(connection: Connection) -> list[dict[str, Any]]:
    """A row for each worker: state, golds, time, flags, and why they were excluded."""
    golds, seconds = _golds_by_worker(connection), _seconds_by_worker(connection)
    flags = _flags_by_worker(connection)
    reasons: dict[int, str] = {}
    for row in connection.execute(select(schema.event).where(schema.event.c.worker_id.is_not(None))):
        if row.kind in ("exclude", "include"):
            reasons[row.worker_id] = row.note if row.kind == "exclude" else ""
    machines = {row.id: row.name for row in connection.execute(select(schema.machine))}
    rows = []
    for row in connection.execute(select(schema.worker).order_by(schema.worker.c.id)):
        right = golds.get(row.id, [])
        times = seconds.get(row.id, [])
        rows.append(
            {"pseudonym": row.pseudonym, "machine": machines.get(row.machine_id, ""), "state": row.state,
             "golds": len(right), "right": sum(right),
             "questionnaires": len(times), "seconds": statistics.median(times) if times else None,
             "flags": flags.get(row.id, []),
             "reason": reasons.get(row.id, "") if row.state == "excluded" else ""}
        )  # fmt: skip
    return rows


def _flags_by_worker(connection: Connection) -> dict[int, list[str]]:
    """The flags of each worker: every kind once, how often it was raised, and the latest note."""
    raised: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in connection.execute(select(schema.flag).order_by(schema.flag.c.id)):
        raised[row.worker_id][row.kind].append(row.note)
    return {
        worker: [f"{kind}{f' ×{len(notes)}' if len(notes) > 1 else ''}: {notes[-1]}" for kind, notes in kinds.items()]
        for worker, kinds in raised.items()
    }


def _golds_by_worker(connection: Connection) -> dict[int, list[bool]]:
    judged, item, gold = schema.judgement, schema.item, schema.gold
    found: dict[int, list[bool]] = defaultdict(list)
    for row in connection.execute(
        select(judged.c.worker_id, judged.c.correct)
        .join(item, item.c.id == judged.c.item_id)
        .join(gold, gold.c.id == item.c.gold_id)
        .where(gold.c.retired.is_(False), item.c.state != "late")
    ):
        found[row.worker_id].append(bool(row.correct))
    return found


def _seconds_by_worker(connection: Connection) -> dict[int, list[float]]:
    item = schema.item
    found: dict[int, list[float]] = defaultdict(list)
    for row in connection.execute(
        select(item.c.worker_id, item.c.began, item.c.answered).where(
            item.c.answered.is_not(None), item.c.began.is_not(None)
        )
    ):
        found[row.worker_id].append(row.answered - row.began)
    return found


def golds(connection: Connection) -> list[dict[str, Any]]:
    """A row for each gold: how many met it, and for each question which of them missed it."""
    judged, item = schema.judgement, schema.item
    missed: dict[tuple[int, int], list[bool]] = defaultdict(list)
    for row in connection.execute(
        select(item.c.gold_id, item.c.shown, judged.c.place, judged.c.correct)
        .join(judged, judged.c.item_id == item.c.id)
        .join(schema.worker, schema.worker.c.id == item.c.worker_id)
        .where(item.c.gold_id.is_not(None), item.c.state != "late", is_person())
    ):
        question = json.loads(row.shown)["questions"][row.place]
        missed[row.gold_id, question].append(not row.correct)
    rows = []
    for row in connection.execute(select(schema.gold).order_by(schema.gold.c.id)):
        content = json.loads(row.content)
        of_gold = [
            missed.get((row.id, place), []) for place in range(len(content.get("questions", (None,))))
        ]  # a comparison has one
        rows.append(
            {"id": row.id, "retired": row.retired, "content": content, "workers": max(map(len, of_gold)),
             "missed": of_gold}
        )  # fmt: skip
    return rows


def events(connection: Connection, most: int = 50) -> list[dict[str, Any]]:
    """What was decided lately, newest first."""
    event, worker = schema.event, schema.worker
    chosen = (
        select(event.c.at, event.c.kind, event.c.note, worker.c.pseudonym)
        .outerjoin(worker, worker.c.id == event.c.worker_id)
        .order_by(event.c.id.desc())
        .limit(most)
    )
    return [dict(row._mapping) for row in connection.execute(chosen)]
