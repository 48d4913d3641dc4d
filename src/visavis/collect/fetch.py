"""Fetch the pages of articles: polite, guarded, each once; a run that was stopped goes on where it was."""

from __future__ import annotations

import email.utils
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from visavis.collect.archive import Archive
from visavis.collect.guard import Allowance, Problem, Resolve, system_resolve
from visavis.collect.net import Answer, Client, Limits
from visavis.collect.pace import Frontier, Interrupted, Manners, Pace, host_of
from visavis.collect.records import Drop, Fetch, Page
from visavis.collect.robots import Robots
from visavis.collect.store import Store

TYPES = ("text/html", "application/xhtml+xml", "text/plain")
REFUSALS = ("robots", "address", "port", "url", "type")


@dataclass(frozen=True)
class FetchOptions:
    """What to fetch (all topics if none is named) and how; `contact` stands in the User-Agent.

    `warc` names a folder that gets one WARC file a run. `progress` is called with (done, total) after each page.
    """

    topic: str | None = None
    contact: str = ""
    workers: int = 8
    manners: Manners = field(default_factory=Manners)
    limits: Limits = field(default_factory=Limits)
    allowance: Allowance = field(default_factory=Allowance)
    resolve: Resolve = system_resolve
    warc: Path | None = None
    progress: Callable[[int, int], None] | None = None


@dataclass(frozen=True)
class FetchResult:
    """How many pages came, and why others did not (reason → number)."""

    fetched: int
    missed: Mapping[str, int]

    @property
    def total(self) -> int:
        """How many URLs were dealt with in this run."""
        return self.fetched + sum(self.missed.values())


def fetch_pages(store: Store, options: FetchOptions | None = None) -> FetchResult:
    """Fetch every article that was not fetched yet, and note for every other why it could not be.

    A page is kept in the same transaction that notes its fetch, so that a run that dies loses at most what was under
    way. What `set_undone` brought back of this step's drops is tried once more.
    """
    options = options or FetchOptions()
    _try_again(store, options.topic)
    urls = store.unfetched(options.topic)
    run = _Run(store, options, urls)
    workers = [threading.Thread(target=run.work, daemon=True) for _ in range(min(options.workers, len(urls)))]
    for worker in workers:
        worker.start()
    try:
        for worker in workers:
            while worker.is_alive():
                worker.join(0.2)  # in short turns, so that an interrupt is heard
    finally:
        run.stop()
        for worker in workers:
            worker.join(options.limits.seconds + 5)
        run.close()
    _note_drops(store, options.topic)
    if run.failure is not None:
        raise run.failure
    return FetchResult(run.fetched, MappingProxyType(dict(run.missed)))


class _Known(Exception):
    """No error: a redirect leads to a page that is already here."""

    def __init__(self, page: Page) -> None:
        super().__init__(page.url)
        self.page = page


class _Run:
    """The state that the workers of one run share."""

    def __init__(self, store: Store, options: FetchOptions, urls: list[str]) -> None:
        self._store, self._options, self._total = store, options, len(urls)
        self._pace = Pace(options.manners)
        self._client = Client(options.contact, options.limits, options.allowance, options.resolve)
        self._robots = Robots(self._client, store, before=self._pace.wait)
        self._frontier = Frontier(urls, self._pace)
        self._archive = Archive(options.warc) if options.warc is not None else None
        self._lock = threading.Lock()
        self.fetched = 0
        self.missed: Counter[str] = Counter()
        self.failure: BaseException | None = None

    def stop(self) -> None:
        self._pace.stopping.set()

    def close(self) -> None:
        if self._archive is not None:
            self._archive.close()

    def work(self) -> None:
        """Fetch until nothing is left."""
        try:
            while (taken := self._frontier.take()) is not None:
                url, attempt = taken
                again = None
                try:
                    again = self._one(url, attempt)
                finally:
                    self._frontier.done(url, again)
        except BaseException as error:  # a full disk, a bug: end the run and say so
            self.failure = self.failure or error
            self.stop()

    def _one(self, url: str, attempt: int) -> int | None:
        """Fetch one URL and note how it ended; the next attempt's number if the server asks to come again."""
        try:
            answer = self._client.get(url, before=lambda hop: self._before(hop, url), types=TYPES)
            wait = _retry_after(answer)
            if wait is not None and attempt < self._options.manners.attempts:
                if wait <= self._options.manners.longest_retry:
                    self._pace.postpone(host_of(url), wait)
                    return attempt + 1
                raise Problem("retry", f"status {answer.status}, to come back in {wait:.3g} s: too long")
            if not 200 <= answer.status < 300:
                raise Problem(f"status {answer.status}", f"the server answered {answer.status}")
            if not answer.body.strip():
                raise Problem("empty", "the page is empty")
        except _Known as known:
            page = known.page
            self._note(Fetch(url, "fetched", "", 200, page.final_url, attempt), _copy(page, url))
        except Interrupted:
            return None
        except Problem as problem:
            state = "refused" if problem.reason in REFUSALS else "failed"
            self._note(Fetch(url, state, f"{problem.reason}: {problem.message}", None, "", attempt), None)
        else:
            kind = answer.headers.get("content-type", "")[:200]
            page = Page(url, answer.url, kind, answer.body)
            if self._archive is not None:
                self._archive.write(answer)
            self._note(Fetch(url, "fetched", "", answer.status, answer.url, attempt), page)
        return None

    def _before(self, hop: str, url: str) -> None:
        """Robots first, then the host's turn; a redirect to a page that is already here needs no request."""
        if hop != url:
            page = self._store.page(hop)
            if page is not None:
                raise _Known(page)
        self._robots.check(hop)
        self._pace.set_delay(host_of(hop), self._robots.delay(hop))
        self._pace.wait(hop)

    def _note(self, fetch: Fetch, page: Page | None) -> None:
        self._store.add_fetch(fetch, page)
        with self._lock:
            if page is not None:
                self.fetched += 1
            else:
                self.missed[fetch.reason.partition(":")[0]] += 1
            done = self.fetched + sum(self.missed.values())
            if self._options.progress is not None:
                self._options.progress(done, self._total)


def _copy(page: Page, url: str) -> Page:
    return Page(url, page.final_url, page.content_type, page.body)


def _retry_after(answer: Answer) -> float | None:
    """Seconds after which the server wants to be asked again (429 and 503); None if it does not."""
    if answer.status not in (429, 503):
        return None
    value = answer.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:15])
    try:
        moment = email.utils.parsedate_to_datetime(value)
        return max(0.0, moment.timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def _try_again(store: Store, topic: str | None) -> None:
    """Forget the failed fetches that someone brought back; they count as dropped again if they fail again."""
    for drop in store.drops(topic):
        if drop.step == "fetch" and drop.undone:
            store.execute("DELETE FROM fetches WHERE url = ? AND state <> 'fetched'", (drop.url,))
            store.set_undone([drop], undone=False)


def _note_drops(store: Store, topic: str | None) -> None:
    missed = {fetch.url: fetch.reason for fetch in store.fetches() if fetch.state != "fetched"}
    for name in store.topics() if topic is None else (topic,):
        gone = [article.url for article in store.articles(name) if article.url in missed]
        parts = [(url, *missed[url].partition(": ")[::2]) for url in gone]
        store.set_drops(name, "fetch", [Drop(name, url, "fetch", reason, detail) for url, reason, detail in parts])
