"""What a server can be told, and what its pages share."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from fastapi import Request

from visavis.errors import InvalidParameter
from visavis.study.app.texts import Texts, english
from visavis.study.fieldwork.dispatch import LEASE, Dispatcher
from visavis.study.fieldwork.exit_questions import ExitQuestion
from visavis.study.fieldwork.keys import Keys
from visavis.study.fieldwork.payments import check_codes
from visavis.study.store import Store

SCALES = ("usefulness", "difficulty")
PROLIFIC = "https://app.prolific.com/submissions/complete?cc={code}"


@dataclass(frozen=True)
class ServeOptions:
    """`screen` maps what is asked to the answers that let a worker in; `rate` is requests a minute and address.

    `rate` 0 sets no limit, as `most_units` 0. `secure` marks cookies for encrypted connections only. `code`,
    `screened_code` and `failed_code` are shared by all; without them everybody has codes of their own. `return_link`
    is where people go back to, with {code} in it. `texts` are those of the pages; `consent` and `instructions` win.
    """

    consent: str = ""
    instructions: str = ""
    ask: tuple[str, ...] = ()
    screen: tuple[tuple[str, tuple[str, ...]], ...] = ()
    lease: float = LEASE
    code: str = ""
    screened_code: str = ""
    failed_code: str = ""
    return_link: str = ""
    require_id: bool = False
    signed_links: bool = False
    most_units: int = 0
    exit_questions: tuple[ExitQuestion, ...] = ()
    texts: Texts = field(default_factory=english)
    rate: int = 600
    secure: bool = False
    trusted_proxy: str = ""

    def __post_init__(self) -> None:
        unknown = [name for name in self.ask if name not in SCALES]
        if unknown:
            raise InvalidParameter(f"ask knows {', '.join(SCALES)}, not {unknown[0]!r}")
        if not 0 < self.lease < math.inf:
            raise InvalidParameter(f"lease must be a time above 0, got {self.lease!r}")
        for name in ("rate", "most_units"):
            if getattr(self, name) < 0:
                raise InvalidParameter(f"{name} must be at least 0, got {getattr(self, name)!r}")
        check_codes(self.codes)
        self._check_return_link()

    def _check_return_link(self) -> None:
        if not self.return_link:
            return
        if not self.return_link.startswith("https://") or "{code}" not in self.return_link:
            raise InvalidParameter(f"a return link begins with https:// and holds {{code}}, got {self.return_link!r}")
        needed = {"completion-code": self.code, "failed-code": self.failed_code}
        if self.screen:
            needed["screened-code"] = self.screened_code
        missing = [f"--{name}" for name, code in needed.items() if not code]
        if missing:
            raise InvalidParameter(f"to send people back, the platform's codes are needed: say {', '.join(missing)}")

    @property
    def codes(self) -> dict[str, str]:
        """The codes that all share, by outcome."""
        return {"completed": self.code, "screened": self.screened_code, "failed": self.failed_code}

    @property
    def consent_text(self) -> str:
        """What people agree to."""
        return self.consent or self.texts["consent"]

    @property
    def consent_version(self) -> str:
        """A name for that text, which changes with it."""
        return hashlib.sha256(self.consent_text.encode()).hexdigest()[:12]


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


def text_of(request: Request, name: str) -> str:
    """A text in the language of the pages."""
    return state_of(request).options.texts[name]


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
