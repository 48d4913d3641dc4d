"""RSS and Atom: every entry is a post that links to its article."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from visavis.collect.sources.base import Batch, Live
from visavis.collect.sources.entries import LIMITS, read_feed
from visavis.collect.sources.polling import Refused, filtered, polled
from visavis.collect.sources.site import read_site, read_sitemap
from visavis.corpus.errors import Unreadable

_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(rb"<(?:\w+:)?([\w-]+)")
_HEAD = 5_000  # bytes that tell what an answer is
_PACKED = b"\x1f\x8b"


class Feed:
    """A feed by its address, or a file of one; the position is what the server wants to hear to say "not modified".

    An address that turns out to be that of a site or a sitemap is read as that.
    """

    def __init__(self, where: str) -> None:
        self.name = where

    def batches(self, position: str | None, live: Live) -> Iterator[Batch]:
        """The entries there are now; with `follow`, again and again."""
        if not self.name.startswith(("http://", "https://")):
            try:
                body = Path(self.name).read_bytes()
            except OSError as error:
                raise Unreadable(self.name, error.strerror or str(error)) from error
            yield filtered(read_feed(self.name, body, {}, live), live)
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
        kind = _kind(answer.body)
        if kind == "sitemap":
            return read_sitemap(self.name, answer, live), False
        if not kind and answer.media_type in ("text/html", "application/xhtml+xml"):
            return read_site(self.name, answer, live), False
        fresh = {"etag": answer.headers.get("etag", ""), "modified": answer.headers.get("last-modified", "")}
        described = {"content-type": answer.headers.get("content-type", ""), "content-location": answer.url}
        found = read_feed(self.name, _unpacked(answer.body, LIMITS.decoded_bytes), described, live)
        return Batch(found.posts, found.problems, json.dumps(fresh)), False


def _kind(body: bytes) -> str:
    """What bytes are, whatever the server calls them: "feed", "sitemap", or "" for something else."""
    head = _unpacked(body[:_HEAD], _HEAD).replace(b"\0", b"")  # in UTF-16 too
    tags = [tag.lower() for tag in _TAG.findall(_COMMENT.sub(b"", head))]
    if tags[:1] in ([b"urlset"], [b"sitemapindex"]):
        return "sitemap"
    return "feed" if tags[:1] in ([b"feed"], [b"rdf"]) or b"rss" in tags else ""


def _unpacked(body: bytes, most: int) -> bytes:
    """Bytes out of their gzip, as far as it goes; others as they are."""
    if not body.startswith(_PACKED):
        return body
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, most)
    except zlib.error:
        return body


def _loaded(position: str | None) -> dict[str, str]:
    """What to send back to the server, as far as a header can hold it."""
    try:
        value = json.loads(position or "{}")
    except ValueError:
        return {}
    pairs = value.items() if isinstance(value, dict) else ()
    return {str(key): str(text) for key, text in pairs if str(text).isascii() and str(text).isprintable()}
