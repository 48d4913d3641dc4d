"""RSS, Atom and sitemaps, from bytes to entries; where a site's page and robots.txt say that they lie."""

from __future__ import annotations

import calendar
import io
import re
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from lxml import etree, html

from visavis.collect.text.encodings import decode_page
from visavis.collect.text.scraps import read_scrap

MOST_ENTRIES = 5_000
MOST_ADDRESSES = 50_000
LONGEST_TEXT = 20_000
LARGEST = 50_000_000  # bytes of a sitemap, unpacked
_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml")
_SLUG = re.compile(r"[^\W\d_]+", re.UNICODE)


class NotAFeed(ValueError):
    """The bytes are no feed and no sitemap; the message says why."""


def read_feed(body: bytes, headers: Mapping[str, str]) -> list[dict[str, Any]]:
    """The entries of a feed: {"link", "id", "text", "time", "author", "tags"}; no "link" where there is none.

    The parser gets a stream of bytes, never an address or a path. Raises NotAFeed.
    """
    import feedparser

    _refuse_entities(body)
    try:
        parsed = feedparser.parse(io.BytesIO(body), response_headers=dict(headers), sanitize_html=False)
    except Exception as error:  # whatever the parser trips over is the feed's fault, and the run goes on
        raise NotAFeed(f"not a feed ({type(error).__name__})") from error
    if not parsed.entries and not parsed.get("version"):
        raise NotAFeed("not a feed: neither RSS nor Atom")
    return [_entry(entry) for entry in parsed.entries[:MOST_ENTRIES]]


def _refuse_entities(body: bytes) -> None:
    if b"<!entity" in body.replace(b"\0", b"").lower():  # in UTF-16 too
        raise NotAFeed("the feed defines entities of its own: refused")


def _entry(entry: Any) -> dict[str, Any]:
    title, summary = (str(read_scrap(str(entry.get(name, "")))["text"]) for name in ("title", "summary"))
    text = title if summary.startswith(title) and not summary[len(title) :] else f"{title}\n{summary}".strip()
    link = str(entry.get("link", ""))
    return {
        "link": link if link.startswith(("http://", "https://")) else "",
        "id": str(entry.get("id") or link)[:500],
        "text": text[:LONGEST_TEXT],
        "time": _moment(entry.get("published_parsed") or entry.get("updated_parsed")),
        "author": str(entry.get("author", ""))[:200],
        "tags": ["".join(str(tag.get("term") or "").split()) for tag in entry.get("tags", ())],
    }


def _moment(parsed: Any) -> str:
    try:
        return datetime.fromtimestamp(calendar.timegm(parsed), UTC).isoformat() if parsed else ""
    except (ValueError, OverflowError, OSError, TypeError):
        return ""


def read_sitemap(body: bytes) -> dict[str, list[dict[str, Any]]]:
    """A sitemap's pages, as entries of a feed, or the sitemaps it lists: {"pages", "sitemaps"}. Raises NotAFeed.

    A page that has no title is known by the words of its address. When a page changed is not when it appeared.
    """
    if body[:2] == b"\x1f\x8b":
        try:
            body = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, LARGEST)
        except zlib.error as error:
            raise NotAFeed(f"not a sitemap (damaged: {error})") from error
    _refuse_entities(body)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True, huge_tree=False)
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise NotAFeed(f"not a sitemap ({type(error).__name__})") from error
    if root is None or etree.QName(root).localname not in ("urlset", "sitemapindex"):
        raise NotAFeed("not a sitemap: neither urlset nor sitemapindex")
    rows = [_fields(child) for child in root if isinstance(child.tag, str)][:MOST_ADDRESSES]
    rows = [row for row in rows if row.get("loc", "").startswith(("http://", "https://"))]
    if etree.QName(root).localname == "sitemapindex":
        return {"pages": [], "sitemaps": [{"link": row["loc"], "changed": row.get("lastmod", "")} for row in rows]}
    return {"pages": [_page(row) for row in rows], "sitemaps": []}


def _fields(element: Any) -> dict[str, str]:
    """What stands in an element, by local names; the first of a name counts."""
    found: dict[str, str] = {}
    for inside in element.iter():
        if isinstance(inside.tag, str) and inside.text and inside.text.strip():
            found.setdefault(etree.QName(inside).localname, inside.text.strip())
    return found


def _page(row: Mapping[str, str]) -> dict[str, Any]:
    title = row.get("title") if "publication_date" in row else ""
    return {
        "link": row["loc"],
        "id": row["loc"][:500],
        "text": (title or " ".join(_SLUG.findall(unquote(urlsplit(row["loc"]).path))))[:LONGEST_TEXT],
        "time": row.get("publication_date", ""),
        "author": "",
        "tags": [tag.replace(" ", "") for tag in re.split(r"\s*,\s*", row.get("keywords", "")) if tag],
        "changed": row.get("lastmod", ""),
    }


def find_feeds(body: bytes, content_type: str, url: str) -> list[str]:
    """Where a page says that feeds lie, each once; of what a `base` says otherwise, nothing."""
    text = decode_page(body, content_type)
    if not text.strip():
        return []
    tree = html.document_fromstring(text.encode("utf-8", "replace"), parser=html.HTMLParser(encoding="utf-8"))
    found = [
        urljoin(url, (link.get("href") or "").strip())
        for link in tree.iter("link")
        if "alternate" in (link.get("rel") or "").lower().split() and (link.get("type") or "").lower() in _TYPES
    ]
    return [one for one in dict.fromkeys(found) if one.startswith(("http://", "https://"))]
