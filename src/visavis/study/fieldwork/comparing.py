"""What one reader is shown of a comparison: two summaries, X and Y; their sides are balanced, and kept with it."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from visavis.study.assignment import Cell
from visavis.study.shape import SIDES
from visavis.study.store import Connection, read_facts
from visavis.study.store.articles import articles_by_id, picks_of
from visavis.study.store.cells import Quota
from visavis.study.store.comparisons import comparison_of, drawn_documents, shown_on_the_left
from visavis.study.store.golds import gold_content


def show_comparisons(
    connection: Connection, parts: Sequence[Cell | int], quota: Quota, rng: random.Random
) -> list[dict[str, Any]]:
    """What is kept of each comparison of a unit: cells, and golds by their numbers.

    The method that stood on the left less often stands there now, in a comparison, then in all of its two methods;
    chance decides where both did as often.
    """
    lefts: dict[tuple[str, str], list[tuple[int, str]]] = {}  # for two methods: which stood left, in which comparison
    rows = []
    for part in parts:
        if isinstance(part, int):
            rows.append(_show_gold(connection, part, rng))
            continue
        found = comparison_of(connection, part.sheet)
        both = (found.first_method, found.second_method)
        if both not in lefts:
            lefts[both] = shown_on_the_left(connection, found, quota)
        methods = _sides(part.sheet, both, lefts[both], rng)
        lefts[both].append((part.sheet, methods[0]))
        rows.append(_show_comparison(connection, found, methods, rng))
    return rows


def _sides(sheet: int, both: tuple[str, str], lefts: Sequence[tuple[int, str]], rng: random.Random) -> list[str]:
    """The method for the left side and the one for the right."""
    here, everywhere = [method for of, method in lefts if of == sheet], [method for _, method in lefts]
    methods = rng.sample(both, 2)
    return sorted(methods, key=lambda method: (here.count(method), everywhere.count(method)))


def _show_comparison(connection: Connection, found: Any, methods: Sequence[str], rng: random.Random) -> dict[str, Any]:
    """The order of groups and of documents drawn for one showing; kept with it, and read when it is answered."""
    drawn = drawn_documents(connection, found.pair_id)
    codes = sorted({row.group_code for row in drawn})
    rng.shuffle(codes)
    shown: dict[str, Any] = {
        "groups": codes,
        "drawn": [[row.article_id for row in drawn if row.group_code == code] for code in codes],
    }
    for side, method in zip(SIDES, methods, strict=True):
        picks = picks_of(connection, found.id, method)
        articles = [[row.article_id for row in picks if row.group_code == code] for code in codes]
        for of_group in articles:
            rng.shuffle(of_group)
        shown[side] = {"method": method, "articles": articles}
    return {"sheet_id": found.id, "method": "", "gold_id": None, "shown": json.dumps(shown)}


def _show_gold(connection: Connection, number: int, rng: random.Random) -> dict[str, Any]:
    """The same for a gold, whose better summary may stand on either side."""
    content = gold_content(connection, number)
    order = [0, 1]
    rng.shuffle(order)
    better = rng.choice(SIDES)
    shown: dict[str, Any] = {"groups": order, "questions": [0], "truth": [better], "swapped": better == "right"}
    for side in SIDES:
        part = "better" if side == better else "worse"
        places = [list(range(len(content["groups"][group][part]))) for group in order]
        for of_group in places:
            rng.shuffle(of_group)
        shown[side] = {"articles": places}
    return {"sheet_id": None, "method": None, "gold_id": number, "shown": json.dumps(shown)}


def comparison_texts(connection: Connection, item: Any) -> dict[str, Any]:
    """The texts of one showing: `groups` (name, documents), `left` and `right` (documents by group), nothing else."""
    shown = json.loads(item.shown)
    if item.gold_id is not None:
        return _gold_texts(gold_content(connection, item.gold_id), shown)
    names = read_facts(connection)["groups"]
    numbers = {number for of_group in shown["drawn"] for number in of_group}
    numbers |= {number for side in SIDES for of_group in shown[side]["articles"] for number in of_group}
    found = articles_by_id(connection, numbers)

    def texts(articles: list[int]) -> list[dict[str, str]]:
        return [_text(found[number]._mapping) for number in articles]

    groups = zip(shown["groups"], shown["drawn"], strict=True)
    return {
        "groups": [{"name": names[code], "documents": texts(drawn)} for code, drawn in groups],
        **{side: [texts(of_group) for of_group in shown[side]["articles"]] for side in SIDES},
    }


def _gold_texts(content: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Any]:
    groups = [content["groups"][place] for place in shown["groups"]]
    found: dict[str, Any] = {
        "groups": [{"name": group["name"], "documents": list(map(_text, group["documents"]))} for group in groups]
    }
    better = shown["truth"][0]
    for side in SIDES:
        part = "better" if side == better else "worse"
        both = zip(groups, shown[side]["articles"], strict=True)
        found[side] = [[_text(group[part][place]) for place in places] for group, places in both]
    return found


def _text(record: Mapping[Any, Any]) -> dict[str, str]:
    return {"title": record["title"], "lead": record["lead"]}
