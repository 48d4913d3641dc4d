"""Signs that a text holds in the spelling of web pages, `&amp;` for &, as posts from services often do."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any

_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#(?!0*;)\d{1,7}|#[xX](?!0*;)[0-9a-fA-F]{1,6});")


def decoded(fields: dict[str, Any], columns: Iterable[str]) -> dict[str, Any]:
    """The fields with these columns as a reader would see them; the same fields where there is nothing to decode."""
    found = {
        column: _ENTITY.sub(lambda written: html.unescape(written[0]), value)
        for column in columns
        if isinstance(value := fields.get(column), str) and "&" in value and _ENTITY.search(value)
    }
    return {**fields, **found} if found else fields
