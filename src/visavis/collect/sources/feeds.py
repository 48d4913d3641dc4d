"""RSS and Atom: every entry is a post that links to its article."""

from __future__ import annotations

import calendar
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import feedparser

from visavis.collect.records import Post, Problem
from visavis.collect.sources.base import Batch, Live
from visavis.collect.sources.polling import Refused, filtered, polled
from visavis.collect.text.words import from_html, hashtags, plain_tag
from visavis.collect.web.net import Limits
from visavis.corpus.errors import Unreadable

LIMITS = Limits(wire_bytes=3_000_000, decoded_bytes=5_000_000)
MOST_ENTRIES = 5_000


class Feed:
    """A feed by its address, or a file of one; the position is what the server wants to hear to say "not modified"."""

    def __init__(self, where: str) -> None:
        self.name = where

    def batches(self, position: str | None, live: Live) -> Iterator[Batch]:
        """The entries there are now; with `follow`, again and again."""
        if not self.name.startswith(("http://", "https://")):
            try:
                body = Path(self.name).read_bytes()
            except OSError as error:
                raise Unreadable(self.name, error.strerror or str(error)) from error
            yield filtered(self._parsed(body, {}, None), live)
            return
        yield from polled(self.name, position, live, self._ask)

    def _ask(self, position: str | None, live: Live) -> tuple[Batch, bool]:
        known = _loaded(position)
        asked = {"if-none-match": known.get("etag", ""), "if-modified-since": known.get("modified", "")}
        answer = live.client.get(self.name, headers={name: text for name, text in asked.items() if text}, limits=LIMITS)
        if answer.status == 304:
            return Batch(), False
        if answer.status != 200:
            raise Refused(self.name, answer)
        fresh = {"etag": answer.headers.get("etag", ""), "modified": answer.headers.get("last-modified", "")}
        described = {"content-type": answer.headers.get("content-type", ""), "content-location": answer.url}
        return self._parsed(answer.body, described, json.dumps(fresh)), False

    def _parsed(self, body: bytes, headers: dict[str, str], position: str | None) -> Batch:
        """The posts of a feed's bytes; feedparser gets a stream of them, never an address or a path."""
        if b"<!entity" in body.replace(b"\0", b"").lower():  # in UTF-16 too
            return Batch(problems=(Problem(self.name, 0, "the feed defines entities of its own: refused"),))
        try:
            parsed = feedparser.parse(io.BytesIO(body), response_headers=headers)
        except Exception as error:  # whatever the parser trips over is the feed's fault, and the run goes on
            return Batch(problems=(Problem(self.name, 0, f"not a feed ({type(error).__name__})"),))
        if not parsed.entries and not parsed.get("version"):
            return Batch(problems=(Problem(self.name, 0, "not a feed: neither RSS nor Atom"),))
        posts, problems = [], []
        for place, entry in enumerate(parsed.entries[:MOST_ENTRIES], start=1):
            post = _post(entry)
            if post is None:
                problems.append(Problem(self.name, place, "an entry without a link"))
            else:
                posts.append(post)
        return Batch(tuple(posts), tuple(problems), position)


def _post(entry: Any) -> Post | None:
    link = str(entry.get("link", ""))
    if not link.startswith(("http://", "https://")):
        return None
    title, summary = from_html(str(entry.get("title", ""))), from_html(str(entry.get("summary", "")))
    text = title if summary.startswith(title) and not summary[len(title) :] else f"{title}\n{summary}".strip()
    named = [plain_tag("".join(str(tag.get("term") or "").split())) for tag in entry.get("tags", ())]
    return Post(
        "feed",
        str(entry.get("id") or link)[:500],
        text[:20_000],
        _moment(entry.get("published_parsed") or entry.get("updated_parsed")),
        str(entry.get("author", ""))[:200],
        tuple(dict.fromkeys(filter(None, [*named, *hashtags(text)]))),
        (link,),
    )


def _moment(parsed: Any) -> datetime | None:
    try:
        return datetime.fromtimestamp(calendar.timegm(parsed), UTC) if parsed else None
    except (ValueError, OverflowError, OSError, TypeError):
        return None


def _loaded(position: str | None) -> dict[str, str]:
    """What to send back to the server, as far as a header can hold it."""
    try:
        value = json.loads(position or "{}")
    except ValueError:
        return {}
    pairs = value.items() if isinstance(value, dict) else ()
    return {str(key): str(text) for key, text in pairs if str(text).isascii() and str(text).isprintable()}
