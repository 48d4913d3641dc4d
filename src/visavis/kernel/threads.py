"""Our own threads around a BLAS held to one: the same tiles in the same order, whatever the number of threads."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

from visavis.records import Array

Item = TypeVar("Item")
Result = TypeVar("Result")

_controller: list[ThreadpoolController] = []
_lock = threading.Lock()
_limits: dict[tuple[int, str | None], tuple[int, Any]] = {}  # how many ask for a limit, and how to lift it


@contextmanager
def limited_to(threads: int, user_api: str | None = None) -> Iterator[None]:
    """A context in which the libraries below us use at most that many threads.

    The limit belongs to the whole process: of several threads that ask for the same one, the first sets it and the
    last lifts it.
    """
    key = (threads, user_api)
    with _lock:
        if not _controller:  # inspecting the loaded libraries costs milliseconds, so it is done once
            _controller.append(ThreadpoolController())
        count, limit = _limits.get(key, (0, None))
        if limit is None:
            limit = _controller[0].limit(limits=threads, user_api=user_api)
        _limits[key] = (count + 1, limit)
    try:
        yield
    finally:
        with _lock:
            count, limit = _limits.pop(key)
            if count > 1:
                _limits[key] = (count - 1, limit)
            else:
                limit.restore_original_limits()


def ordered_map(work: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """Results of `work` in the order of `items`, with at most a few of them waiting.

    Whoever adds the results up therefore adds them in the same order for any number of threads.
    """
    with limited_to(1, "blas"):
        if threads <= 1:
            yield from map(work, items)
            return
        waiting: deque[Future[Result]] = deque()
        with ThreadPoolExecutor(threads) as pool:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()


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
