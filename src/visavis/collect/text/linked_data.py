"""What a page says of its article in JSON-LD: its text, where the page shows none, its date, and whether it is free."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import html

MOST_SCRIPTS = 50
DEEPEST = 6
_WRAPPING = re.compile(r"^\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>)\s*$|;\s*$")
_ARTICLE = re.compile(r"(?:Article|BlogPosting|Report|Posting)$")
_INSIDE = ("@graph", "mainEntity", "mainEntityOfPage", "@list")
_NOT_FREE = ("false", "no", "0")


@dataclass(frozen=True)
class LinkedArticle:
    """An article as its page describes it; what is not said is empty, `is_free` None."""

    title: str = ""
    text: str = ""
    published: str = ""
    author: str = ""
    is_free: bool | None = None


def linked_article(tree: html.HtmlElement) -> LinkedArticle:
    """What the page's JSON-LD says of its article: the one with a text, or the first."""
    found = [_article(node) for node in _nodes(tree)]
    return max(found, key=lambda one: bool(one.text), default=LinkedArticle())


def _nodes(tree: html.HtmlElement) -> Iterator[dict[str, Any]]:
    scripts = [one for one in tree.iter("script") if "ld+json" in (one.get("type") or "").lower()]
    for script in scripts[:MOST_SCRIPTS]:
        try:
            value = json.loads(_WRAPPING.sub("", script.text or ""), strict=False)
        except (ValueError, RecursionError):
            continue
        yield from _articles(value, 0)


def _articles(value: Any, deep: int) -> Iterator[dict[str, Any]]:
    """The articles of a value, not those that it merely lists or relates to."""
    if deep > DEEPEST:
        return
    if isinstance(value, list):
        for item in value:
            yield from _articles(item, deep + 1)
    elif isinstance(value, dict):
        kinds = value.get("@type")
        if any(isinstance(kind, str) and _ARTICLE.search(kind) for kind in _list(kinds)):
            yield value
        for name in _INSIDE:
            yield from _articles(value.get(name), deep + 1)


def _article(node: dict[str, Any]) -> LinkedArticle:
    return LinkedArticle(
        title=_text(node.get("headline") or node.get("name")),
        text=_plain(node.get("articleBody") or node.get("text")),
        published=_text(node.get("datePublished") or node.get("dateCreated")),
        author=", ".join(filter(None, (_text(_named(one)) for one in _list(node.get("author"))))),
        is_free=_is_free(node),
    )


def _is_free(node: dict[str, Any]) -> bool | None:
    said = [part.get("isAccessibleForFree") for part in (node, *_list(node.get("hasPart"))) if isinstance(part, dict)]
    spoken = [str(one).strip().lower().rpartition("/")[2] for one in said if one is not None]
    return not any(one in _NOT_FREE for one in spoken) if spoken else None


def _named(value: Any) -> Any:
    return value.get("name") if isinstance(value, dict) else value


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _plain(value: Any) -> str:
    """A text that may hold markup, paragraph by paragraph."""
    text = _text(value)
    if re.search(r"<(?:p|br|div|h\d|a|em|strong)\b", text, re.IGNORECASE):
        tree = html.fromstring(f"<div>{text}</div>")
        text = "\n".join(piece.strip() for piece in tree.itertext() if piece.strip())
    return text
