"""What fetching or extracting could not deal with: noted as dropped, and tried again where someone brings it back."""

from __future__ import annotations

from collections.abc import Iterable

from visavis.collect.records import Drop
from visavis.collect.store import Store

_MISSED = {  # of a topic's articles: those that a step could not deal with, and why
    "fetch": "SELECT a.url, f.reason FROM articles a JOIN fetches f ON f.url = a.url "
    "WHERE a.topic = ? AND f.state <> 'fetched'",
    "extract": "SELECT a.url, d.reason FROM articles a JOIN documents d ON d.url = a.url "
    "WHERE a.topic = ? AND d.reason <> ''",
}
_FORGET = {
    "fetch": "DELETE FROM fetches WHERE url = ? AND state <> 'fetched'",
    "extract": "DELETE FROM documents WHERE url = ? AND reason <> ''",
}


def note_missed(store: Store, step: str, topics: Iterable[str]) -> None:
    """Note as dropped what a step could not deal with."""
    for topic in topics:
        rows = [(url, *reason.partition(": ")[::2]) for url, reason in store.execute(_MISSED[step], (topic,))]
        store.set_drops(topic, step, [Drop(topic, url, step, reason, detail) for url, reason, detail in rows])


def forget_brought_back(store: Store, step: str, topic: str | None = None) -> None:
    """Forget that a step failed where someone brought it back, so that the step tries again."""
    for drop in store.drops(topic):
        if drop.step == step and drop.undone:
            with store.transaction():
                store.execute(_FORGET[step], (drop.url,))
                store.set_undone([drop], undone=False)
