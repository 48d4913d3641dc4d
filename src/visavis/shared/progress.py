"""Telling what is being done, to whoever wants to know."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str], None]  # the stage that begins


def silent(stage: str) -> None:
    """Tell nobody."""
