"""Files of preferences, as `visavis study export` writes them."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import Any

from visavis.corpus.errors import Unreadable, shown
from visavis.study.analysis.files import as_flag, rows_of, table_columns
from visavis.study.preferences import CLEARNESS, REASONS, Preference

NEEDED = ("comparison", "group_a", "group_b", "method_a", "method_b", "worker", "chosen")


def holds_preferences(path: str | os.PathLike[str]) -> bool:
    """Whether a file of rows is one of preferences rather than of judgements."""
    return {"method_a", "method_b"} <= set(table_columns(path))


def read_preferences(path: str | os.PathLike[str]) -> list[Preference]:
    """The preferences of a file, one a row. Raises Unreadable."""
    return [_preference(place, row) for place, row in rows_of(path, NEEDED)]


def _preference(place: str, row: Mapping[str, Any]) -> Preference:
    def text(column: str) -> str:
        value = row.get(column)
        return "" if value is None else str(value)

    for column in ("comparison", "method_a", "method_b", "worker", "chosen"):
        if not text(column).strip():
            raise Unreadable(place, f"{column} is blank")
    reasons = tuple(text("reasons").split())
    unknown = [reason for reason in reasons if reason not in REASONS]
    if unknown:
        raise Unreadable(place, f"reasons are {', '.join(REASONS)}, not {shown(unknown[0])}")
    return Preference(
        text("comparison"),
        text("material") or text("comparison"),
        (text("group_a"), text("group_b")),
        (text("method_a"), text("method_b")),
        text("worker"),
        text("chosen"),
        clearness=_clearness(place, text("clearness")),
        reasons=reasons,
        left=text("left"),
        seconds=_seconds(place, text("seconds")),
        machine=text("machine"),
        gold=as_flag(place, "gold", text("gold")),
        excluded=as_flag(place, "excluded", text("excluded")),
        comment=text("comment"),
        flags=tuple(text("flags").split()),
    )


def _clearness(place: str, written: str) -> int | None:
    if not written:
        return None
    if written not in {str(level) for level in CLEARNESS}:
        raise Unreadable(place, f"clearness goes from {min(CLEARNESS)} to {max(CLEARNESS)}, got {shown(written)}")
    return int(written)


def _seconds(place: str, written: str) -> float | None:
    try:
        found = float(written) if written else 0.0
    except ValueError:
        found = math.nan
    if not 0.0 <= found < math.inf:
        raise Unreadable(place, f"seconds must be a number of at least 0, got {shown(written)}")
    return found if written else None
