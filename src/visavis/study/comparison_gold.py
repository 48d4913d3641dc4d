"""Gold comparisons: two groups, and two summaries of them of which one is known to be better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from visavis.study.gold import MOST_ARTICLES, BadGold, Leads, Text, check_text, text_of

PARTS = ("documents", "better", "worse")


@dataclass(frozen=True)
class GoldGroup:
    """A group of a gold comparison: its name, documents that say what it is, and what each summary shows of it."""

    name: str
    documents: tuple[Text, ...]
    better: tuple[Text, ...]
    worse: tuple[Text, ...]

    def __post_init__(self) -> None:
        check_text(Text(self.name))
        for part in PARTS:
            texts = getattr(self, part)
            if not 1 <= len(texts) <= MOST_ARTICLES:
                raise BadGold(f"group {self.name!r} of a gold comparison needs 1 to {MOST_ARTICLES} texts as {part!r}")
            for text in texts:
                check_text(text)


@dataclass(frozen=True)
class GoldComparison:
    """A comparison with a known answer."""

    groups: tuple[GoldGroup, ...]

    def __post_init__(self) -> None:
        if len(self.groups) != 2 or self.groups[0].name == self.groups[1].name:
            raise BadGold("a gold comparison has two groups of different names")
        if all(set(group.better) == set(group.worse) for group in self.groups):
            raise BadGold("both summaries of a gold comparison show the same texts: neither is better")


@dataclass(frozen=True)
class ComparisonLook:
    """How comparisons of a study look: picks a group in each summary, documents that say what a group is, leads."""

    picks: int
    documents: int
    leads: Leads

    def check(self, gold: GoldComparison, name: str = "a gold comparison") -> None:
        """Raises BadGold for a gold that workers could tell by its looks."""
        wanted = {"documents": self.documents, "better": self.picks, "worse": self.picks}
        for group, (part, count) in product(gold.groups, wanted.items()):
            found = len(getattr(group, part))
            if found != count:
                raise BadGold(
                    f"{name} has {found} texts as {part!r} of {group.name!r}, but the study shows {count}: workers "
                    f"would know it by its looks; give it {count}"
                )
        self.leads.check((text for group in gold.groups for part in PARTS for text in getattr(group, part)), name)


def comparison_of_record(record: Any) -> GoldComparison:
    """A gold comparison from an object of the file: groups, each with name, documents, better and worse."""
    groups = record.get("groups") if isinstance(record, Mapping) else None
    if not isinstance(groups, list):
        raise BadGold("a gold comparison is an object with the list 'groups'")
    return GoldComparison(tuple(map(_group, groups)))


def _group(record: Any) -> GoldGroup:
    if not isinstance(record, Mapping) or not isinstance(record.get("name"), str):
        raise BadGold("a group of a gold comparison is an object with name, documents, better and worse")
    missing = [part for part in PARTS if not isinstance(record.get(part), list)]
    if missing:
        raise BadGold(f"group {record['name']!r} of a gold comparison needs the list {missing[0]!r}")
    return GoldGroup(" ".join(record["name"].split()), *(tuple(map(text_of, record[part])) for part in PARTS))
