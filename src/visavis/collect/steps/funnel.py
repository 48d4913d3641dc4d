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
    """Where a topic stands; works while a step is at work.

    Where an earlier step ran again, a later stage still has what it had, and waits for its own step to run again.
    """
    with store.snapshot():
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
    articles = store.count("articles", topic)
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
    return (
        _links(store, topic, articles),
        Stage("articles", articles, unfetched),
        Stage("pages", fetched, (*_losses(DROPPED, read), *_losses(WAITING, {"`extract` to run": unread}))),
        Stage("documents", documents, _uncleaned(store, topic, documents, kept)),
        Stage("kept", kept),
    )


def _links(store: Store, topic: str, articles: int) -> Stage:
    """Links, and why they are no articles."""
    links, unwanted = store.distinct_links(topic), store.drops_by_reason(topic, "links")
    rest = links - articles - sum(unwanted.values())
    if not (articles or unwanted):
        return Stage("links", links, _losses(WAITING, {"`links` to run": rest}))
    if rest < 0 or store.is_older(topic, "links", than="match"):
        return Stage("links", links, (Loss(WAITING, "`links` to run again", links),))
    return Stage("links", links, (*_losses(DROPPED, unwanted), *_losses(MERGED, {"lead to the same page": rest})))


def _uncleaned(store: Store, topic: str, documents: int, kept: int) -> tuple[Loss, ...]:
    """Why documents are not kept."""
    dropped = store.drops_by_reason(topic, "clean")
    rest = documents - kept - sum(dropped.values())
    if rest < 0 or store.is_cleaned_of_others(topic):
        return (Loss(WAITING, "`clean` to run again", documents),)
    return (*_losses(DROPPED, dropped), *_losses(WAITING, {"`clean` to run": rest}))


def _losses(kind: str, counts: Mapping[str, int]) -> tuple[Loss, ...]:
    """The losses of one kind that there are, the largest first."""
    found: Iterable[tuple[str, int]] = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return tuple(Loss(kind, reason, count) for reason, count in found if count)
