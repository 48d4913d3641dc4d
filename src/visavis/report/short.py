"""The summary in a dozen lines of plain text: what a print shows."""

from __future__ import annotations

from visavis.records import Summary
from visavis.report import facts, sentences
from visavis.report.differences import differences
from visavis.report.text import heading, shorten
from visavis.report.verdict import verdict
from visavis.shared.text import line

MOST_LINES, LONGEST = 12, 200


def in_short(summary: Summary) -> str:
    """Title, counts and verdict; how each group differs, and what that does not show; first picks, if there is room."""
    found = differences(summary)
    said = [line(summary.title) or "Comparison", f"{sentences.overview(summary)}.", f"{verdict(summary).headline}."]
    said += [f"{found.heading}. {found.note}" if found.note else f"{found.heading}:"] if found.lines else []
    said += [f"{entry.name}: {entry.text}" for entry in found.lines]
    picks = [
        (facts.pick_key(at, group.picks[0]), group.picks[0]) for at, group in enumerate(summary.groups) if group.picks
    ]
    said += [f"{key} {heading(pick.document)}" for key, pick in picks]
    hidden = len(said) - MOST_LINES
    shown = said if hidden <= 0 else [*said[: MOST_LINES - 1], f"… and {hidden + 1} lines more: write a report"]
    return "\n".join(shorten(one, LONGEST) for one in shown)
