"""Fetch the pages of articles: polite, guarded, each once; a run that was stopped goes on where it was."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from visavis.collect.records import Fetch, Page, Reason
from visavis.collect.state.store import Store
from visavis.collect.web.archive import Archive
from visavis.collect.web.guard import Allowance, Passing, Problem, Resolve, system_resolve
from visavis.collect.web.net import Client, Limits, failure
from visavis.collect.web.pace import Again, Interrupted, Manners, Pace, host_of, may_pass, work_through
from visavis.collect.web.robots import Robots, Unanswered
from visavis.collect.web.wayback import Wayback

GONE = (403, 404, 405, 410, 451)  # what a link that has died is answered with
VANISHED = ("name", "connect", "tls", "redirects")  # how a site that has died fails
TYPES = ("text/html", "application/xhtml+xml", "text/plain")
REFUSALS = ("robots", "address", "port", "url", "type")


@dataclass(frozen=True)
class FetchOptions:
    """What to fetch (all topics if none is named) and how; `contact` stands in the User-Agent.

    `warc` names a folder that gets one WARC file a run. `wayback` is asked for copies of pages that have died.
    `progress` is called with (done, total) after each page.
    """

    topic: str | None = None
    contact: str = ""
    workers: int = 8
    manners: Manners = field(default_factory=Manners)
    limits: Limits = field(default_factory=Limits)
    allowance: Allowance = field(default_factory=Allowance)
    resolve: Resolve = system_resolve
    warc: Path | None = None
    wayback: Wayback | None = None
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
    way. A server that is busy or broken (429, 500, 502, 503, 504) and a line that drops are tried again in a while,
    and in later runs, before they are given up; so is what failed for another reason that may pass, and what
    `set_undone` brought back of this step's drops, and what is gone, where an archive can be asked for it that was not
    asked before. Raises InvalidParameter for a topic that is not there.
    """
    options = options or FetchOptions()
    topics = store.chosen_topics(options.topic)
    store.forget_brought_back("fetch", options.topic)
    gone: tuple[tuple[int, ...], tuple[str, ...]] = ((), ()) if options.wayback is None else (GONE, VANISHED)
    urls = store.unfetched(options.topic, *gone)
    run = _Run(store, options, len(urls))
    try:
        work_through(urls, run.pace, options.workers, run.fetch)
    finally:
        run.close()
    store.note_missed("fetch", topics)
    return FetchResult(run.fetched, MappingProxyType(dict(run.missed)))


class _Known(Exception):
    """No error: a redirect leads to a page that is already here."""

    def __init__(self, page: Page) -> None:
        super().__init__(page.url)
        self.page = page


class _Run:
    """The state that the workers of one run share."""

    def __init__(self, store: Store, options: FetchOptions, total: int) -> None:
        self._store, self._options, self._total = store, options, total
        self.pace = Pace(options.manners, store)
        self._tried = store.attempts()
        self._times = store.article_times() if options.wayback is not None else {}
        self._client = Client(options.contact, options.limits, options.allowance, options.resolve)
        self._robots = Robots(self._client, store, before=self.pace.wait, failed=self.pace.heed)
        self._archive = Archive(options.warc) if options.warc is not None else None
        self._lock = threading.Lock()
        self.fetched = 0
        self.missed: Counter[str] = Counter()

    def close(self) -> None:
        if self._archive is not None:
            self._archive.close()

    def fetch(self, url: str, attempt: int) -> Again | None:
        """Fetch one URL and note how it ended; whether and when it is to be tried again."""
        status = None
        try:
            answer = self._client.get(url, before=lambda hop: self._before(hop, url), types=TYPES)
            status = answer.status
            if not 200 <= status < 300:
                raise self.pace.heed(failure(answer), attempt)
            if not answer.body.strip():
                raise Problem("empty", "the page is empty")
        except _Known as known:
            page = known.page
            self._note(Fetch(url, "fetched", None, 200, page.final_url, attempt), replace(page, url=url))
        except Interrupted:
            return None
        except Problem as problem:
            again = self._options.manners.again(problem, attempt)
            if again is None:
                self._missed(url, problem, status, attempt)
            return again
        else:
            kind = answer.headers.get("content-type", "")[:200]
            page = Page(url, answer.url, kind, answer.body)
            if self._archive is not None:
                self._archive.write(answer)
            self._note(Fetch(url, "fetched", None, status, answer.url, attempt), page)
        return None

    def _from_archive(self, archive: Wayback, url: str) -> Page | str:
        """The archive's copy of a page that is gone, with its time, or the state of a page that has none.

        Raises Interrupted.
        """
        try:
            copy = archive.copy_of(self._client, url, self._times.get(url), self._ask_archive, TYPES)
        except Interrupted:
            raise
        except Problem as problem:  # its reason is not noted: what counts is why the page itself did not come
            return "later" if _state(self.pace.heed(problem)) == "later" else "failed"
        if copy is None:
            return "lost"
        return Page(url, url, copy.answer.headers.get("content-type", "")[:200], copy.answer.body, copy.at)

    def _ask_archive(self, hop: str) -> None:
        self._robots.check(hop)
        self.pace.set_delay(host_of(hop), self._robots.delay(hop))
        self.pace.wait(hop)

    def _missed(self, url: str, problem: Problem, status: int | None, attempt: int) -> None:
        """Note a failure: for the next run, if it may pass and was not met too often; the archive's copy if it has one.

        The last attempt counts if it was answered: not where a host rests, has no name or says nothing.
        """
        state, passes = _state(problem), isinstance(problem, Passing)
        tried = self._tried.get(url, 0)
        if passes and tried + attempt >= self._options.manners.most_attempts:
            state = "failed"
        if self._options.wayback is not None and _is_gone(problem, status):
            try:
                found = self._from_archive(self._options.wayback, url)
            except Interrupted:
                return
            if isinstance(found, Page):
                self._note(Fetch(url, "fetched", None, status, url, attempt), found)
                return
            state = found if state == "failed" else state
        tries = tried + (attempt if passes or state != "later" else attempt - 1)
        self._note(Fetch(url, state, Reason(problem.reason, problem.message), status, "", tries), None)

    def _before(self, hop: str, url: str) -> None:
        """Robots first, then the host's turn; a redirect to a page that is already here needs no request."""
        if hop != url:
            page = self._store.page_at(hop)
            if page is not None:
                raise _Known(page)
        self._robots.check(hop)
        self.pace.set_delay(host_of(hop), self._robots.delay(hop))
        self.pace.wait(hop)

    def _note(self, fetch: Fetch, page: Page | None) -> None:
        self._store.add_fetch(fetch, page)
        with self._lock:
            if fetch.reason is None:
                self.fetched += 1
            else:
                self.missed[fetch.reason.label] += 1
            done = self.fetched + sum(self.missed.values())
            if self._options.progress is not None:
                self._options.progress(done, self._total)


def _is_gone(problem: Problem, status: int | None) -> bool:
    """Whether a page, or the site that it was on, has died."""
    reason = problem.cause if isinstance(problem, Unanswered) else problem.reason
    return status in GONE or reason in VANISHED


def _state(problem: Problem) -> str:
    if may_pass(problem) or isinstance(problem, Unanswered):
        return "later"
    return "refused" if problem.reason in REFUSALS else "failed"
