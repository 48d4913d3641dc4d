"""Documents as they were extracted, what is left of them, and what was dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from visavis.collect.records import Article, Cleaned, Drop, Extracted, Reason, to_moment, to_text
from visavis.collect.state.reasons import columns, reason
from visavis.collect.state.statefile import StateFile

_NAMES = (
    "url",
    "title",
    "text",
    "date",
    "author",
    "language",
    "outlet",
    "reason",
    "detail",
    "canonical",
    "wall",
    "said",
)
_FIELDS, _OF_DOCUMENT = ", ".join(_NAMES), ", ".join(f"d.{name}" for name in _NAMES)
_MISSED = {  # of a topic's articles: those that a step could not deal with, and why
    "fetch": "SELECT a.url, f.reason, f.detail FROM articles a JOIN fetches f ON f.url = a.url "
    "WHERE a.topic = ? AND f.state <> 'fetched'",
    "extract": "SELECT a.url, d.reason, d.detail FROM articles a JOIN documents d ON d.url = a.url "
    "WHERE a.topic = ? AND d.reason <> ''",
}
_FORGET = {
    "fetch": "DELETE FROM fetches WHERE url = ? AND state <> 'fetched'",
    "extract": "DELETE FROM documents WHERE url = ? AND reason <> ''",
}


class DocumentRows(StateFile):
    """Documents and drops, by topic."""

    def add_documents(self, documents: Iterable[Extracted]) -> int:
        """Keep what was extracted, failures too."""
        return self.insert(
            f"INSERT OR REPLACE INTO documents({_FIELDS}) VALUES ({', '.join('?' * len(_NAMES))})",
            (
                (
                    *(d.url, d.title, d.text, to_text(d.date), d.author, d.language, d.outlet),
                    *(*columns(d.reason), d.canonical, *columns(d.wall)),
                )
                for d in documents
            ),
        )

    def documents(self, topic: str) -> Iterator[tuple[Article, Extracted]]:
        """A topic's articles that have a document (or a reason why they have none), the earliest first."""
        for row in self.select(
            f"SELECT a.time, a.weight, {_OF_DOCUMENT} FROM articles a JOIN documents d ON d.url = a.url "
            "WHERE a.topic = ? ORDER BY a.time IS NULL, a.time, a.url",
            (topic,),
        ):
            time, weight, *fields = row
            document = _document(*fields)
            yield Article(topic, document.url, to_moment(time), weight), document

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
        for row in self.select(
            f"SELECT c.text, c.time, c.weight, c.duplicates, {_OF_DOCUMENT} FROM cleaned c JOIN documents d "
            "ON d.url = c.url WHERE c.topic = ? ORDER BY c.time IS NULL, c.time, c.url",
            (topic,),
        ):
            text, time, weight, duplicates, *fields = row
            document = _document(*fields)
            yield Cleaned(topic, document.url, text, to_moment(time), weight, duplicates), document

    def set_drops(self, topic: str, step: str, drops: Iterable[Drop]) -> None:
        """Replace what a step dropped from a topic; what was brought back stays brought back."""
        with self.transaction():
            self.execute("DELETE FROM drops WHERE topic = ? AND step = ? AND undone = 0", (topic, step))
            self.insert(
                "INSERT INTO drops(topic, url, step, reason, detail) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                ((topic, d.url, step, d.reason.label, d.reason.detail) for d in drops),
            )

    def drops(self, topic: str | None = None, reason: str | None = None) -> list[Drop]:
        """What was dropped, by topic, step, reason and URL; also what was brought back."""
        rows = self.execute(
            "SELECT topic, url, step, reason, detail, undone FROM drops WHERE (?1 IS NULL OR topic = ?1) "
            "AND (?2 IS NULL OR reason = ?2) ORDER BY topic, step, reason, url",
            (topic, reason),
        )
        return [Drop(at, url, step, Reason(*why), bool(undone)) for at, url, step, *why, undone in rows]

    def set_undone(self, drops: Iterable[Drop], undone: bool = True) -> int:
        """Bring dropped things back (or no longer); the steps honor it when they run again."""
        return self.insert(
            "UPDATE drops SET undone = ?1 WHERE topic = ?2 AND url = ?3 AND step = ?4 AND reason = ?5 AND undone <> ?1",
            ((int(undone), d.topic, d.url, d.step, d.reason.label) for d in drops),
        )

    def undone(self, topic: str, step: str) -> set[tuple[str, str]]:
        """(URL, reason) of what a step must not drop again."""
        rows = self.execute("SELECT url, reason FROM drops WHERE topic = ? AND step = ? AND undone = 1", (topic, step))
        return {(url, reason) for url, reason in rows}

    def note_missed(self, step: str, topics: Iterable[str]) -> None:
        """Note as dropped what fetching or extracting could not deal with."""
        for topic in topics:
            rows = self.execute(_MISSED[step], (topic,))
            self.set_drops(topic, step, [Drop(topic, url, step, Reason(*why)) for url, *why in rows])

    def forget_brought_back(self, step: str, topic: str | None = None) -> None:
        """Forget that a step failed where someone brought it back, so that the step tries again."""
        for drop in self.drops(topic):
            if drop.step == step and drop.undone:
                with self.transaction():
                    self.execute(_FORGET[step], (drop.url,))
                    self.set_undone([drop], undone=False)


def _document(url: str, title: str, text: str, date: str | None, *rest: str) -> Extracted:
    author, language, outlet, label, detail, canonical, *wall = rest
    about = (title, text, to_moment(date), author, language, outlet)
    return Extracted(url, *about, reason(label, detail), canonical, reason(*wall))
