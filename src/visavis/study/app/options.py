"""What a server can be told, and what its pages share."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from fastapi import Request

from visavis.errors import InvalidParameter
from visavis.study.fieldwork.dispatch import LEASE, Dispatcher
from visavis.study.fieldwork.keys import Keys
from visavis.study.store.database import Store

SCALES = {"usefulness": "How useful were the two groups for answering?", "difficulty": "How difficult was it?"}


@dataclass(frozen=True)
class ServeOptions:
    """`screen` maps what is asked to the answers that let a worker in; `rate` is requests a minute and address.

    `rate` 0 sets no limit. `secure` marks cookies for encrypted connections only.
    """

    consent: str = ""
    instructions: str = ""
    ask: tuple[str, ...] = ()
    screen: tuple[tuple[str, tuple[str, ...]], ...] = ()
    lease: float = LEASE
    code: str = ""
    rate: int = 600
    secure: bool = False
    trusted_proxy: str = ""

    def __post_init__(self) -> None:
        unknown = [name for name in self.ask if name not in SCALES]
        if unknown:
            raise InvalidParameter(f"ask knows {', '.join(SCALES)}, not {unknown[0]!r}")
        if not 0 < self.lease < math.inf:
            raise InvalidParameter(f"lease must be a time above 0, got {self.lease!r}")
        if self.rate < 0:
            raise InvalidParameter(f"rate must be at least 0, got {self.rate!r}")


@dataclass(eq=False)
class AppState:
    """What every page can reach: the store, the dispatcher, the keys, the clock, and what is kept in memory only."""

    store: Store
    keys: Keys
    options: ServeOptions
    dispatcher: Dispatcher
    now: Callable[[], float] = time.time
    ended: set[str] = field(default_factory=set)  # admin sessions that were logged out
    connections: dict[str, int] = field(default_factory=dict)  # who came over which connection, hashed, memory only


def state_of(request: Request) -> AppState:
    """What the pages share."""
    found: AppState = request.app.state.shared
    return found


def read_screen(written: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Screening questions from "country=IN" or "country=IN,PK"; answers to one named twice add up."""
    found: dict[str, tuple[str, ...]] = {}
    for one in written:
        name, equals, values = one.partition("=")
        answers = tuple(value.strip() for value in values.split(",") if value.strip())
        if not name.strip() or not equals or not answers:
            raise InvalidParameter(f"screen is written NAME=ANSWER, for instance country=IN, got {one!r}")
        found[name.strip()] = found.get(name.strip(), ()) + answers
    return tuple(found.items())
