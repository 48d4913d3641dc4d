"""Articles, where short links lead, fetches, pages, and what sites let us ask for."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime

from visavis.collect.records import Article, Expansion, Fetch, Page, Rules, to_moment, to_text
from visavis.collect.state.reasons import columns, reason
from visavis.collect.state.statefile import StateFile


class PageRows(StateFile):
    """What posts link to, and what was fetched of it."""

    def set_articles(self, topic: str, articles: Iterable[Article]) -> int:
        """Replace a topic's articles; what was fetched and extracted of them stays."""
        with self.transaction():
            self.execute("DELETE FROM articles WHERE topic = ?", (topic,))
            self.note_run(topic, "links")
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

    def article_times(self) -> dict[str, datetime]:
        """When each article was first linked to, as far as that is known."""
        rows = self.execute("SELECT url, MIN(time) FROM articles WHERE time IS NOT NULL GROUP BY url")
        return {url: moment for url, time in rows if (moment := to_moment(time)) is not None}

    def add_expansions(self, expansions: Iterable[Expansion]) -> int:
        """Keep where short links lead."""
        return self.insert(
            "INSERT OR REPLACE INTO expansions(url, target, reason, detail) VALUES (?, ?, ?, ?)",
            ((e.url, e.target, *columns(e.reason)) for e in expansions),
        )

    def expansions(self) -> dict[str, Expansion]:
        """All that is known of short links."""
        rows = self.execute("SELECT url, target, reason, detail FROM expansions")
        return {url: Expansion(url, target, reason(*why)) for url, target, *why in rows}

    def unfetched(
        self, topic: str | None = None, failed_with: Iterable[int] = (), failed_by: Iterable[str] = ()
    ) -> list[str]:
        """URLs of articles (of a topic) to fetch: never tried, or to be tried later; each once, the heaviest first.

        What failed with one of some statuses or by one of some reasons is among them.
        """
        rows = self.execute(
            "SELECT url FROM articles WHERE (?1 IS NULL OR topic = ?1) AND url NOT IN "
            "(SELECT url FROM fetches WHERE state <> 'later' AND NOT (state = 'failed' AND "
            "(COALESCE(status, 0) IN (SELECT value FROM json_each(?2)) "
            "OR reason IN (SELECT value FROM json_each(?3))))) GROUP BY url ORDER BY MAX(weight) DESC, url",
            (topic, json.dumps(list(failed_with)), json.dumps(list(failed_by))),
        )
        return [url for (url,) in rows]

    def add_fetch(self, fetch: Fetch, page: Page | None = None) -> None:
        """Note how a fetch ended, together with the page it brought."""
        with self.transaction():
            self.insert(
                "INSERT OR REPLACE INTO fetches(url, state, reason, detail, status, final_url, attempts) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(fetch.url, fetch.state, *columns(fetch.reason), fetch.status, fetch.final_url, fetch.attempts)],
            )
            if page is not None:
                packed = zlib.compress(page.body, 6)
                self.insert(
                    "INSERT OR REPLACE INTO pages(url, final_url, content_type, body, copied) VALUES (?, ?, ?, ?, ?)",
                    [(page.url, page.final_url, page.content_type, packed, to_text(page.copied))],
                )

    def attempts(self) -> dict[str, int]:
        """How often each URL was asked for that is to be tried again."""
        return dict(self.execute("SELECT url, attempts FROM fetches WHERE state = 'later'"))

    def fetches(self) -> Iterator[Fetch]:
        """How every fetch ended."""
        fields = "url, state, reason, detail, status, final_url, attempts"
        rows = self.execute(f"SELECT {fields} FROM fetches ORDER BY url")
        return (Fetch(url, state, reason(label, detail), *rest) for url, state, label, detail, *rest in rows)

    def page(self, url: str) -> Page | None:
        """The page that was fetched for a URL."""
        return self._page("url", url)

    def page_at(self, url: str) -> Page | None:
        """The page that lies at a URL, whether it was fetched for it or by a redirect to it."""
        return self._page("url", url) or self._page("final_url", url)

    def _page(self, field: str, url: str) -> Page | None:
        fields = "url, final_url, content_type, body, copied"
        rows = self.execute(f"SELECT {fields} FROM pages WHERE {field} = ? LIMIT 1", (url,))
        if not rows:
            return None
        where, final, kind, body, copied = rows[0]
        return Page(where, final, kind, zlib.decompress(body), to_moment(copied))

    def add_pages(self, pages: Iterable[Page]) -> int:
        """Keep pages that came from a source, not by fetching; how many are new. One that is here stays as it is."""
        new = 0
        with self.transaction():
            for page in pages:
                if not self.has_page(page.url):
                    self.add_fetch(Fetch(page.url, "fetched", final_url=page.final_url), page)
                    new += 1
        return new

    def has_page(self, url: str) -> bool:
        """Whether there is a page for a URL."""
        return bool(self.execute("SELECT 1 FROM pages WHERE url = ?", (url,)))

    def rests(self) -> dict[str, float]:
        """Hosts that asked to be left alone, and until when, in seconds since 1970."""
        return dict(self.execute("SELECT host, until FROM rests"))

    def keep_rest(self, host: str, until: float) -> None:
        """Keep until when a host is to be left alone."""
        self.insert("INSERT OR REPLACE INTO rests(host, until) VALUES (?, ?)", [(host, until)])

    def unextracted(self) -> list[str]:
        """URLs of pages from which nothing was extracted yet."""
        rows = self.execute("SELECT url FROM pages WHERE url NOT IN (SELECT url FROM documents) ORDER BY url")
        return [url for (url,) in rows]

    def rules(self, origin: str) -> Rules | None:
        """What a site's robots.txt last answered."""
        rows = self.execute("SELECT origin, text, refusal, at, cause FROM robots WHERE origin = ?", (origin,))
        return Rules(*rows[0]) if rows else None

    def keep_rules(self, rules: Rules) -> None:
        """Keep what a site's robots.txt answered."""
        values = (rules.origin, rules.text, rules.refusal, rules.at, rules.cause)
        self.insert("INSERT OR REPLACE INTO robots(origin, text, refusal, at, cause) VALUES (?, ?, ?, ?, ?)", [values])
