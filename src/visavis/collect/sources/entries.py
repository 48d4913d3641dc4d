"""Entries of feeds and sitemaps as posts; the bytes are parsed in the child."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from visavis.collect.records import Post, Problem, Reason
from visavis.collect.sources.base import Batch, Live
from visavis.collect.text.words import hashtags, plain_tag
from visavis.collect.web.net import Limits
from visavis.corpus.dates import parse_date

LIMITS = Limits(wire_bytes=3_000_000, decoded_bytes=5_000_000)


def read_feed(name: str, body: bytes, headers: Mapping[str, str], live: Live) -> Batch:
    """The posts of a feed's bytes."""
    found = live.reader.ask("feed", body, headers=dict(headers))
    if isinstance(found, Reason):
        return Batch(problems=(Problem(name, 0, found.detail if found.label == "not a feed" else str(found)),))
    return entry_posts(name, found["entries"])


def entry_posts(name: str, entries: Iterable[Mapping[str, Any]]) -> Batch:
    """Posts of entries as the child tells them."""
    posts, problems = [], []
    for place, entry in enumerate(entries, start=1):
        if not entry["link"]:
            problems.append(Problem(name, place, "an entry without a link"))
            continue
        text, named = str(entry["text"]), [plain_tag(str(tag)) for tag in entry["tags"]]
        tags = tuple(dict.fromkeys(filter(None, [*named, *hashtags(text)])))
        moment = parse_date(str(entry["time"])).moment
        posts.append(Post("feed", str(entry["id"]), text, moment, str(entry["author"]), tags, (str(entry["link"]),)))
    return Batch(tuple(posts), tuple(problems))


def joined(parts: Iterable[Batch], position: str | None = None) -> Batch:
    """Several batches as one; a post that stands in two of them counts once."""
    every = list(parts)
    posts = {(post.platform, post.id): post for part in reversed(every) for post in reversed(part.posts)}
    problems = [problem for part in every for problem in part.problems]
    return Batch(tuple(reversed(posts.values())), tuple(problems), position)
