"""How often Python looks for garbage: seldom, where millions of records come to stay."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 100_000  # objects more than before; Python's own 700 took a twentieth of the time of a large comparison


@contextmanager
def seldom_collected() -> Iterator[None]:
    """A context for a program that ends soon, in which objects that hold each other are looked for seldom.

    When it ends they are not looked for at all: everything goes with the process, and most of it came to stay.
    """
    before = gc.get_threshold()
    atexit.register(gc.freeze)
    gc.set_threshold(SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
