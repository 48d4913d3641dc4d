"""Rehearsal: workers of a given accuracy play against the real server over HTTP."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from visavis.errors import InvalidParameter
from visavis.study.fieldwork.quality import REHEARSAL
from visavis.study.rehearsal.page import Page, read_page
from visavis.study.rehearsal.preferring import PreferenceKey
from visavis.study.rehearsal.visitor import Answer, Unreachable, Visitor
from visavis.study.shape import OTHER
from visavis.study.store import Store, progress, read_facts
from visavis.study.store.articles import all_articles
from visavis.study.store.golds import all_golds
from visavis.study.tasks import PREFER

Text = tuple[str, str]
RETRIES = 100
BETWEEN_COUNTS = 0.2  # seconds


@dataclass(frozen=True)
class Crowd:
    """Who comes: how many at most and at once, how well they do, and how they misbehave (shares of 0..1).

    `think` is how long a questionnaire takes, in seconds; those who return late stay away for `away` seconds, and
    who finds nothing to do at first looks again for as long.
    """

    workers: int = 100
    accuracy: float = 0.9
    concurrency: int = 10
    think: tuple[float, float] = (0.0, 0.0)
    abandon: float = 0.0
    double_click: float = 0.0
    late: float = 0.0
    away: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("accuracy", "abandon", "double_click", "late"):
            if not 0 <= getattr(self, name) <= 1:
                raise InvalidParameter(f"{name} must lie in 0..1, got {getattr(self, name)!r}")
        if self.workers < 1 or self.concurrency < 1:
            raise InvalidParameter("a rehearsal needs at least one worker at a time")


@dataclass
class RehearsalLog:
    """What happened: workers who came, questionnaires acknowledged, and what did not go as it should."""

    workers: int = 0
    acknowledged: list[str] = field(default_factory=list)
    abandoned: int = 0
    doubled: int = 0
    returned: int = 0
    failures: list[str] = field(default_factory=list)


class AnswerKey:
    """Which side is right, told from the texts alone, as nothing else on the page tells it."""

    def __init__(self, store: Store) -> None:
        self._groups: dict[Text, set[int]] = {}
        self._golds: dict[frozenset[Text], tuple[set[Text], dict[Text, str]]] = {}
        with store.reading() as connection:
            for row in all_articles(connection):
                self._groups.setdefault((row.title, row.lead), set()).add(row.group_code)
            for gold in all_golds(connection):
                answers = {_text(one["text"]): one["answer"] for one in gold["questions"]}
                self._golds[frozenset(answers)] = ({_text(one) for one in gold["left"]}, answers)

    def sides(self, page: Page) -> list[str]:
        """The right side for each question of a page."""
        gold = self._golds.get(frozenset(page.questions))
        if gold is not None and (set(page.left) == gold[0] or set(page.right) == gold[0]):
            straight = set(page.left) == gold[0]
            answers = [gold[1][text] for text in page.questions]
            return answers if straight else [OTHER[side] for side in answers]
        left = set.intersection(*(self._groups[text] for text in page.left))
        return ["left" if self._groups[text] & left else "right" for text in page.questions]

    def more(self, _rng: random.Random) -> dict[str, str]:
        """What else is answered on a page: nothing."""
        return {}


def key_of(store: Store) -> AnyKey:
    """The key that fits the study's task."""
    with store.reading() as connection:
        task = read_facts(connection)["task"]
    return PreferenceKey(store) if task == PREFER else AnswerKey(store)


AnyKey = AnswerKey | PreferenceKey


def _text(record: dict[str, str]) -> Text:
    return record["title"], record["lead"]


