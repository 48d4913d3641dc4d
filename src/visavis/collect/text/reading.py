"""Articles from pages: trafilatura's extractor in a child process with little memory and little time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from visavis.collect.records import Extracted, Page, Reason
from visavis.collect.text.hosts import registered
from visavis.errors import VisavisError
from visavis.shared.child import Child, Death


@dataclass(frozen=True)
class ChildLimits:
    """What reading one page may cost; a child that has served `pages` is replaced."""

    seconds: float = 20.0
    memory_mb: int = 600
    pages: int = 500


class Extractor:
    """Reads pages one after the other in a child process; starts another when one dies, hangs or has served enough."""

    def __init__(self, limits: ChildLimits | None = None) -> None:
        self._limits = limits or ChildLimits()
        self._child: Child | None = None
        self._served = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def read(self, page: Page) -> Extracted:
        """The article of a page, or the reason why there is none."""
        if self._served >= self._limits.pages:
            self.close()
        child = self._child or self._start()
        self._served += 1
        head = {"url": page.final_url or page.url, "type": page.content_type, "size": len(page.body)}
        answer = child.ask_record(head, self._limits.seconds, page.body)
        if isinstance(answer, Death):
            self.close()
            return Extracted(page.url, reason=self._why(answer))
        if answer.get("spent"):
            self.close()
        if "reason" in answer:
            return Extracted(page.url, reason=Reason(str(answer["reason"]), str(answer.get("detail", ""))))
        return _document(page, answer)

    def _start(self) -> Child:
        numbers = [str(self._limits.memory_mb), str(round(self._limits.pages * self._limits.seconds))]
        self._child = Child(["-m", "visavis.collect.text.extractor", *numbers])
        self._served = 0
        if not self._child.starts():
            self.close()
            raise VisavisError("the reader of pages does not start; is visavis[collect] installed whole?")
        return self._child

    def _why(self, death: Death) -> Reason:
        if death.late:
            return Reason("too slow", f"not read in {self._limits.seconds:g} s")
        return Reason("reader died", f"the reader died of it ({death.cause})")


def _document(page: Page, answer: Mapping[str, Any]) -> Extracted:
    return Extracted(
        page.url,
        title=str(answer["title"]),
        text=str(answer["text"]),
        date=_moment(str(answer["date"])),
        author=str(answer["author"]),
        language=str(answer["language"]),
        outlet=outlet_of(page.final_url or page.url),
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
