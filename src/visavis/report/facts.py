"""What a summary says, in sentences that every report shares."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from visavis.records import Document, GroupSummary, Pick, Summary, Term, TwoSampleTest
from visavis.report.periods import extent
from visavis.report.text import heading, listed, number, outlet, percent, plural, shorten
from visavis.shared.text import line

ALPHA = 0.05
LEAST_BOILERPLATE = 0.0005  # of the words; less is not worth a remark


@dataclass(frozen=True)
class Verdict:
    """Whether the groups differ (None: not tested), in a few words, and what that rests on."""

    differ: bool | None
    headline: str
    detail: str


def overview(summary: Summary) -> str:
    """The whole comparison in one line."""
    documents = sum(group.n_documents for group in summary.groups)
    picks = sum(len(group.picks) for group in summary.groups)
    by = f" by {line(summary.by)}" if line(summary.by) else ""
    when = f", {extent(summary.timeline)}" if extent(summary.timeline) else ""
    return f"{plural(documents, 'document')} in {plural(len(summary.groups), 'group')}{by}{when}; {picks} picked"


def verdict(summary: Summary) -> Verdict:
    """Do the groups differ? The answer, at 5 %, of the one test of all groups at once; it comes first, uncorrected."""
    p = summary.test[0].p_value if summary.test else math.nan
    if math.isnan(p):
        return Verdict(None, "Not tested", "Whether the groups differ by more than chance was not tested.")
    if p < ALPHA:
        detail = (
            f"If the groups were alike, a difference this large would come up by chance about 1 time in "
            f"{round(1 / max(p, 1e-9)):,} ({p_value(p)})."
        )
        return Verdict(True, "The groups differ", detail + _unremarkable(summary))
    detail = (
        f"What sets these groups apart could be chance: shuffling the documents among the groups at random gives a "
        f"difference this large {percent(p)} of the time ({p_value(p)}). Read the picks as typical of their "
        "groups, not as evidence that the groups disagree."
    )
    return Verdict(False, "No clear difference: this could be chance", detail)


def _unremarkable(summary: Summary) -> str:
    """The groups that do not differ from the rest, where others do."""
    alike = [test.groups[0] for test in summary.test[1:] if len(test.groups) == 1 and not test.adjusted < ALPHA]
    if not alike:
        return ""
    if len(alike) == len(summary.groups):
        return " Taken one at a time, no group clearly stands out from the rest."
    does = "does" if len(alike) == 1 else "do"
    return f" But {listed(alike)} {does} not clearly differ from the rest: that could be chance."


def p_value(p: float) -> str:
    """A probability as statisticians write it."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def test_name(test: TwoSampleTest) -> str:
    """What a test compared."""
    if len(test.groups) == 1:
        return f"{line(test.groups[0])} against the rest"
    return "all groups at once" if len(test.groups) > 2 else " against ".join(map(line, test.groups))


def accuracy(summary: Summary) -> str:
    """How well the picks alone tell the groups apart, beside the best that could be hoped for; empty if unknown."""
    if summary.accuracy is None or math.isnan(summary.accuracy):
        return ""
    said = (
        f"Shown nothing but the picks, a simple classifier puts {percent(summary.accuracy)} of documents it has never "
        f"seen in the right group"
    )
    if summary.ceiling is not None and not math.isnan(summary.ceiling):
        beaten = summary.ceiling <= summary.accuracy
        told = "does no better: it manages" if beaten else "manages"
        said += f"; a classifier trained on every document {told} {percent(summary.ceiling)}"
    return f"{said}. Guessing would get {percent(guess(summary))}."


def guess(summary: Summary) -> float:
    """The balanced accuracy of guessing."""
    return 1 / max(1, len(summary.groups))


NO_TERMS = "No word is clearly more frequent here than elsewhere."
NO_COMMON = "No document is typical of all groups."


