"""Rounds of questions to a cluster that may lose a worker at any time."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from distributed import Client
from distributed.client import FutureCancelledError
from distributed.comm.core import CommClosedError
from distributed.scheduler import KilledWorker

from visavis.errors import InvalidParameter, Unanswered

LOST = (FutureCancelledError, KilledWorker, CommClosedError)  # with a worker; an error of the question itself is none
ATTEMPTS = 6  # for one question
PATIENCE = 60.0  # seconds without any worker
WAIT = 10.0  # seconds for a scheduler to answer
GLANCE = 2.0  # seconds between looks at whether there still are workers
AHEAD = 4  # questions on their way for each thread of the cluster


@dataclass(eq=False)
class Held:
    """Something that many questions are about: sent once, and again where it was lost."""

    value: Any = field(repr=False)
    everywhere: bool = False
    sent: Any = field(default=None, repr=False)


Call = tuple[Callable[..., Any], tuple[Any, ...]]


_clients: dict[str, Any] = {}


def connect(address: str) -> Any:
    """The cluster behind a scheduler's host:port, connected once. Raises InvalidParameter if none answers there."""
    client = _clients.get(address)
    if client is None or client.status != "running":
        client = _clients[address] = _connect(address)
    return client


def _connect(address: str) -> Any:
    try:
        client: Any = Client(f"tcp://{address}", timeout=WAIT, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        raise InvalidParameter(
            f"no Dask scheduler answers at {address}: start one with `dask scheduler`, and workers with "
            f"`dask worker {address}`"
        ) from error
    if not client.scheduler_info(n_workers=-1)["workers"]:
        client.close()
        raise InvalidParameter(
            f"the Dask scheduler at {address} has no workers: start some with `dask worker {address}`"
        )
    return client


class Rounds:
    """Questions to a cluster, by `scatter` and `submit` alone; answers in the order of the questions."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def ask(self, calls: Iterable[Call]) -> Iterator[Any]:
        """Each call's answer; a few are on their way at a time. Raises Unanswered if the cluster is gone for good."""
        waiting: deque[tuple[Call, Any]] = deque()
        threads = sum(worker["nthreads"] for worker in self._workers().values())
        for call in calls:
            waiting.append((call, self._send(call)))
            if len(waiting) >= AHEAD * max(1, threads):
                yield self._answer(*waiting.popleft())
        while waiting:
            yield self._answer(*waiting.popleft())

    def _send(self, call: Call) -> Any:
        work, given = call
        try:
            given = tuple(self._there(one) for one in given)
        except TimeoutError:
            raise self._gone() from None
        return self._client.submit(work, *given, pure=False)

    def _there(self, one: Any) -> Any:
        if not isinstance(one, Held):
            return one
        if one.sent is None or one.sent.status not in ("finished", "pending"):
            one.sent = self._client.scatter(one.value, hash=False, broadcast=one.everywhere, timeout=PATIENCE)
        return one.sent

    def _answer(self, call: Call, future: Any) -> Any:
        for left in reversed(range(ATTEMPTS)):
            try:
                return self._wait(future)
            except LOST as error:
                if left == 0:
                    raise Unanswered(f"the cluster lost {ATTEMPTS} workers over one question: {error}") from error
                future = self._send(call)
        raise AssertionError

    def _wait(self, future: Any) -> Any:
        since = time.monotonic()
        while True:
            try:
                return future.result(timeout=GLANCE)
            except TimeoutError:
                if future.status == "error":
                    raise  # the question's own
                if self._workers():
                    since = time.monotonic()
                elif time.monotonic() - since > PATIENCE:
                    raise self._gone() from None

    @staticmethod
    def _gone() -> Unanswered:
        return Unanswered(f"the cluster has had no worker for {PATIENCE:.0f} s: start some, and try again")

    def _workers(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, RuntimeError, ValueError):  # the scheduler itself is out of reach for the moment
            return {}
        return found
