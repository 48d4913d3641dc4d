"""Bluesky: the posts of the Jetstream websocket, continued after every break from where it broke."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from visavis.collect.records import Post, Problem
from visavis.collect.sources.base import Batch, Live
from visavis.collect.sources.polling import LASTING
from visavis.collect.text.words import hashtags, links, plain_tag, with_title
from visavis.collect.web.guard import Problem as Refusal
from visavis.collect.web.waiting import backoff
from visavis.collect.web.websocket import Messages, connect
from visavis.corpus.dates import parse_date

SERVER = "jetstream2.us-east.bsky.network"
COLLECTION = "app.bsky.feed.post"
BATCH = 500
IDLE_SECONDS = 60.0  # Bluesky is never silent for so long: the connection is dead
HEED_SECONDS = 0.5  # how soon a stop is heeded while nothing comes
REWIND_US = 2_000_000  # a little is read twice rather than anything missed; a post kept twice is kept once


class Jetstream:
    """jetstream:[SERVER], and ws://SERVER for one without TLS. The position is the time of the last event, in µs."""

    def __init__(self, where: str) -> None:
        server = where.strip() or SERVER
        self.name = f"jetstream:{server}"
        self._address = (server if "://" in server else f"wss://{server}") + "/subscribe"

    def batches(self, position: str | None, live: Live) -> Iterator[Batch]:
        """Posts as they are written, until told to stop, or for `seconds`; reconnects, waiting longer each time."""
        rng = random.Random(self.name)
        ends = live.clock() + live.seconds if live.seconds else None
        failures, last = 0, ""
        while not live.stop.is_set() and (ends is None or live.clock() < ends):
            try:
                with connect(live.client, self._url(position)) as messages:
                    for batch in self._listen(messages, live, ends):
                        failures = 0
                        position = batch.position or position
                        yield batch
            except Refusal as error:
                failures, last = failures + 1, str(error)
                if error.reason in LASTING or failures >= live.most_failures:
                    break
                wait = backoff(failures, live.first_wait, rng)
                live.wait(wait if ends is None else max(0.0, min(wait, ends - live.clock())))
        if failures:
            yield Batch(problems=(Problem(self.name, 0, f"given up after {failures} failures: {last}"),))

    def _url(self, position: str | None) -> str:
        asked = [("wantedCollections", COLLECTION)]
        if position and position.isdigit():
            asked.append(("cursor", str(max(0, int(position) - REWIND_US))))
        return f"{self._address}?{urlencode(asked)}"

    def _listen(self, messages: Messages, live: Live, ends: float | None) -> Iterator[Batch]:
        """Batches of one connection; what came before a break is handed on before the break is."""
        gathered = _Gathered(self.name, live)
        began = heard = live.clock()
        broken: Refusal | None = None
        while broken is None and not live.stop.is_set() and (ends is None or live.clock() < ends):
            try:
                left = HEED_SECONDS if ends is None else min(HEED_SECONDS, max(0.1, ends - live.clock()))
                gathered.take(messages.receive(left))
                heard = live.clock()
            except Refusal as error:
                if error.reason != "timeout" or live.clock() - heard >= IDLE_SECONDS:
                    broken = error
            if broken is None and (len(gathered.posts) >= BATCH or live.clock() - began > 5.0):
                yield gathered.batch()
                began = live.clock()
        if gathered.position:
            yield gathered.batch()
        if broken is not None and (ends is None or live.clock() < ends):
            raise broken


class _Gathered:
    """What one connection brought since the last batch."""

    def __init__(self, name: str, live: Live) -> None:
        self._name, self._live = name, live
        self.posts: list[Post] = []
        self._problems: list[Problem] = []
        self._notices = 0
        self.position = ""

    def take(self, message: str) -> None:
        """Read one message."""
        try:
            event = json.loads(message)
            time_us = event["time_us"]
            if not isinstance(time_us, int):
                raise TypeError("time_us is no number")
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            self._problems.append(Problem(self._name, 0, f"a message that is no event ({type(error).__name__})"))
            return
        self.position = str(time_us)
        post = post_of(event, time_us)
        if post is None:
            self._notices += 1
        elif self._live.wants(post):
            self.posts.append(post)

    def batch(self) -> Batch:
        """What was gathered, and begin anew."""
        done = Batch(tuple(self.posts), tuple(self._problems), self.position or None, self._notices)
        self.posts, self._problems, self._notices, self.position = [], [], 0, ""
        return done


def post_of(event: dict[str, Any], time_us: int) -> Post | None:
    """The new post of an event, None if it is about something else."""
    commit = event.get("commit")
    if not isinstance(commit, dict) or commit.get("operation") != "create" or commit.get("collection") != COLLECTION:
        return None
    record, did, key = commit.get("record"), event.get("did"), commit.get("rkey")
    if not isinstance(record, dict) or not isinstance(did, str) or not isinstance(key, str):
        return None
    text = record.get("text") if isinstance(record.get("text"), str) else ""
    try:
        arrived = datetime.fromtimestamp(time_us / 1e6, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    said = parse_date(record.get("createdAt")).moment  # the author's own clock, which may run ahead or be made up
    urls, tags = _facets(record)
    external = _inside(record, "embed", "external", "uri") or _inside(record, "embed", "media", "external", "uri")
    title = _inside(record, "embed", "external", "title") or _inside(record, "embed", "media", "external", "title")
    every = [*tags, *hashtags(str(text))]
    found = [*urls, *([external] if isinstance(external, str) else []), *([] if urls else links(str(text)))]
    return Post(
        "bluesky",
        f"{did}/{key}",
        with_title(str(text), title if isinstance(title, str) else ""),
        min(said, arrived) if said is not None else arrived,
        did,
        tuple(dict.fromkeys(filter(None, every))),
        tuple(dict.fromkeys(url for url in found if url.startswith(("http://", "https://")))),
    )


def _facets(record: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Links and hashtags that the author's client marked in the text, and hashtags set beside it."""
    listed = record.get("facets")
    features = [
        feature
        for facet in (listed if isinstance(listed, list) else [])
        if isinstance(facet, dict) and isinstance(facet.get("features"), list)
        for feature in facet["features"]
        if isinstance(feature, dict)
    ]
    beside = record.get("tags")
    named = [feature.get("tag") for feature in features] + (beside if isinstance(beside, list) else [])
    urls = [feature["uri"] for feature in features if isinstance(feature.get("uri"), str)]
    return urls, [plain_tag(tag) for tag in named if isinstance(tag, str)]


def _inside(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
