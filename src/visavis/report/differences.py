"""How the groups differ, a line for each: its words and the themes of its picks, with the shares that were counted.

Every report to read shows the same lines. Nothing is said that the figures do not carry: where the test shows no
difference, the lines are headed as counts, and the note says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from visavis.records import GroupSummary, Pick, Summary, Term
from visavis.report import facts
from visavis.report.sentences import GAPS
from visavis.report.text import heading, percent, shorten
from visavis.report.verdict import DIFFER, NOT_SHOWN, UNDECIDED, verdict
from visavis.shared.text import line

WORD, PICK = "word", "pick"
AMOUNTS = ((2, 3, 2, 80), (4, 3, 1, 80), (8, 1, 1, 60))  # up to so many groups: words, themes, and characters of one
FEWEST = (1, 0, 60)  # ... beyond

COUNTED = "What each group holds, as counted"
HEADINGS = {DIFFER: "How they differ", NOT_SHOWN: COUNTED, UNDECIDED: COUNTED, None: COUNTED}
NOTES = {
    DIFFER: "",
    NOT_SHOWN: "Counts, not evidence: the test does not show that the groups as a whole differ by more than chance.",
    UNDECIDED: "Counts, not evidence: whether the groups as a whole differ by more than chance cannot be decided.",
    None: "Counts, not evidence: whether the groups differ by more than chance was not tested.",
}


@dataclass(frozen=True)
class Piece:
    """A part of a line; `kind` is "word" or "pick" where it is one, and `place` which of its group's."""

    text: str
    kind: str = ""
    place: int = 0


@dataclass(frozen=True)
class Line:
    """What sets a group apart, in pieces."""

    group: int
    name: str
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The line as it reads."""
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True)
class Differences:
    """The lines under their heading; `note` says what they do not show."""

    heading: str
    note: str
    lines: tuple[Line, ...]


def differences(summary: Summary) -> Differences:
    """A line for each group that has something to say."""
    found = verdict(summary).outcome
    pieces = [tuple(_pieces(summary, group)) for group in summary.groups]
    named = zip(summary.groups, pieces, strict=True)
    lines = tuple(Line(at, facts.group_name(group), own) for at, (group, own) in enumerate(named) if own)
    alone = len(summary.groups) == 1
    return Differences("What it holds" if alone else HEADINGS[found], "" if alone else NOTES[found], lines)


def _pieces(summary: Summary, group: GroupSummary) -> Iterator[Piece]:
    n = len(summary.groups)
    words, themes, length = next((tuple(amounts) for most, *amounts in AMOUNTS if n <= most), FEWEST)
    rest = facts.the_rest(group, summary)
    if group.terms:
        yield from _words(group, rest, words)
    elif facts.lacks_terms(group, summary):
        yield Piece(f"No word is clearly more frequent in {facts.group_name(group)} than elsewhere.")
    yield from _themes(group, "" if group.terms else rest, themes if group.terms else max(1, themes), length)


def _words(group: GroupSummary, rest: str, most: int) -> Iterator[Piece]:
    """As in: amnesty is in 21 % of right and 3 % of left, illegal in 40 % and 7 %."""
    if facts.only_gaps(group):
        yield Piece(f"{GAPS}: ")
    for place, term in enumerate(group.terms[:most]):
        if place:
            yield Piece(", ")
        yield Piece(line(term.term), WORD, place)
        yield Piece(f" in {_beside(term)}" if place else f" is in {_beside(term, facts.group_name(group), rest)}")
    yield Piece(".")


def _beside(term: Term, name: str = "", rest: str = "") -> str:
    inside = percent(term.share) + (f" of {name}" if name else "")
    if term.share_elsewhere is None:
        return inside
    return f"{inside} and {facts.few(term.share_elsewhere)}" + (f" of {rest}" if rest else "")


def _themes(group: GroupSummary, rest: str, most: int, length: int) -> Iterator[Piece]:
    """As in: “Deportations plummet” stands for 35 % of right and 14 % of left; without `rest`, 35 % and 14 %."""
    chosen = _chosen(group, most)
    for number, (place, pick) in enumerate(chosen):
        yield Piece("; " if number else " ")
        yield Piece(f"“{shorten(heading(pick.document), length)}”", PICK, place)
        of, of_rest = (f" of {facts.group_name(group)}", f" of {rest}") if rest and not number else ("", "")
        more = "" if pick.stands_for_rest is None else f" and {facts.few(pick.stands_for_rest)}{of_rest}"
        yield Piece(f"{' for' if number else ' stands for'} {facts.few(pick.stands_for)}{of}{more}")
    if chosen:
        yield Piece(".")


def _chosen(group: GroupSummary, most: int) -> list[tuple[int, Pick]]:
    """The picks that stand for more of their group than of the rest, by how much more."""
    shares = [(round(pick.stands_for, 2), round(pick.stands_for_rest or 0.0, 2)) for pick in group.picks]
    best = sorted((rest - own, place) for place, (own, rest) in enumerate(shares) if own > rest)[:most]
    return [(place, group.picks[place]) for _, place in best]
