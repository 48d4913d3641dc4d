"""What pages show: templates filled, and a questionnaire as one worker sees it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from sqlalchemy import Connection, select

from visavis.study.app.security import keep_visit
from visavis.study.shape import OTHER, SIDES
from visavis.study.store import schema

CONSENT = (
    "Taking part is voluntary, and you can stop at any time by closing this page. We keep your answers, how long they "
    "took and what you write in comments, under a pseudonym; we do not keep your name or your address on the network."
)
INSTRUCTIONS = (
    "You will see two groups of news articles, A and B. The articles of one group were published in a different time "
    "range, or belong together in another way that sets them apart from the other group.\n\n"
    "Read the articles of both groups first. Then read each article in question and decide which of the two groups it "
    "belongs to. If you are not sure, choose the group that seems more likely.\n\n"
    "Please do not use other sources, such as search engines, to find out when an article was published: only the "
    "articles on the page should help you.\n\n"
    "We begin with two short questionnaires that show whether the task is clear. After that, the questionnaires come "
    "in small sets; after every set you can stop or go on."
)


@cache
def environment() -> Environment:
    """The templates; everything put into them is escaped."""
    return Environment(
        loader=PackageLoader("visavis.study.app", "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page from a template."""
    response = HTMLResponse(environment().get_template(template).render(**values), status)
    keep_visit(request, response)
    return response


def paragraphs(text: str) -> list[str]:
    """Paragraphs of a plain text, as blank lines part them."""
    return [part.strip() for part in re.split(r"\n\s*\n", text.replace("\r\n", "\n")) if part.strip()]


def questionnaire(connection: Connection, item: Any) -> dict[str, Any]:
    """The texts of one showing: `left`, `right` and `questions`, each with title and lead, and nothing else."""
    shown = json.loads(item.shown)
    if item.gold_id is not None:
        return _gold_texts(connection, item.gold_id, shown)
    chosen = select(schema.question.c.id, schema.question.c.article_id)
    chosen = chosen.where(schema.question.c.id.in_(shown["questions"]))
    asked = {row.id: row.article_id for row in connection.execute(chosen)}
    numbers = {number for side in SIDES for number in shown[side]["articles"]} | set(asked.values())
    article = schema.article
    found = {row.id: row for row in connection.execute(select(article).where(article.c.id.in_(numbers)))}
    texts = {side: [_text(found[number]._mapping) for number in shown[side]["articles"]] for side in SIDES}
    return texts | {"questions": [_text(found[asked[number]]._mapping) for number in shown["questions"]]}


def _gold_texts(connection: Connection, number: int, shown: Mapping[str, Any]) -> dict[str, Any]:
    gold = schema.gold
    content = json.loads(connection.execute(select(gold.c.content).where(gold.c.id == number)).scalar_one())
    texts = {}
    for side in SIDES:
        stored = content[OTHER[side] if shown["swapped"] else side]
        texts[side] = [_text(stored[place]) for place in shown[side]["articles"]]
    return texts | {"questions": [_text(content["questions"][place]["text"]) for place in shown["questions"]]}


def _text(record: Mapping[Any, Any]) -> dict[str, str]:
    return {"title": record["title"], "lead": record["lead"]}
