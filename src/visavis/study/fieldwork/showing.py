"""What one worker is shown: sides and orders are drawn for every showing, and kept with it."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from visavis.study.assignment import Cell
from visavis.study.shape import OTHER, SIDES
from visavis.study.store import Connection
from visavis.study.store.articles import articles_asked, articles_by_id, picks_of_cells, questions_of
from visavis.study.store.golds import gold_content


def show_sheets(connection: Connection, parts: Sequence[Cell | int], rng: random.Random) -> list[dict[str, Any]]:
    """What is kept of each questionnaire of a unit: cells, and golds by their numbers."""
    cells = [part for part in parts if isinstance(part, Cell)]
    picks = picks_of_cells(connection, cells) if cells else {}
    questions = questions_of(connection, [cell.sheet for cell in cells]) if cells else {}
    return [
        _show_cell(part, picks[part], questions[part.sheet], rng)
        if isinstance(part, Cell)
        else _show_gold(part, gold_content(connection, part), rng)
        for part in parts
    ]


def _show_cell(cell: Cell, picks: Sequence[Any], asked: Sequence[Any], rng: random.Random) -> dict[str, Any]:
    """Sides and orders drawn for one showing; kept with it, and read when it is answered."""
    codes = sorted({row.group_code for row in picks})
    rng.shuffle(codes)
    shown: dict[str, Any] = {}
    for side, code in zip(SIDES, codes, strict=True):
        articles = [row.article_id for row in picks if row.group_code == code]
        rng.shuffle(articles)
        shown[side] = {"group": code, "articles": articles}
    questions = rng.sample(asked, len(asked))
    shown |= {"questions": [row.id for row in questions], "truth": [row.group_code for row in questions]}
    return {"sheet_id": cell.sheet, "method": cell.method, "gold_id": None, "shown": json.dumps(shown)}


def _show_gold(number: int, content: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """The same for a gold, whose first group may stand on either side."""
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


def texts_of(connection: Connection, item: Any) -> dict[str, Any]:
    """The texts of one showing: `left`, `right` and `questions`, each with title and lead, and nothing else."""
    shown = json.loads(item.shown)
    if item.gold_id is not None:
        return _gold_texts(gold_content(connection, item.gold_id), shown)
    asked = articles_asked(connection, shown["questions"])
    numbers = {number for side in SIDES for number in shown[side]["articles"]} | set(asked.values())
    found = articles_by_id(connection, numbers)
    texts = {side: [_text(found[number]._mapping) for number in shown[side]["articles"]] for side in SIDES}
    return texts | {"questions": [_text(found[asked[number]]._mapping) for number in shown["questions"]]}


def _gold_texts(content: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Any]:
    texts = {}
    for side in SIDES:
        stored = content[OTHER[side] if shown["swapped"] else side]
        texts[side] = [_text(stored[place]) for place in shown[side]["articles"]]
    return texts | {"questions": [_text(content["questions"][place]["text"]) for place in shown["questions"]]}


def _text(record: Mapping[Any, Any]) -> dict[str, str]:
    return {"title": record["title"], "lead": record["lead"]}
