"""Telling what is being done, and how long it will take, to whoever wants to know."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Progress = Callable[[str], None]  # the stage that begins
Count = Callable[[int, int], None]  # so many are done, of so many
Item = TypeVar("Item")

WORTH_TELLING = 3.0  # seconds left


def silent(stage: str) -> None:
    """Tell nobody."""


def uncounted(done: int, total: int) -> None:
    """Tell nobody."""


def counted(
    tell: Progress, what: str, items: Iterable[Item], total: int, clock: Callable[[], float] = time.monotonic
) -> Iterator[Item]:
    """The items, telling how many of so many are done, and how long the others will take once the pace shows."""
    begun = clock()
    tell(f"{what}: 0 of {total}")
    for number, item in enumerate(items, 1):
        left = (clock() - begun) / number * (total - number)
        tell(f"{what}: {number} of {total}" + (f", about {_span(left)} left" if left >= WORTH_TELLING else ""))
        yield item


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
