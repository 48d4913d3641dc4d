"""The summary in a terminal: the verdict, then the groups side by side where there is room."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from visavis.records import GroupSummary, Pick, Summary
from visavis.report import by_model, changes, facts, sentences
from visavis.report.bars import bars, known_scores
from visavis.report.differences import WORD, differences
from visavis.report.text import day, fragments, heading, percent, plural, snippet, web_address
from visavis.report.verdict import ANSWERS, DIFFER, outcome, p_value, pair_tests, test_name, verdict
from visavis.report.why import from_one_source
from visavis.shared.text import line

MOST_PAIRS = 15
NARROWEST = 60  # columns a group needs
BAR = 12
COLORS = ("blue", "yellow", "green", "magenta", "cyan", "red")
COLORS_OF_MARKS = {changes.NEW: "bold green", changes.GONE: "red"}


def print_summary(summary: Summary, console: Console) -> None:
    """Print the verdict, what each group's picks are, and how they came about."""
    for part in _parts(summary, console.width):
        console.print(part, highlight=False)


def _parts(summary: Summary, width: int) -> Iterator[RenderableType]:
    yield Text(line(summary.title) or "Comparison", "bold")
    yield Text(f"{sentences.overview(summary)}. {sentences.asked(summary)}".rstrip(), "dim")
    yield _verdict(summary)
    yield from _differences(summary)
    yield from _by_model(summary)
    for warning in summary.warnings:
        yield Text.assemble(("Warning: ", "bold yellow"), line(warning))
    yield from _changes(summary)
    columns = max(1, min(len(summary.groups), width // NARROWEST))
    known = known_scores(summary)
    for start in range(0, len(summary.groups), columns):
        yield _side_by_side(
            [_group(summary, index, known) for index in range(start, min(start + columns, len(summary.groups)))]
        )
    if len(summary.groups) > 1:
        yield Text("Common ground", "bold")
        if not summary.common:
            yield Text(f"  {sentences.NO_COMMON}", "italic")
        for document in summary.common:
            byline = facts.byline(document, day(document.date))
            yield Text.assemble("  ", heading(document), (f"  {byline}", "dim"))
    yield from _figures(summary)
    yield from _remarks(summary)


def _verdict(summary: Summary) -> RenderableType:
    told = verdict(summary)
    return Panel(Text.assemble((told.headline, "bold"), "\n", told.detail), border_style="dim")


def _figures(summary: Summary) -> Iterator[RenderableType]:
    """How sure it is: the accuracy, and every two groups that were tested."""
    said = [*([sentences.accuracy(summary)] if sentences.accuracy(summary) else []), *_pairs(summary)]
    if said:
        yield Padding(Group(Text("How sure is this?", "bold"), Text("\n".join(said))), (1, 0, 0, 0))


def _differences(summary: Summary) -> Iterator[Text]:
    """How the groups differ, a line each."""
    found = differences(summary)
    if not found.lines:
        return
    yield Text(found.heading, "bold")
    for entry in found.lines:
        color = COLORS[entry.group % len(COLORS)]
        text = Text.assemble(
            (f" {facts.group_key(entry.group)} ", f"reverse {color}"), " ", (f"{entry.name}: ", "bold")
        )
        for piece in entry.pieces:
            text.append(piece.text, "italic" if piece.kind == WORD else "")
        yield text
    if found.note:
        yield Text(found.note, "dim")


def _changes(summary: Summary) -> Iterator[Text]:
    """What changed since an earlier summary, where there was one."""
    told = changes.read(summary)
    if told is None:
        return
    yield Text(told.heading, "bold")
    yield Text(told.lead)
    if told.nothing:
        yield Text(told.nothing, "bold")
    for one in told.lines:
        yield Text.assemble(
            (f"{one.mark:<5}", COLORS_OF_MARKS.get(one.mark, "dim")), one.title, (f"  {one.group}", "dim"),
            (f"\n     {one.why}" if one.why else "", "dim"),
        )  # fmt: skip
    if told.drift:
        yield Text(told.drift, "dim")


def _by_model(summary: Summary) -> Iterator[RenderableType]:
    """What a model wrote, where one was asked."""
    found = by_model.read(summary)
    if found is None:
        return
    for told in found.sentences:
        color, cited = COLORS[told.index % len(COLORS)], ", ".join(pick.key for pick in told.cites)
        yield Text.assemble((f"{facts.group_key(told.index)} ", color), told.text, (f" ({cited})", "dim"))
    yield from (Text(note, "dim") for note in (found.about, *found.dropped))


def _pairs(summary: Summary) -> Iterator[str]:
    """Every two groups that were tested; where they are many, only how many differ."""
    tests = pair_tests(summary)
    if len(tests) > MOST_PAIRS:
        differ = sum(outcome(test) == DIFFER for test in tests)
        yield f"{differ:,} of {plural(len(tests), 'pair')} of groups differ."
        return
    yield from (f"{test_name(test)}: {ANSWERS[outcome(test)]}, {p_value(test.adjusted)}" for test in tests)


def _side_by_side(groups: list[RenderableType]) -> RenderableType:
    table = Table.grid(expand=True, padding=(0, 3, 0, 0))
    for _ in groups:
        table.add_column(ratio=1, overflow="fold")
    table.add_row(*groups)
    return Padding(table, (1, 0, 0, 0))


def _group(summary: Summary, index: int, known: dict[str, list[float]]) -> RenderableType:
    group = summary.groups[index]
    color = COLORS[index % len(COLORS)]
    parts: list[RenderableType] = [
        Text.assemble((f" {facts.group_key(index)} ", f"reverse {color}"), " ", (facts.group_name(group), "bold")),
        Text(_counts(group), "dim"),
        *([Text(sentences.NO_TERMS, "dim italic")] if facts.lacks_terms(group, summary) else []),
    ]
    parts += [_pick(summary, index, pick, known) for pick in group.picks]
    if not group.picks:
        parts.append(Text("No document was picked for this group.", "italic"))
    return Group(*parts)


def _counts(group: GroupSummary) -> str:
    counts = [plural(group.n_documents, "document"), plural(len(group.picks), "pick"), from_one_source(group)]
    told = (f"{line(term.term)} {percent(term.share)} ({term.documents:,})" for term in group.terms)
    gaps = f". {sentences.GAPS}" if facts.only_gaps(group) else ""
    return ", ".join(count for count in counts if count) + gaps + (": " + ", ".join(told) if group.terms else "")


def _pick(summary: Summary, index: int, pick: Pick, known: dict[str, list[float]]) -> RenderableType:
    document, group, color = pick.document, summary.groups[index], COLORS[index % len(COLORS)]
    key = facts.pick_key(index, pick)
    address = web_address(document.url)
    title = Text.assemble((f"{key} ", color), (heading(document), f"bold link {address}" if address else "bold"))
    parts: list[RenderableType] = [title]
    byline = facts.byline(document, day(document.date))
    if byline:
        parts.append(Text(byline, "dim"))
    beginning = Text()
    for piece, is_word in fragments(snippet(document), pick.words):
        beginning.append(piece, "bold underline" if is_word else "")
    if beginning:
        parts.append(beginning)
    parts += _bars(pick, group, color, known)
    remarks = (sentences.stands_for(pick, group), sentences.stability(pick, summary))
    parts.append(Text("; ".join(part for part in remarks if part), "dim"))
    return Padding(Group(*parts), (1, 0, 0, 0))


def _bars(pick: Pick, group: GroupSummary, color: str, known: dict[str, list[float]]) -> Iterator[Text]:
    """How typical, distinct and varied it is."""
    for bar in bars(pick, group, known):
        length = round(BAR * bar.length / 100)
        drawn = (("━" * length, color), ("─" * (BAR - length), "dim"))
        yield Text.assemble((f"{bar.label.lower():<9}", "dim"), *drawn, f" {bar.value:>5} ({bar.raw})")


def _remarks(summary: Summary) -> Iterator[RenderableType]:
    remarks = [f"set aside, {line(aside.reason)}: {aside.count:,}" for aside in summary.set_aside]
    remarks += sentences.remarks(summary)
    remarks += [line(note) for note in summary.notes]
    made = ", ".join(f"{name} {value}" for name, value in facts.parameters(summary))
    remarks.append(f"{line(summary.method)} ({made}), seed {summary.seed}, visavis {line(summary.version)}")
    yield Padding(Text("\n".join(remarks), "dim"), (1, 0, 0, 0))
