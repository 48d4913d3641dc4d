"""A reason as the two columns that keep it."""

from __future__ import annotations

from visavis.collect.records import Reason


def columns(found: Reason | None) -> tuple[str, str]:
    """Label and detail; no label where there is no reason."""
    return (found.label, found.detail) if found is not None else ("", "")


def reason(label: str, detail: str) -> Reason | None:
    """The reason that two columns keep."""
    return Reason(label, detail) if label else None
