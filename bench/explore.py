"""How soon the explorer answers: another contrast, another grouping, another filter; also while picks are assessed.

`python -m bench.explore` measures just this, `python -m bench.explore 10000` one size alone. Documents are real news
(VISAVIS_DATA, or the data folder beside the project); without them there is nothing to measure.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode

from bench.whole import news
from visavis.explore import Workspace, create_app
from visavis.explore.app.guard import Keys
from visavis.web.local import listen, running

SIZES = (10_000, 100_000)
BARS = {10_000: 100.0, 100_000: 300.0}  # milliseconds that another contrast may take, at the median
NEW_VIEW = 2_000.0  # and another grouping or filter, of 10,000 documents
CONTRASTS = tuple(round(0.05 + 0.04 * k, 2) for k in range(21))

BY = {"by": "bias"}

Row = dict[str, Any]


def documents(count: int) -> list[Row]:
    """Real news, and beyond what there is titles and sentences of two articles put together; none without data."""
    rows, draw = news(), random.Random(0)
    found = rows[:count]
    while rows and len(found) < count:
        one, other = draw.choice(rows), draw.choice(rows)
        words, more = one["title"].split(), other["title"].split()
        text = one["text"].partition(". ")[0] + ". " + other["text"][:200]
        found.append({**one, "title": " ".join([*words[:3], *more[3:]]), "text": text})
    return [{**row, "id": str(number)} for number, row in enumerate(found)]


class Browser:
    """Asks a server on this machine, with the cookie."""

    def __init__(self, address: str, keys: Keys) -> None:
        self._address = address
        self._open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar())).open
        self.get("/open", token=keys.token)

    def get(self, path: str, **query: Any) -> tuple[int, bytes]:
        with self._open(f"{self._address}{path}?{urlencode(query)}") as answer:
            return answer.status, answer.read()

    def wait(self, path: str, **query: Any) -> bytes:
        """The answer, asked for again while it is being made."""
        while True:
            status, found = self.get(path, **query)
            if status == 200:
                return found
            time.sleep(0.02)


def milliseconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - begun)


def sliding(browser: Browser, offset: float, **query: Any) -> list[float]:
    """How long each of some contrasts takes that were not asked for before."""
    return [
        milliseconds(lambda at=contrast: browser.wait("/api/picks", quick=1, contrast=at + offset, **BY, **query))  # type: ignore[misc]
        for contrast in CONTRASTS
    ]


@contextmanager
def assessing(browser: Browser, **query: Any) -> Iterator[None]:
    """A block in which the server assesses picks, as another tab has asked."""
    over = threading.Event()

    def ask() -> None:
        seed = 0
        while not over.is_set():
            told = json.loads(browser.wait("/api/assess", **BY, **query, contrast=round(0.5 + seed / 1000, 3)))
            seed += bool(told["done"])
            time.sleep(0.2)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    time.sleep(2.0)
    try:
        yield
    finally:
        over.set()
        thread.join()


def line(what: str, found: list[float], bar: float) -> str:
    middle = statistics.median(found)
    verdict = "pass" if middle < bar else "FAIL"
    measured = f"median {middle:,.0f} ms, slowest {max(found):,.0f} ms of {len(found)}"
    return f"- {verdict}: {what}: median under {bar:,.0f} ms ({measured})"


def measure(count: int) -> list[str]:
    """The lines for so many documents."""
    workspace, listener = Workspace({}), listen()
    keys = Keys(listener.getsockname()[1])
    lines = []
    try:
        workspace.load(documents(count), "sample", ("news.jsonl",))
        with running(create_app(workspace, keys), listener) as address:
            browser = Browser(address, keys)
            first = milliseconds(lambda: browser.wait("/api/view", **BY))
            while json.loads(browser.wait("/api/view", **BY))["provisional"]:
                time.sleep(0.2)
            named = f"{count:,} documents"
            for size in (4, 16):
                browser.wait("/api/picks", quick=1, size=size, **BY)
                found = sliding(browser, 0.001, size=size)
                lines.append(line(f"another contrast, {named}, {size} picks a group", found, BARS[count]))
            with assessing(Browser(address, keys)):
                found = sliding(browser, 0.002)
                lines.append(line(f"the same, 4 picks, while picks are assessed, {named}", found, BARS[count]))
            asked: list[Row] = [
                {"filter": "topic != 'elections'"},
                {"by": "topic", "versus": "elections"},
                {"versus": "left"},
            ]
            found = [milliseconds(lambda query=query: browser.wait("/api/view", **{**BY, **query})) for query in asked]  # type: ignore[misc]
            if count <= SIZES[0]:
                lines.append(line(f"another grouping or filter, {named}", found, NEW_VIEW))
            else:
                lines.append(
                    f"- another grouping or filter, {named}: {', '.join(f'{ms / 1000:.1f} s' for ms in found)}"
                )
            lines.append(f"- the first view of {named}: {first / 1000:.1f} s")
    finally:
        workspace.close()
    return lines


def report(sizes: tuple[int, ...] = SIZES) -> str:
    """One line for each thing measured."""
    if not news():
        return "- not measured: no data folder"
    return "\n".join(found for size in sizes for found in measure(size))


if __name__ == "__main__":
    print(report(tuple(map(int, sys.argv[1:])) or SIZES))
