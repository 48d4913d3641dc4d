"""Fetch the pages of articles: polite, guarded, each once; a run that was stopped goes on where it was."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from visavis.collect.records import Fetch, Page, Reason
from visavis.collect.state.store import Store
from visavis.collect.web.archive import Archive
from visavis.collect.web.guard import Allowance, Dropped, Problem, Resolve, system_resolve
from visavis.collect.web.net import Answer, Client, Limits
from visavis.collect.web.pace import PASSING, Again, Interrupted, Manners, Pace, host_of, work_through
from visavis.collect.web.robots import Robots, Unanswered
from visavis.collect.web.waiting import retry_after
from visavis.collect.web.wayback import Wayback

PASSING_STATUS = (429, 500, 502, 503, 504)
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
    `set_undone` brought back of this step's drops. Raises InvalidParameter for a topic that is not there.
    """
    options = options or FetchOptions()
    topics = store.chosen_topics(options.topic)
    store.forget_brought_back("fetch", options.topic)
    urls = store.unfetched(options.topic)
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
        self._robots = Robots(self._client, store, before=self.pace.wait)
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
            if status in (429, 503):
                self._rest(answer, attempt)
            if not 200 <= status < 300:
                raise Problem(f"status {status}", f"the server answered {status}")
            if not answer.body.strip():
                raise Problem("empty", "the page is empty")
        except _Known as known:
            page = known.page
            self._note(Fetch(url, "fetched", None, 200, page.final_url, attempt), _copy(page, url))
        except Interrupted:
            return None
        except Problem as problem:
            if _passes(problem, status) and attempt < self._options.manners.attempts:
                return Again(attempt + 1, 0.0 if status in (429, 503) else self._options.manners.retry_in(attempt))
            if not self._is_copied(url, problem, status, attempt):
                self._missed(url, problem, status, attempt)
        else:
            kind = answer.headers.get("content-type", "")[:200]
            page = Page(url, answer.url, kind, answer.body)
            if self._archive is not None:
                self._archive.write(answer)
            self._note(Fetch(url, "fetched", None, status, answer.url, attempt), page)
        return None

    def _rest(self, answer: Answer, attempt: int) -> None:
        """Leave a host alone for as long as it asks, or longer each time. Raises Problem if that is too long."""
        manners = self._options.manners
        wait = retry_after(answer.headers.get("retry-after", ""))
        self.pace.postpone(host_of(answer.url), manners.retry_in(attempt) if wait is None else wait)
        if wait is not None and wait > manners.longest_retry:
            raise Problem("retry", f"status {answer.status}, to come back in {wait:.3g} s: too long")

    def _is_copied(self, url: str, problem: Problem, status: int | None, attempt: int) -> bool:
        """Whether a page that is gone could be had from the archive; its time is kept with it."""
        if self._options.wayback is None or not (status in GONE or problem.reason in VANISHED):
            return False
        try:
            copy = self._options.wayback.copy_of(self._client, url, self._times.get(url), self._ask_archive, TYPES)
        except Interrupted:
            raise
        except Problem:
            return False  # what is noted is why the page itself did not come
        if copy is None:
            return False
        kind = copy.answer.headers.get("content-type", "")[:200]
        page = Page(url, url, kind, copy.answer.body, copy.at)
        self._note(Fetch(url, "fetched", None, status, url, attempt), page)
        return True

    def _ask_archive(self, hop: str) -> None:
        self._robots.check(hop)
        self.pace.set_delay(host_of(hop), self._robots.delay(hop))
        self.pace.wait(hop)

    def _missed(self, url: str, problem: Problem, status: int | None, attempt: int) -> None:
        """Note a failure: for the next run, if it may pass and was not met too often.

        An attempt counts if it was answered: not where a host rests, has no name or says nothing.
        """
        state, passes = _state(problem, status), _passes(problem, status)
        is_answered = passes or state != "later"
        tries = self._tried.get(url, 0) + (attempt if is_answered else attempt - 1)
        if passes and tries >= self._options.manners.most_attempts:
            state = "failed"
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


def _copy(page: Page, url: str) -> Page:
    return Page(url, page.final_url, page.content_type, page.body)


def _passes(problem: Problem, status: int | None) -> bool:
    """Whether another attempt may succeed: the server was busy or broken, or the line was."""
    return isinstance(problem, Dropped) or (status in PASSING_STATUS and problem.reason != "retry")


def _state(problem: Problem, status: int | None) -> str:
    if problem.reason in PASSING or isinstance(problem, Unanswered) or _passes(problem, status):
        return "later"
    return "refused" if problem.reason in REFUSALS else "failed"
