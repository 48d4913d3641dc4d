"""All state of a collection in one SQLite file: every step reads what the last one left, and resumes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator

from visavis.collect.records import (
    Article,
    Cleaned,
    Drop,
    Expansion,
    Extracted,
    Fetch,
    Page,
    Post,
    Problem,
    Query,
    to_moment,
    to_text,
)
from visavis.collect.statefile import BadState, StateFile
from visavis.errors import InvalidParameter

__all__ = ["BadState", "Store"]


class Store(StateFile):
    """What the steps keep, by kind. Every `add_*` and `set_*` is one transaction.

    Saying the same thing twice changes nothing, so that a step that was stopped may simply run again.
    """

    # posts

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

    def position(self, source: str) -> str | None:
        """How far a source was read, as the source itself counts."""
        rows = self.execute("SELECT position FROM positions WHERE source = ?", (source,))
        return str(rows[0][0]) if rows else None

    def set_position(self, source: str, position: str) -> None:
        """Note how far a source was read; do it in the transaction that keeps its posts."""
        self.insert("INSERT OR REPLACE INTO positions(source, position) VALUES (?, ?)", [(source, position)])

    # queries and matches

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
            return self.insert(
                "INSERT OR IGNORE INTO matches(topic, query, post) VALUES (?, ?, ?)",
                ((topic, query, post) for query, post in matches),
            )

    # links and articles

    def set_articles(self, topic: str, articles: Iterable[Article]) -> int:
        """Replace a topic's articles; what was fetched and extracted of them stays."""
        with self.transaction():
            self.execute("DELETE FROM articles WHERE topic = ?", (topic,))
            return self.insert(
                "INSERT INTO articles(topic, url, time, weight) VALUES (?, ?, ?, ?)",
                ((topic, a.url, to_text(a.time), a.weight) for a in articles),
            )

    def articles(self, topic: str) -> Iterator[Article]:
        """A topic's articles, the earliest first, then by URL."""
        rows = self.execute(
            "SELECT topic, url, time, weight FROM articles WHERE topic = ? ORDER BY time IS NULL, time, url", (topic,)
        )
        return (Article(t, url, to_moment(time), weight) for t, url, time, weight in rows)

    def add_expansions(self, expansions: Iterable[Expansion]) -> int:
        """Keep where short links lead."""
        return self.insert(
            "INSERT OR REPLACE INTO expansions(url, target, reason) VALUES (?, ?, ?)",
            ((e.url, e.target, e.reason) for e in expansions),
        )

    def expansions(self) -> dict[str, Expansion]:
        """All that is known of short links."""
        return {row[0]: Expansion(*row) for row in self.execute("SELECT url, target, reason FROM expansions")}

    # pages

    def unfetched(self, topic: str | None = None) -> list[str]:
        """URLs of articles (of a topic) to fetch: never tried, or to be tried later; each once, the heaviest first."""
        rows = self.execute(
            "SELECT url FROM articles WHERE (?1 IS NULL OR topic = ?1) AND url NOT IN "
            "(SELECT url FROM fetches WHERE state <> 'later') GROUP BY url ORDER BY MAX(weight) DESC, url",
            (topic,),
        )
        return [url for (url,) in rows]

    def add_fetch(self, fetch: Fetch, page: Page | None = None) -> None:
        """Note how a fetch ended, together with the page it brought."""
        with self.transaction():
            self.insert(
                "INSERT OR REPLACE INTO fetches(url, state, reason, status, final_url, attempts) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                [(fetch.url, fetch.state, fetch.reason, fetch.status, fetch.final_url, fetch.attempts)],
            )
            if page is not None:
                packed = zlib.compress(page.body, 6)
                self.insert(
                    "INSERT OR REPLACE INTO pages(url, final_url, content_type, body) VALUES (?, ?, ?, ?)",
                    [(page.url, page.final_url, page.content_type, packed)],
                )

    def fetches(self) -> Iterator[Fetch]:
        """How every fetch ended."""
        fields = "url, state, reason, status, final_url, attempts"
        return (Fetch(*row) for row in self.execute(f"SELECT {fields} FROM fetches ORDER BY url"))

    def page(self, url: str) -> Page | None:
        """The page that was fetched for a URL."""
        return self._page("url", url)

    def page_at(self, url: str) -> Page | None:
        """The page that lies at a URL, whether it was fetched for it or by a redirect to it."""
        return self._page("url", url) or self._page("final_url", url)

    def _page(self, field: str, url: str) -> Page | None:
        rows = self.execute(f"SELECT url, final_url, content_type, body FROM pages WHERE {field} = ? LIMIT 1", (url,))
        return Page(*(*rows[0][:3], zlib.decompress(rows[0][3]))) if rows else None

    def unextracted(self) -> list[str]:
        """URLs of pages from which nothing was extracted yet."""
        rows = self.execute("SELECT url FROM pages WHERE url NOT IN (SELECT url FROM documents) ORDER BY url")
        return [url for (url,) in rows]

    # documents

    def add_documents(self, documents: Iterable[Extracted]) -> int:
        """Keep what was extracted, failures too."""
        return self.insert(
            "INSERT OR REPLACE INTO documents(url, title, text, date, author, language, outlet, reason) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            ((d.url, d.title, d.text, to_text(d.date), d.author, d.language, d.outlet, d.reason) for d in documents),
        )

    def documents(self, topic: str) -> Iterator[tuple[Article, Extracted]]:
        """A topic's articles that have a document (or a reason why they have none), the earliest first."""
        fields = "d.url, d.title, d.text, d.date, d.author, d.language, d.outlet, d.reason"
        for row in self.select(
            f"SELECT a.time, a.weight, {fields} FROM articles a JOIN documents d ON d.url = a.url "
            "WHERE a.topic = ? ORDER BY a.time IS NULL, a.time, a.url",
            (topic,),
        ):
            time, weight, url, title, text, date, *rest = row
            yield Article(topic, url, to_moment(time), weight), Extracted(url, title, text, to_moment(date), *rest)

    def set_cleaned(self, topic: str, cleaned: Iterable[Cleaned], drops: Iterable[Drop]) -> int:
        """Replace what is left of a topic's documents, and what cleaning dropped; how many are left."""
        with self.transaction():
            self.execute("DELETE FROM cleaned WHERE topic = ?", (topic,))
            self.set_drops(topic, "clean", drops)
            return self.insert(
                "INSERT INTO cleaned(topic, url, text, time, weight, duplicates) VALUES (?, ?, ?, ?, ?, ?)",
                ((topic, c.url, c.text, to_text(c.time), c.weight, c.duplicates) for c in cleaned),
            )

    def cleaned(self, topic: str) -> Iterator[tuple[Cleaned, Extracted]]:
        """The documents that stay, the earliest first, each with what was extracted of it."""
        fields = "d.url, d.title, d.text, d.date, d.author, d.language, d.outlet, d.reason"
        for row in self.select(
            f"SELECT c.text, c.time, c.weight, c.duplicates, {fields} FROM cleaned c JOIN documents d "
            "ON d.url = c.url WHERE c.topic = ? ORDER BY c.time IS NULL, c.time, c.url",
            (topic,),
        ):
            clean, time, weight, duplicates, url, title, text, date, *rest = row
            yield (
                Cleaned(topic, url, clean, to_moment(time), weight, duplicates),
                Extracted(url, title, text, to_moment(date), *rest),
            )

    # drops

    def set_drops(self, topic: str, step: str, drops: Iterable[Drop]) -> None:
        """Replace what a step dropped from a topic; what was brought back stays brought back."""
        with self.transaction():
            self.execute("DELETE FROM drops WHERE topic = ? AND step = ? AND undone = 0", (topic, step))
            self.insert(
                "INSERT INTO drops(topic, url, step, reason, detail) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                ((topic, d.url, step, d.reason, d.detail) for d in drops),
            )

    def drops(self, topic: str | None = None, reason: str | None = None) -> list[Drop]:
        """What was dropped, by topic, step, reason and URL; also what was brought back."""
        rows = self.execute(
            "SELECT topic, url, step, reason, detail, undone FROM drops WHERE (?1 IS NULL OR topic = ?1) "
            "AND (?2 IS NULL OR reason = ?2) ORDER BY topic, step, reason, url",
            (topic, reason),
        )
        return [Drop(*(*row[:5], bool(row[5]))) for row in rows]

    def set_undone(self, drops: Iterable[Drop], undone: bool = True) -> int:
        """Bring dropped things back (or no longer); the steps honor it when they run again."""
        return self.insert(
            "UPDATE drops SET undone = ?1 WHERE topic = ?2 AND url = ?3 AND step = ?4 AND reason = ?5 AND undone <> ?1",
            ((int(undone), d.topic, d.url, d.step, d.reason) for d in drops),
        )

    def undone(self, topic: str, step: str) -> set[tuple[str, str]]:
        """(URL, reason) of what a step must not drop again."""
        rows = self.execute("SELECT url, reason FROM drops WHERE topic = ? AND step = ? AND undone = 1", (topic, step))
        return {(url, reason) for url, reason in rows}
