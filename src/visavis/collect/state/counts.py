"""How many there are at every stage of a topic, and why others are not."""

from __future__ import annotations

from datetime import datetime

from visavis.collect.records import to_moment
from visavis.collect.state.statefile import StateFile


class CountRows(StateFile):
    """Counts by topic, taken while a step may be at work."""

    def linked_posts(self, topic: str) -> int:
        """How many of a topic's posts hold a link."""
        return self._one(
            "SELECT COUNT(DISTINCT m.post) FROM matches m JOIN posts p ON p.number = m.post "
            "WHERE m.topic = ? AND p.urls <> '[]'",
            topic,
        )

    def distinct_links(self, topic: str) -> int:
        """How many different links they hold."""
        return self._one(
            "SELECT COUNT(DISTINCT u.value) FROM (SELECT DISTINCT post FROM matches WHERE topic = ?) m "
            "JOIN posts p ON p.number = m.post, json_each(p.urls) u",
            topic,
        )

    def fetched(self, topic: str) -> int:
        """How many of a topic's articles have their page here."""
        return self._one(
            "SELECT COUNT(*) FROM articles a JOIN fetches f ON f.url = a.url WHERE a.topic = ? AND f.state = 'fetched'",
            topic,
        )

    def unfetched_by_reason(self, topic: str) -> dict[tuple[str, bool], int]:
        """Articles without their page, by reason, and whether they are to be tried again."""
        rows = self.execute(
            "SELECT f.reason, f.state = 'later', COUNT(*) FROM articles a JOIN fetches f ON f.url = a.url "
            "WHERE a.topic = ? AND f.state <> 'fetched' GROUP BY 1, 2",
            (topic,),
        )
        return {(reason, bool(later)): count for reason, later, count in rows}

    def extracted_by_reason(self, topic: str) -> dict[str, int]:
        """Pages that were read: under "" those that hold an article, under its reason every other."""
        rows = self.execute(
            "SELECT d.reason, COUNT(*) FROM articles a JOIN fetches f ON f.url = a.url AND f.state = 'fetched' "
            "JOIN documents d ON d.url = a.url WHERE a.topic = ? GROUP BY 1",
            (topic,),
        )
        return dict(rows)

    def drops_by_reason(self, topic: str, step: str) -> dict[str, int]:
        """What a step dropped from a topic and nobody brought back, by reason."""
        rows = self.execute(
            "SELECT reason, COUNT(*) FROM drops WHERE topic = ? AND step = ? AND undone = 0 GROUP BY 1", (topic, step)
        )
        return dict(rows)

    def is_older(self, topic: str, step: str, than: str) -> bool:
        """Whether a step last ran for a topic before another did, as far as that is known."""
        rows = self.execute("SELECT step, number FROM runs WHERE topic = ?", (topic,))
        numbers = {name: int(number) for name, number in rows}
        return numbers.get(step, 0) < numbers.get(than, 0)

    def is_cleaned_of_others(self, topic: str) -> bool:
        """Whether cleaning kept or dropped what is no longer an article of the topic."""
        rows = self.execute(
            "SELECT 1 FROM (SELECT url FROM cleaned WHERE topic = ?1 UNION ALL "
            "SELECT url FROM drops WHERE topic = ?1 AND step = 'clean' AND undone = 0) "
            "WHERE url NOT IN (SELECT url FROM articles WHERE topic = ?1) LIMIT 1",
            (topic,),
        )
        return bool(rows)

    def post_times(self, topic: str) -> list[datetime]:
        """When a topic's posts were written, as far as that is known."""
        rows = self.execute(
            "SELECT time FROM posts WHERE time IS NOT NULL AND number IN (SELECT post FROM matches WHERE topic = ?)",
            (topic,),
        )
        return [moment for (text,) in rows if (moment := to_moment(text)) is not None]

    def document_times(self, topic: str) -> list[datetime]:
        """When the documents of a topic's corpus appeared, as far as that is known."""
        rows = self.execute("SELECT time FROM cleaned WHERE topic = ? AND time IS NOT NULL", (topic,))
        return [moment for (text,) in rows if (moment := to_moment(text)) is not None]

    def platforms(self) -> dict[str, int]:
        """How many posts there are of each kind."""
        return dict(self.execute("SELECT platform, COUNT(*) FROM posts GROUP BY 1 ORDER BY 1"))

    def sources(self) -> list[str]:
        """The sources that posts were read from."""
        return [name for (name,) in self.execute("SELECT name FROM sources ORDER BY 1")]

    def _one(self, statement: str, topic: str) -> int:
        return int(self.execute(statement, (topic,))[0][0])
