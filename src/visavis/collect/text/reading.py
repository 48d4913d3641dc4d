"""Pages, feeds and scraps of HTML are parsed in a child process with little memory and time, and no network."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from visavis.collect.records import Extracted, Page, Reason
from visavis.collect.text.hosts import registered
from visavis.collect.text.walls import address_verdict
from visavis.errors import VisavisError
from visavis.shared.child import Child, Death


@dataclass(frozen=True)
class ChildLimits:
    """What reading one page may cost; a child that has served `pages` is replaced."""

    seconds: float = 20.0
    memory_mb: int = 600
    pages: int = 500


class Reader:
    """Has a child process parse what others wrote, one thing after the other; safe to share among threads.

    Another child is started when one dies, hangs or has served enough. `purpose` says what it loads beforehand.
    """

    purpose = "posts"

    def __init__(self, limits: ChildLimits | None = None) -> None:
        self._limits = limits or ChildLimits()
        self._child: Child | None = None
        self._served = 0
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child; whoever asks again gets another."""
        self._end()

    def _end(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None

    def ask(self, task: str, body: bytes, **details: Any) -> Mapping[str, Any] | Reason:
        """What a task of `serving.TASKS` makes of bytes, or the reason why it makes nothing of them."""
        with self._lock:
            if self._served >= self._limits.pages:
                self._end()
            child = self._child or self._start()
            self._served += 1
            head = {"task": task, "size": len(body), **details}
            answer = child.ask_record(head, self._limits.seconds, body)
            if isinstance(answer, Death) or answer.get("spent"):
                self._end()
        if isinstance(answer, Death):
            return self._why(answer)
        if "reason" in answer:
            return Reason(str(answer["reason"]), str(answer.get("detail", "")))
        return answer

    def _start(self) -> Child:
        numbers = [str(self._limits.memory_mb), str(round(self._limits.pages * self._limits.seconds))]
        self._child = Child(["-m", "visavis.collect.text.serving", self.purpose, *numbers])
        self._served = 0
        if not self._child.starts():
            self._end()
            raise VisavisError("the reader of pages does not start; is visavis[collect] installed whole?")
        return self._child

    def _why(self, death: Death) -> Reason:
        if death.late:
            return Reason("too slow", f"not read in {self._limits.seconds:g} s")
        return Reason("reader died", f"the reader died of it ({death.cause})")


class Extractor(Reader):
    """Reads the articles of pages."""

    purpose = "pages"

    def read(self, page: Page) -> Extracted:
        """The article of a page, or the reason why there is none."""
        answer = self.ask("page", page.body, url=page.final_url or page.url, type=page.content_type)
        if isinstance(answer, Reason):
            return Extracted(page.url, reason=answer)
        return _document(page, answer)


def _document(page: Page, answer: Mapping[str, Any]) -> Extracted:
    return Extracted(
        page.url,
        title=str(answer["title"]),
        text=str(answer["text"]),
        date=_moment(str(answer["date"])),
        author=str(answer["author"]),
        language=str(answer["language"]),
        outlet=outlet_of(page.final_url or page.url),
        canonical=str(answer["canonical"]),
        wall=address_verdict(page.url, page.final_url) or (Reason(*answer["wall"]) if answer["wall"] else None),
    )


def outlet_of(url: str) -> str:
    """The name of a site: its registered domain ("bbc.co.uk"), by the list that is shipped, never a download."""
    return registered((urlsplit(url).hostname or "").lower().rstrip(".").removeprefix("www."))


def _moment(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    found = found if found.tzinfo else found.replace(tzinfo=UTC)
    return found if 1990 <= found.year <= 2100 else None
