"""Which kind of blocks a test respects, where several are known: outlets, authors, days or stories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from visavis.explain.blocks import LEAST, carries_groups, counts_in_groups
from visavis.explain.stretches import find_stretches
from visavis.records import Array, Integers

DATE = "date"


@dataclass(frozen=True, eq=False)
class Kind:
    """One way to say which documents belong together: by what, and each document's block (−1: on its own).

    Blocks by "date" are numbered by their days, in a row.
    """

    by: str
    codes: Integers


def choose_kinds(kinds: Sequence[Kind], groups: Integers, vectors: Array) -> list[Kind]:
    """The kind of blocks to take, and those that divide blocks that lie in several groups; the last of `kinds` is near.

    A kind whose blocks nearly all lie in one group goes first, the coarsest of several: its blocks are what was dealt
    to the groups. Where these are days, days that follow each other belong together. Otherwise it is the first of
    `kinds` that leaves every group enough blocks.
    """
    near = kinds[-1]
    carrying = [kind for kind in kinds if carries_groups(kind.codes, groups)]
    if any(kind.by == DATE for kind in carrying):
        stretches, enough = _stretches(kinds, groups, vectors), [k for k in carrying if _enough(k, groups)]
        others = [kind for kind in enough if kind.by != DATE and kind is not near]
        return [min([*others, stretches], key=_count), near]
    usable = [kind for kind in carrying if _enough(kind, groups)]
    if usable:
        first = min(usable, key=_count)
        return [first] if first is near else [first, near]
    usable = [kind for kind in kinds if _enough(kind, groups)] or [near]
    finer = [kind for kind in kinds[:-1] if _count(kind) > _count(usable[0])]
    return [usable[0]] if usable[0] is near else [usable[0], *finer, near]


def _stretches(kinds: Sequence[Kind], groups: Integers, vectors: Array) -> Kind:
    """Stretches of time in place of days."""
    (days,) = (kind.codes for kind in kinds if kind.by == DATE)
    codes, length = find_stretches(np.where(days < 0, np.nan, days.astype(np.float64)), groups, vectors)
    return Kind("days" if length == 1 else f"stretches of {length} days", codes)


def _enough(kind: Kind, groups: Integers) -> bool:
    return int(counts_in_groups(kind.codes, groups, int(groups.max()) + 1).min()) >= LEAST


def _count(kind: Kind) -> int:
    return len(np.unique(kind.codes[kind.codes >= 0])) + int(np.sum(kind.codes < 0))
