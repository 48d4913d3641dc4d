"""Where short links lead: asked once each through the guarded client, each host at its own pace, and remembered."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from visavis.collect.records import Expansion, Reason
from visavis.collect.state.store import Store
from visavis.collect.text.hosts import is_shortener
from visavis.collect.web.guard import Problem
from visavis.collect.web.net import Client, failure
from visavis.collect.web.pace import Again, Interrupted, Manners, Pace, may_pass, work_through


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

    A server that is busy or broken and a line that drops are tried again, as for pages. Failures that may pass are told
    but not remembered, so that the next run asks again.
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
        """Follow one link; whether and when it is to be tried again."""
        is_known = True
        try:
            expansion = Expansion(url, self._end_of(url, attempt))
        except Interrupted:
            return None
        except Problem as problem:
            again = self._options.manners.again(problem, attempt)
            if again is not None:
                return again
            expansion = Expansion(url, "", Reason(problem.reason, problem.message))
            is_known = not may_pass(problem)
        if is_known:
            self._store.add_expansions([expansion])
        with self._lock:
            self.found[url] = expansion
            if self._options.progress is not None:
                self._options.progress(len(self.found), self._total)
        return None

    def _end_of(self, url: str, attempt: int) -> str:
        """Where a link leads, from shortener to shortener; the page behind the last of them is not asked for."""
        here = url
        for _ in range(self._options.most_hops):
            self.pace.wait(here)
            answer = self._options.client.get(here, limits=self._limits, follow=False)
            if answer.status >= 400:
                raise self.pace.heed(failure(answer), attempt)
            if answer.location is None:
                return here
            here = answer.location
            if not here.startswith(("http://", "https://")):
                raise Problem("url", f"{url!r} leads to {here[:200]!r}")
            if not is_shortener(here):
                return here
        raise Problem("redirects", f"{url!r} leads through more than {self._options.most_hops} short links")
