"""The whole summary as Markdown, with every piece of foreign text escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from visavis.records import Document, GroupSummary, Pick, Summary
from visavis.report import by_model, changes, facts, sentences
from visavis.report.differences import WORD, differences
from visavis.report.periods import said, strays
from visavis.report.text import day, fragments, heading, percent, plural, snippet, web_address
from visavis.report.verdict import ANSWERS, outcome, p_value, pair_tests, test_name, verdict
from visavis.report.why import from_one_source
from visavis.shared.markdown import escape
from visavis.shared.text import line


def render(summary: Summary) -> str:
    """Markdown, beginning with the verdict."""
    return "\n".join(_lines(summary)).rstrip() + "\n"


def pick_line(document: Document) -> str:
    """A document to paste: its title as a link, outlet and date."""
    return " — ".join(part for part in (_link(document), escape(facts.byline(document, day(document.date)))) if part)


def _link(document: Document) -> str:
    address = web_address(document.url)  # holds nothing that could end the link early
    if not address:
        return f"**{escape(heading(document))}**"
    return f"[{escape(heading(document))}](<{address}>)"


def _lines(summary: Summary) -> Iterator[str]:
    told = verdict(summary)
    yield from (f"# {escape(summary.title) or 'Comparison'}", "", escape(sentences.overview(summary)) + ".", "")
    if sentences.asked(summary):
        yield from (escape(sentences.asked(summary)), "")
    yield from (f"**{escape(told.headline)}.** {escape(told.detail)}", "")
    yield from _differences(summary)
    yield from _by_model(summary)
    for warning in summary.warnings:
        yield from (f"> **Warning:** {escape(warning)}", "")
    yield from _changes(summary)
    for group in summary.groups:
        yield from _group(group, summary)
    if len(summary.groups) > 1:
        yield from ("## Common ground", "")
        yield from [f"- {pick_line(document)}" for document in summary.common] or [sentences.NO_COMMON]
        yield ""
    yield from _figures(summary)
    yield from _volume(summary)
    yield from _curve(summary)
    yield from _left_out(summary)
    yield from _making(summary)


def _by_model(summary: Summary) -> Iterator[str]:
    """What a model wrote, where one was asked."""
    found = by_model.read(summary)
    if found is None:
        return
    for told in found.sentences:
        cited = ", ".join(pick.called for pick in told.cites)
        picks = "pick" if len(told.cites) == 1 else "picks"
        yield f"- **{escape(told.group)}:** {escape(told.text)} ({picks} {escape(cited)})"
    yield from ("", f"*{escape(found.about)}*", "")
    yield from (*(f"- {escape(one)}" for one in found.dropped), *([""] if found.dropped else []))


def _changes(summary: Summary) -> Iterator[str]:
    """What changed since an earlier summary, where there was one."""
    told = changes.read(summary)
    if told is None:
        return
    yield from (f"## {escape(told.heading)}", "", escape(told.lead), "")
    yield from ([f"**{escape(told.nothing)}**", ""] if told.nothing else [])
    for one in told.lines:
        title = f"[{escape(one.title)}](<{one.url}>)" if one.url else f"**{escape(one.title)}**"
        yield f"- {one.mark}: {title} ({escape(one.group)}){f': {escape(one.why)}' if one.why else ''}"
    yield from ("", *([escape(told.drift), ""] if told.drift else []))


def _differences(summary: Summary) -> Iterator[str]:
    """How the groups differ, a line each."""
    found = differences(summary)
    if not found.lines:
        return
    yield from (f"## {found.heading}", "")
    for entry in found.lines:
        said = ((piece.text, escape(piece.text), piece.kind == WORD) for piece in entry.pieces)
        told = "".join(f"*{shown}*" if is_word else _keep_ends(text, shown) for text, shown, is_word in said)
        yield f"- **{escape(entry.name)}**: {told.strip()}"
    yield from ("", *([escape(found.note), ""] if found.note else []))


def _figures(summary: Summary) -> Iterator[str]:
    """How sure it is: the accuracy, and every two groups that were tested."""
    tests = pair_tests(summary)
    if not tests and not sentences.accuracy(summary):
        return
    yield from ("## How sure is this?", "")
    if sentences.accuracy(summary):
        yield from (escape(sentences.accuracy(summary)), "")
    if tests:
        yield from ("| compared | p, corrected | differ? |", "|---|---:|---|")
        rows = ((test_name(test), p_value(test.adjusted), ANSWERS[outcome(test)]) for test in tests)
        yield from (f"| {escape(name)} | {p} | {answer} |" for name, p, answer in rows)
        yield ""


def _group(group: GroupSummary, summary: Summary) -> Iterator[str]:
    counts = f"{plural(group.n_documents, 'document')}, {plural(len(group.picks), 'pick')}"
    source = escape(from_one_source(group))
    yield from (f"## {escape(facts.group_name(group))}", "", f"{counts}{f', {source}' if source else ''}.", "")
    if group.terms:
        told = (f"*{escape(term.term)}* {sentences.term(term)}" for term in group.terms)
        heading = sentences.GAPS if facts.only_gaps(group) else "What sets it apart"
        yield from (f"{heading}: " + "; ".join(told) + ".", "")
    elif facts.lacks_terms(group, summary):
        yield from (sentences.NO_TERMS, "")
    if not group.picks:
        yield from ("No document was picked for this group.", "")
    for pick in group.picks:
        yield from _pick(pick, group, summary)


def _pick(pick: Pick, group: GroupSummary, summary: Summary) -> Iterator[str]:
    yield from (f"### {pick.rank}. {_link(pick.document)}", "")
    byline = facts.byline(pick.document, day(pick.document.date))
    if byline:
        yield from (f"*{escape(byline)}*", "")
    marked = ((escape(piece), piece, is_word) for piece, is_word in fragments(snippet(pick.document), pick.words))
    beginning = "".join(f"**{shown}**" if word else _keep_ends(piece, shown) for shown, piece, word in marked)
    if beginning:
        yield from (f"> {beginning}", "")
    raw = sentences.raw_scores(pick)
    standing = escape(sentences.standing(pick, group))
    told = (
        f"{standing} ({raw})" if standing else raw,
        escape(sentences.stands_for(pick, group)),
        sentences.stability(pick, summary),
    )
    yield from ("; ".join(fact for fact in told if fact) + ".", "")


def _keep_ends(piece: str, shown: str) -> str:
    """Escaping trims a piece; give it back the spaces that part it from its neighbors."""
    if not piece.strip():
        return " "
    return " " * piece[0].isspace() + shown + " " * piece[-1].isspace()


def _volume(summary: Summary) -> Iterator[str]:
    if summary.timeline is None or not summary.timeline.periods:
        return
    names = [escape(facts.group_name(group)) for group in summary.groups]
    yield from (f"## Documents by {escape(summary.timeline.unit)}", "")
    yield from (f"| {escape(summary.timeline.unit)} | {' | '.join(names)} |", f"|---|{'---:|' * len(names)}")
    for period, counts in zip(summary.timeline.periods, summary.timeline.counts, strict=True):
        yield f"| {escape(said(period))} | {' | '.join(map(str, counts))} |"
    yield ""
    if strays(summary.timeline):
        yield from (escape(strays(summary.timeline)), "")


def _curve(summary: Summary) -> Iterator[str]:
    if not summary.size_curve:
        return
    yield from ("## How many picks are enough", "", "| picks a group | accuracy |", "|---:|---:|")
    yield from (f"| {size} | {percent(value)} |" for size, value in summary.size_curve)
    yield ""


def _left_out(summary: Summary) -> Iterator[str]:
    remarks = [f"{escape(aside.reason)}: {aside.count:,}" for aside in summary.set_aside]
    remarks += [escape(remark) for remark in sentences.remarks(summary)]
    remarks += [escape(note) for note in summary.notes]
    if remarks:
        yield from ("## Set aside and noted", "", *(f"- {item}" for item in remarks), "")


def _making(summary: Summary) -> Iterator[str]:
    yield from ("## How this was made", "")
    yield f"- Method: {escape(summary.method)}"
    yield from (f"- {escape(name)}: {escape(value)}" for name, value in facts.parameters(summary))
    yield from (f"- Seed: {summary.seed}", f"- visavis {escape(summary.version)}")
    if line(summary.command):
        command = line(summary.command)
        fence = "`" * (max((len(run) for run in re.findall("`+", command)), default=0) + 1)
        yield from ("", f"Repeat it with {fence} {command} {fence}")
