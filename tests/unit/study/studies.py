"""Studies for the tests: made directly, without a corpus, of any shape."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sqlalchemy import func, insert, select

from conftest import require
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


def postgres_programs() -> Path | None:
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return places[-1].parent if places else None


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server that lives as long as the block."""
    with postgres_server() as server:
        yield server.url


class PostgresServer:
    """PostgreSQL in a folder of its own, at a free port."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.folder, self.port = programs, folder, _free_port()
        self.url = f"postgresql://study@127.0.0.1:{self.port}/postgres"
        self.run("initdb", "-D", str(folder / "data"), "-U", "study", "--auth=trust", "--no-sync")

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        self.control("-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self) -> None:
        self.control("-m", "immediate", "stop")

    def control(self, *words: str) -> None:
        self.run("pg_ctl", "-D", str(self.folder / "data"), *words)

    def run(self, *words: str) -> None:
        user = {"user": "postgres"} if os.geteuid() == 0 else {}
        call = [str(self.programs / words[0]), *words[1:]]
        subprocess.run(call, check=True, cwd=self.folder, stdout=subprocess.DEVNULL, **user)


@contextlib.contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server that lives as long as the block, and can be started anew."""
    programs = postgres_programs()
    require(programs is not None, "PostgreSQL's server programs (initdb, pg_ctl)")
    folder = Path(tempfile.mkdtemp(prefix="visavis-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    server = PostgresServer(programs, folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _free_port() -> int:
    import socket

    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
