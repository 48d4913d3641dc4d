"""Rehearsal: workers of a given accuracy play against the real server over HTTP."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from sqlalchemy import select

from visavis.errors import InvalidParameter
from visavis.study import progress
from visavis.study.browser import Answer, Browser, Sheet, read_sheet
from visavis.study.quality import REHEARSAL
from visavis.study.shape import OTHER
from visavis.study.store import schema
from visavis.study.store.database import Store, read_facts

Text = tuple[str, str]
RETRIES = 100


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
class Played:
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
            for row in connection.execute(select(schema.article)):
                self._groups.setdefault((row.title, row.lead), set()).add(row.group_code)
            for row in connection.execute(select(schema.gold)):
                gold = json.loads(row.content)
                answers = {_text(one["text"]): one["answer"] for one in gold["questions"]}
                self._golds[frozenset(answers)] = ({_text(one) for one in gold["left"]}, answers)

    def sides(self, sheet: Sheet) -> list[str]:
        """The right side for each question of a page."""
        gold = self._golds.get(frozenset(sheet.questions))
        if gold is not None and (set(sheet.left) == gold[0] or set(sheet.right) == gold[0]):
            straight = set(sheet.left) == gold[0]
            answers = [gold[1][text] for text in sheet.questions]
            return answers if straight else [OTHER[side] for side in answers]
        left = set.intersection(*(self._groups[text] for text in sheet.left))
        return ["left" if self._groups[text] & left else "right" for text in sheet.questions]


def _text(record: dict[str, str]) -> Text:
    return record["title"], record["lead"]


class Player:
    """One worker, from the first page to the thanks."""

    def __init__(
        self, url: str, key: AnswerKey, crowd: Crowd, number: int, played: Played, lock: threading.Lock
    ) -> None:
        self.browser, self.key, self.crowd = Browser(url), key, crowd
        self.number, self.played, self.lock = number, played, lock
        self.rng = random.Random(f"{crowd.seed}:{number}")
        self.enough: Callable[[], bool] = lambda: False
        self.idle = False  # whether there was nothing to do

    def play(self) -> None:
        """Work until there is nothing left, or the worker has enough."""
        sent = 0
        leaves = self.rng.randint(0, 9) if self.rng.random() < self.crowd.abandon else None
        pauses = self.rng.randint(0, 9) if self.rng.random() < self.crowd.late else None
        page = read_sheet(self.browser.get(f"/w?PROLIFIC_PID={REHEARSAL}{self.crowd.seed}-{self.number}").page)
        self.idle = not page.fields
        if self.idle:
            return
        answer = self.browser.post("/w/start", {**page.fields, "consent": "yes"})
        while True:
            sheet = read_sheet(answer.page)
            if answer.path.startswith("/w/done"):
                if not sheet.buttons:
                    self.idle = not sheet.code
                    return
                answer = self.browser.post("/w/start", sheet.fields)
                continue
            if not sheet.questions:
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
            answer = self._send(answer.path.partition("?")[0], sheet)
            sent += 1

    def _send(self, path: str, sheet: Sheet) -> Answer:
        """One questionnaire; clicked twice now and then."""
        right = self.key.sides(sheet)
        chosen = [side if self.rng.random() < self.crowd.accuracy else OTHER[side] for side in right]
        form = {**sheet.fields, **{f"q{place}": side for place, side in enumerate(chosen)}}
        if self.rng.random() < 0.1:
            form["comment"] = f"rehearsal {self.number}"
        twin = None
        if self.rng.random() < self.crowd.double_click:
            twin = threading.Thread(target=self._click_again, args=(self.browser.twin(), path, form))
            twin.start()
        try:
            status, location, _ = self.browser.send("POST", path, form)
        finally:
            if twin is not None:
                twin.join()
        if status != 303:
            raise RuntimeError(f"{status} after {path}")
        with self.lock:
            if "late=" not in location:
                self.played.acknowledged.append(form["item"])
            self.played.doubled += twin is not None
        return self.browser.get(location)

    def _click_again(self, tab: Browser, path: str, form: dict[str, str]) -> None:
        try:
            status, _, _ = tab.send("POST", path, form)
            if status != 303:
                self.fail(f"a second click got {status}")
        except (OSError, http.client.HTTPException) as error:
            self.fail(f"a second click: {error}")
        finally:
            tab.close()

    def fail(self, what: str) -> None:
        """Note what did not go as it should."""
        with self.lock:
            self.played.failures.append(what)

    def _count(self, **what: bool) -> None:
        with self.lock:
            for name, happened in what.items():
                setattr(self.played, name, getattr(self.played, name) + happened)


def simulate(
    url: str,
    store: Store,
    crowd: Crowd,
    *,
    tell: Callable[[int, int], None] | None = None,
    forgiving: bool = False,
    enough: Callable[[], bool] | None = None,
) -> Played:
    """Let a crowd work until the study is complete or everyone has come. `store` is read for the answers.

    Failures of the network are collected, and end a worker's part; where `forgiving`, a worker comes back after them.
    Everybody leaves when `enough` says so.
    """
    key, played, lock = AnswerKey(store), Played(), threading.Lock()

    def one(number: int) -> None:
        if complete(store) or (enough is not None and enough()):
            return
        with lock:
            played.workers += 1
        player = Player(url, key, crowd, number, played, lock)
        player.enough = enough or player.enough
        _persist(player, RETRIES if forgiving else 1)
        until = time.monotonic() + crowd.away
        while player.idle and time.monotonic() < until and not complete(store) and not player.enough():
            time.sleep(1.0)
            _persist(player, RETRIES if forgiving else 1)
        player.browser.close()
        if tell is not None:
            tell(*counted(store))

    with ThreadPoolExecutor(crowd.concurrency) as pool:
        list(pool.map(one, range(crowd.workers)))
    return played


def _persist(player: Player, tries: int) -> None:
    """Play; who may come back after a failure does so after a moment."""
    for left in reversed(range(tries)):
        try:
            return player.play()
        except (OSError, http.client.HTTPException, RuntimeError) as error:
            if not left:
                player.fail(f"worker {player.number}: {error}")
            elif tries > 1:
                time.sleep(0.2)
    return None


def counted(store: Store) -> tuple[int, int]:
    """Questionnaires counted, and needed."""
    with store.reading() as connection:
        found = progress.totals(connection, read_facts(connection))
    return found["done"], found["needed"]


def complete(store: Store) -> bool:
    """Whether every cell has its judgements."""
    done, needed = counted(store)
    return done >= needed
