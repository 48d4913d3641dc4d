"""What a page needs to choose anew without the documents: the leading candidates, and what bounds all others."""

from __future__ import annotations

from dataclasses import dataclass

from visavis.records.arrays import Array, Floats, Integers
from visavis.records.documents import Document


@dataclass(frozen=True, eq=False)
class Outside:
    """The documents of a group that may be picked and are not on the shortlist, one entry each.

    `own` is at least the mean similarity with their group, `rest` at most that with all others, `diagonal` at most
    k(x, x), each to a float32. `stories` and `origins` are those of the candidates, −1 for any other.
    """

    own: Array
    rest: Array
    diagonal: Array
    stories: Integers
    origins: Integers | None


@dataclass(frozen=True, eq=False)
class GroupShortlist:
    """The leading candidates of a group, in the order of the documents.

    `rows` are their rows in the session, `own` and `rest` their mean similarities with the group and with all others,
    `kernel` is k among them as the search sees it. `stories`, `origins` (None where picks are not spread) and `copies`
    (the same vector) are small codes. `floors` are below the similarity of each with any document outside.
    `paths` are the greedy picks among all documents at each contrast, by their places here (−1 where there are no
    more), and `challengers` the largest gain that any document outside had when each was picked.
    `outside` is None where there are too many to tell of each.
    """

    rows: Integers
    own: Floats
    rest: Floats
    kernel: Array
    stories: Integers
    origins: Integers | None
    copies: Integers
    floors: Floats
    paths: Integers
    challengers: Floats
    n_outside: int
    outside: Outside | None


@dataclass(frozen=True, eq=False)
class Candidate:
    """A document on the shortlist: its row in the session, the words that set its group apart, its percentiles."""

    document: Document
    row: int
    group: int
    family: int
    words: tuple[str, ...]
    typical: float | None
    distinct: float | None


@dataclass(frozen=True, eq=False)
class Shortlist:
    """The leading candidates of every group, and the picks that were made by `method` at a `contrast`, if it has one.

    `contrasts` are those of the paths. `picks` and `pins` name `candidates` by their places among them. Gains that
    differ by less than `resolution`, relative to the largest, are the same.
    """

    method: str
    contrast: float | None
    contrasts: tuple[float, ...]
    resolution: float
    groups: tuple[GroupShortlist, ...]
    candidates: tuple[Candidate, ...]
    picks: tuple[tuple[int, ...], ...]
    pins: tuple[int, ...]
