"""Queries, the posts they match, and the topics there are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime

from visavis.collect.records import Query, to_moment
from visavis.collect.state.statefile import StateFile
from visavis.errors import InvalidParameter


class QueryRows(StateFile):
    """Queries and what they match, by topic."""

    def set_queries(self, topic: str, queries: Iterable[Query]) -> None:
        """Replace a topic's queries."""
        with self.transaction():
            self.execute("DELETE FROM queries WHERE topic = ?", (topic,))
            self.insert(
                "INSERT INTO queries(topic, query, origin, kept, reason) VALUES (?, ?, ?, ?, ?)",
                ((topic, q.text, q.origin, q.kept, q.reason) for q in queries),
            )

    def queries(self, topic: str, *, kept: bool = True) -> tuple[Query, ...]:
        """A topic's queries in their order; those filtered out too with kept=False."""
        rows = self.execute(
            "SELECT topic, query, origin, kept, reason FROM queries WHERE topic = ? AND kept >= ? ORDER BY number",
            (topic, int(kept)),
        )
        return tuple(Query(t, text, origin, bool(k), reason) for t, text, origin, k, reason in rows)

    def topics(self) -> tuple[str, ...]:
        """The topics that have queries, links or matches, alphabetically."""
        rows = self.execute(
            "SELECT topic FROM queries UNION SELECT topic FROM articles UNION SELECT topic FROM matches ORDER BY 1"
        )
        return tuple(topic for (topic,) in rows)

    def chosen_topics(self, *wanted: str | None) -> tuple[str, ...]:
        """The topics that were asked for, each once, or all if none was. Raises InvalidParameter for an unknown one."""
        there = self.topics()
        asked = tuple(dict.fromkeys(topic for topic in wanted if topic is not None))
        for topic in asked:
            if topic not in there:
                known = ", ".join(there) or "none"
                raise InvalidParameter(f"there is no topic {topic!r} in the state file; there are: {known}")
        return asked or there

    def set_matches(self, topic: str, matches: Iterable[tuple[str, int]]) -> int:
        """Replace a topic's matches (query, number of the post); how many there are."""
        with self.transaction():
            self.execute("DELETE FROM matches WHERE topic = ?", (topic,))
            self.note_run(topic, "match")
            return self.insert(
                "INSERT OR IGNORE INTO matches(topic, query, post) VALUES (?, ?, ?)",
                ((topic, query, post) for query, post in matches),
            )

    def matched_posts(self, topic: str) -> int:
        """How many posts match a topic."""
        return int(self.execute("SELECT COUNT(DISTINCT post) FROM matches WHERE topic = ?", (topic,))[0][0])

    def posted_links(self, topic: str) -> Iterator[tuple[int, datetime | None, list[str]]]:
        """The posts of a topic that hold links: number, time, links as posted."""
        rows = self.select(
            "SELECT number, time, urls FROM posts WHERE urls <> '[]' AND number IN "
            "(SELECT post FROM matches WHERE topic = ?) ORDER BY number",
            (topic,),
        )
        return ((number, to_moment(time), json.loads(urls)) for number, time, urls in rows)