def term(term: Term) -> str:
    """How frequent a term is: "21 % here, 3 % elsewhere"."""
    if term.share_elsewhere is None:
        return f"{percent(term.share)} of documents"
    return f"{percent(term.share)} here, {_small(term.share_elsewhere)} elsewhere"


def _small(share: float) -> str:
    return percent(share) if share == 0 or share >= 0.005 else f"under {percent(0.01)}"


def lacks_terms(group: GroupSummary, summary: Summary) -> bool:
    """Whether terms were sought in vain: there are other groups to be told from, and something to read."""
    has_words = any((document.text or document.title) and not document.image for document in shown_documents(summary))
    return not group.terms and len(summary.groups) > 1 and has_words


def stability(pick: Pick, summary: Summary) -> str:
    """How often the pick came back on resampled documents; empty if unknown."""
    if pick.stability is None or math.isnan(pick.stability):
        return ""
    tries = summary.parameters.get("resamples")
    if isinstance(tries, int) and tries > 0:
        return f"picked again in {round(pick.stability * tries)} of {plural(tries, 'resample')}"
    return f"picked again in {percent(pick.stability)} of resamples"


def stands_for(pick: Pick) -> str:
    """How many documents a pick speaks for."""
    return f"stands for {plural(len(pick.covers), 'document')}"


def contribution(pick: Pick, summary: Summary) -> str:
    """A pick's part in its group's objective; for a likelihood, gains one by one would say nothing."""
    if summary.method.startswith("likelihood"):
        return (
            f"Log-likelihood of the documents it stands for {number(pick.share)}; leaving it out would cost "
            f"{number(pick.loss)}."
        )
    return (
        f"Share of the group's score {number(pick.share)}; added {number(pick.gain)} when it was picked; "
        f"leaving it out would cost {number(pick.loss)}."
    )


def folded(summary: Summary) -> str:
    """What became of near-duplicates; empty where there were none."""
    if not summary.folded:
        return ""
    if summary.folded == 1:
        return "1 near-duplicate was folded into the document it repeats."
    return f"{summary.folded:,} near-duplicates were folded into the documents they repeat."


def not_candidates(summary: Summary) -> str:
    """How many documents count but are not shown, and why; empty where all may be."""
    count = sum(away.count for away in summary.not_candidates)
    if not count:
        return ""
    reasons = ", ".join(f"{away.count:,} {line(away.reason)}" for away in summary.not_candidates)
    return f"{plural(count, 'document')} {'counts but is' if count == 1 else 'count but are'} not shown: {reasons}."


def boilerplate(summary: Summary) -> str:
    """How much of the texts was left out; empty where it is next to nothing."""
    if summary.boilerplate < LEAST_BOILERPLATE:
        return ""
    return (
        f"{100 * summary.boilerplate:.1f} % of the words are boilerplate (letterheads, datelines, notices, whatever "
        "recurs) and were left out before the documents were compared."
    )


def remarks(summary: Summary) -> list[str]:
    """What was made of the documents, a sentence each."""
    found = (folded(summary), not_candidates(summary), boilerplate(summary))
    return [remark for remark in found if remark]


def byline(document: Document, date: str) -> str:
    """Outlet and date, as far as known."""
    return ", ".join(part for part in (outlet(document), date) if part)


def titles(summary: Summary) -> dict[str, str]:
    """What to call each document that is known by name."""
    known: dict[str, str] = {}
    if summary.map is not None:
        known.update(
            (key, shorten(title, 160) or line(key))
            for key, title in zip(summary.map.ids, summary.map.titles, strict=True)
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


def parameters(summary: Summary) -> list[tuple[str, str]]:
    """The parameters that say something, in words; the size curve has a place of its own."""
    said = summary.parameters.items()
    found = [(line(str(key)).replace("_", " "), _said(value)) for key, value in said if key != "size_curve"]
    return [(name, value) for name, value in found if value]


def _said(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{line(str(key))} {_said(item)}" for key, item in value.items() if _said(item))
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_said, value))
    return line(str(value))
