"""Work that somebody waits for: one thing after another in a thread of its own, giving way to whoever needs an answer.

A lane does what was asked for last first; what nobody asks for any more is given up at the next thing it tells.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from visavis.engines.local import LocalEngine
from visavis.shared.progress import Progress

PATIENCE = 20.0  # seconds after which what nobody has asked for again is given up
WAITING = "waiting"  # the stage of what has not begun
HURRY = 2.5  # the same where something else is waiting
LONGEST_WAIT = 2.0  # seconds that a piece of work gives way at a time
MOST_FAILED = 64  # jobs that are remembered


class Pending(Exception):
    """What was asked for is still being made."""

    def __init__(self, stage: str) -> None:
        super().__init__(stage)
        self.stage = stage


class GivenUp(Exception):
    """Nobody asks for this any more."""


class Traffic:
    """How many are being answered at this moment."""

    def __init__(self) -> None:
        self._count = 0
        self._quiet = threading.Condition()

    @contextmanager
    def passing(self) -> Iterator[None]:
        """A block for which others make room."""
        with self._quiet:
            self._count += 1
        try:
            yield
        finally:
            with self._quiet:
                self._count -= 1
                self._quiet.notify_all()

    def give_way(self) -> None:
        """Wait until nobody is being answered, though not for ever."""
        with self._quiet:
            self._quiet.wait_for(lambda: self._count == 0, LONGEST_WAIT)


@dataclass(eq=False)
class Job:
    """A piece of work, what it is at, and what came of it."""

    key: Hashable
    work: Callable[[Progress], Any] | None  # None once it is done
    stage: str
    asked: float
    waiting: int = 0
    done: threading.Event = field(default_factory=threading.Event)
    result: Any = None
    error: BaseException | None = None


@dataclass(frozen=True)
class Patient(LocalEngine):
    """An engine that does one task at a time, and before each of them what `before` says: wait, or give up."""

    before: Callable[[], None] = field(default=lambda: None, kw_only=True)

    def each(self, task: Callable[[Any], Any], items: Iterable[Any], *, long: bool = False) -> Iterator[Any]:  # noqa: ARG002
        """The task's answers in the order of the items."""
        for item in items:
            self.before()
            yield task(item)


class Lane:
    """One thread that works through what is asked for."""

    def __init__(self, name: str, traffic: Traffic) -> None:
        self._name, self._traffic = name, traffic
        self._jobs: dict[Hashable, Job] = {}
        self._change = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def result(self, key: Hashable, work: Callable[[Progress], Any], wait: float | None = 0.0) -> Any:
        """What comes of the work under a key; `wait` so many seconds for it (None: as long as it takes).

        Raises Pending if it is not done by then, and whatever the work raises.
        """
        job = self._ask(key, work)
        try:
            job.done.wait(wait)
        finally:
            with self._change:
                job.waiting -= 1
                job.asked = time.monotonic()
                self._drop_what_is_done()
        if not job.done.is_set():
            raise Pending(self.stage if job.stage == WAITING else job.stage)
        if job.error is not None:
            if isinstance(job.error, GivenUp):
                raise Pending(WAITING)
            raise job.error.with_traceback(None)  # else it grows with everybody who is told
        return job.result

    def start(self, key: Hashable, work: Callable[[Progress], Any]) -> None:
        """Begin with it; nobody waits."""
        job = self._ask(key, work)
        with self._change:
            job.waiting -= 1
            job.asked = math.inf  # it is not given up

    @property
    def stage(self) -> str:
        """What is being done, empty for nothing."""
        with self._change:
            stages = [job.stage for job in self._jobs.values() if not job.done.is_set()]
        return next((stage for stage in stages if stage != WAITING), WAITING if stages else "")

    def close(self) -> None:
        """Give up everything."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        if self._thread is not None:
            self._thread.join(5.0)

    def forget(self) -> None:
        """Give up what there is, as the documents it was about are no longer at hand."""
        with self._change:
            for job in self._jobs.values():
                job.asked = -PATIENCE
            self._jobs.clear()

    def _ask(self, key: Hashable, work: Callable[[Progress], Any]) -> Job:
        with self._change:
            job = self._jobs.pop(key, None)
            if job is None or isinstance(job.error, GivenUp):
                job = Job(key, work, WAITING, time.monotonic())
            self._jobs[key] = job
            job.asked = time.monotonic()
            job.waiting += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._change.notify_all()
        return job

    def _drop_what_is_done(self) -> None:
        """What came of a job is kept by whoever asked; of the last that failed it is remembered why."""
        done = [job for job in self._jobs.values() if job.done.is_set() and not job.waiting]
        failed = [job for job in done if job.error is not None]
        for job in done:
            if job.error is None or job in failed[:-MOST_FAILED]:
                del self._jobs[job.key]

    def _run(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._closed or self._next() is not None)
                job = self._next()
                if self._closed or job is None:
                    return
            self._do(job)

    def _next(self, beside: Job | None = None) -> Job | None:
        """What was asked for last and is not done, nor being done."""
        jobs = reversed(list(self._jobs.values()))
        return next((job for job in jobs if not job.done.is_set() and job is not beside), None)

    def _do(self, job: Job) -> None:
        def tell(stage: str) -> None:
            job.stage = stage
            patience = PATIENCE if self._next(job) is None else HURRY
            if self._closed or (not job.waiting and time.monotonic() - job.asked > patience):
                raise GivenUp
            self._traffic.give_way()

        try:
            tell("starting")
            job.result = job.work(tell) if job.work is not None else None
        except BaseException as error:  # it belongs to whoever asks
            job.error = error.with_traceback(None)
            error.__context__ = error.__cause__ = None
        job.work = None  # it may hold documents
        with self._change:
            if math.isinf(job.asked) and self._jobs.get(job.key) is job:  # nobody asks what came of it
                del self._jobs[job.key]
        job.done.set()
