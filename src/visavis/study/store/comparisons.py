"""Comparisons of two summaries in the database: what they show, and what was preferred."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, select

from visavis.study.preferences import Preference
from visavis.study.shape import OTHER
from visavis.study.store import schema
from visavis.study.store.cells import Quota, counts_for
from visavis.study.store.database import Store, read_facts
from visavis.study.store.units import LIVE
from visavis.study.store.workers import flag_kinds, reader_name

RIGHT, WRONG = "the better one", "the worse one"  # what golds are made of, in place of methods


def comparison_of(connection: Connection, sheet: int) -> Any:
    """pair_id and the two methods of a comparison."""
    return connection.execute(select(schema.sheet).where(schema.sheet.c.id == sheet)).one()


def drawn_documents(connection: Connection, pair: int) -> Sequence[Any]:
    """group_code and article_id of the documents that say what the groups are."""
    drawn = schema.drawn
    return connection.execute(select(drawn).where(drawn.c.pair_id == pair).order_by(drawn.c.rank)).all()


def shown_on_the_left(connection: Connection, comparison: Any, quota: Quota) -> list[tuple[int, str]]:
    """For each live showing of two methods to one kind of readers: the comparison, and which method stood left."""
    item, worker, sheet = schema.item, schema.worker, schema.sheet
    methods = (sheet.c.first_method == comparison.first_method, sheet.c.second_method == comparison.second_method)
    chosen = (
        select(item.c.sheet_id, item.c.shown)
        .join(worker, worker.c.id == item.c.worker_id)
        .join(sheet, sheet.c.id == item.c.sheet_id)
        .where(*methods, item.c.state.in_(LIVE), counts_for(quota))
    )
    return [(row.sheet_id, json.loads(row.shown)["left"]["method"]) for row in connection.execute(chosen)]


def add_preference(connection: Connection, **values: Any) -> None:
    """Store which summary was preferred."""
    connection.execute(insert(schema.preference).values(**values))


def count_comparisons(store: Store) -> int:
    """How many answers of people the study wants."""
    with store.reading() as connection:
        facts = read_facts(connection)
        sheets = connection.execute(select(func.count()).select_from(schema.sheet)).scalar_one()
    return int(sheets) * int(facts["judgements"])


def preferences(store: Store) -> list[Preference]:
    """Every preference of the study, gold and uncounted ones marked as such."""
    return [preference for preference, _ in preferences_with_rows(store)]


def preferences_with_rows(store: Store) -> list[tuple[Preference, Mapping[Any, Any]]]:
    """Every preference next to what surrounds it in the database, for exports."""
    with store.reading() as connection:
        groups = read_facts(connection)["groups"]
        pairs = {row.id: (groups[row.first], groups[row.second]) for row in connection.execute(select(schema.pair))}
        rows = [row._mapping for row in connection.execute(_joined())]
        flags = flag_kinds(connection)
    return [(_preference(row, pairs, flags.get(row["pseudonym"], ())), row) for row in rows]


def _joined() -> Any:
    item, preferred, worker = schema.item, schema.preference, schema.worker
    sheet, machine = schema.sheet, schema.machine
    return (
        select(
            preferred.c.id, preferred.c.side, preferred.c.clearness, preferred.c.reasons, preferred.c.at,
            item.c.sheet_id, item.c.gold_id, item.c.state, item.c.shown, item.c.began, item.c.answered, item.c.comment,
            item.c.unit_id, worker.c.pseudonym, machine.c.name.label("machine"), sheet.c.pair_id, sheet.c.first_method,
            sheet.c.second_method,
        )
        .select_from(preferred)
        .join(item, item.c.id == preferred.c.item_id)
        .join(worker, worker.c.id == preferred.c.worker_id)
        .outerjoin(machine, machine.c.id == worker.c.machine_id)
        .outerjoin(sheet, sheet.c.id == item.c.sheet_id)
        .order_by(preferred.c.id)
    )  # fmt: skip


def _preference(row: Mapping[Any, Any], pairs: Mapping[int, tuple[str, str]], flags: Sequence[str]) -> Preference:
    shown = json.loads(row["shown"])
    seconds = None
    if row["began"] is not None and row["answered"] is not None:
        seconds = max(0.0, row["answered"] - row["began"])
    same = {
        "worker": row["pseudonym"], "clearness": row["clearness"], "reasons": tuple(row["reasons"].split()),
        "seconds": seconds, "machine": reader_name(row["machine"], flags), "excluded": row["state"] != "done",
        "comment": row["comment"] or "", "flags": tuple(flags),
    }  # fmt: skip
    if row["gold_id"] is not None:
        name = f"gold {row['gold_id']}"
        chosen, left = (RIGHT if side == shown["truth"][0] else WRONG for side in (row["side"], "left"))
        return Preference(name, name, ("", ""), (RIGHT, WRONG), chosen=chosen, left=left, gold=True, **same)
    methods = {side: shown[side]["method"] for side in OTHER}
    return Preference(
        f"c{row['sheet_id']}", f"d{row['pair_id']}", pairs[row["pair_id"]], (row["first_method"], row["second_method"]),
        chosen=methods[row["side"]], left=methods["left"], **same,
    )  # fmt: skip


def summaries(connection: Connection) -> list[tuple[str, list[tuple[str, str]]]]:
    """Each method's summary of each set of documents, as titles and leads."""
    pick, article = schema.pick, schema.article
    chosen = select(pick.c.pair_id, pick.c.method, article.c.title, article.c.lead)
    found: dict[tuple[int, str], list[tuple[str, str]]] = {}
    for row in connection.execute(chosen.join(article, article.c.id == pick.c.article_id)):
        found.setdefault((row.pair_id, row.method), []).append((row.title, row.lead))
    return [(method, texts) for (_, method), texts in found.items()]
