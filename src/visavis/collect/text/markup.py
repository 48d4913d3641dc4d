"""A page before anyone looks for its article: bytes that can be parsed, what it shows, what it calls itself."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin

from lxml import html

from visavis.collect.records import Reason
from visavis.collect.text.encodings import decode_page

LONGEST_SHOWN = 1_000_000
LONGEST_ADDRESS = 2_000
DEEPEST = 500  # a browser shows no deeper page either; the parsers below recurse
_SAVED_FROM = re.compile(r"<!--\s*saved from url=\(\d+\)(https?://[^\s>]{1,2000})", re.IGNORECASE)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]{0,400}\?>")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*+)([^<>]*+)>")
_OPEN_ENDED = frozenset(  # tags that need no end
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "p", "li")
) | {"dt", "dd", "option", "tr", "td", "th"}

_NOT_HTML = {b"%PDF": "PDF", b"PK\x03\x04": "ZIP", b"\x89PNG": "PNG", b"\xff\xd8\xff": "JPEG", b"GIF8": "GIF"}


class NoArticle(Exception):
    """There is no article in a page; `reason` says why."""

    def __init__(self, label: str, detail: str = "") -> None:
        super().__init__(label, detail)
        self.reason = Reason(label, detail)


def readable(body: bytes, content_type: str) -> str:
    """The page as text that parsers can deal with. Raises NoArticle."""
    for start, kind in _NOT_HTML.items():
        if body.lstrip()[:4].startswith(start):
            raise NoArticle("not HTML", kind)
    text = decode_page(body, content_type)
    control = sum(text.count(character) for character in map(chr, (*range(9), *range(14, 32))))
    if control > 0.01 * len(text):
        raise NoArticle("not text")
    if depth(text) > DEEPEST:
        raise NoArticle("too deep", f"tags nested deeper than {DEEPEST}")
    return _DECLARATION.sub("", text.replace("\x00", " "), count=1)


def parsed(text: str) -> html.HtmlElement | None:
    """The tree of a page; None where there is nothing to parse."""
    if not text.strip():
        return None
    parser = html.HTMLParser(encoding="utf-8")
    return html.document_fromstring(text.encode("utf-8", "replace"), parser=parser, ensure_head_body=True)


def shown_words(tree: Any) -> str:
    """All words that a page shows."""
    silent = ("script", "style", "noscript", "template", "head")
    pieces = (one.text or "" for one in tree.iter() if one.tag not in silent and isinstance(one.tag, str))
    tails = (one.tail or "" for one in tree.iter())
    return " ".join(" ".join((*pieces, *tails)).split())[:LONGEST_SHOWN]


def canonical_of(tree: Any, url: str) -> str:
    """The address that a page names as its own, "" if it names none."""
    for link in tree.iter("link"):
        if "canonical" in (link.get("rel") or "").lower().split() and (link.get("href") or "").strip():
            return str(urljoin(url, link.get("href").strip()))[:LONGEST_ADDRESS]
    said = next((one.get("content") for one in tree.iter("meta") if one.get("property") == "og:url"), "")
    return urljoin(url, (said or "").strip())[:LONGEST_ADDRESS] if said else ""


def shown_text(body: bytes, content_type: str) -> str:
    """All that a page shows, its title first; "" for what is no page."""
    try:
        tree = parsed(readable(body, content_type))
    except NoArticle:
        return ""
    if tree is None:
        return ""
    return f"{tree.findtext('.//title') or ''}\n{shown_words(tree)}"


def saved_address(body: bytes) -> str:
    """The address that a saved page came from: as browsers note it, or as it names itself; "" if neither."""
    text = decode_page(body, "text/html")
    found = _SAVED_FROM.search(text[:20_000])
    if found:
        return str(found[1])
    tree = parsed(_DECLARATION.sub("", text, count=1))
    named = canonical_of(tree, "") if tree is not None else ""
    return named if named.startswith(("http://", "https://")) else ""


def depth(text: str) -> int:
    """How deep tags are nested, those aside that need no end."""
    now = deepest = 0
    for end, name, rest in _TAG.findall(text):
        if rest.endswith("/") or name.lower() in _OPEN_ENDED:
            continue
        now = max(0, now - 1) if end else now + 1
        deepest = max(deepest, now)
    return deepest
