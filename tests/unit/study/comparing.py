"""Studies of preferences for the tests: made directly, without a corpus."""

from __future__ import annotations

import functools
import itertools
import json
import random
from pathlib import Path

from sqlalchemy import insert, select

from unit.study.databases import copied
from unit.study.stage import Stage
from visavis.study.comparison_gold import GoldComparison, GoldGroup
from visavis.study.fieldwork.answering import Answers
from visavis.study.gold import Text
from visavis.study.store import Store, open_store, schema, set_fact, units
from visavis.study.store.golds import add_gold

METHODS = ("kmeans", "mmd-diff-grad", "random")
GROUPS = ("March", "April")
PICKS = 2


def gold_comparison(number: int) -> GoldComparison:
    def group(name: str, about: str, other: str) -> GoldGroup:
        def texts(word: str, start: int) -> tuple[Text, ...]:
            return tuple(Text(f"{word} {number}.{start + place}", "More.") for place in range(PICKS))

        return GoldGroup(name, texts(about, 0), texts(about, 10), texts(other, 20))

    return GoldComparison((group("Rivers", "Water", "Stars"), group("Skies", "Stars", "Water")))


def make_comparisons(
    where: str | Path, *, sets: int = 4, golds: int = 14, judgements: int = 3, methods: tuple[str, ...] = METHODS
) -> Store:
    """A study of `sets` sets of documents, each summarized by all methods; texts tell nothing but their number."""
    shape = (sets, golds, judgements, methods)
    return copied(where, ("prefer", shape), functools.partial(_make, shape=shape))


def _make(where: str | Path, shape: tuple[int, int, int, tuple[str, ...]]) -> Store:
    sets, golds, judgements, methods = shape
    store = open_store(where, create=True)
    with store.writing() as connection:
        facts = {"id": "test", "made": 0.0, "plan": {}, "groups": GROUPS, "methods": methods, "task": "prefer",
                 "judgements": judgements, "paused": False, "few_golds": False, "report": {"alike": []}}  # fmt: skip
        for key, value in facts.items():
            set_fact(connection, key, value)
        numbers = itertools.count(1)
        versus = list(itertools.combinations(methods, 2))
        for pair in range(1, sets + 1):
            connection.execute(insert(schema.pair).values(id=pair, first=0, second=1))
            for method in (*methods, ""):
                _texts(connection, pair, method, numbers)
            for first, second in versus:
                row = {"pair_id": pair, "first_method": first, "second_method": second}
                connection.execute(insert(schema.sheet).values(**row))
        for number in range(golds):
            add_gold(connection, gold_comparison(number), 0.0)
    return store


def _texts(connection, pair, method, numbers) -> None:
    """What a method picked of each group; documents drawn at random, for no method."""
    for code, rank in itertools.product(range(len(GROUPS)), range(PICKS)):
        number = next(numbers)
        text = {"title": f"Headline {number} & more", "lead": f"What happened in story {number}."}
        connection.execute(insert(schema.article).values(id=number, document=f"d{number}", group_code=code, **text))
        row = {"pair_id": pair, "group_code": code, "rank": rank, "article_id": number}
        if method:
            connection.execute(insert(schema.pick).values(**row, method=method))
        else:
            connection.execute(insert(schema.drawn).values(**row))


class PreferenceStage(Stage):
    """Readers who prefer the method that comes first in METHODS, and see through golds."""

    def answer(self, token: str, *, right: bool = True, item: object = None, seconds: float = 60.0) -> str:
        self.now += seconds
        with self.store.writing() as connection:
            unit = connection.execute(select(schema.unit).where(schema.unit.c.token == token)).one()
            chosen = item or units.first_open(units.items_of(connection, unit.id))
            side = best_side(json.loads(chosen.shown))
            if not right:
                side = {"left": "right", "right": "left"}[side]
            answers = Answers(chosen.token, (side,), clearness=2, reasons=("worth",))
            return self.dispatcher.submit(connection, unit, answers, self.now)


def best_side(shown: dict) -> str:
    if "truth" in shown:
        return shown["truth"][0]
    return min(("left", "right"), key=lambda side: METHODS.index(shown[side]["method"]))


def stage_of(store: Store) -> PreferenceStage:
    stage = PreferenceStage(store)
    stage.rng = random.Random(1)
    return stage
