"""Posts, what of the sources could not be read, and how far each was read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime

from visavis.collect.records import Post, Problem, to_moment, to_text
from visavis.collect.state.statefile import StateFile


class PostRows(StateFile):
    """Posts and the sources they came from."""

    def add_posts(self, posts: Iterable[Post]) -> int:
        """Keep posts; how many of them are new."""
        return self.insert(
            "INSERT INTO posts(platform, id, time, text, author, tags, urls) VALUES (?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT(platform, id) DO NOTHING",
            (
                (p.platform, p.id, to_text(p.time), p.text, p.author, " ".join(p.tags), json.dumps(p.urls))
                for p in posts
            ),
        )

    def known_posts(self, posts: Iterable[Post]) -> set[tuple[str, str]]:
        """Platform and id of those posts that are kept already."""
        found = "SELECT 1 FROM posts WHERE platform = ? AND id = ?"
        return {(p.platform, p.id) for p in posts if self.execute(found, (p.platform, p.id))}

    def take_back_url(self, url: str) -> None:
        """Forget a URL that was listed: it was half of one, and its line has grown."""
        with self.transaction():
            self.execute(
                "DELETE FROM matches WHERE post IN (SELECT number FROM posts WHERE platform = 'url' AND id = ?)", (url,)
            )
            self.execute("DELETE FROM posts WHERE platform = 'url' AND id = ?", (url,))

    def add_problems(self, problems: Iterable[Problem]) -> int:
        """Note lines that could not be read; how many are new."""
        return self.insert(
            "INSERT INTO problems(source, line, reason) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            ((p.source, p.line, p.reason) for p in problems),
        )

    def problems(self) -> Iterator[Problem]:
        """All lines that could not be read."""
        return (Problem(*row) for row in self.execute("SELECT source, line, reason FROM problems ORDER BY 1, 2"))

    def add_source(self, name: str) -> None:
        """Note that a source was read, whether it has a position or none."""
        self.insert("INSERT INTO sources(name) VALUES (?) ON CONFLICT DO NOTHING", [(name,)])

    def position(self, source: str) -> str | None:
        """How far a source was read, as the source itself counts."""
        rows = self.execute("SELECT position FROM positions WHERE source = ?", (source,))
        return str(rows[0][0]) if rows else None

    def set_position(self, source: str, position: str) -> None:
        """Note how far a source was read; do it in the transaction that keeps its posts."""
        self.insert("INSERT OR REPLACE INTO positions(source, position) VALUES (?, ?)", [(source, position)])

    def forget_problems(self, source: str, after: int) -> None:
        """Forget what was wrong with a source's lines after that number: they are read afresh."""
        self.execute("DELETE FROM problems WHERE source = ? AND line > ?", (source, after))

    def plain_texts(self, ids: Iterable[str]) -> dict[str, str]:
        """The texts of plain posts by their ids, as far as they are kept."""
        wanted = list(ids)
        found: dict[str, str] = {}
        for start in range(0, len(wanted), 500):
            some = wanted[start : start + 500]
            marks = ", ".join("?" * len(some))
            found |= self.execute(f"SELECT id, text FROM posts WHERE platform = 'plain' AND id IN ({marks})", some)
        return found

    def has_texts(self) -> bool:
        """Whether any post has a text: URLs that were listed have none."""
        return bool(self.execute("SELECT 1 FROM posts WHERE platform <> 'url' LIMIT 1"))

    def first_time(self) -> datetime | None:
        """When the first post was written, URLs that were listed aside."""
        return to_moment(self.execute("SELECT MIN(time) FROM posts WHERE platform <> 'url'")[0][0])

    def texts_between(self, start: datetime | None, end: datetime | None) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Text and hashtags of the posts of a stretch of time; those without a time only where it has no bounds."""
        rows = self.select(
            "SELECT text, tags FROM posts WHERE platform <> 'url' AND (?1 IS NULL OR time >= ?1) "
            "AND (?2 IS NULL OR time < ?2) ORDER BY number",
            (to_text(start), to_text(end)),
        )
        return ((text, tuple(tags.split())) for text, tags in rows)

    def numbered_posts(self) -> Iterator[tuple[int, Post]]:
        """Every post with its number, as far as queries look at it: platform, text, hashtags."""
        rows = self.select("SELECT number, platform, id, text, tags FROM posts ORDER BY number")
        for number, platform, name, text, tags in rows:
            yield number, Post(platform, name, text, tags=tuple(tags.split()))
