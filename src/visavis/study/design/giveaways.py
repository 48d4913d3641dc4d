"""How many of the texts that workers read tell a group: counted over articles, picks and golds, as they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from visavis.study.dates import DATES, tells
from visavis.study.gold import Gold, Text
from visavis.study.names import GroupNames

HOW = ("name", "date", "year")
Shown = tuple[Text, str, datetime | None]  # a text, its group and its date


def gives_away(text: str, names: GroupNames, group: str, date: datetime | None) -> str | None:
    """How a text tells its group: "name", "date" (its own month or day), "year", or None where it does not."""
    return "name" if group in names.named_in(text) else tells(text, date)


def count_giveaways(shown: Iterable[Shown], golds: Sequence[Gold], names: GroupNames) -> dict[str, Any]:
    """Texts in all and by group, and how many tell their group; of golds, how many name any group, or a date."""
    by_group = {group: dict.fromkeys(("texts", *HOW, "another"), 0) for group in names.groups}
    for text, group, date in shown:
        written = f"{text.title} {text.lead}"
        counts = by_group[group]
        counts["texts"] += 1
        counts["another"] += bool(names.named_in(written) - {group})
        how = gives_away(written, names, group, date)
        if how:
            counts[how] += 1
    kept = {group: counts for group, counts in by_group.items() if counts["texts"]}
    total = {key: sum(counts[key] for counts in kept.values()) for key in ("texts", *HOW, "another")}
    return {**total, "by_group": kept, "golds": _of_golds(golds, names)}


def _of_golds(golds: Sequence[Gold], names: GroupNames) -> dict[str, int]:
    texts = [text for gold in golds for text in (*gold.left, *gold.right, *(one.text for one in gold.questions))]
    written = [f"{text.title} {text.lead}" for text in texts]
    return {
        "texts": len(written), "name": sum(bool(names.named_in(text)) for text in written),
        "date": sum(DATES.search(text) is not None for text in written),
    }  # fmt: skip
