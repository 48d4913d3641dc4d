"""A clock for rehearsals, in which an hour may take a moment."""

from __future__ import annotations

import time


class FastClock:
    """A clock that runs `speed` times as fast as the real one, and can be moved on."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed
        self._start = time.time()
        self._began = time.monotonic()
        self._ahead = 0.0

    def __call__(self) -> float:
        """Seconds since 1970, by this clock."""
        return self._start + (time.monotonic() - self._began) * self.speed + self._ahead

    def advance(self, seconds: float) -> None:
        """Let time pass at once."""
        self._ahead += seconds
