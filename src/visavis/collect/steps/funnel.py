"""The way from posts to a corpus as a funnel: how many reach each stage, and why every other does not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from visavis.collect.records import Query
from visavis.collect.state.store import Store

DROPPED, WAITING, MERGED = "dropped", "waiting", "merged"


@dataclass(frozen=True)
class Loss:
    """So many that do not reach the next stage: dropped for a reason, waiting for a step, or merged with others."""

    kind: str
    reason: str
    count: int


@dataclass(frozen=True)
class Stage:
    """So many that reach a stage; what it loses is what the next one has fewer."""

    name: str
    count: int
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True)
class Funnel:
    """One topic: its queries, posts → linking posts, and links → articles → pages → documents → kept."""

    topic: str
    queries: tuple[Query, ...]
    posts: tuple[Stage, ...]
    articles: tuple[Stage, ...]

    @property
    def kept(self) -> int:
        """How many documents the corpus has."""
        return self.articles[-1].count


def funnel(store: Store, topic: str) -> Funnel:
    """Where a topic stands; works while a step is at work."""
    return Funnel(topic, store.queries(topic, kept=False), _posts(store, topic), _articles(store, topic))


def _posts(store: Store, topic: str) -> tuple[Stage, ...]:
    total, matched, linked = store.count("posts"), store.matched_posts(topic), store.linked_posts(topic)
    return (
        Stage("posts", total, _losses(DROPPED, {"match no query": total - matched})),
        Stage("posts on the topic", matched, _losses(DROPPED, {"hold no link": matched - linked})),
        Stage("posts with a link", linked),
    )


def _articles(store: Store, topic: str) -> tuple[Stage, ...]:
    """Links, articles, pages, documents and what is kept, each with all that the next one lacks."""
    links, articles = store.distinct_links(topic), store.count("articles", topic)
    unwanted = store.drops_by_reason(topic, "links")
    rest = links - articles - sum(unwanted.values())
    seen = articles or unwanted
    merged = _losses(MERGED, {"lead to the same page": rest}) if seen else _losses(WAITING, {"`links` to run": rest})

    fetched = store.fetched(topic)
    missed = store.unfetched_by_reason(topic)
    untried = articles - fetched - sum(missed.values())
    unfetched = (
        *_losses(DROPPED, {reason: count for (reason, later), count in missed.items() if not later}),
        *_losses(WAITING, {f"{reason}, to try again": count for (reason, later), count in missed.items() if later}),
        *_losses(WAITING, {"`fetch` to run": untried}),
    )

    read = store.extracted_by_reason(topic)
    documents = read.pop("", 0)
    unread = fetched - documents - sum(read.values())

    kept = store.count("cleaned", topic)
    dropped = store.drops_by_reason(topic, "clean")
    uncleaned = documents - kept - sum(dropped.values())
    return (
        Stage("links", links, (*_losses(DROPPED, unwanted), *merged)),
        Stage("articles", articles, unfetched),
        Stage("pages", fetched, (*_losses(DROPPED, read), *_losses(WAITING, {"`extract` to run": unread}))),
        Stage("documents", documents, (*_losses(DROPPED, dropped), *_losses(WAITING, {"`clean` to run": uncleaned}))),
        Stage("kept", kept),
    )


def _losses(kind: str, counts: Mapping[str, int]) -> tuple[Loss, ...]:
    """The losses of one kind that there are, the largest first."""
    found: Iterable[tuple[str, int]] = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return tuple(Loss(kind, reason, count) for reason, count in found if count)
