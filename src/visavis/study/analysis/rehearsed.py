"""Simulated workers are no people: where others answered, a report leaves them out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from visavis.study.preferences import Preference
from visavis.study.records import REHEARSED, Judgement

Record = TypeVar("Record", Judgement, Preference)


def without_rehearsed(records: Iterable[Record]) -> tuple[list[Record], list[str]]:
    """The records of people and machines, and what to say of the rest; all, where there is nothing but a rehearsal."""
    named = [replace(one, machine=REHEARSED) if _is_rehearsed(one) else one for one in records]
    kept = [one for one in named if one.machine != REHEARSED]
    if not kept or len(kept) == len(named):
        return named, []
    return kept, [f"{len(named) - len(kept)} answers of simulated workers are left out: they are no people"]


def _is_rehearsed(record: Judgement | Preference) -> bool:
    return REHEARSED in (record.machine, *record.flags)
