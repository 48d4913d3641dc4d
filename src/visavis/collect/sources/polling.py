"""Asking a server again and again, politely: its limits honored, failures waited out, longer each time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from visavis.collect.records import Problem
from visavis.collect.sources.base import Batch, Live
from visavis.collect.web.guard import Problem as Refusal
from visavis.collect.web.net import Answer
from visavis.collect.web.waiting import LONGEST_WAIT, backoff, retry_after

Ask = Callable[[str | None, Live], tuple[Batch, bool]]
HOPELESS = (400, 401, 403, 404, 405, 410, 451)
LASTING = ("url", "port", "address", "tls", "redirects", "type")


class Refused(Exception):
    """A status that is no answer; `wait` is how long the server asks for, `final` whether asking again is in vain."""

    def __init__(self, where: str, answer: Answer) -> None:
        super().__init__(f"{where}: status {answer.status}")
        self.wait = retry_after(answer.headers.get("retry-after", ""))
        self.final = answer.status in HOPELESS


def polled(name: str, position: str | None, live: Live, ask: Ask) -> Iterator[Batch]:
    """Ask until there is no more; then end, or pause and ask again with `follow`, as long as `seconds` allow.

    `ask` returns a batch and whether more is waiting. A failure is a problem of its batch; too many in a row, or one
    that will last, end the source.
    """
    rng = random.Random(name)
    ends = live.clock() + live.seconds if live.seconds else None
    failures, last = 0, ""
    while not live.stop.is_set() and (ends is None or live.clock() < ends):
        try:
            batch, more = ask(position, live)
        except (Refused, Refusal) as error:
            failures, last = failures + 1, str(error)
            final = error.final if isinstance(error, Refused) else error.reason in LASTING
            asked = error.wait if isinstance(error, Refused) else None
            wait = max(asked or 0.0, backoff(failures, live.first_wait, rng))
            done = final or failures >= live.most_failures or wait > LONGEST_WAIT * 1.25
            if done:
                break
            live.wait(_within(wait, ends, live))
            continue
        failures = 0
        position = batch.position or position
        yield filtered(batch, live)
        if not more and not live.follow:
            return
        live.wait(_within(1.0 if more else live.pause, ends, live))
    if failures:
        yield Batch(problems=(Problem(name, 0, f"given up after {failures} failures: {last}"),))


def filtered(batch: Batch, live: Live) -> Batch:
    """A batch without the posts that are not wanted."""
    return replace(batch, posts=tuple(filter(live.wants, batch.posts)))


def _within(seconds: float, ends: float | None, live: Live) -> float:
    return seconds if ends is None else max(0.0, min(seconds, ends - live.clock()))
