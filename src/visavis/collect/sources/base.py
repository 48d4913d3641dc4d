"""What every source of posts promises."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from visavis.collect.net import Client
from visavis.collect.records import Post, Problem

LONGEST_WAIT = 900.0


@dataclass(frozen=True)
class Batch:
    """Posts that belong together with the position after them; `notices` are messages that are no posts.

    `position` None leaves the position as it was. `since` says that the lines after this number are read afresh, so
    that what was wrong with them before counts no longer.
    """

    posts: tuple[Post, ...] = ()
    problems: tuple[Problem, ...] = ()
    position: str | None = None
    notices: int = 0
    since: int | None = None


@dataclass(frozen=True)
class Live:
    """How to read a live source: through which client, how long (0: what is there now), and how patiently.

    `wanted` filters posts before they are kept. `stop` ends the reading at the next pause. `sleep` and `clock` are
    arguments so that nobody has to wait in a test.
    """

    client: Client = field(default_factory=Client)
    seconds: float = 0.0
    follow: bool = False
    pause: float = 60.0
    first_wait: float = 1.0
    most_failures: int = 8
    wanted: Callable[[Post], bool] | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] | None = None

    def wait(self, seconds: float) -> None:
        """Wait, but not beyond a stop."""
        if self.sleep is not None:
            self.sleep(seconds)
        else:
            self.stop.wait(seconds)


class Source(Protocol):
    """A place that posts come from; `name` is what the user called it and what its position is kept under."""

    name: str

    def batches(self, position: str | None, live: Live) -> Iterator[Batch]:
        """Posts from after a position on, in batches that are kept one by one."""
        ...


def backoff(failures: int, first: float, rng: random.Random) -> float:
    """Seconds to wait after that many failures in a row: doubling, with jitter, at most a quarter of an hour."""
    return float(min(LONGEST_WAIT, first * 2 ** min(failures - 1, 12)) * rng.uniform(0.75, 1.25))
