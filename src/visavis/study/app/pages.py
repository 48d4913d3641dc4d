"""Templates filled."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from visavis.study.app.options import state_of
from visavis.study.app.security import keep_visit


@cache
def environment() -> Environment:
    """The templates; everything put into them is escaped."""
    return Environment(
        loader=PackageLoader("visavis.study.app", "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page from a template, which finds the texts of pages under `say`."""
    content = environment().get_template(template).render(say=state_of(request).options.texts, **values)
    response = HTMLResponse(content, status)
    keep_visit(request, response)
    return response


def paragraphs(text: str) -> list[str]:
    """Paragraphs of a plain text, as blank lines part them."""
    return [part.strip() for part in re.split(r"\n\s*\n", text.replace("\r\n", "\n")) if part.strip()]
