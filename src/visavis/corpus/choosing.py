"""Which of the groups that were found take part, and which documents in which."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from visavis.corpus.assignment import Assignment, Away
from visavis.errors import InvalidParameter
from visavis.shared.names import unknown

if TYPE_CHECKING:
    from visavis.corpus.grouping import GroupOptions

OTHER, REST = "other", "rest"


def without_empty(assignment: Assignment) -> Assignment:
    """Only groups that have documents; the others are named in a note."""
    present = set(assignment.labels)
    empty = [name for name in assignment.names if name not in present]
    if not empty:
        return assignment
    more = f" and {len(empty) - 5} more" if len(empty) > 5 else ""
    note = f"no documents in {', '.join(empty[:5])}{more}"
    return replace(
        assignment,
        names=tuple(name for name in assignment.names if name in present),
        notes=(*assignment.notes, note),
    )


def keep_only(assignment: Assignment, options: GroupOptions) -> Assignment:
    """The groups that were asked for, in that order. Raises UnknownName for one that is not there."""
    if not options.only:
        return assignment
    for name in options.only:
        if name not in assignment.names:
            raise unknown("group", name, assignment.names)
    wanted = tuple(dict.fromkeys(options.only))
    away = Away("group not asked for")
    labels = tuple(label if isinstance(label, Away) or label in wanted else away for label in assignment.labels)
    return replace(assignment, labels=labels, names=wanted)


def set_against_rest(assignment: Assignment, options: GroupOptions) -> Assignment:
    """One group, and all documents that are not in it as another. Raises UnknownName and InvalidParameter."""
    name = options.versus
    if name is None:
        return assignment
    if name not in assignment.names:
        raise unknown("group", name, assignment.names)
    if REST in assignment.names:
        raise InvalidParameter(
            f"versus={name!r} calls all other groups {REST!r}, but a group is itself called that: rename it"
        )
    inside = {row for row, label in assignment.places() if label == name}
    labels = tuple(
        label if isinstance(label, Away) else name if row in inside else REST for row, label in assignment.places()
    )
    return replace(assignment, labels=labels, names=(name, REST) if len(assignment.names) > 1 else (name,))


def put_in_each(assignment: Assignment, options: GroupOptions) -> Assignment:
    """Documents in each of their groups; where one group is all that a document may have, those of several are out."""
    settled = assignment.settled()
    if options.several or not settled.shared:
        return settled
    away = Away("in several groups")
    labels = tuple(away if row in settled.shared else label for row, label in settled.places())
    note = f"{settled.shared_are} in several groups and left out: here each must have one"
    return without_empty(replace(settled, labels=labels, notes=(*settled.notes, note)).settled())


def keep_sized(assignment: Assignment, options: GroupOptions) -> Assignment:
    """No group under the least size: small ones are merged if that was asked, and dropped if it was not enough."""
    if options.small == "merge":
        assignment = _merged(assignment, options.min_size)
    small = _small(assignment, options.min_size)
    if not small:
        return assignment.settled()
    away = Away(f"group smaller than {options.min_size}")
    labels = tuple(away if label in small else label for label in assignment.labels)
    names = tuple(name for name in assignment.names if name not in small)
    note = f"dropped {_listed(small)}: fewer than {options.min_size} documents each"
    return replace(assignment, labels=labels, names=names, notes=(*assignment.notes, note)).settled()


def _merged(assignment: Assignment, least: int) -> Assignment:
    small = _small(assignment, least)
    if not small:
        return assignment
    labels = tuple(OTHER if label in small else label for label in assignment.labels)
    names = (*(name for name in assignment.names if name not in small and name != OTHER), OTHER)
    note = f"merged {_listed(small)} into {OTHER!r}: fewer than {least} documents each"
    return replace(assignment, labels=labels, names=names, notes=(*assignment.notes, note))


def _small(assignment: Assignment, least: int) -> dict[str | Away, int]:
    sizes: dict[str | Away, int] = dict.fromkeys(assignment.names, 0)
    for _, label in set(assignment.places()) if assignment.rows else assignment.places():
        if isinstance(label, str):
            sizes[label] += 1
    return {name: size for name, size in sizes.items() if size < least}


def _listed(small: dict[str | Away, int]) -> str:
    shown = [f"{name} ({size})" for name, size in list(small.items())[:5]]
    more = f" and {len(small) - 5} more" if len(small) > 5 else ""
    return f"{len(small)} group{'s' if len(small) > 1 else ''}, {', '.join(shown)}{more}"
