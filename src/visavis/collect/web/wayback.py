"""Copies of pages that died, in the Wayback Machine: asked for by address and, where it is known, by time."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlencode

from visavis.collect.web.guard import Passing, Problem
from visavis.collect.web.net import Answer, Before, Client, failure

LARGEST = 1_000_000  # bytes of an answer that says where a copy is
_STAMP = re.compile(r"\d{14}")


@dataclass(frozen=True)
class Copy:
    """What a server answered, as an archive kept it, and when the archive took it."""

    answer: Answer
    at: datetime


@dataclass(frozen=True)
class Wayback:
    """Where to ask for copies (`index`) and where they are (`copies`)."""

    index: str = "https://archive.org/wayback/available"
    copies: str = "https://web.archive.org/web"

    def copy_of(
        self, client: Client, url: str, around: datetime | None, before: Before, types: tuple[str, ...]
    ) -> Copy | None:
        """The copy of a page that lies nearest to a moment, as it was, without the archive's own frame; None if none.

        `before` is called with every address that is asked for. Raises Problem.
        """
        stamp = self._nearest(client, url, around, before)
        if stamp is None:
            return None
        answer = client.get(f"{self.copies}/{stamp}id_/{url}", before=before, types=types)
        if isinstance(problem := failure(answer), Passing):
            raise problem
        found = re.search(r"/(\d{14})id_/", answer.url)
        taken = _moment(found[1]) if found else _moment(stamp)
        return Copy(answer, taken) if 200 <= answer.status < 300 and answer.body.strip() and taken else None

    def _nearest(self, client: Client, url: str, around: datetime | None, before: Before) -> str | None:
        asked = {"url": url} | ({"timestamp": around.astimezone(UTC).strftime("%Y%m%d%H%M%S")} if around else {})
        answer = client.get(f"{self.index}?{urlencode(asked)}", before=before)
        if answer.status != 200:
            raise failure(answer)
        if len(answer.body) > LARGEST:
            raise Problem("size", f"the archive answered with more than {LARGEST:,} bytes")
        try:
            closest = json.loads(answer.body)["archived_snapshots"].get("closest") or {}
            stamp, status = str(closest.get("timestamp", "")), str(closest.get("status", "200"))
            is_there = bool(closest.get("available"))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise Problem("protocol", "the archive's answer cannot be read") from None
        return stamp if is_there and status[:1] == "2" and _STAMP.fullmatch(stamp) else None


def _moment(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(f"{stamp}+0000", "%Y%m%d%H%M%S%z")
    except ValueError:
        return None
