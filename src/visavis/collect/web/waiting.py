"""How long to wait before a server is asked again: as it says itself, or longer after every failure."""

from __future__ import annotations

import random
import time
from datetime import datetime
from email.utils import parsedate_to_datetime

LONGEST_WAIT = 900.0


def backoff(failures: int, first: float, rng: random.Random) -> float:
    """Seconds to wait after that many failures in a row: doubling, with jitter, at most a quarter of an hour."""
    return float(min(LONGEST_WAIT, first * 2 ** min(failures - 1, 12)) * rng.uniform(0.75, 1.25))


def retry_after(text: str) -> float | None:
    """Seconds that a Retry-After header (a number or a date) or a rate limit's reset time asks for."""
    text = text.strip()
    if text.isascii() and text.isdigit():
        return float(text[:12])
    moment: datetime | None
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
    if moment.tzinfo is None:
        return None
    return max(0.0, moment.timestamp() - time.time())
