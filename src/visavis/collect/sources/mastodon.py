"""Mastodon: the public timeline of a hashtag, from the last seen post on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

from visavis.collect.records import Post, Problem
from visavis.collect.sources.base import Batch, Live
from visavis.collect.sources.polling import Refused, polled
from visavis.collect.text.words import from_html, hashtags, plain_tag
from visavis.collect.web.guard import Problem as Refusal
from visavis.collect.web.net import Answer
from visavis.collect.web.waiting import retry_after
from visavis.corpus.dates import parse_date
from visavis.errors import InvalidParameter

PAGE = 40
_ANCHOR = re.compile(r"<a\b([^>]*)>", re.IGNORECASE)
_HREF = re.compile(r"""href\s*=\s*["']([^"']+)["']""", re.IGNORECASE)
_OURS = re.compile(r"""class\s*=\s*["'][^"']*\b(?:mention|hashtag)\b""", re.IGNORECASE)


class HashtagTimeline:
    """mastodon:SERVER/TAG, or mastodon:http://SERVER/TAG for one without TLS.

    The position is the id of the newest post kept; the first time, one page is taken.
    """

    def __init__(self, where: str) -> None:
        scheme, colon, rest = where.strip().rpartition("://")
        server, slash, tag = rest.partition("/")
        tag = plain_tag(tag.removeprefix("tags/"))
        if not server or not slash or not tag or (colon and scheme not in ("http", "https")):
            raise InvalidParameter(
                f"mastodon source {where!r}: write mastodon:SERVER/TAG, as mastodon:example.social/news"
            )
        self.name = f"mastodon:{server}/{tag}"
        self._address = f"{scheme or 'https'}://{server}/api/v1/timelines/tag/{quote(tag)}"
        self._server = server

    def batches(self, position: str | None, live: Live) -> Iterator[Batch]:
        """Posts newer than the position, oldest page first."""
        yield from polled(self.name, position, live, self._ask)

    def _ask(self, position: str | None, live: Live) -> tuple[Batch, bool]:
        asked = {"limit": str(PAGE), **({"min_id": position} if position else {})}
        answer = live.client.get(f"{self._address}?{urlencode(asked)}", headers={"accept": "application/json"})
        if answer.status != 200:
            raise Refused(self.name, answer)
        try:
            statuses = json.loads(answer.body)
        except (ValueError, RecursionError):
            raise Refusal("protocol", f"{self.name}: the answer is no JSON") from None
        if not isinstance(statuses, list):
            raise Refusal("protocol", f"{self.name}: the answer is no list of posts")
        found = [self._post(status) for status in statuses if isinstance(status, dict)]
        posts = tuple(post for post in found if post is not None)
        bad = len(statuses) - len(posts)
        problems = (Problem(self.name, 0, f"{bad} posts without an id, a time or a text"),) if bad else ()
        newest = max((post.id.partition("/")[2] for post in posts), key=_by_number, default="")
        self._slow_down(answer, live)
        return Batch(posts, problems, newest or None), bool(position and newest and len(statuses) >= PAGE)

    def _slow_down(self, answer: Answer, live: Live) -> None:
        """Wait for the new allowance where the server says that this one is used up."""
        if answer.headers.get("x-ratelimit-remaining", "").strip() in ("0", "1"):
            live.wait(min(retry_after(answer.headers.get("x-ratelimit-reset", "")) or 60.0, 900.0))

    def _post(self, status: dict[str, Any]) -> Post | None:
        id_, moment, content = status.get("id"), parse_date(status.get("created_at")).moment, status.get("content")
        if not isinstance(id_, str) or moment is None or not isinstance(content, str):
            return None
        text = from_html(content)
        anchors = [anchor for anchor in _ANCHOR.findall(content) if not _OURS.search(anchor)]
        urls = [from_html(found[1]) for found in map(_HREF.search, anchors) if found]
        card = status.get("card")
        if isinstance(card, dict) and isinstance(card.get("url"), str):
            urls.append(card["url"])
        listed = status.get("tags")
        named = [tag.get("name") for tag in listed if isinstance(tag, dict)] if isinstance(listed, list) else []
        account = status.get("account")
        author = account.get("acct") if isinstance(account, dict) else ""
        every = [*(plain_tag(tag) for tag in named if isinstance(tag, str)), *hashtags(text)]
        return Post(
            "mastodon",
            f"{self._server}/{id_}",
            text,
            moment,
            author if isinstance(author, str) else "",
            tuple(dict.fromkeys(filter(None, every))),
            tuple(dict.fromkeys(url for url in urls if url.startswith(("http://", "https://")))),
        )


def _by_number(id_: str) -> tuple[int, str]:
    """Ids grow; a longer one is a larger number."""
    return len(id_), id_
