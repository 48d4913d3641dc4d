"""Studies for the tests: made directly, without a corpus, of any shape."""

from __future__ import annotations

import functools
import itertools
import random
from pathlib import Path

import numpy as np
from sqlalchemy import func, insert, select

from unit.study.databases import copied
from visavis.study.gold import Gold, GoldQuestion, Text
from visavis.study.store import Store, open_store, schema, set_fact
from visavis.study.store.golds import add_gold

METHODS = ("kmeans", "nn-comp-greedy", "mmd-diff-greedy", "mmd-diff-grad")
GROUPS = tuple(f"2017-{month:02d}" for month in range(1, 15))
TESTED, TRAINED = 12, 10  # articles of each group


def gold(number: int, articles: int = 4) -> Gold:
    left = tuple(Text(f"Rivers rise {number}.{place}", "Water everywhere.") for place in range(articles))
    right = tuple(Text(f"Stars shine {number}.{place}", "Light everywhere.") for place in range(articles))
    questions = tuple(
        GoldQuestion(Text(f"{'Rivers' if side == 'left' else 'Stars'} again {number}.{place}", "More of it."), side)
        for place, side in enumerate(("left", "right", "left" if number % 2 else "right"))
    )
    return Gold(left, right, questions)


def make_study(
    where: str | Path, *, n_pairs: int = 3, golds: int = 12, judgements: int = 3, questions: int = 6,
    methods: tuple[str, ...] = METHODS,
) -> Store:  # fmt: skip
    """A study of `n_pairs` pairs of months; articles' texts tell nothing but their number."""
    shape = (n_pairs, golds, judgements, questions, methods)
    return copied(where, ("sort", shape), functools.partial(_make, shape=shape))


def _make(where: str | Path, shape: tuple[int, int, int, int, tuple[str, ...]]) -> Store:
    n_pairs, golds, judgements, questions, methods = shape
    store = open_store(where, create=True)
    rng = random.Random(0)
    pairs = list(itertools.combinations(range(len(GROUPS)), 2))[:: max(1, 91 // n_pairs)][:n_pairs]
    with store.writing() as connection:
        facts = {"id": "test", "made": 0.0, "plan": {}, "groups": GROUPS, "methods": methods,
                 "judgements": judgements, "paused": False, "few_golds": False, "report": {}}  # fmt: skip
        for key, value in facts.items():
            set_fact(connection, key, value)
        tested, trained = _articles(connection)
        _pairs(connection, pairs, methods, trained, tested, questions, rng)
        for number in range(golds):
            add_gold(connection, gold(number), 0.0)
    return store


def _articles(connection: object) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    tested: dict[int, list[int]] = {}
    trained: dict[int, list[int]] = {}
    rows, documents = [], []
    for code in range(len(GROUPS)):
        for place in range(TESTED + TRAINED):
            number = len(rows) + 1
            (tested if place < TESTED else trained).setdefault(code, []).append(number)
            row = {"id": number, "document": f"doc-{number}", "group_code": code, "title": f"Headline {number} & more"}
            rows.append({**row, "lead": f"What happened in story {number}."})
            vector = np.random.default_rng(number).normal(size=3) + np.array([code, 0, 0])
            part = "test" if place < TESTED else "train"
            stored = {"name": f"doc-{number}", "group_code": code, "part": part}
            documents.append({**stored, "vector": vector.astype("<f4").tobytes()})
    connection.execute(insert(schema.article), rows)
    connection.execute(insert(schema.document), documents)
    return tested, trained


def _pairs(connection, pairs, methods, trained, tested, questions, rng) -> None:
    sheet = question = 0
    for number, pair in enumerate(pairs, 1):
        connection.execute(insert(schema.pair).values(id=number, first=pair[0], second=pair[1]))
        for method in methods:
            for code in pair:
                picked = rng.sample(trained[code], 4)
                connection.execute(
                    insert(schema.pick),
                    [{"pair_id": number, "method": method, "group_code": code, "rank": rank, "article_id": article}
                     for rank, article in enumerate(picked)],
                )  # fmt: skip
        half = questions // 2
        asked = [(a, pair[0]) for a in rng.sample(tested[pair[0]], half)]
        asked += [(a, pair[1]) for a in rng.sample(tested[pair[1]], questions - half)]
        rng.shuffle(asked)
        for start in range(0, questions, 3):
            sheet += 1
            connection.execute(insert(schema.sheet).values(id=sheet, pair_id=number))
            for place, (article, code) in enumerate(asked[start : start + 3]):
                question += 1
                row = {"id": question, "sheet_id": sheet, "place": place, "article_id": article, "group_code": code}
                connection.execute(insert(schema.question).values(**row))


def check_balanced(store: Store) -> int:
    """Every question × method has exactly its judgements, of distinct workers; returns how many cells there are."""
    item, judged, question = schema.item, schema.judgement, schema.question
    with store.reading() as connection:
        counts = connection.execute(
            select(
                question.c.id, item.c.method, func.count().label("n"),
                func.count(judged.c.worker_id.distinct()).label("workers"),
            )
            .select_from(judged)
            .join(item, item.c.id == judged.c.item_id)
            .join(question, question.c.id == judged.c.question_id)
            .where(item.c.state == "done")
            .group_by(question.c.id, item.c.method)
        ).all()  # fmt: skip
        n_questions = connection.execute(select(func.count()).select_from(question)).scalar_one()
    assert {(row.n, row.workers) for row in counts} == {(3, 3)}
    assert len(counts) == n_questions * len(METHODS)
    return len(counts)


def check_blind(store: Store) -> None:
    """No worker met an article twice, or a gold twice."""
    item, question, gold_table = schema.item, schema.question, schema.gold
    with store.reading() as connection:
        met = connection.execute(
            select(item.c.worker_id, question.c.article_id, func.count().label("n"))
            .join(question, question.c.sheet_id == item.c.sheet_id)
            .group_by(item.c.worker_id, question.c.article_id)
        ).all()
        golds = connection.execute(
            select(item.c.worker_id, gold_table.c.lineage, func.count().label("n"))
            .join(gold_table, gold_table.c.id == item.c.gold_id)
            .group_by(item.c.worker_id, gold_table.c.lineage)
        ).all()
    assert met
    assert {row.n for row in met} == {1}
    assert {row.n for row in golds} == {1}
