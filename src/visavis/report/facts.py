"""What groups, picks, documents and parameters are called, and how shares are said: what all sentences are made of."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from typing import TypeGuard

from visavis.records import Document, GroupSummary, Pick, Summary
from visavis.report.periods import called
from visavis.report.text import heading, outlet, percent, shorten
from visavis.shared.periods import LABELS
from visavis.shared.text import isolate, line

ELSEWHERE = ("size_curve", "size_accuracy")


def compared_by(by: str) -> str:
    """What groups are told apart by, in words: "month", "shares, 4 quantiles", "news topic"."""
    column, colon, how = line(by).rpartition(":")
    kind, equals, count = how.partition("=")
    if colon and how in LABELS:
        return how
    return f"{column}, {count} {kind}" if colon and equals else line(by).replace("_", " ")


def is_known(value: float | None) -> TypeGuard[float]:
    """Whether there is such a number."""
    return value is not None and math.isfinite(value)


def with_interval(value: float, interval: tuple[float, float] | None) -> str:
    """A fraction with its interval: "61 % (57 to 65)"."""
    if interval is None:
        return percent(value)
    return f"{percent(value)} ({100 * interval[0]:.0f} to {100 * interval[1]:.0f})"


def guess(summary: Summary) -> float:
    """The balanced accuracy of guessing."""
    return 1 / max(1, len(summary.groups))


def small(share: float) -> str:
    """A share for people, of which a little is not nothing."""
    return percent(share) if share == 0 or share >= 0.005 else f"under {percent(0.01)}"


def few(share: float) -> str:
    """The same where none is a word: "none of left"."""
    return "none" if share == 0 else small(share)


def group_name(group: GroupSummary) -> str:
    """What to call a group in a sentence: periods are said as people say them, a bare number is called a group."""
    return isolate(called(group.name)) or "(unnamed)"


def the_rest(group: GroupSummary, summary: Summary) -> str:
    """What to call the other groups: by its name where there is one; empty where there is none."""
    others = [group_name(other) for other in summary.groups if other is not group]
    return others[0] if len(others) == 1 else "the rest" if others else ""


def lacks_terms(group: GroupSummary, summary: Summary) -> bool:
    """Whether terms were sought in vain: there are other groups to be told from, and something to read."""
    has_words = any((document.text or document.title) and not document.image for document in shown_documents(summary))
    return not group.terms and len(summary.groups) > 1 and has_words


def only_gaps(group: GroupSummary) -> bool:
    """Whether no term of a group is shown to tell it from others, so that its terms are its largest gaps."""
    compared = any(term.share_elsewhere is not None for term in group.terms)
    return compared and not any(term.telling for term in group.terms)


def rank(percentile: float) -> str:
    """A percentile for people; never rounded up, so that nothing is above all."""
    return percent(math.floor(percentile) / 100)


def byline(document: Document, date: str, known: str = "") -> str:
    """Outlet and date, as far as there are any; an outlet that is `known` need not be read again and again."""
    return ", ".join(part for part in (outlet(document), date) if part and part != line(known))


def titles(summary: Summary, wanted: Collection[str]) -> dict[str, str]:
    """What to call those of these documents that are known by name."""
    known: dict[str, str] = {}
    if summary.map is not None:
        known.update(
            (key, shorten(summary.map.titles[row], 160) or line(key))
            for row, key in enumerate(summary.map.ids)
            if key in wanted
        )
    for document in shown_documents(summary):
        known[document.id] = heading(document)
    return known


def shown_documents(summary: Summary) -> Iterator[Document]:
    """The documents the summary carries whole: the picks, then the common ground."""
    for group in summary.groups:
        yield from (pick.document for pick in group.picks)
    yield from summary.common


def group_key(index: int) -> str:
    """A letter for a group, so that no one needs to tell colors apart: A, B, …, Z, AA, …"""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def pick_key(index: int, pick: Pick) -> str:
    """What a pick is called for short, such as "B1"; on the page also where it is found."""
    return f"{group_key(index)}{pick.rank}"


def word_key(index: int, place: int) -> str:
    """Where the documents that hold a group's word are listed on the page."""
    return f"word-{group_key(index)}-{place + 1}"


def parameters(summary: Summary) -> list[tuple[str, str]]:
    """The parameters that say something, in words; what is told of sizes has a place of its own."""
    said = summary.parameters.items()
    found = [(line(str(key)).replace("_", " "), in_words(value)) for key, value in said if key not in ELSEWHERE]
    return [(name, value) for name, value in found if value]


def in_words(value: object) -> str:
    """A parameter's value for people; empty for none."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{line(str(key))} {in_words(item)}" for key, item in value.items() if in_words(item))
    if isinstance(value, (list, tuple)):
        return ", ".join(map(in_words, value))
    return line(str(value))
