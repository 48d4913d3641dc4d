"""What sources share that hold pages themselves: each becomes a URL that is listed, and the page behind it."""

from __future__ import annotations

from datetime import datetime

from visavis.collect.records import Page, Post, Problem, Reason
from visavis.collect.sources.base import Batch, Live
from visavis.collect.text.canonical import canonical

BATCH = 50  # pages that are kept at once
LARGEST = 20_000_000  # bytes of a page


class PageBatch:
    """Pages and problems since the last batch."""

    def __init__(self, name: str, live: Live) -> None:
        self._name, self._live = name, live
        self._pages: list[Page] = []
        self._problems: list[Problem] = []
        self._notices = 0

    def __len__(self) -> int:
        return len(self._pages) + len(self._problems)

    def take(self, url: str, content_type: str, body: bytes, copied: datetime | None = None, spare: str = "") -> None:
        """Keep a page, unless only others are wanted: then what it shows must match."""
        where = canonical(url) or url
        if not body.strip():
            self._notices += 1
        elif self._is_wanted(where, body, content_type):
            self._pages.append(Page(where, url, content_type, body, copied, spare))

    def pass_over(self) -> None:
        """Count something that is no page."""
        self._notices += 1

    def refuse(self, number: int, reason: str) -> None:
        """Count something that cannot be read."""
        self._problems.append(Problem(self._name, number, reason))

    def batch(self, position: str | None) -> Batch:
        """What was gathered, and begin anew."""
        posts = tuple(Post("url", page.url, "", urls=(page.url,)) for page in self._pages)
        done = Batch(posts, tuple(self._problems), position, self._notices, pages=tuple(self._pages))
        self._pages, self._problems, self._notices = [], [], 0
        return done

    def _is_wanted(self, url: str, body: bytes, content_type: str) -> bool:
        """Whether what a page shows matches; one that cannot be read is a problem."""
        if not self._live.only:
            return True
        said = self._live.reader.ask("shown", body, type=content_type)
        if isinstance(said, Reason):
            self.refuse(0, f"{url[:200]}: whether it matches cannot be told ({said})")
            return False
        return self._live.wants(Post("page", "", str(said["text"])))
