"""What a piece of work warns of, heard by whoever does it, also where several are at work in one process.

Python's own way to record warnings holds for all threads at once: of two that record, one would hear what the other is
told. Here everybody hears what his own work warns of, also in the threads that it starts (which must be started in a
copy of its context).
"""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

from visavis.errors import LeftTheData

Kind = type[Warning]


class Heard:
    """Warnings in the order in which they came, each thing once; those it does not listen for go to `outer`."""

    def __init__(self, listens: Callable[[str, Kind], bool] | None = None, outer: Heard | None = None) -> None:
        self._listens, self._outer = listens, outer
        self._messages: dict[tuple[str, bool], None] = {}

    def hears(self, message: str, kind: Kind) -> bool:
        """Whether this, or one that it is within, has heard one more."""
        if self._listens is not None and not self._listens(message, kind):
            return self._outer is not None and self._outer.hears(message, kind)
        self._messages[message, issubclass(kind, LeftTheData)] = None
        return True

    @property
    def told(self) -> tuple[str, ...]:
        """What a reader should know."""
        return tuple(message for message, technical in self._messages if not technical)

    @property
    def technical(self) -> tuple[str, ...]:
        """How the search went, which is no reason to distrust the picks."""
        return tuple(message for message, technical in self._messages if technical)


_lock = threading.Lock()
_listening: ContextVar[Heard | None] = ContextVar("listening", default=None)
_state: dict[str, Any] = {"count": 0}  # how many listen, and how to go back to what was before the first


@contextlib.contextmanager
def heard(listens: Callable[[str, Kind], bool] | None = None) -> Iterator[Heard]:
    """A block whose warnings are heard, and shown to nobody else: all, or those that `listens` says yes to."""
    found = Heard(listens, _listening.get())
    with _lock:
        if _state["count"] == 0:
            _state["before"] = warnings.catch_warnings()
            _state["before"].__enter__()
            _state["show"] = warnings.showwarning
            warnings.simplefilter("always")
            warnings.showwarning = _hear
        _state["count"] += 1
    mark = _listening.set(found)
    try:
        yield found
    finally:
        _listening.reset(mark)
        with _lock:
            _state["count"] -= 1
            if _state["count"] == 0:
                _state["before"].__exit__(None, None, None)


def _hear(message: Warning | str, category: Kind, *place: Any, **more: Any) -> None:
    listener = _listening.get()
    if listener is None or not listener.hears(str(message), category):
        _state["show"](message, category, *place, **more)
