"""What every source of posts promises."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from visavis.collect.records import Page, Post, Problem
from visavis.collect.text.queries import Matchers, normal
from visavis.collect.text.reading import Reader
from visavis.collect.web.net import Client


@dataclass(frozen=True)
class Batch:
    """Posts that belong together with the position after them; `notices` are messages that are no posts.

    `pages` are what some posts link to, where the source holds that too. `position` None leaves the position as it was.
    `since` says that the lines after this number are read afresh, so that what was wrong with them before counts no
    longer. `unfinished` is a URL whose line may still be growing: it is kept, and if it is new it is added to the
    position; `withdrawn` is such a URL of last time, whose line has grown.
    """

    posts: tuple[Post, ...] = ()
    problems: tuple[Problem, ...] = ()
    position: str | None = None
    notices: int = 0
    since: int | None = None
    unfinished: Post | None = None
    withdrawn: str = ""
    pages: tuple[Page, ...] = ()


@dataclass(frozen=True)
class Live:
    """How to read a live source: through which client, how long (0: what is there now), and how patiently.

    `only` keeps no posts but those that match one of these queries. `stop` ends the reading at the next pause.
    `reader` parses what servers and files say. `sleep` and `clock` are arguments so that nobody has to wait in a test.
    """

    client: Client = field(default_factory=Client)
    seconds: float = 0.0
    follow: bool = False
    pause: float = 60.0
    first_wait: float = 1.0
    most_failures: int = 8
    only: tuple[str, ...] = ()
    stop: threading.Event = field(default_factory=threading.Event)
    reader: Reader = field(default_factory=Reader)
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] | None = None

    @cached_property
    def _matchers(self) -> Matchers:
        return Matchers(self.only)

    def wants(self, post: Post) -> bool:
        """Whether a post is to be kept."""
        return not self.only or bool(self._matchers.matching(post.text, post.tags))

    def position_key(self, source: str) -> str:
        """What the position of a source is kept under: what `only` left out was not read for anyone else."""
        return f"{source} only {json.dumps(sorted(set(map(normal, self.only))))}" if self.only else source

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
