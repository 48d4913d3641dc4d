"""Several things at once, until all are done, one fails, or the user interrupts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

STOP_SECONDS = 2.0  # an interrupted run need not wait longer for the answers under way: it asks for them again


def run_all(works: Sequence[Callable[[], None]], stop: threading.Event) -> None:
    """A thread for each; `stop` is set at the end, or as soon as one fails, and the first failure is raised."""
    failures: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:  # a full disk, a bug: end the run and say so
            failures.append(error)
            stop.set()

    threads = [threading.Thread(target=guarded, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            while thread.is_alive() and not failures:
                thread.join(0.2)  # in short turns, so that an interrupt is heard
    finally:
        stop.set()
        ends = time.monotonic() + STOP_SECONDS
        for thread in threads:
            thread.join(max(0.0, ends - time.monotonic()))
    if failures:
        raise failures[0]
