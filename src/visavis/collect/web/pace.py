"""One request at a time and at its own pace for every host, several hosts at once."""

from __future__ import annotations

import heapq
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from visavis.collect.web.guard import Problem
from visavis.collect.web.threads import run_all
from visavis.errors import InvalidParameter

PASSING = ("timeout", "connect", "busy", "retry", "name")  # failures that another run may not meet


def host_of(url: str) -> str:
    """The host by which requests are paced."""
    return (urlsplit(url).hostname or "").lower().rstrip(".")


@dataclass(frozen=True)
class Manners:
    """How polite to be: seconds between requests to a host, and the longest waits that are still within reason."""

    seconds_a_host: float = 1.0
    longest_delay: float = 30.0
    longest_retry: float = 120.0
    attempts: int = 3

    def __post_init__(self) -> None:
        if not (math.isfinite(self.seconds_a_host) and self.seconds_a_host >= 0):
            raise InvalidParameter(f"seconds_a_host = {self.seconds_a_host}: a number of seconds, 0 or more")


class Pace:
    """When each host may be asked next."""

    def __init__(self, manners: Manners) -> None:
        self._manners = manners
        self._next: dict[str, float] = {}
        self._postponed: dict[str, float] = {}
        self._delay: dict[str, float] = {}
        self._lock = threading.Lock()
        self.stopping = threading.Event()

    def set_delay(self, host: str, seconds: float | None) -> None:
        """Honor what a host asks for, up to the longest delay within reason; never below our own."""
        asked = min(seconds or 0.0, self._manners.longest_delay)
        with self._lock:
            self._delay[host] = max(asked, self._manners.seconds_a_host)

    def postpone(self, host: str, seconds: float) -> None:
        """Leave a host alone for that long."""
        with self._lock:
            self._postponed[host] = max(self._postponed.get(host, 0.0), time.monotonic() + seconds)

    def ready_at(self, host: str) -> float:
        """When the host may be asked, on the monotonic clock."""
        with self._lock:
            return max(self._next.get(host, 0.0), self._postponed.get(host, 0.0))

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


class Frontier:
    """URLs waiting by host; hands out one whose host may be asked soonest, one at a time for each host."""

    def __init__(self, urls: Iterable[str], pace: Pace) -> None:
        self._pace = pace
        self._waiting: dict[str, deque[tuple[str, int]]] = {}
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
                        return self._waiting[host].popleft()
                    self._changed.wait(min(left, 1.0))
                elif self._busy:
                    self._changed.wait(1.0)
                else:
                    return None
        return None

    def done(self, url: str, again: int | None = None) -> None:
        """The URL was dealt with, or is to be tried again for the given attempt."""
        host = host_of(url)
        with self._changed:
            self._busy -= 1
            if again is not None:
                self._waiting[host].appendleft((url, again))
            if self._waiting[host]:
                self._turns += 1
                heapq.heappush(self._heap, (self._pace.ready_at(host), self._turns, host))
            self._changed.notify_all()


def work_through(urls: list[str], pace: Pace, workers: int, deal: Callable[[str, int], int | None]) -> None:
    """Deal with every URL in so many threads; raises what a thread raises, and ends soon where it is interrupted.

    `deal` gets a URL and which attempt at it this is, and returns the next attempt's number if it is to come again.
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
