"""Bars on stderr that say how far a step is, how fast it goes, and how long it will still take."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from visavis.shared.text import line

if TYPE_CHECKING:
    from rich.progress import Progress

LONGEST_NAME = 60


def bars(*before: Any, after: tuple[Any, ...] = (), transient: bool = False) -> Progress:
    """Bars with so many of so many, the rate, the time gone and the time left; columns before and after them."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """So many a second, or a minute where they are slow."""

        def render(self, task: Task) -> Text:
            return Text(rate(task.finished_speed or task.speed))

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    return Progress(*before, *columns, *after, console=Console(stderr=True), transient=transient)


def rate(speed: float | None) -> str:
    """A speed, given a second, in words."""
    if not speed:
        return ""
    return f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.1f}/s" if speed >= 1 else f"{60 * speed:.0f}/min"


class Counting:
    """A bar on stderr for every step; silent where stderr is no terminal."""

    def __init__(self) -> None:
        self._bar: Progress | None = None
        self._tasks: dict[str, Any] = {}

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.progress import TextColumn

            self._bar = bars(TextColumn("{task.description}", markup=False), transient=True)
            self._bar.start()
        return self

    def __call__(self, step: str, done: int, total: int) -> None:
        """Say how far a step is; a total of 0 is unknown."""
        if self._bar is None:
            return
        if step not in self._tasks:
            self._tasks[step] = self._bar.add_task(line(step)[-LONGEST_NAME:], total=total or None)
        self._bar.update(self._tasks[step], completed=done, total=total or None)

    def of(self, step: str) -> Callable[[int, int], None]:
        """The bar of one step."""
        return lambda done, total: self(step, done, total)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
