"""The articles in the database: picks, questions and texts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, select, tuple_

from visavis.study.assignment import Cell
from visavis.study.store import schema


def picks_of(connection: Connection, sheet: int, method: str) -> Sequence[Any]:
    """group_code and article_id of what a method picked for the pair of a questionnaire."""
    pick = schema.pick
    return connection.execute(
        select(pick.c.group_code, pick.c.article_id)
        .join(schema.sheet, schema.sheet.c.pair_id == pick.c.pair_id)
        .where(schema.sheet.c.id == sheet, pick.c.method == method)
    ).all()


def picks_of_cells(connection: Connection, cells: Collection[Cell]) -> dict[Cell, list[Any]]:
    """group_code and article_id of what each questionnaire shows under its method."""
    pick, sheet = schema.pick, schema.sheet
    chosen = select(sheet.c.id, pick.c.method, pick.c.group_code, pick.c.article_id)
    chosen = chosen.join(sheet, sheet.c.pair_id == pick.c.pair_id)
    found: dict[Cell, list[Any]] = {}
    chosen = chosen.where(tuple_(sheet.c.id, pick.c.method).in_([tuple(cell) for cell in cells]))
    for row in connection.execute(chosen.order_by(pick.c.group_code, pick.c.rank)):
        found.setdefault(Cell(row.id, row.method), []).append(row)
    return found


def questions_of(connection: Connection, sheets: Collection[int]) -> dict[int, list[Any]]:
    """The questions of each questionnaire."""
    question = schema.question
    found: dict[int, list[Any]] = {}
    for row in connection.execute(select(question).where(question.c.sheet_id.in_(sheets)).order_by(question.c.id)):
        found.setdefault(row.sheet_id, []).append(row)
    return found


def articles_asked(connection: Connection, questions: Collection[int]) -> dict[int, int]:
    """Which article each question is about."""
    question = schema.question
    chosen = select(question.c.id, question.c.article_id).where(question.c.id.in_(questions))
    return {row.id: row.article_id for row in connection.execute(chosen)}


def articles_by_id(connection: Connection, numbers: Collection[int]) -> dict[int, Any]:
    """Articles by their numbers."""
    article = schema.article
    return {row.id: row for row in connection.execute(select(article).where(article.c.id.in_(numbers)))}


def all_articles(connection: Connection) -> Sequence[Any]:
    """Every article that somebody may read."""
    return connection.execute(select(schema.article)).all()
