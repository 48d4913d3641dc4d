"""One request at a time and at its own pace for every host, several hosts at once."""

from __future__ import annotations

import heapq
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from visavis.collect.web.guard import Busy, Passing, Problem
from visavis.collect.web.threads import run_all
from visavis.collect.web.waiting import retry_after
from visavis.errors import InvalidParameter

PASSING = ("timeout", "connect", "busy", "retry", "name")  # failures that another run may not meet
LONGEST_REST = 7 * 86_400.0  # seconds that a host is believed to want to be left alone


class Rests(Protocol):
    """Where is kept, from run to run, until when hosts want to be left alone; the state file is one."""

    def rests(self) -> Mapping[str, float]:
        """Hosts and moments, in seconds since 1970."""
        ...

    def keep_rest(self, host: str, until: float) -> None:
        """Keep such a moment."""
        ...


def may_pass(problem: Problem) -> bool:
    """Whether another run may not meet this failure."""
    return isinstance(problem, Passing) or problem.reason in PASSING


def host_of(url: str) -> str:
    """The host by which requests are paced."""
    return (urlsplit(url).hostname or "").lower().rstrip(".")


@dataclass(frozen=True)
class Manners:
    """How polite to be: seconds between requests to a host, and the longest waits that are still within reason.

    What fails in passing is tried `attempts` times in a run, after `first_retry` seconds, then twice as many, and so
    on, and given up for good after `most_attempts` in all runs.
    """

    seconds_a_host: float = 1.0
    longest_delay: float = 30.0
    longest_retry: float = 120.0
    attempts: int = 3
    first_retry: float = 5.0
    most_attempts: int = 9

    def __post_init__(self) -> None:
        if not (math.isfinite(self.seconds_a_host) and self.seconds_a_host >= 0):
            raise InvalidParameter(f"seconds_a_host = {self.seconds_a_host}: a number of seconds, 0 or more")

    def retry_in(self, attempt: int) -> float:
        """Seconds after which what failed so many times is tried again."""
        return min(self.longest_retry, self.first_retry * 2.0 ** (attempt - 1))

    def again(self, problem: Problem, attempt: int) -> Again | None:
        """Whether and when what failed is tried again in this run; a busy host's rest is a matter of its pace."""
        if not isinstance(problem, Passing) or attempt >= self.attempts:
            return None
        return Again(attempt + 1, 0.0 if isinstance(problem, Busy) else self.retry_in(attempt))


class Pace:
    """When each host may be asked next; what a host asked for in an earlier run still holds."""

    def __init__(self, manners: Manners, memory: Rests | None = None) -> None:
        self._manners, self._memory = manners, memory
        self._next: dict[str, float] = {}
        ahead = time.monotonic() - time.time()
        self._postponed = {host: until + ahead for host, until in (memory.rests() if memory else {}).items()}
        self._delay: dict[str, float] = {}
        self._lock = threading.Lock()
        self.stopping = threading.Event()

    def set_delay(self, host: str, seconds: float | None) -> None:
        """Honor what a host asks for, up to the longest delay within reason; never below our own."""
        asked = min(seconds or 0.0, self._manners.longest_delay)
        with self._lock:
            self._delay[host] = max(asked, self._manners.seconds_a_host)

    def postpone(self, host: str, seconds: float) -> None:
        """Leave a host alone for that long, in other runs too."""
        seconds = min(seconds, LONGEST_REST)
        with self._lock:
            until = max(self._postponed.get(host, 0.0), time.monotonic() + seconds)
            self._postponed[host] = until
        if self._memory is not None and seconds > 0:
            self._memory.keep_rest(host, time.time() + until - time.monotonic())

    def heed(self, problem: Problem, attempt: int = 1) -> Problem:
        """Leave a busy host alone for as long as it asks, or longer each time; the problem as it then stands."""
        if not isinstance(problem, Busy):
            return problem
        wait = retry_after(problem.wait)
        self.postpone(host_of(problem.url), self._manners.retry_in(attempt) if wait is None else wait)
        if wait is not None and wait > self._manners.longest_retry:
            return Problem("retry", f"{problem.message}, to come back in {wait:.3g} s: too long")
        return problem

    def ready_at(self, host: str) -> float:
        """When the host may be asked, on the monotonic clock; at once where it will be refused: `wait` says why."""
        with self._lock:
            rest = self._postponed.get(host, 0.0)
            if rest - time.monotonic() > self._manners.longest_retry:
                return 0.0
            return max(self._next.get(host, 0.0), rest)

    def wait(self, url: str) -> None:
        """Take the host's next turn and wait for it. Raises Problem if it asked for too long a rest, or on stopping."""
        host = host_of(url)
        with self._lock:
            rest = self._postponed.get(host, 0.0)
            if rest - time.monotonic() > self._manners.longest_retry:
                raise Problem("busy", f"{host} is not to be asked for another {rest - time.monotonic():.0f} s")
            turn = max(time.monotonic(), self._next.get(host, 0.0), rest)
            self._next[host] = turn + self._delay.get(host, self._manners.seconds_a_host)
        if self.stopping.wait(max(0.0, turn - time.monotonic())):
            raise Interrupted("stopped", "stopped while waiting")


