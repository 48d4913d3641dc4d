"""The step that finds a topic's posts: all that match one of its queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from visavis.collect.records import Query
from visavis.collect.state.store import Store
from visavis.collect.text.queries import Matchers, normal
from visavis.errors import VisavisError

LISTED = "(listed)"  # what a URL that was given as such matches by: it has no text to match
EVERY = 20_000


class NoQueries(VisavisError):
    """The topic has no queries."""


@dataclass(frozen=True)
class MatchOptions:
    """Which topic; `queries` replace those that were kept, `progress` hears how many posts were looked at."""

    topic: str
    queries: tuple[str, ...] = ()
    progress: Callable[[int], None] | None = None


@dataclass(frozen=True)
class Matched:
    """How many posts there are, how many match, and how many match each query (a post may match several)."""

    topic: str
    posts: int
    matched: int
    counts: Mapping[str, int]


def match(store: Store, options: MatchOptions) -> Matched:
    """Match all posts with a topic's queries; URLs that were listed match every topic. Raises NoQueries."""
    topic = options.topic
    given = options.queries or tuple(query.text for query in store.queries(topic))
    queries = tuple(dict.fromkeys(map(normal, given)))
    if not queries:
        known = ", ".join(map(repr, store.topics())) or "none"
        raise NoQueries(f"topic {topic!r} has no queries (topics that have: {known}): expand it first, or give --query")
    counts: Counter[str] = Counter()
    with store.transaction():
        if options.queries:
            store.set_queries(topic, [Query(topic, text) for text in queries])
        store.set_matches(topic, _matches(store, Matchers(queries), counts, options.progress))
    ordered = {query: counts[query] for query in (*queries, LISTED) if query in counts or query != LISTED}
    return Matched(topic, store.count("posts"), store.matched_posts(topic), ordered)


def _matches(
    store: Store, matchers: Matchers, counts: Counter[str], progress: Callable[[int], None] | None
) -> Iterator[tuple[str, int]]:
    for seen, (number, post) in enumerate(store.numbered_posts(), start=1):
        found = [LISTED] if post.platform == "url" else matchers.matching(post.text, post.tags)
        counts.update(found)
        yield from ((query, number) for query in found)
        if progress is not None and seen % EVERY == 0:
            progress(seen)
