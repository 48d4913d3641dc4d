"""Named sets that are drawn on the map or found by a search, and what becomes of them as groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from visavis.corpus.filters import LONGEST
from visavis.corpus.grouping import restrict
from visavis.errors import InvalidParameter
from visavis.records import Booleans, Corpus, Document, Floats, Grouping, Integers
from visavis.shared.text import line

KINDS = ("search", "lasso")
LONGEST_NAME = 60
SEARCHED = ("title", "text", "source")  # what a search looks at
FEWEST_CORNERS, MOST_CORNERS = 3, 1_000
BY = "id lists"  # as the command calls groups that are listed
BY_CONSTRUCTION = (
    "These sets were drawn on the map or found by a search: they differ by construction, which no test could confirm."
)


@dataclass(frozen=True)
class DrawnSet:
    """A set by its name: the documents that hold all of `words`, or that lie within `corners` of a map.

    `drawn_on` is the query of what decides that map.
    """

    name: str
    kind: str
    words: tuple[str, ...] = ()
    corners: tuple[tuple[float, float], ...] = ()
    drawn_on: str = ""


def read_set(written: str) -> DrawnSet:
    """NAME~search~WORDS or NAME~lasso~x,y,x,y,…~QUERY. Raises InvalidParameter for anything else."""
    name, _, rest = written.partition("~")
    kind, _, what = rest.partition("~")
    if kind not in KINDS or not line(name) or len(name) > LONGEST_NAME:
        raise InvalidParameter(f"a set is written NAME~search~WORDS or NAME~lasso~x,y,…~QUERY, got {written[:80]!r}")
    if kind == "search":
        words = tuple(what.casefold().split())
        if not words:
            raise InvalidParameter(f"the set {name!r} has no words to search for")
        return DrawnSet(line(name), kind, words)
    outline, says, drawn_on = what.partition("~")
    corners = _corners(name, outline)
    if not says:
        raise InvalidParameter(f"the set {name!r} does not say on which map it was drawn: draw it anew")
    return DrawnSet(line(name), kind, corners=corners, drawn_on=drawn_on)


def _corners(name: str, written: str) -> tuple[tuple[float, float], ...]:
    parts = written.split(",")
    try:
        numbers = [float(part) for part in parts] if len(parts) <= 2 * MOST_CORNERS else []
    except ValueError:
        numbers = []
    if len(numbers) % 2 or len(numbers) < 2 * FEWEST_CORNERS or not all(map(math.isfinite, numbers)):
        raise InvalidParameter(
            f"the set {name!r} needs {FEWEST_CORNERS} to {MOST_CORNERS} corners, written x,y,x,y,… from 0 to 1"
        )
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def inside(points: Floats, corners: Sequence[tuple[float, float]]) -> Booleans:
    """Which points lie within a polygon: a ray to the right crosses its outline an odd number of times; shape (N,)."""
    x, y = points[:, 0], points[:, 1]
    found = np.zeros(len(points), np.bool_)
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        crosses = (y0 > y) != (y1 > y)
        if y0 != y1:
            found ^= crosses & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return found


def holding(texts: Sequence[str], words: Sequence[str]) -> Booleans:
    """Which of these texts, case-folded, hold all of the words; shape (N,)."""
    return np.array([all(word in text for word in words) for text in texts], np.bool_)


def filter_holding(words: Sequence[str], corpus: Corpus) -> str | None:
    """A filter that keeps the documents which hold all of the words; None where it cannot be written."""
    roles = [role for role in SEARCHED if any(getattr(document, role) for document in corpus.documents)]
    if not roles or any("'" in word and '"' in word for word in words):
        return None
    quoted = [f'"{word}"' if "'" in word else f"'{word}'" for word in words]
    tests = [" or ".join(f"{role} contains {word}" for role in roles) for word in quoted]
    found = " and ".join(f"({test})" for test in tests)
    return found if len(found) <= LONGEST else None


def members_of(
    drawn: DrawnSet, documents: Sequence[Document], texts: Sequence[str], ids: Callable[[], Container[str]]
) -> Integers:
    """The places of the documents that are in a set; `ids` tells those within its outline, where it has one."""
    if drawn.kind == "search":
        return holding(texts, drawn.words).nonzero()[0]
    inside_it = ids()
    return np.array([row for row, document in enumerate(documents) if document.id in inside_it], np.intp)


def group_sets(members: Mapping[str, Sequence[Document]], whole: Grouping) -> Grouping:
    """The sets as groups; a document in several stands once for each. Raises InvalidParameter for an empty one."""
    place = {document.id: row for row, document in reversed(list(enumerate(whole.corpus.documents)))}
    rows: list[int] = []
    codes: list[int] = []
    for code, (name, documents) in enumerate(members.items()):
        own = sorted({place[document.id] for document in documents})
        if not own:
            raise InvalidParameter(f"the set {name!r} holds no document: draw or search anew")
        rows += own
        codes += [code] * len(own)
    order = np.lexsort((codes, rows))
    corpus = restrict(whole.corpus, [rows[at] for at in order])
    several = len(rows) - len(set(rows))
    notes = (f"{several:,} documents are in several sets, in each of them with equal right",) if several else ()
    return Grouping(
        corpus, BY, tuple(members), np.array(codes, np.intp)[order], (*whole.notes, BY_CONSTRUCTION, *notes)
    )
