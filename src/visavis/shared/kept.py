"""What is made once and kept, within bounds, however many threads ask for it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock, RLock
from typing import Any, TypeVar

Found = TypeVar("Found")


@dataclass(eq=False)
class _Making:
    """A lock for whoever makes a value, and how many hold it or wait for it."""

    lock: RLock = field(default_factory=RLock)
    users: int = 0


class Kept:
    """Values under keys, the last used of at most so many (None: all), for several threads: each is made once.

    Whoever asks for what another is making waits for it.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, Any] = OrderedDict()
        self._making: dict[Hashable, _Making] = {}
        self._lock = Lock()

    def __contains__(self, key: Hashable) -> bool:
        with self._lock:
            return key in self._values

    def recall(self, key: Hashable, compute: Callable[[], Found], enough: Callable[[Any], bool] | None = None) -> Found:
        """What is kept under a key, computed where nothing is, or not `enough`."""
        found: Found
        found, known = self._known(key, enough)
        if known:  # as nearly always: nobody need wait for a turn to make it
            return found
        with self._alone_with(key):
            found, known = self._known(key, enough)
            if not known:
                found = compute()
                self._put(key, found)
        return found

    def _known(self, key: Hashable, enough: Callable[[Any], bool] | None) -> tuple[Any, bool]:
        """What is kept under a key, which is thereby used, and whether it is there and enough."""
        with self._lock:
            if key not in self._values or not (enough is None or enough(self._values[key])):
                return None, False
            self._values.move_to_end(key)
            return self._values[key], True

    @contextmanager
    def _alone_with(self, key: Hashable) -> Iterator[None]:
        """A block that one thread at a time is in for a key."""
        with self._lock:
            making = self._making.setdefault(key, _Making())
            making.users += 1
        try:
            with making.lock:
                yield
        finally:
            with self._lock:
                making.users -= 1
                if not making.users:
                    del self._making[key]

    def _put(self, key: Hashable, value: Any) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while self._most is not None and len(self._values) > self._most:
                self._values.popitem(last=False)

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable) -> Any:
        """What is kept under a key, which is thereby used; None where nothing is."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def clear(self) -> None:
        """Keep nothing of what there is."""
        with self._lock:
            self._values.clear()
