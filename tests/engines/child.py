"""An engine that owns nothing: every question is pickled to a child process, which answers it on its own threads."""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
from dataclasses import dataclass, field

from visavis.engines import LocalEngine

ANSWERS = (
    "sums",
    "block",
    "proximity",
    "columns",
    "gram",
    "reduce",
    "best",
    "field",
    "beyond",
    "interaction",
    "squared_distances",
)
FACTS = ("n_documents", "diagonal", "resolution", "abilities", "unit", "climbs")


def serve(connection):
    """Answer until nothing more is asked. Things that stay here are known by number."""
    engine, kept = LocalEngine(), []
    while True:
        asked = connection.recv_bytes()
        if not asked:
            return
        what, given, options = pickle.loads(asked)  # noqa: S301 (our own words)
        try:
            if what == "place":
                kept.append(engine.place(*given))
                answer = len(kept) - 1
            elif what == "bind":
                kernel, placed, frame = given
                kept.append(engine.bind(kernel, kept[placed], frame))
                known = {name: getattr(kept[-1], name) for name in FACTS if hasattr(kept[-1], name)}
                answer = len(kept) - 1, known
            elif what == "task":
                task, item = given
                answer = task(item)
            else:
                pairs, *rest = given
                answer = getattr(kept[pairs], what)(*rest, **options)
        except Exception as error:  # told to whoever asked
            answer = error
        connection.send_bytes(pickle.dumps(answer))


@dataclass
class ChildEngine:
    """Asks the child; `asked` counts the questions by name."""

    name: str = "child"
    device: str = "cpu"
    asked: dict[str, int] = field(default_factory=dict)

    def __enter__(self):
        here, there = multiprocessing.get_context("spawn").Pipe()
        self._process = multiprocessing.get_context("spawn").Process(target=serve, args=(there,), daemon=True)
        self._process.start()
        self._connection = here
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self._connection.send_bytes(b"")
        self._process.join(10)
        self._process.kill()

    def ask(self, what, *given, **options):
        self.asked[what] = self.asked.get(what, 0) + 1
        self._connection.send_bytes(pickle.dumps((what, given, options)))
        answer = pickle.loads(self._connection.recv_bytes())  # noqa: S301
        if isinstance(answer, Exception):
            raise answer
        return answer

    def place(self, vectors, order):
        return self.ask("place", vectors, order)

    def bind(self, kernel, placed, frame):
        number, known = self.ask("bind", kernel, placed, frame)
        return ChildPairs(self, number, known)

    def each(self, task, items, *, long=False):  # noqa: ARG002
        return (self.ask("task", task, item) for item in items)


class ChildPairs:
    """The pairs that lie in the child."""

    def __init__(self, engine, number, known):
        self._engine, self._number = engine, number
        for name, value in known.items():
            setattr(self, name, value)

    def __getattr__(self, name):
        if name not in ANSWERS:
            raise AttributeError(name)
        return lambda *given, **options: self._engine.ask(name, self._number, *given, **options)