class SimulatedWorker:
    """One worker, from the first page to the thanks."""

    def __init__(
        self, url: str, key: AnyKey, crowd: Crowd, number: int, log: RehearsalLog, lock: threading.Lock
    ) -> None:
        self.visitor, self.key, self.crowd = Visitor(url), key, crowd
        self.number, self.log, self.lock = number, log, lock
        self.rng = random.Random(f"{crowd.seed}:{number}")
        self.enough: Callable[[], bool] = lambda: False
        self.idle = False  # whether there was nothing to do

    def play(self) -> None:
        """Work until there is nothing left, or the worker has enough."""
        sent = 0
        leaves = self.rng.randint(0, 9) if self.rng.random() < self.crowd.abandon else None
        pauses = self.rng.randint(0, 9) if self.rng.random() < self.crowd.late else None
        page = read_page(self.visitor.get(f"/w?PROLIFIC_PID={REHEARSAL}{self.crowd.seed}-{self.number}").page)
        self.idle = not page.fields
        if self.idle:
            return
        answer = self.visitor.post("/w/start", {**page.fields, "consent": "yes"})
        while True:
            page = read_page(answer.page)
            if answer.path.startswith("/w/done"):
                if "/w/start" not in page.actions:
                    self.idle = not page.code
                    return
                answer = self.visitor.post("/w/start", page.fields)
                continue
            if not page.asks:
                raise RuntimeError(f"{answer.status} at {answer.path}")
            time.sleep(self.rng.uniform(*self.crowd.think))
            if self.enough():
                return
            if leaves is not None and sent >= leaves:
                self._count(abandoned=True)
                return
            if pauses is not None and sent == pauses:
                time.sleep(self.crowd.away)
                self._count(returned=True)
            answer = self._send(answer.path.partition("?")[0], page)
            sent += 1

    def _send(self, path: str, page: Page) -> Answer:
        """One questionnaire; clicked twice now and then."""
        right = self.key.sides(page)
        chosen = [side if self.rng.random() < self.crowd.accuracy else OTHER[side] for side in right]
        form = {**page.fields, **{f"q{place}": side for place, side in enumerate(chosen)}, **self.key.more(self.rng)}
        if self.rng.random() < 0.1:
            form["comment"] = f"rehearsal {self.number}"
        twin = None
        if self.rng.random() < self.crowd.double_click:
            twin = threading.Thread(target=self._click_again, args=(self.visitor.second_tab(), path, form))
            twin.start()
        try:
            status, location = self.visitor.send(path, form)
        finally:
            if twin is not None:
                twin.join()
        if status != 303:
            raise RuntimeError(f"{status} after {path}")
        with self.lock:
            if "late=" not in location:
                self.log.acknowledged.append(form["item"])
            self.log.doubled += twin is not None
        return self.visitor.get(location)

    def _click_again(self, tab: Visitor, path: str, form: dict[str, str]) -> None:
        try:
            status, _ = tab.send(path, form)
            if status != 303:
                self.fail(f"a second click got {status}")
        except Unreachable as error:
            self.fail(f"a second click: {error}")
        finally:
            tab.close()

    def fail(self, what: str) -> None:
        """Note what did not go as it should."""
        with self.lock:
            self.log.failures.append(what)

    def _count(self, **what: bool) -> None:
        with self.lock:
            for name, happened in what.items():
                setattr(self.log, name, getattr(self.log, name) + happened)


class Watch:
    """Whether the study is complete, counted by one at a time and now and then, however large the crowd."""

    def __init__(self, store: Store) -> None:
        self.store, self.lock = store, threading.Lock()
        self.counted, self.complete = float("-inf"), False

    def __call__(self) -> bool:
        """Whether every cell has its judgements; that some are missing is believed for a moment."""
        with self.lock:
            if self.complete or time.monotonic() > self.counted + BETWEEN_COUNTS:
                self.complete, self.counted = complete(self.store), time.monotonic()
            return self.complete


def simulate(
    url: str,
    store: Store,
    crowd: Crowd,
    *,
    tell: Callable[[int, int], None] | None = None,
    forgiving: bool = False,
    enough: Callable[[], bool] | None = None,
) -> RehearsalLog:
    """Let a crowd work until the study is complete or everyone has come. `store` is read for the answers.

    Failures of the network are collected, and end a worker's part; where `forgiving`, a worker comes back after them.
    Everybody leaves when `enough` says so.
    """
    key, log, lock, is_over = key_of(store), RehearsalLog(), threading.Lock(), Watch(store)

    def one(number: int) -> None:
        if is_over() or (enough is not None and enough()):
            return
        with lock:
            log.workers += 1
        worker = SimulatedWorker(url, key, crowd, number, log, lock)
        worker.enough = enough or worker.enough
        _persist(worker, RETRIES if forgiving else 1)
        until = time.monotonic() + crowd.away
        while worker.idle and time.monotonic() < until and not is_over() and not worker.enough():
            time.sleep(1.0)
            _persist(worker, RETRIES if forgiving else 1)
        worker.visitor.close()
        if tell is not None:
            tell(*counted(store))

    with ThreadPoolExecutor(crowd.concurrency) as pool:
        list(pool.map(one, range(crowd.workers)))
    return log


def _persist(worker: SimulatedWorker, tries: int) -> None:
    """Play; who may come back after a failure does so after a moment."""
    for left in reversed(range(tries)):
        try:
            return worker.play()
        except (Unreachable, RuntimeError) as error:
            if not left:
                worker.fail(f"worker {worker.number}: {error}")
            elif tries > 1:
                time.sleep(0.2)
    return None


def counted(store: Store) -> tuple[int, int]:
    """Questionnaires that simulated workers answered, and how many they should."""
    with store.reading() as connection:
        found = progress.totals(connection, read_facts(connection), rehearsed=True)
    return found["done"], found["needed"]


def complete(store: Store) -> bool:
    """Whether every cell has its judgements."""
    done, needed = counted(store)
    return done >= needed
