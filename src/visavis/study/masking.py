"""What is hidden in everything workers read, golds included: dates, and names of groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from visavis.study.comparison_gold import PARTS, GoldComparison, GoldGroup
from visavis.study.dates import mask_dates
from visavis.study.gold import Gold, GoldQuestion, Text
from visavis.study.names import GroupNames


@dataclass(frozen=True)
class Masks:
    """Whether dates are hidden, and which names."""

    dates: bool = False
    names: GroupNames | None = None

    def hide(self, text: Text) -> Text:
        """The text as workers read it."""
        return Text(self._hidden(text.title), self._hidden(text.lead))

    def _hidden(self, written: str) -> str:
        dated = mask_dates(written) if self.dates else written
        return self.names.mask(dated) if self.names else dated

    def hide_gold(self, gold: Gold) -> Gold:
        """The gold as workers read it."""
        questions = tuple(GoldQuestion(self.hide(one.text), one.answer) for one in gold.questions)
        sides = {side: tuple(map(self.hide, getattr(gold, side))) for side in ("left", "right")}
        return replace(gold, questions=questions, **sides)

    def hide_comparison(self, gold: GoldComparison) -> GoldComparison:
        """The gold comparison as workers read it; the names of its groups stand above the texts, as everywhere."""
        parts = ((tuple(map(self.hide, getattr(group, part))) for part in PARTS) for group in gold.groups)
        return GoldComparison(tuple(GoldGroup(group.name, *of) for group, of in zip(gold.groups, parts, strict=True)))


def masks_of(plan: Mapping[str, Any], groups: Sequence[str]) -> Masks:
    """What a plan, as a study keeps it, hides; nothing where it says nothing."""
    names = GroupNames(groups, plan.get("also_mask", ())) if plan.get("mask_names") else None
    return Masks(bool(plan.get("mask_dates")), names)
