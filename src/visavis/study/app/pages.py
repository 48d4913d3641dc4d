"""Templates filled, and the texts they begin with."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from visavis.study.app.security import keep_visit

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
PREFER_INSTRUCTIONS = (
    "You will see two groups of documents: their names, and a few documents of each that were drawn at random. Then "
    "you will see two summaries of the same groups, X and Y. Each is made of a few documents of each group.\n\n"
    "Imagine somebody who wants to know what the two groups are about and how they differ, and who has time to read "
    "one of the summaries only. Say which of them serves this reader better, how clearly, and why. There may be little "
    "between them: then choose the one you would rather have.\n\n"
    "We begin with three comparisons that show whether the task is clear. After that, comparisons come in small sets; "
    "after every set you can stop or go on."
)
TITLES = {"sort": "Which group does it belong to?", "prefer": "Which summary serves a reader better?"}
STARTS = {"sort": INSTRUCTIONS, "prefer": PREFER_INSTRUCTIONS}


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
