"""Articles from pages: trafilatura's extractor in child processes with little memory and little time."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType, TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from visavis.collect.hosts import registered
from visavis.collect.missed import forget_brought_back, note_missed
from visavis.collect.records import Extracted, Page
from visavis.collect.store import Store
from visavis.errors import VisavisError
from visavis.shared.child import Child, Death


@dataclass(frozen=True)
class ChildLimits:
    """What reading one page may cost; a child that has served `pages` is replaced."""

    seconds: float = 20.0
    memory_mb: int = 600
    pages: int = 500


@dataclass(frozen=True)
class ExtractOptions:
    """How to extract. `progress` is called with (done, total) after each page."""

    workers: int = field(default_factory=lambda: min(4, os.cpu_count() or 1))
    limits: ChildLimits = field(default_factory=ChildLimits)
    progress: Callable[[int, int], None] | None = None


@dataclass(frozen=True)
class ExtractResult:
    """How many pages hold an article, and why others do not (reason → number)."""

    extracted: int
    missed: Mapping[str, int]


def extract_pages(store: Store, options: ExtractOptions | None = None) -> ExtractResult:
    """Extract every page that was not read yet; a page that cannot be read is kept with the reason.

    What `set_undone` brought back of this step's drops is tried once more.
    """
    options = options or ExtractOptions()
    forget_brought_back(store, "extract")
    urls = store.unextracted()
    todo: queue.SimpleQueue[str] = queue.SimpleQueue()
    for url in urls:
        todo.put(url)
    done: queue.SimpleQueue[Extracted | BaseException] = queue.SimpleQueue()
    stop = threading.Event()
    for _ in range(max(1, min(options.workers, len(urls)))):
        threading.Thread(target=_work, args=(store, options.limits, todo, done, stop), daemon=True).start()
    missed: Counter[str] = Counter()
    try:
        for count in range(1, len(urls) + 1):
            document = done.get()
            if isinstance(document, BaseException):
                raise document
            store.add_documents([document])
            missed.update([document.reason] if document.reason else [])
            if options.progress is not None:
                options.progress(count, len(urls))
    finally:
        stop.set()
    note_missed(store, "extract", store.topics())
    return ExtractResult(len(urls) - sum(missed.values()), MappingProxyType(dict(missed)))


def _work(
    store: Store,
    limits: ChildLimits,
    todo: queue.SimpleQueue[str],
    done: queue.SimpleQueue[Extracted | BaseException],
    stop: threading.Event,
) -> None:
    with Extractor(limits) as extractor, contextlib.suppress(queue.Empty):
        while not stop.is_set():
            url = todo.get_nowait()
            try:
                page = store.page(url)
                done.put(extractor.read(page) if page is not None else Extracted(url, reason="no page"))
            except BaseException as error:
                done.put(error)
                return


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
            return Extracted(page.url, reason=str(answer["reason"]))
        return _document(page, answer)

    def _start(self) -> Child:
        numbers = [str(self._limits.memory_mb), str(round(self._limits.pages * self._limits.seconds))]
        self._child = Child(["-m", "visavis.collect.extractor", *numbers])
        self._served = 0
        if not self._child.starts():
            self.close()
            raise VisavisError("the reader of pages does not start; is visavis[collect] installed whole?")
        return self._child

    def _why(self, death: Death) -> str:
        return f"not read in {self._limits.seconds:g} s" if death.late else f"the reader died of it ({death.cause})"


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
