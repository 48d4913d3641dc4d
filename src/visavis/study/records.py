"""The frozen records of a study: what was judged, and what the judges were shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from visavis.records import Floats

Pair = tuple[str, str]
FLAGS = ("speed", "duplicate")  # raised for people by the server; nobody is excluded by them alone
REHEARSED = "rehearsal"  # the flag of simulated workers, and how a report names them: they are no people

COLUMNS = (
    "question", "article", "questionnaire", "method", "group_a", "group_b", "worker", "chosen", "truth", "seconds",
    "gold", "excluded", "comment", "machine",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judgement:
    """One answer of one worker to one question.

    `question` names a test article within its pair of groups and is the same under every method. `chosen` is the
    group whose picks stood where the worker clicked, by what was shown; `published` is the group by the order that
    was recorded, where a file carries one of its own. `seconds` is this question's part of the time its page took.
    `worker` is a pseudonym, `machine` the name of a machine, blank for a person. Gold and excluded judgements are kept
    and not counted. `usefulness` and `difficulty` are the worker's answers about the whole questionnaire, from 1 to 5;
    `flags` are the kinds of flags the worker carries.
    """

    question: str
    method: str
    pair: Pair
    worker: str
    chosen: str
    truth: str
    seconds: float | None = None
    gold: bool = False
    excluded: bool = False
    comment: str = ""
    published: str | None = None
    questionnaire: str = ""
    article: str = ""
    machine: str = ""
    usefulness: int | None = None
    difficulty: int | None = None
    flags: tuple[str, ...] = ()

    def row(self) -> dict[str, object]:
        """The judgement under the names of COLUMNS, as files of judgements hold it."""
        named = {"group_a": self.pair[0], "group_b": self.pair[1]}
        return {name: named[name] if name in named else getattr(self, name) for name in COLUMNS}


@dataclass(frozen=True)
class Goal:
    """What a study wants: how many `judgements` for each of its `cells`, a cell being a question under a method."""

    judgements: int
    cells: int


@dataclass(frozen=True)
class ShownPicks:
    """The articles that a method picked for each group of a pair, by their ids."""

    method: str
    pair: Pair
    picks: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class Material:
    """What classifiers need to answer the same questions as people.

    `vectors` has a row for each article that has one, `rows` says which, `groups` its group. `train` and `test` are
    the ids of the two parts of the corpus; both are empty where only what was shown is known.
    """

    vectors: Floats
    rows: Mapping[str, int]
    groups: Mapping[str, str]
    shown: tuple[ShownPicks, ...]
    train: tuple[str, ...] = ()
    test: tuple[str, ...] = ()
