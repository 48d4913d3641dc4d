"""Our own threads around a BLAS held to one: the same tiles in the same order, whatever the number of threads."""

from __future__ import annotations

import importlib
import math
import os
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from contextvars import copy_context
from typing import Any, TypeVar

import numpy as np

from visavis.records import Array

Item = TypeVar("Item")
Result = TypeVar("Result")

APIS = ("blas", "openmp")
WITH_LIBRARIES = ("scipy.linalg", "sklearn.cluster")  # the first to bring a BLAS of its own, and OpenMP
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")  # what joblib sets for a process that shares a machine
TURN = 1e-4  # seconds; Python's own 5e-3 made two threads a fifth slower

_controller: list[Any] = []
_lock = threading.Lock()
_setter = ThreadPoolExecutor(1, "limits")
_active: Counter[tuple[int, str | None]] = Counter()  # the limits asked for, and by how many
_turns: list[float] = []  # how long turns were when each of those who asked for short ones came
_applied: dict[str, tuple[int, list[Callable[[], object]]]] = {}  # the ones in force, and how to lift them


@contextmanager
def limited_to(threads: int, user_api: str | None = None) -> Iterator[None]:
    """A context in which the libraries below us use at most that many threads.

    The limit belongs to the whole process: while several threads ask for one, the lowest holds, and the last to leave
    lifts it.
    """
    key = (threads, user_api)
    with _lock:
        _active[key] += 1
        _apply()
    try:
        yield
    finally:
        with _lock:
            _active[key] -= 1
            _apply()


def _apply() -> None:
    """Put in force what is asked for now, if that is not in force already.

    OpenMP is told by each thread for itself. BLAS obeys one thread only, the first that ever told it something: by a
    thread of ours that is there for nothing else, or by the caller, where the caller was before it.
    """
    wanted: dict[str, int] = {}
    for (threads, user_api), count in _active.items():
        for api in APIS if user_api is None else (user_api,):
            if count:
                wanted[api] = min(threads, wanted.get(api, threads))
    _know_libraries()
    for api in APIS:
        threads_now, lift = _applied.get(api, (None, []))
        if wanted.get(api) != threads_now:
            for change in reversed(lift):
                change()
            _applied.pop(api, None)
            if api in wanted:
                _applied[api] = wanted[api], _limit(api, wanted[api])


def load_libraries() -> None:
    """Load what is to be limited beforehand, as while other processes are at work: it takes a second or two."""
    with _lock:
        _know_libraries()


def _know_libraries() -> None:
    if not _controller:  # inspecting the loaded libraries costs milliseconds, so it is done once
        _controller.append(_known_libraries())


def _known_libraries() -> Any:
    """What can be limited: libraries that are loaded later would be missed, so those that we use are loaded first.

    A process that may use one thread alone has nothing to limit, and need not load them. None where threadpoolctl,
    which comes with visavis, was left out.
    """
    if any(os.environ.get(name) != "1" for name in ONE_THREAD):
        for module in WITH_LIBRARIES:
            with suppress(ImportError):
                importlib.import_module(module)
    with suppress(ImportError):
        from threadpoolctl import ThreadpoolController

        return ThreadpoolController()
    return None


def _limit(api: str, threads: int) -> list[Callable[[], object]]:
    """Set a limit; what lifts it, to be done in reverse."""
    found: list[Callable[[], object]] = []
    if _controller[0] is None:
        return found
    own = _controller[0].select(user_api=api)  # of the others nothing may be changed back
    if all(library.num_threads == threads for library in own.lib_controllers):  # as where the environment says so
        return found
    with suppress(RuntimeError):  # where the interpreter ends nobody is left to be told
        if api == "blas":
            stack = ExitStack()
            _setter.submit(lambda: stack.enter_context(own.limit(limits=threads))).result()
            found.append(lambda: _told(stack.close))  # whoever limits BLAS next is obeyed again
    found.append(own.limit(limits=threads).restore_original_limits)
    return found


def _told(change: Callable[[], object]) -> None:
    with suppress(RuntimeError):
        _setter.submit(change).result()


def ordered_map(work: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """Results of `work` in the order of `items`, with at most a few of them waiting.

    Whoever adds the results up therefore adds them in the same order for any number of threads.
    """
    with limited_to(1, "blas"):
        if threads <= 1:
            yield from map(work, items)
            return
        waiting: deque[Future[Result]] = deque()
        with _short_turns(), ThreadPoolExecutor(threads) as pool:
            for item in items:
                waiting.append(pool.submit(copy_context().run, work, item))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()


@contextmanager
def _short_turns() -> Iterator[None]:
    """A context in which threads take turns often; otherwise one that needs Python for a moment waits long for it."""
    with _lock:
        _turns.append(sys.getswitchinterval())
        sys.setswitchinterval(min(_turns[0], TURN))
    try:
        yield
    finally:
        with _lock:
            before = _turns[0]
            _turns.pop()
            if not _turns:
                sys.setswitchinterval(before)


@contextmanager
def meanwhile(work: Callable[[], Result], threads: int) -> Iterator[Callable[[], Result]]:
    """A context in which `work` goes on in a thread of its own, if there may be several; it yields the way to ask."""
    if threads <= 1:
        yield work
        return
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(copy_context().run, work).result


class Scratch(threading.local):
    """Buffers that each thread reuses from tile to tile."""

    def __init__(self) -> None:
        self._buffers: dict[str, Array] = {}

    def get(self, name: str, shape: tuple[int, ...], dtype: type[Any]) -> Array:
        """A buffer of this shape; its contents are whatever the thread left there."""
        size = math.prod(shape)
        buffer = self._buffers.get(name)
        if buffer is None or buffer.size < size or buffer.dtype != dtype:
            buffer = self._buffers[name] = np.empty(size, dtype)
        return buffer[:size].reshape(shape)


def blocks(n: int, size: int) -> list[slice]:
    """0..n cut into slices of at most `size`."""
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


def upper_tiles(n: int, size: int) -> list[tuple[slice, slice]]:
    """The tiles of a symmetric n × n matrix on and above its diagonal, as rows and columns."""
    cut = blocks(n, size)
    return [(rows, columns) for k, rows in enumerate(cut) for columns in cut[k:]]
