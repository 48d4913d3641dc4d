"""Do the groups differ? The answer in sentences that every report to read shares."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from visavis.records import Summary, TwoSampleTest
from visavis.report.periods import said
from visavis.report.text import listed, percent
from visavis.shared.statistics import ALPHA
from visavis.shared.text import isolate, line

DIFFER, NOT_SHOWN, UNDECIDED = "differ", "not shown", "undecided"
MOST_NAMED = 8  # groups in a sentence
HEADLINES = {
    DIFFER: "The groups differ",
    NOT_SHOWN: "No difference shown: this could be chance",
    UNDECIDED: "Nothing can be decided",
    None: "Not tested",
}
_READ_AS = "Read the picks as typical of their groups, not as evidence that the groups disagree."
_BLOCKS = {"source": "outlets", "author": "authors", "date": "days", "stories": "stories", "documents": "documents"}


@dataclass(frozen=True)
class Verdict:
    """Whether the groups differ ("differ", "not shown", "undecided"; None: not tested), in words, and why."""

    outcome: str | None
    headline: str
    detail: str


def outcome(test: TwoSampleTest, *, corrected: bool = True) -> str | None:
    """What a test says at 5 %; None where it has no number at all."""
    p = test.adjusted if corrected else test.p_value
    if p is None:
        return UNDECIDED
    return None if math.isnan(p) else DIFFER if p < ALPHA else NOT_SHOWN


def verdict(summary: Summary) -> Verdict:
    """The answer of the one test of all groups at once; it comes first, uncorrected."""
    found = outcome(summary.test[0], corrected=False) if summary.test else None
    detail = "Whether the groups differ by more than chance was not tested."
    if found == UNDECIDED:
        detail = f"{_reason(summary.test[0])} {_READ_AS}{_standing_out(summary, found)}"
    elif found is not None:
        detail = _chance(summary.test[0], found) + _standing_out(summary, found)
    return Verdict(found, HEADLINES[found], detail)


def _chance(test: TwoSampleTest, found: str) -> str:
    """How often chance alone does as much, and what was dealt anew to find out."""
    p = test.p_value or 0.0
    if found == DIFFER:
        return (
            f"If the groups were alike, {dealt(test)} among them would give a difference this large "
            f"{'at most' if at_resolution(test, p) else 'about'} 1 time in {round(1 / max(p, 1e-9)):,} "
            f"({p_value(p, at_resolution(test, p))})."
        )
    return (
        f"What sets these groups apart could be chance: {dealt(test)} among the groups gives a difference this large "
        f"{percent(p)} of the time ({p_value(p)}). {_READ_AS}"
    )


def _reason(test: TwoSampleTest) -> str:
    """Why nothing can be decided, as a sentence."""
    why = line(test.why) or "that is too few to tell a difference from chance"
    return f"There are {test.n_blocks:,} {_blocks(test.blocks_by)} to deal anew: {why}."


def at_resolution(test: TwoSampleTest, p: float) -> bool:
    """Whether no permutation did as much: the p-value is the smallest there can be, and only a bound."""
    return p <= (1 + 1e-9) / (1 + test.permutations)


def dealt(test: TwoSampleTest) -> str:
    """What was dealt anew: "shuffling whole outlets (24 of them)"."""
    if test.blocks_by in ("", "documents"):
        return "shuffling single documents"
    whole = "" if test.blocks_by.startswith("stretches") else "whole "
    if test.divided:
        return f"shuffling documents within {_blocks(test.blocks_by)} ({test.n_blocks:,} of them)"
    return f"shuffling {whole}{_blocks(test.blocks_by)} ({test.n_blocks:,} of them)"


def _blocks(by: str) -> str:
    """What blocks are called in a sentence: "outlets", "weeks", "stretches of 14 days"."""
    by = line(by)
    if by in _BLOCKS or by in _BLOCKS.values() or by.startswith("stretches"):
        return _BLOCKS.get(by, by)
    unit = re.search(r":(day|week|month|quarter|year)$", by)
    return f"{unit[1]}s" if unit else f"sets of documents with the same {by}"


def _standing_out(summary: Summary, found: str) -> str:
    """Which groups stand out from the others; of those that do not, nothing is said against any."""
    alone = [test for test in summary.test[1:] if len(test.groups) == 1]
    said = {name: [test.groups[0] for test in alone if outcome(test) == name] for name in (DIFFER, NOT_SHOWN)}
    out, rest = said[DIFFER], said[NOT_SHOWN]
    if not alone or (found != DIFFER and not out):
        return ""
    if not out:
        return " Taken one at a time, no group clearly stands out from the others."
    if len(out) == len(summary.groups):
        return " Each of them stands out from the others."
    stands = f"{_named(out, summary)} {'stands' if len(out) == 1 else 'stand'} out from the others"
    if found != DIFFER:
        return f" Taken one at a time, though, {stands}."
    if not rest:
        return f" {stands}."
    does = f"{_named(rest, summary)} {'does' if len(rest) == 1 else 'differ from each other'}"
    return f" {stands}; nothing shows that {does}."


def _named(names: Sequence[str], summary: Summary) -> str:
    """Groups by name, or, if they are many, by their number."""
    return listed(map(said, names)) if len(names) <= MOST_NAMED else f"{len(names)} of the {len(summary.groups)} groups"


def p_value(p: float | None, at_most: bool = False) -> str:
    """A probability as statisticians write it."""
    if p is None:
        return "not decided"
    if p < 0.001:
        return "p\u00a0<\u00a00.001"
    shown = f"{p:.3f}" if p < 0.1 else f"{p:.2f}"
    return f"p\u00a0{'≤' if at_most else '='}\u00a0{shown}"


def test_name(test: TwoSampleTest) -> str:
    """What a test compared."""
    if len(test.groups) == 1:
        return f"{isolate(said(test.groups[0]))} against the others"
    return (
        "all groups at once" if len(test.groups) > 2 else " against ".join(isolate(said(name)) for name in test.groups)
    )


ANSWERS = {DIFFER: "yes", NOT_SHOWN: "could be chance", UNDECIDED: "not decided", None: "not tested"}


def pair_tests(summary: Summary) -> tuple[TwoSampleTest, ...]:
    """The tests of every two groups, where there are more than two."""
    return tuple(test for test in summary.test[1:] if len(test.groups) == 2)
