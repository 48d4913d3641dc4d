"""Mastodon: the public timeline of a hashtag, from the last seen post on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from visavis.collect.records import Post, Problem, Reason
from visavis.collect.sources.base import Batch, Live
from visavis.collect.sources.polling import Refused, polled
from visavis.collect.text.words import hashtags, plain_tag, with_title
from visavis.collect.web.guard import Problem as Refusal
from visavis.collect.web.net import Answer
from visavis.collect.web.waiting import retry_after
from visavis.corpus.dates import parse_date
from visavis.errors import InvalidParameter

PAGE = 40
BACKFILL = 10  # pages that are read backwards the first time


@dataclass(frozen=True)
class _Place:
    """How far a timeline was read: the newest post, and the oldest where pages before it are still to be read."""

    newest: str = ""
    oldest: str = ""
    left: int = 0

    @classmethod
    def parsed(cls, position: str | None) -> _Place:
        newest, oldest, left = [*(position or "").split(), "", "", ""][:3]
        return cls(newest, oldest, int(left)) if left.isdecimal() else cls(newest)

    def __str__(self) -> str:
        return f"{self.newest} {self.oldest} {self.left}" if self.left and self.oldest else self.newest


class HashtagTimeline:
    """mastodon:SERVER/TAG, or mastodon:http://SERVER/TAG for one without TLS.

    A post is known by its `uri`, which is the same on every server that shows it. The first time, ten pages are read
    backwards; the position is the id of the newest post kept, and how far back the first reading has come.
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
        place = _Place.parsed(position)
        where = {"max_id": place.oldest} if place.left else {"min_id": place.newest} if place.newest else {}
        answer = live.client.get(
            f"{self._address}?{urlencode({'limit': str(PAGE), **where})}", headers={"accept": "application/json"}
        )
        statuses = self._statuses(answer)
        texts = self._texts(statuses, live)
        found = [self._post(status, scrap) for status, scrap in zip(statuses, texts, strict=True)]
        posts = tuple(post for post in found if post is not None)
        bad = len(statuses) - len(posts)
        problems = (Problem(self.name, 0, f"{bad} posts without an id, a time or a text"),) if bad else ()
        ids = sorted((str(status["id"]) for status in statuses if isinstance(status.get("id"), str)), key=_by_number)
        after = self._after(place, ids)
        self._slow_down(answer, live)
        more = bool(after.left) or (bool(place.newest) and not place.left and len(statuses) >= PAGE)
        return Batch(posts, problems, str(after) or None), more and bool(ids)

    def _after(self, place: _Place, ids: list[str]) -> _Place:
        """How far the timeline is read with these posts, the oldest first."""
        newest = max((place.newest, *ids[-1:]), key=_by_number)
        if not place.newest:
            return _Place(newest, ids[0] if ids else "", BACKFILL - 1 if len(ids) >= PAGE else 0)
        if place.left:
            return _Place(newest, ids[0], place.left - 1) if len(ids) >= PAGE else _Place(newest)
        return _Place(newest)

    def _statuses(self, answer: Answer) -> list[dict[str, Any]]:
        if answer.status != 200:
            raise Refused(self.name, answer)
        try:
            statuses = json.loads(answer.body)
        except (ValueError, RecursionError):
            raise Refusal("protocol", f"{self.name}: the answer is no JSON") from None
        if not isinstance(statuses, list):
            raise Refusal("protocol", f"{self.name}: the answer is no list of posts")
        return [status if isinstance(status, dict) else {} for status in statuses]

    def _texts(self, statuses: list[dict[str, Any]], live: Live) -> list[Mapping[str, Any]]:
        """Text and links of every post, parsed in the child; nothing where that fails."""
        markup = [said if isinstance(said := status.get("content"), str) else "" for status in statuses]
        found = live.reader.ask("scraps", json.dumps(markup).encode())
        return [{"text": "", "links": []}] * len(markup) if isinstance(found, Reason) else list(found["scraps"])

    def _slow_down(self, answer: Answer, live: Live) -> None:
        """Wait for the new allowance where the server says that this one is used up."""
        if answer.headers.get("x-ratelimit-remaining", "").strip() in ("0", "1"):
            live.wait(min(retry_after(answer.headers.get("x-ratelimit-reset", "")) or 60.0, 900.0))

    def _post(self, status: dict[str, Any], scrap: Mapping[str, Any]) -> Post | None:
        id_, moment = status.get("id"), parse_date(status.get("created_at")).moment
        if not isinstance(id_, str) or moment is None or not isinstance(status.get("content"), str):
            return None
        text, urls = str(scrap["text"]), [str(url) for url in scrap["links"]]
        card = said if isinstance(said := status.get("card"), dict) else {}
        address, title = (said if isinstance(said := card.get(name), str) else "" for name in ("url", "title"))
        uri = status.get("uri")
        listed = status.get("tags")
        named = [tag.get("name") for tag in listed if isinstance(tag, dict)] if isinstance(listed, list) else []
        account = status.get("account")
        author = account.get("acct") if isinstance(account, dict) else ""
        every = [*(plain_tag(tag) for tag in named if isinstance(tag, str)), *hashtags(text)]
        return Post(
            "mastodon",
            uri if isinstance(uri, str) and uri else f"{self._server}/{id_}",
            with_title(text, title),
            moment,
            author if isinstance(author, str) else "",
            tuple(dict.fromkeys(filter(None, every))),
            tuple(dict.fromkeys(url for url in (*urls, address) if url.startswith(("http://", "https://")))),
        )


def _by_number(id_: str) -> tuple[int, str]:
    """Ids grow; a longer one is a larger number."""
    return len(id_), id_
