"""Which documents are not independent of each other: found in their columns, or told by the user."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from visavis.comparing.moments import days_of
from visavis.comparing.origins import authors, codes_of, sources
from visavis.corpus.grouping import values_of
from visavis.errors import InvalidParameter
from visavis.explain.blocks import LEAST, carries_groups, counts_in_groups, divide
from visavis.explain.stretches import find_stretches
from visavis.records import Blocks, Grouping, Integers, Points

AUTO, NONE = "auto", "none"


@dataclass(frozen=True, eq=False)
class Kind:
    """One way to say which documents belong together: by what, and each document's block (−1: on its own)."""

    by: str
    codes: Integers


def check_blocks(blocks: tuple[str, ...]) -> None:
    """Raise InvalidParameter for "auto" or "none" beside something else."""
    if len(blocks) != 1 and any(word in blocks for word in (AUTO, NONE)):
        raise InvalidParameter(f"blocks takes columns, or 'auto' or 'none' alone, got {', '.join(blocks)}")


def find_blocks(
    grouping: Grouping,
    points: Points,
    stories: Integers,
    told: tuple[str, ...] = (AUTO,),
    within: Integers | None = None,
    date_order: str | None = None,
) -> Blocks:
    """The blocks of a grouping's documents, each a point.

    `told` names columns, "COLUMN:week" for periods, from the coarsest to the finest; "auto" looks for them, "none"
    takes every document on its own. Copies always belong together. `within` holds something constant. Raises
    UnknownName for a column that is not there.
    """
    codes, copies = grouping.codes, points.families
    if told == (NONE,):
        return divide("documents", copies, codes, [copies], within)
    near = Kind("stories", stories)
    if told == (AUTO,):
        kinds = _found(grouping, points, near)
    else:
        columns = [Kind(by, _column(grouping, by, date_order)) for by in told]
        kinds = [*columns, near]
    return divide(kinds[0].by, kinds[0].codes, codes, [*(kind.codes for kind in kinds), copies], within)


def _column(grouping: Grouping, by: str, date_order: str | None) -> Integers:
    labels = values_of(grouping.corpus, by, date_order)
    return codes_of([label if isinstance(label, str) else None for label in labels])


def _found(grouping: Grouping, points: Points, near: Kind) -> list[Kind]:
    """The first kind of blocks that leaves every group enough of them, and the finer ones after it.

    A kind whose blocks nearly all lie in one group goes first, the coarsest of several: its blocks are what was dealt.
    Where days are, time is, and days that follow each other belong together.
    """
    documents, codes = grouping.corpus.documents, grouping.codes
    days = days_of(documents)
    kinds = [Kind("source", codes_of(sources(documents))), Kind("author", codes_of(authors(documents)))]
    kinds += [Kind("date", np.where(np.isfinite(days), days, -1).astype(np.intp)), near]
    kinds = [kind for kind in kinds if np.any(kind.codes >= 0)]
    carrying = [kind for kind in kinds if carries_groups(kind.codes, codes)]
    if any(kind.by == "date" for kind in carrying):
        stretch, length = find_stretches(days, codes, points.vectors)
        timed = Kind("days" if length == 1 else f"stretches of {length} days", stretch)
        others = [kind for kind in carrying if kind.by not in ("date", "stories") and _enough(kind, grouping)]
        if not others:
            return [timed, near]
        carrying = [*others, timed]
    usable = [kind for kind in carrying if _enough(kind, grouping)] or [k for k in kinds if _enough(k, grouping)]
    if not usable:
        return [near]
    first = min(usable, key=_count) if carrying else usable[0]
    finer = [kind for kind in kinds[:-1] if _count(kind) > _count(first)] if not carrying else []
    return [first, *finer, *([] if first is near else [near])]


def _enough(kind: Kind, grouping: Grouping) -> bool:
    return int(counts_in_groups(kind.codes, grouping.codes, len(grouping.names)).min()) >= LEAST


def _count(kind: Kind) -> int:
    return len(np.unique(kind.codes[kind.codes >= 0])) + int(np.sum(kind.codes < 0))
