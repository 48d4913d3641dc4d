"""The step that turns a topic's posts into articles: links followed, spelled one way, sorted out, merged, weighed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from visavis.collect.records import Article, Drop, Expansion, Reason
from visavis.collect.state.store import Store
from visavis.collect.steps.shorteners import ShortLinkOptions, follow
from visavis.collect.text.canonical import canonical, key, preference
from visavis.collect.text.hosts import is_known_shortener, is_shortener, unwanted

Linking = dict[str, list[tuple[int, datetime | None]]]  # a link as posted → the posts (number, time) that hold it


@dataclass(frozen=True)
class LinkOptions:
    """Which topic; `expand` False leaves short links alone: dropped where the host is known and none followed them."""

    topic: str
    expand: bool = True
    short: ShortLinkOptions = field(default_factory=ShortLinkOptions)


@dataclass(frozen=True)
class Linked:
    """Distinct links in the topic's posts, short ones among them, articles left, and what was dropped by reason."""

    topic: str
    links: int
    short: int
    articles: int
    dropped: Mapping[str, int]


def collect_links(store: Store, options: LinkOptions) -> Linked:
    """Find the articles that a topic's matching posts link to; everything else is dropped with its reason.

    Raises InvalidParameter for a topic that is not there.
    """
    (topic,) = store.chosen_topics(options.topic)
    linking = _linking(store, topic)
    here = {url for url in linking if store.has_page(url)}
    straight = {url: url if url in here else canonical(url) for url in linking}
    short = {found for url, found in straight.items() if found is not None and url not in here and is_shortener(found)}
    ends = follow(store, short, options.short) if options.expand else store.expansions()
    undone = {url for url, _ in store.undone(topic, "links")}
    spelled: dict[str, Linking] = {}
    drops: dict[str, Drop] = {}
    for url, posts in linking.items():
        target, drop = _judged(topic, url, straight[url], {} if url in here else ends)
        if drop is not None and drop.url not in undone:
            drops.setdefault(drop.url, drop)
            continue
        if target is None:
            continue  # brought back, but no address to fetch
        spelled.setdefault(key(target), {}).setdefault(target, []).extend(posts)
    articles = [_article(topic, spellings, store) for spellings in spelled.values()]
    with store.transaction():
        store.set_articles(topic, articles)
        store.set_drops(topic, "links", drops.values())
    reasons = Counter(drop.reason.label for drop in drops.values())
    return Linked(topic, len(linking), len(short), len(articles), dict(sorted(reasons.items())))


def _linking(store: Store, topic: str) -> Linking:
    found: Linking = {}
    for number, time, urls in store.posted_links(topic):
        for url in urls:
            found.setdefault(url, []).append((number, time))
    return found


def _judged(
    topic: str, url: str, straight: str | None, ends: Mapping[str, Expansion]
) -> tuple[str | None, Drop | None]:
    """The address a link stands for, and the drop if it is no article."""
    if straight is None:
        return None, Drop(topic, url, "links", Reason("invalid", "no http(s) address"))
    target: str | None = straight
    if is_shortener(straight):
        end = ends.get(straight)
        if end is not None and end.target:
            target = canonical(end.target)
            if target is None:
                return straight, _short(topic, straight, f"leads to {end.target[:200]}")
        elif is_known_shortener(straight):
            return straight, _short(topic, straight, "not followed" if end is None else str(end.reason))
    why_not = unwanted(target) if target is not None else None
    if target is not None and why_not is not None:
        return target, Drop(topic, target, "links", why_not)
    return target, None


def _short(topic: str, url: str, why: str) -> Drop:
    return Drop(topic, url, "links", Reason("short link", why))


def _article(topic: str, spellings: Mapping[str, Iterable[tuple[int, datetime | None]]], store: Store) -> Article:
    """The article behind several spellings; one whose page is here goes before all others."""
    posts = {number: time for found in spellings.values() for number, time in found}
    first = min((time for time in posts.values() if time is not None), default=None)
    best = (
        next(iter(spellings))
        if len(spellings) == 1
        else min(spellings, key=lambda u: (not store.has_page(u), preference(u)))
    )
    return Article(topic, best, first, len(posts))