class Interrupted(Problem):
    """The run is being stopped; nothing is recorded for the URL at hand."""


@dataclass(frozen=True)
class Again:
    """That a URL is to be tried again: which attempt that will be, and in how many seconds."""

    attempt: int
    seconds: float = 0.0


class Frontier:
    """URLs waiting by host; hands out one whose host may be asked soonest, one at a time for each host."""

    def __init__(self, urls: Iterable[str], pace: Pace) -> None:
        self._pace = pace
        self._waiting: dict[str, deque[tuple[str, int]]] = {}
        self._later: dict[str, list[tuple[float, str, int]]] = {}  # what is tried again, by the moment
        for url in urls:
            self._waiting.setdefault(host_of(url), deque()).append((url, 1))
        self._heap = [(0.0, place, host) for place, host in enumerate(self._waiting)]
        heapq.heapify(self._heap)
        self._turns = len(self._heap)
        self._busy = 0
        self._changed = threading.Condition()

    def take(self) -> tuple[str, int] | None:
        """A URL and which attempt at it this is; None when there are no more, or the run is being stopped."""
        with self._changed:
            while not self._pace.stopping.is_set():
                if self._heap:
                    ready, _, host = self._heap[0]
                    left = ready - time.monotonic()
                    if left <= 0:
                        heapq.heappop(self._heap)
                        self._busy += 1
                        return self._next(host)
                    self._changed.wait(min(left, 1.0))
                elif self._busy:
                    self._changed.wait(1.0)
                else:
                    return None
        return None

    def _next(self, host: str) -> tuple[str, int]:
        later = self._later.get(host)
        if later and (later[0][0] <= time.monotonic() or not self._waiting[host]):
            return heapq.heappop(later)[1:]
        return self._waiting[host].popleft()

    def done(self, url: str, again: Again | None = None) -> None:
        """The URL was dealt with, or is to be tried again."""
        host = host_of(url)
        with self._changed:
            self._busy -= 1
            later = self._later.setdefault(host, [])
            if again is not None:
                heapq.heappush(later, (time.monotonic() + again.seconds, url, again.attempt))
            if self._waiting[host] or later:
                self._turns += 1
                ready = self._pace.ready_at(host)
                ready = ready if self._waiting[host] else max(ready, later[0][0])
                heapq.heappush(self._heap, (ready, self._turns, host))
            self._changed.notify_all()


def work_through(urls: list[str], pace: Pace, workers: int, deal: Callable[[str, int], Again | None]) -> None:
    """Deal with every URL in so many threads; raises what a thread raises, and ends soon where it is interrupted.

    `deal` gets a URL and which attempt at it this is, and returns whether and when it is to be tried again.
    """
    frontier = Frontier(urls, pace)

    def work() -> None:
        while (taken := frontier.take()) is not None:
            again = None
            try:
                again = deal(*taken)
            finally:
                frontier.done(taken[0], again)

    run_all([work] * min(workers, len(urls)), pace.stopping)
