"""Two summaries of one ledger face to face: what both picked, what only one did, and what they were told."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from visavis.errors import InvalidParameter
from visavis.records.changes import Entry, EntryDiff, GroupDiff, NotedPick
from visavis.shared.files import replace_file
from visavis.updating.ledger import find_entry, ledger


def diff(state: str | os.PathLike[str], before: str | int, after: str | int) -> EntryDiff:
    """The difference of two summaries, each named by its number, a day, "first" or "last".

    Raises BadState for a file that is no state, InvalidParameter if there is no such summary.
    """
    entries = ledger(state)
    return face_to_face(find_entry(entries, str(before)), find_entry(entries, str(after)))


def face_to_face(before: Entry, after: Entry) -> EntryDiff:
    """What the second has and the first has not, group by group, and the other way round."""
    names = tuple(dict.fromkeys((*before.groups, *after.groups)))
    told = tuple(dict.fromkeys((*before.options, *after.options)))
    options = [(name, before.options.get(name), after.options.get(name)) for name in told]
    differing = tuple(one for one in options if one[1] != one[2])
    return EntryDiff(before, after, tuple(_group(name, before, after) for name in names), differing)


def _group(name: str, before: Entry, after: Entry) -> GroupDiff:
    old, new = _picks(before, name), _picks(after, name)
    return GroupDiff(
        name,
        (before.groups.get(name), after.groups.get(name)),
        tuple((old[key], new[key]) for key in new if key in old),
        tuple(old[key] for key in old if key not in new),
        tuple(new[key] for key in new if key not in old),
        (before.words.get(name, ()), after.words.get(name, ())),
    )


def _picks(entry: Entry, group: str) -> dict[str, NotedPick]:
    return {pick.id: pick for pick in entry.picks if pick.group == group}


def write_diff(found: EntryDiff, path: str | os.PathLike[str]) -> None:
    """Write it as a report: .html, .md or .json. Raises InvalidParameter for another suffix."""
    render = diff_renderer(path)
    replace_file(Path(path), lambda: render(found))


def diff_renderer(path: str | os.PathLike[str]) -> Callable[[EntryDiff], str]:
    """What writes such a report. Raises InvalidParameter for a suffix that has none."""
    from visavis.report.ledger import DIFFS

    suffix = Path(path).suffix.lower()
    if suffix not in DIFFS:
        raise InvalidParameter(f"output {str(path)!r} has no known format; end it in one of {', '.join(DIFFS)}")
    return DIFFS[suffix]
