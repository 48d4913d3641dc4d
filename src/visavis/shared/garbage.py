"""How often Python looks for garbage: seldom, while very many objects come to stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 100_000  # objects more than before; with Python's own 700 looking took longer than reading


@contextmanager
def seldom_collected() -> Iterator[None]:
    """A context in which objects that hold each other are looked for seldom, as while modules and records are made."""
    before = gc.get_threshold()
    gc.set_threshold(SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
