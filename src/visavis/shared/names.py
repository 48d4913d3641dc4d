"""Names that stand nowhere: the nearest one that does, and the error that tells it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from visavis.errors import UnknownName

SHOWN = 30  # names listed in an error


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name most like this one; None if none is as much alike as `cutoff` (1: the same)."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)
    return found[0] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question with the nearest name and a space after it, or nothing."""
    near = nearest(name, known)
    return "" if near is None else f"did you mean {near!r}? "


def unknown(kind: str, name: object, known: Iterable[str]) -> UnknownName:
    """The error for a name that stands nowhere: it lists what there is, and the nearest."""
    names = [one if one.isprintable() else repr(one) for one in known]
    question = did_you_mean(str(name), names)
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    listed = ", ".join(names[:SHOWN]) or "none"
    return UnknownName(f"unknown {kind} {name!r}{'; ' + question if question else '. '}There are: {listed}{more}")
