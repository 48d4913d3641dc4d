"""Which group each document goes to, before anything is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from visavis.records import SetAside


@dataclass(frozen=True)
class Away:
    """Why a document goes to no group."""

    reason: str


@dataclass(frozen=True)
class Assignment:
    """A group's name, or the reason for having none, for each document; `names` gives the order of the groups."""

    labels: tuple[str | Away, ...]
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()


def set_aside(labels: Sequence[str | Away], ids: Sequence[str]) -> tuple[SetAside, ...]:
    """Those without a group, by reason, in the order in which the reasons first appear."""
    where: dict[str, list[str]] = {}
    for label, name in zip(labels, ids, strict=True):
        if isinstance(label, Away):
            where.setdefault(label.reason, []).append(name)
    return tuple(SetAside(reason, tuple(names)) for reason, names in where.items())
