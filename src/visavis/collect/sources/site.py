"""A site by its address: the feeds its page names, and the news sitemaps that its robots.txt does."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

from protego import Protego

from visavis.collect.records import Problem, Reason
from visavis.collect.sources.base import Batch, Live
from visavis.collect.sources.entries import LIMITS, entry_posts, joined, read_feed
from visavis.collect.sources.polling import Refused, polled
from visavis.collect.web.guard import Problem as Refusal
from visavis.collect.web.net import Answer, Limits
from visavis.errors import InvalidParameter

MOST_FEEDS = 10
MOST_SITEMAPS = 10
MOST_PAGES = 5_000  # of a site, the last changed first
SITEMAP = Limits(wire_bytes=10_000_000, decoded_bytes=50_000_000)
ROBOTS = Limits(decoded_bytes=500_000, truncate=True)


class Site:
    """site:ADDRESS. What its feeds and news sitemaps list is read anew each time, and kept once."""

    def __init__(self, where: str) -> None:
        address = where if "://" in where else f"https://{where}"
        if not address.startswith(("http://", "https://")) or not urlsplit(address).hostname:
            raise InvalidParameter(f"site {where!r}: write site:ADDRESS, as site:example.org")
        self.name = f"site:{where}"
        self._address = address

    def batches(self, position: str | None, live: Live) -> Iterator[Batch]:
        """What is listed now; with `follow`, again and again."""
        yield from polled(self.name, position, live, self._ask)

    def _ask(self, _: str | None, live: Live) -> tuple[Batch, bool]:
        answer = live.client.get(self._address, limits=LIMITS)
        if answer.status != 200:
            raise Refused(self.name, answer)
        return read_site(self.name, answer, live), False


def read_site(name: str, answer: Answer, live: Live) -> Batch:
    """What the feeds and sitemaps list that belong to a site's page."""
    kind = answer.headers.get("content-type", "")
    found = live.reader.ask("site", answer.body, url=answer.url, type=kind)
    feeds = [] if isinstance(found, Reason) else [str(feed) for feed in found["feeds"]][:MOST_FEEDS]
    parts = [_feed(name, feed, live) for feed in feeds]
    parts += [_pages(name, sitemap, live) for sitemap in _sitemaps(answer.url, live)]
    if not parts:
        why = "the page names no feed, and its robots.txt no sitemap: name the feed or the sitemap itself"
        return Batch(problems=(Problem(name, 0, why),))
    return joined(parts)


def _feed(name: str, address: str, live: Live) -> Batch:
    try:
        answer = live.client.get(address, limits=LIMITS)
    except Refusal as error:
        return Batch(problems=(Problem(name, 0, f"{address[:200]}: {error}"),))
    if answer.status != 200:
        return Batch(problems=(Problem(name, 0, f"{address[:200]}: status {answer.status}"),))
    described = {"content-type": answer.headers.get("content-type", ""), "content-location": answer.url}
    return read_feed(name, answer.body, described, live)


def _sitemaps(address: str, live: Live) -> list[str]:
    """The news sitemaps that robots.txt names, or all that it names where none is called so."""
    try:
        answer = live.client.get(urljoin(address, "/robots.txt"), limits=ROBOTS)
    except Refusal:
        return []
    said = list(Protego.parse(answer.body.decode("utf-8", "replace")).sitemaps) if answer.status == 200 else []
    every = [urljoin(address, one) for one in dict.fromkeys(said)]
    return ([one for one in every if "news" in one.lower()] or every)[:MOST_SITEMAPS]


def _pages(name: str, address: str, live: Live) -> Batch:
    """What a sitemap lists, and the sitemaps that it lists do, one level deep, the last changed first."""
    return _listed(name, _read(name, address, live), live)


def _listed(name: str, found: dict[str, list[dict[str, object]]] | Batch, live: Live) -> Batch:
    if isinstance(found, Batch):
        return found
    inside = sorted(found["sitemaps"], key=lambda one: str(one["changed"]), reverse=True)
    news = [one for one in inside if "news" in str(one["link"]).lower()] or inside
    entries = list(found["pages"])
    problems: list[Problem] = []
    for one in news[:MOST_SITEMAPS]:
        more = _read(name, str(one["link"]), live)
        if isinstance(more, Batch):
            problems += more.problems
        else:
            entries += more["pages"]
    latest = sorted(entries, key=lambda entry: str(entry["time"] or entry["changed"]), reverse=True)[:MOST_PAGES]
    batch = entry_posts(name, latest)
    return Batch(batch.posts, (*batch.problems, *problems))


def _read(name: str, address: str, live: Live) -> dict[str, list[dict[str, object]]] | Batch:
    """What a sitemap says, or a batch that says why it cannot be read."""
    try:
        answer = live.client.get(address, limits=SITEMAP)
    except Refusal as error:
        return Batch(problems=(Problem(name, 0, f"{address[:200]}: {error}"),))
    return _said(name, address, answer, live)


def _said(name: str, address: str, answer: Answer, live: Live) -> dict[str, list[dict[str, object]]] | Batch:
    found = live.reader.ask("sitemap", answer.body) if answer.status == 200 else None
    if found is not None and not isinstance(found, Reason):
        return dict(found)
    why = f"status {answer.status}" if found is None else str(found)
    return Batch(problems=(Problem(name, 0, f"{address[:200]}: {why}"),))


def read_sitemap(name: str, answer: Answer, live: Live) -> Batch:
    """What a sitemap lists that was given by its own address."""
    return _listed(name, _said(name, answer.url, answer, live), live)
