"""The article in a page: title, text, date, author, language, its own address, and what stands in its place."""

from __future__ import annotations

import contextlib
from typing import Any

import courlan
import py3langid
from trafilatura import bare_extraction, load_html

from visavis.collect.records import Reason
from visavis.collect.text.linked_data import LinkedArticle, linked_article
from visavis.collect.text.markup import NoArticle, canonical_of, readable, shown_words
from visavis.collect.text.published import published
from visavis.collect.text.walls import wall_verdict
from visavis.corpus.encodings import looks_like

LONGEST_TEXT = 1_000_000
LONGEST_FIELD = 1_000

LITTLE = 0.4  # of the text that JSON-LD holds, below which what the page shows is a teaser


def extract(body: bytes, url: str, content_type: str) -> dict[str, Any]:
    """Title, text, date, author, language, canonical address and wall of the article in a page. Raises NoArticle."""
    text = readable(body, content_type)
    tree = load_html(text)
    if tree is None:
        raise NoArticle("no article", "none was found in the page")
    linked = linked_article(tree)
    found = bare_extraction(tree, url=url, with_metadata=True, include_comments=False, favor_precision=True)
    title, article = _line(linked.title or tree.findtext(".//title")), ""
    if found is not None and not isinstance(found, dict):
        title, article = _line(found.title) or title, found.text or ""
    article = _longer(article, linked.text)
    wall = _paywall(tree, linked) or wall_verdict(title, article or shown_words(tree))
    if not article.strip():
        raise NoArticle(*(("no article", "none was found in the page") if wall is None else (wall.label, wall.detail)))
    article = _without_title(_encodable(article)[:LONGEST_TEXT], title)
    language = str(py3langid.classify(article[:20_000])[0])
    moment = published(tree, url, linked.published, language)
    return {
        "title": title,
        "text": article,
        "date": moment.isoformat() if moment is not None else "",
        "author": _line(getattr(found, "author", "") or linked.author),
        "language": language,
        "canonical": canonical_of(tree, url),
        "wall": [wall.label, wall.detail] if wall is not None else [],
    }


def warm_up() -> None:
    """Load now what is otherwise loaded when it is first needed."""
    courlan.extract_domain("http://www.example.test/", fast=False)  # reads its list of suffixes
    page = "<html><body><article><h1>Warm up</h1>" + "<p>These are a few words to begin with.</p>" * 9
    extract(f"{page}</article></body></html>".encode(), "http://example.org/", "text/html")
    with contextlib.suppress(NoArticle):
        extract(b"<html><body></body></html>", "http://example.org/", "text/html")
    looks_like("Привет, мир".encode("cp1251"))


def _longer(article: str, linked: str) -> str:
    """The text that the page shows, or the one it describes itself by, where it shows next to nothing of it."""
    return linked if len(article) < LITTLE * len(linked) else article


def _paywall(tree: Any, linked: LinkedArticle) -> Reason | None:
    """Whether the page says that its article is not free."""
    said = [one.get("content") for one in tree.iter("meta") if "isAccessibleForFree" in (one.get("itemprop") or "")]
    tiers = [one.get("content") for one in tree.iter("meta") if one.get("property") == "article:content_tier"]
    if linked.is_free is False or any((one or "").strip().lower() == "false" for one in said) or "locked" in tiers:
        return Reason("paywall", "the page says that it is not free")
    return None


def _without_title(text: str, title: str) -> str:
    """The text without a first line that only says the title again."""
    first, _, rest = text.partition("\n")
    return rest.lstrip() if rest.strip() and _line(first) == title else text


def _line(value: Any) -> str:
    return " ".join(_encodable(str(value or "")).split())[:LONGEST_FIELD]


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
