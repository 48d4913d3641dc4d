"""How often Python looks for garbage: seldom, while very many objects come to stay."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 100_000  # objects more than before; as often as Python does by itself, looking took longer than reading

_lock = threading.Lock()
_before: list[tuple[int, int, int]] = []  # what held when each of those who are inside came


@contextmanager
def seldom_collected() -> Iterator[None]:
    """A context in which objects that hold each other are looked for seldom, as while records are made or groups
    compared: very many objects come to stay then, and hardly any hold each other.

    It belongs to the whole process: the last to leave puts back what the first found. Who looks more seldom still, or
    never, is left alone.
    """
    with _lock:
        _before.append(_before[0] if _before else gc.get_threshold())
        if 0 < _before[0][0] < SELDOM:
            gc.set_threshold(SELDOM, *_before[0][1:])
    try:
        yield
    finally:
        with _lock:
            first = _before.pop()
            if not _before:
                gc.set_threshold(*first)
