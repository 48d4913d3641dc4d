"""The step that reads the articles in pages, each page in a child process."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from visavis.collect.records import Extracted, Reason
from visavis.collect.state.store import Store
from visavis.collect.text.reading import ChildLimits, Extractor


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
    store.forget_brought_back("extract")
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
            missed.update([document.reason.label] if document.reason else [])
            if options.progress is not None:
                options.progress(count, len(urls))
    finally:
        stop.set()
    store.note_missed("extract", store.topics())
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
                done.put(extractor.read(page) if page is not None else Extracted(url, reason=Reason("no page")))
            except BaseException as error:
                done.put(error)
                return
