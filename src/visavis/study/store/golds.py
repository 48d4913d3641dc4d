"""Gold questionnaires in the database: in use or retired, each with the wordings it has had."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, Connection, bindparam, func, insert, select, update

from visavis.errors import InvalidParameter
from visavis.study.comparison_gold import ComparisonLook, GoldComparison, comparison_of_record
from visavis.study.gold import Gold, Look, from_record, leads_of, read_golds, to_json
from visavis.study.masking import masks_of
from visavis.study.store import schema
from visavis.study.store.database import Store, read_facts
from visavis.study.tasks import PREFER

AnyGold = Gold | GoldComparison

# What every answer asks for is put together once: that takes longer than asking.
_gold = schema.gold
_MET = (
    select(_gold.c.lineage)
    .join(schema.item, schema.item.c.gold_id == _gold.c.id)
    .where(schema.item.c.worker_id == bindparam("worker"))
)
_USABLE = select(_gold.c.id, _gold.c.lineage).where(_gold.c.retired.is_(False)).order_by(_gold.c.id)
_COUNT = select(func.count(_gold.c.lineage.distinct())).where(_gold.c.retired.is_(False))


def add_gold(connection: Connection, gold: AnyGold, now: float, *, instead_of: int | None = None) -> int:
    """Store a gold questionnaire, unless it is there already, and return its number.

    One that stands in for another retires all wordings of it, and no worker meets two. Raises InvalidParameter where
    there is no gold to stand in for, or where another gold has the new wording; BadGold for one that looks different
    from the study's own questionnaires.
    """
    content = to_json(_as_shown(connection, gold))
    held = connection.execute(select(schema.gold).where(schema.gold.c.content == content)).first()
    lineage = None
    if instead_of is not None:
        lineage = _lineage(connection, instead_of)
        if lineage is None:
            raise InvalidParameter(f"there is no gold questionnaire {instead_of}")
        if held is not None and held.lineage != lineage:
            raise InvalidParameter(f"gold questionnaire {held.id} says the same")
        _retire_all(connection, lineage)
    if held is not None:
        if instead_of is not None:
            retire_gold(connection, held.id, retired=False)
        return int(held.id)
    return _insert(connection, content, lineage, now)


def _as_shown(connection: Connection, gold: AnyGold) -> AnyGold:
    """A gold masked as the study's articles are. Raises BadGold for one that looks different."""
    facts = read_facts(connection)
    masks = masks_of(facts["plan"], facts["groups"])
    if isinstance(gold, GoldComparison):
        look_of_comparisons(connection).check(gold)
        return masks.hide_comparison(gold)
    look = look_of(connection)
    if look is not None:
        look.check(gold)
    return masks.hide_gold(gold)


def look_of(connection: Connection) -> Look | None:
    """How the study's questionnaires look; None where there are none yet."""
    pick, article, question = schema.pick, schema.article, schema.question
    most = _most(connection, pick.c.pair_id, pick.c.method, pick.c.group_code)
    leads = select(article.c.lead).join(question, question.c.article_id == article.c.id)
    return Look(most, leads_of(connection.execute(leads).scalars())) if most else None


def look_of_comparisons(connection: Connection) -> ComparisonLook:
    """How the study's comparisons look, all of whose articles are shown."""
    pick, drawn = schema.pick, schema.drawn
    picks = _most(connection, pick.c.pair_id, pick.c.method, pick.c.group_code)
    documents = _most(connection, drawn.c.pair_id, drawn.c.group_code)
    return ComparisonLook(picks, documents, leads_of(connection.execute(select(schema.article.c.lead)).scalars()))


def _most(connection: Connection, *columns: Column[Any]) -> int:
    """How many rows at most have the same values in these columns; 0 where there are no rows."""
    counted = select(func.count().label("n")).select_from(columns[0].table).group_by(*columns).subquery()
    return int(connection.execute(select(func.max(counted.c.n))).scalar_one() or 0)


def _insert(connection: Connection, content: str, lineage: int | None, now: float) -> int:
    row = connection.execute(
        insert(schema.gold).values(lineage=lineage or 0, content=content, retired=False, made=now)
    ).inserted_primary_key
    number = int(row[0]) if row else 0
    if lineage is None:
        connection.execute(update(schema.gold).where(schema.gold.c.id == number).values(lineage=number))
    return number


def import_golds(connection: Connection, golds: Sequence[AnyGold], now: float) -> int:
    """Store golds; how many were not there before."""
    stored = select(func.count()).select_from(schema.gold)
    before = connection.execute(stored).scalar_one()
    for gold in golds:
        add_gold(connection, gold, now)
    return int(connection.execute(stored).scalar_one() - before)


def read_golds_for(store: Store, path: str) -> tuple[AnyGold, ...]:
    """The golds of a file, of the kind that the study's task needs. Raises BadGold, NoStudy."""
    with store.reading() as connection:
        task = read_facts(connection)["task"]
    return read_golds(path, comparison_of_record if task == PREFER else from_record)


def import_now(store: Store, golds: Sequence[AnyGold]) -> tuple[int, int]:
    """Store golds now: how many were not there before, and how many are in use. Raises NoStudy."""
    with store.writing() as connection:
        read_facts(connection)
        return import_golds(connection, golds, time.time()), count_golds(connection)


def retire_gold(connection: Connection, number: int, *, retired: bool) -> bool:
    """Take a gold questionnaire out of use, or back in, which takes its other wordings out.

    Its answers count for nobody while it is out. Returns whether there is such a gold.
    """
    lineage = _lineage(connection, number)
    if lineage is None:
        return False
    if not retired:
        _retire_all(connection, lineage)
    connection.execute(update(schema.gold).where(schema.gold.c.id == number).values(retired=retired))
    return True


def _lineage(connection: Connection, number: int) -> int | None:
    """The first of the golds that this one is a wording of."""
    found = connection.execute(select(schema.gold.c.lineage).where(schema.gold.c.id == number)).scalar()
    return None if found is None else int(found)


def _retire_all(connection: Connection, lineage: int) -> None:
    connection.execute(update(schema.gold).where(schema.gold.c.lineage == lineage).values(retired=True))


def count_golds(connection: Connection) -> int:
    """How many are in use, two wordings of one counting once."""
    return int(connection.execute(_COUNT).scalar_one())


def gold_content(connection: Connection, number: int) -> Any:
    """What a gold questionnaire shows and asks, as its file has it; None where there is no such gold."""
    found = connection.execute(select(schema.gold.c.content).where(schema.gold.c.id == number)).scalar()
    return None if found is None else json.loads(found)


def all_golds(connection: Connection) -> list[Any]:
    """The contents of all golds, in use or not."""
    return [json.loads(content) for content in connection.execute(select(schema.gold.c.content)).scalars()]


def golds_not_met(connection: Connection, worker: int) -> list[int]:
    """The latest wordings of golds in use that a worker has not met in any wording."""
    met = set(connection.execute(_MET, {"worker": worker}).scalars())
    latest = {row.lineage: row.id for row in connection.execute(_USABLE)}
    return [number for lineage, number in latest.items() if lineage not in met]
