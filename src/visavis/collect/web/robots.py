"""What a site's robots.txt allows us (RFC 9309), asked for once a day and kept in the state file."""

from __future__ import annotations

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol
from urllib.parse import urlsplit

from protego import Protego

from visavis.collect.records import Rules
from visavis.collect.web.guard import Problem
from visavis.collect.web.net import Before, Client, failure
from visavis.collect.web.pace import Interrupted

PRODUCT = "visavis"  # the name by which robots.txt may address us
LARGEST = 500 * 1024
DAY, HOUR = 86_400.0, 3_600.0
LONGEST_LINE = 8_000
MOST_PARSED = 500  # sites whose rules are kept parsed

_AGENT = re.compile(r"\s*user[- ]?agent\s*:?\s*(.*)", re.IGNORECASE)
_OURS = ("url", "port", "address", "name", "busy")  # the page itself would be refused for the same reason


class Memory(Protocol):
    """Where rules are kept from run to run; the state file is one."""

    def rules(self, origin: str) -> Rules | None:
        """What a site last answered."""
        ...

    def keep_rules(self, rules: Rules) -> None:
        """Keep what it answered."""
        ...


def is_fresh(rules: Rules) -> bool:
    """Whether an answer still holds: a day, an hour where the site could not answer."""
    return 0 <= time.time() - rules.at < (HOUR if rules.refusal else DAY)


class Unanswered(Problem):
    """Nothing may be asked of a site for now: its rules could not be had, which says nothing of what they are.

    `cause` is the reason for which the site could not be reached, "" where it answered.
    """

    def __init__(self, reason: str, message: str, cause: str = "") -> None:
        super().__init__(reason, message)
        self.cause = cause

    def __reduce__(self) -> tuple[type[Problem], tuple[str, ...]]:
        return type(self), (self.reason, self.message, self.cause)


class Robots:
    """Knows for any URL whether we may ask for it, and how long the site wants us to wait between requests.

    Rules are fetched through the guarded client when they are first needed, after `before` (politeness) was called;
    `failed` hears of a server that is busy or broken.
    """

    def __init__(
        self,
        client: Client,
        memory: Memory | None = None,
        before: Before | None = None,
        failed: Callable[[Problem], object] | None = None,
    ) -> None:
        self._client, self._memory, self._before, self._failed = client, memory, before, failed
        self._parsed: OrderedDict[str, tuple[Rules, Protego | None]] = OrderedDict()
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()
        self._limits = replace(client.limits, decoded_bytes=min(LARGEST, client.limits.decoded_bytes), truncate=True)

    def check(self, url: str) -> None:
        """Raise Problem if the URL may not be asked for, Unanswered if that cannot be known for now."""
        rules, parsed = self._of(url)
        if rules.refusal:
            said = f"{rules.origin}/robots.txt: {rules.refusal}, so nothing is asked there"
            raise Unanswered("robots", said, rules.cause)
        if parsed is not None and not parsed.can_fetch(url, PRODUCT):
            raise Problem("robots", f"{rules.origin}/robots.txt disallows {url!r}")

    def delay(self, url: str) -> float | None:
        """Seconds the site wants between requests; None if it does not say."""
        parsed = self._of(url)[1]
        if parsed is None:
            return None
        rate = parsed.request_rate(PRODUCT)
        delays = [parsed.crawl_delay(PRODUCT), rate.seconds / rate.requests if rate else None]
        return max((float(delay) for delay in delays if delay is not None), default=None)

    def _of(self, url: str) -> tuple[Rules, Protego | None]:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        with self._lock:
            lock = self._locks.setdefault(origin, threading.Lock())
        with lock:  # one thread asks, others who need the same answer wait for it
            known = self._parsed.get(origin)
            if known is not None and is_fresh(known[0]):
                return known
            rules = self._memory.rules(origin) if self._memory is not None else None
            if rules is None or not is_fresh(rules):
                rules = self._asked(origin)
                if self._memory is not None:
                    self._memory.keep_rules(rules)
            found = (rules, Protego.parse(_concerning_us(rules.text)) if rules.text else None)
            with self._lock:
                self._parsed[origin] = found
                while len(self._parsed) > MOST_PARSED:
                    self._parsed.popitem(last=False)
            return found

    def _asked(self, origin: str) -> Rules:
        """Ask the site. Raises Problem where the page itself could not be asked for either."""
        now = time.time()
        try:
            answer = self._client.get(f"{origin}/robots.txt", before=self._before, limits=self._limits)
        except Interrupted:
            raise
        except Problem as problem:
            if problem.reason in _OURS:
                raise
            return Rules(origin, refusal=f"it cannot be reached ({problem.reason})", at=now, cause=problem.reason)
        if answer.status >= 500 or answer.status == 429:
            if self._failed is not None:
                self._failed(failure(answer))
            return Rules(origin, refusal=f"its server fails (status {answer.status})", at=now)
        text = answer.body.decode("utf-8", "replace") if 200 <= answer.status < 300 else ""
        return Rules(origin, text=text.lstrip("\ufeff"), at=now)


def _concerning_us(text: str) -> str:
    """The rules with every other crawler called "other": a file that names thousands cannot multiply its rules."""
    matches: Callable[[str], re.Match[str] | None] = _AGENT.match
    lines = []
    for line in text.splitlines():
        found = matches(line[:LONGEST_LINE])
        name = found[1].partition("#")[0].strip().rstrip("*").lower() if found else ""
        is_other = found is not None and name not in ("", PRODUCT)
        lines.append("User-agent: other" if is_other else line[:LONGEST_LINE])
    return "\n".join(lines)
