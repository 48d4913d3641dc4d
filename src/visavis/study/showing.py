"""What one worker is shown: sides and orders are drawn for every showing, and kept with it."""

from __future__ import annotations

import json
import random
from typing import Any

from sqlalchemy import Connection, select

from visavis.study.assign import Cell
from visavis.study.shape import OTHER, SIDES
from visavis.study.store import schema


def show_cell(connection: Connection, cell: Cell, rng: random.Random) -> dict[str, Any]:
    """Sides and orders drawn for one showing; kept with it, and read when it is answered."""
    picks = connection.execute(
        select(schema.pick.c.group_code, schema.pick.c.article_id)
        .join(schema.sheet, schema.sheet.c.pair_id == schema.pick.c.pair_id)
        .where(schema.sheet.c.id == cell.sheet, schema.pick.c.method == cell.method)
    ).all()
    codes = sorted({row.group_code for row in picks})
    rng.shuffle(codes)
    shown: dict[str, Any] = {}
    for side, code in zip(SIDES, codes, strict=True):
        articles = [row.article_id for row in picks if row.group_code == code]
        rng.shuffle(articles)
        shown[side] = {"group": code, "articles": articles}
    questions = list(connection.execute(select(schema.question).where(schema.question.c.sheet_id == cell.sheet)).all())
    rng.shuffle(questions)
    shown |= {"questions": [row.id for row in questions], "truth": [row.group_code for row in questions]}
    return {"sheet_id": cell.sheet, "method": cell.method, "gold_id": None, "shown": json.dumps(shown)}


def show_gold(connection: Connection, number: int, rng: random.Random) -> dict[str, Any]:
    """The same for a gold, whose first group may stand on either side."""
    content = json.loads(
        connection.execute(select(schema.gold.c.content).where(schema.gold.c.id == number)).scalar_one()
    )
    swapped = rng.random() < 0.5
    order = list(range(len(content["questions"])))
    rng.shuffle(order)
    truth = [content["questions"][place]["answer"] for place in order]
    shown: dict[str, Any] = {"swapped": swapped, "questions": order}
    shown["truth"] = [OTHER[side] if swapped else side for side in truth]
    for side in SIDES:
        places = list(range(len(content[OTHER[side] if swapped else side])))
        rng.shuffle(places)
        shown[side] = {"articles": places}
    return {"sheet_id": None, "method": None, "gold_id": number, "shown": json.dumps(shown)}
