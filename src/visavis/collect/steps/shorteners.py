"""Where short links lead: asked once each through the guarded client, each host at its own pace, and remembered."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from visavis.collect.records import Expansion, Reason
from visavis.collect.state.store import Store
from visavis.collect.text.hosts import is_shortener
from visavis.collect.web.guard import Problem
from visavis.collect.web.net import Client
from visavis.collect.web.pace import PASSING, Again, Interrupted, Manners, Pace, host_of, work_through
from visavis.collect.web.waiting import retry_after


@dataclass(frozen=True)
class ShortLinkOptions:
    """Through which client, how politely, with how many workers; `progress` hears (done, total)."""

    client: Client = field(default_factory=Client)
    manners: Manners = field(default_factory=Manners)
    workers: int = 8
    most_hops: int = 5
    progress: Callable[[int, int], None] | None = None


def follow(store: Store, urls: Iterable[str], options: ShortLinkOptions) -> dict[str, Expansion]:
    """Find out where short links lead, asking only for those that the store does not know.

    Failures that may pass (no answer, a busy host) are told but not remembered, so that the next run asks again.
    """
    wanted = set(urls)
    known = {url: found for url, found in store.expansions().items() if url in wanted}
    todo = sorted(wanted - set(known))
    run = _Run(store, options, len(todo))
    work_through(todo, run.pace, options.workers, run.follow)
    return known | run.found


class _Run:
    """What the workers of one run share."""

    def __init__(self, store: Store, options: ShortLinkOptions, total: int) -> None:
        self._store, self._options, self._total = store, options, total
        self.pace = Pace(options.manners, store)
        self._limits = replace(options.client.limits, decoded_bytes=0, truncate=True)
        self._lock = threading.Lock()
        self.found: dict[str, Expansion] = {}

    def follow(self, url: str, attempt: int) -> Again | None:
        """Follow one link; whether it is to be tried again because its host asks to."""
        try:
            expansion = Expansion(url, self._end_of(url))
        except Interrupted:
            return None
        except _Later as later:
            if attempt < self._options.manners.attempts:
                self.pace.postpone(later.host, later.seconds)
                return Again(attempt + 1)
            expansion = Expansion(url, "", Reason("retry", str(later)))
        except Problem as problem:
            expansion = Expansion(url, "", Reason(problem.reason, problem.message))
        if expansion.reason is None or expansion.reason.label not in PASSING:
            self._store.add_expansions([expansion])
        with self._lock:
            self.found[url] = expansion
            if self._options.progress is not None:
                self._options.progress(len(self.found), self._total)
        return None

    def _end_of(self, url: str) -> str:
        """Where a link leads, from shortener to shortener; the page behind the last of them is not asked for."""
        here = url
        for _ in range(self._options.most_hops):
            self.pace.wait(here)
            answer = self._options.client.get(here, limits=self._limits, follow=False)
            if answer.status in (500, 502, 504):
                raise Problem("retry", f"{here!r} answered {answer.status}")
            if answer.status in (429, 503):
                self._come_again(here, answer.status, retry_after(answer.headers.get("retry-after", "")))
            if answer.location is None:
                if answer.status >= 400:
                    raise Problem(f"status {answer.status}", f"{here!r} answered {answer.status}")
                return here
            here = answer.location
            if not here.startswith(("http://", "https://")):
                raise Problem("url", f"{url!r} leads to {here[:200]!r}")
            if not is_shortener(here):
                return here
        raise Problem("redirects", f"{url!r} leads through more than {self._options.most_hops} short links")

    def _come_again(self, url: str, status: int, seconds: float | None) -> None:
        wait = 5.0 if seconds is None else seconds
        if wait > self._options.manners.longest_retry:
            self.pace.postpone(host_of(url), wait)
            raise Problem("retry", f"{url!r} answered {status}, to come back in {wait:.3g} s: too long")
        raise _Later(host_of(url), wait, status)


class _Later(Exception):
    """A host asks to come again after some seconds."""

    def __init__(self, host: str, seconds: float, status: int) -> None:
        super().__init__(f"{host} answered {status}")
        self.host, self.seconds = host, seconds
