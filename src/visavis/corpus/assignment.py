"""Which group each document goes to, before anything is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from visavis.records import SetAside


@dataclass(frozen=True)
class Away:
    """Why a document goes to no group."""

    reason: str


@dataclass(frozen=True)
class Assignment:
    """A group's name, or the reason for having none, for each document; `names` gives the order of the groups.

    Where documents may be in several groups, `rows` says which document each label is for.
    """

    labels: tuple[str | Away, ...]
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    rows: tuple[int, ...] = ()

    def places(self) -> Iterator[tuple[int, str | Away]]:
        """Every document and its label, as often as it has one."""
        return zip(self.rows or range(len(self.labels)), self.labels, strict=True)

    @property
    def shared(self) -> frozenset[int]:
        """The documents that have several labels."""
        return frozenset(row for row, times in Counter(self.rows).items() if times > 1)

    @property
    def shared_are(self) -> str:
        """How many documents have several labels, as a sentence about them begins."""
        return f"{len(self.shared):,} documents are" if len(self.shared) != 1 else "1 document is"

    def settled(self) -> Assignment:
        """Each document once for every group that it is in, or else once with the first reason for having none."""
        if not self.rows:
            return self
        named: dict[int, dict[str | Away, None]] = {}
        for row, label in self.places():
            named.setdefault(row, {})[label] = None
        found = [(row, label) for row, labels in named.items() for label in _groups(list(labels))]
        return replace(self, rows=tuple(row for row, _ in found), labels=tuple(label for _, label in found))


def _groups(labels: list[str | Away]) -> list[str | Away]:
    return [label for label in labels if isinstance(label, str)] or labels[:1]


def set_aside(assignment: Assignment, ids: Sequence[str]) -> tuple[SetAside, ...]:
    """Those without a group, by reason, in the order in which the reasons first appear."""
    where: dict[str, list[str]] = {}
    for row, label in assignment.places():
        if isinstance(label, Away):
            where.setdefault(label.reason, []).append(ids[row])
    return tuple(SetAside(reason, tuple(names)) for reason, names in where.items())
