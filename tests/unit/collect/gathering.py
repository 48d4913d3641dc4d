"""What the tests of sources share: reading some into a state file, and looking at what was kept."""

from __future__ import annotations

import atexit
import json

from visavis.collect.records import Post, to_moment
from visavis.collect.sources import Live, open_sources
from visavis.collect.steps.posts import PostOptions, gather
from visavis.collect.text.reading import Reader


class SharedReader(Reader):
    """One child for all tests: to start one for each takes longer than all that they ask of it."""

    def close(self):
        pass


READER = SharedReader()
atexit.register(Reader.close, READER)


def read(store, *names, **more):
    live = Live(**{"sleep": lambda _: None, "reader": READER, **more})
    return gather(store, PostOptions(tuple(open_sources(list(names))), live))


def kept(store):
    """The posts in the order they came."""
    rows = store.execute("SELECT platform, id, text, time, author, tags, urls FROM posts ORDER BY number")
    return [
        Post(platform, id_, text, to_moment(time), author, tuple(tags.split()), tuple(json.loads(urls)))
        for platform, id_, text, time, author, tags, urls in rows
    ]


def match_counts(store, topic):
    """Posts a query, as the state file has them."""
    return dict(store.execute("SELECT query, COUNT(*) FROM matches WHERE topic = ? GROUP BY query", (topic,)))


def written(tmp_path, *lines, name="posts.jsonl"):
    path = tmp_path / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
