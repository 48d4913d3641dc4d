"""The summary in a terminal: the verdict, then the groups side by side where there is room."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from visavis.records import GroupSummary, Pick, Summary
from visavis.report import facts
from visavis.report.text import day, fragments, heading, number, percent, plural, snippet, web_address
from visavis.shared.text import line

NARROWEST = 60  # columns a group needs
BAR = 12
COLORS = ("blue", "yellow", "green", "magenta", "cyan", "red")


def print_summary(summary: Summary, console: Console) -> None:
    """Print the verdict, what each group's picks are, and how they came about."""
    for part in _parts(summary, console.width):
        console.print(part, highlight=False)


def _parts(summary: Summary, width: int) -> Iterator[RenderableType]:
    yield Text(line(summary.title) or "Comparison", "bold")
    yield Text(facts.overview(summary) + ".", "dim")
    yield _verdict(summary)
    for warning in summary.warnings:
        yield Text.assemble(("Warning: ", "bold yellow"), line(warning))
    columns = max(1, min(len(summary.groups), width // NARROWEST))
    scale = _scale(summary)
    for start in range(0, len(summary.groups), columns):
        yield _side_by_side(
            [_group(summary, index, scale) for index in range(start, min(start + columns, len(summary.groups)))]
        )
    if len(summary.groups) > 1:
        yield Text("Common ground", "bold")
        if not summary.common:
            yield Text(f"  {facts.NO_COMMON}", "italic")
        for document in summary.common:
            byline = facts.byline(document, day(document.date))
            yield Text.assemble("  ", heading(document), (f"  {byline}", "dim"))
    yield from _remarks(summary)


def _verdict(summary: Summary) -> RenderableType:
    verdict = facts.verdict(summary)
    text = Text.assemble((verdict.headline, "bold"), "\n", verdict.detail)
    if facts.accuracy(summary):
        text.append("\n" + facts.accuracy(summary))
    return Panel(text, border_style="bold red" if verdict.differ is False else "dim")


def _side_by_side(groups: list[RenderableType]) -> RenderableType:
    table = Table.grid(expand=True, padding=(0, 3, 0, 0))
    for _ in groups:
        table.add_column(ratio=1, overflow="fold")
    table.add_row(*groups)
    return Padding(table, (1, 0, 0, 0))


def _group(summary: Summary, index: int, scale: dict[str, float]) -> RenderableType:
    group = summary.groups[index]
    color = COLORS[index % len(COLORS)]
    parts: list[RenderableType] = [
        Text.assemble((f" {facts.group_key(index)} ", f"reverse {color}"), " ", (line(group.name), "bold")),
        Text(plural(group.n_documents, "document") + _words(group), "dim"),
        *([Text(facts.NO_TERMS, "dim italic")] if facts.lacks_terms(group, summary) else []),
    ]
    parts += [_pick(summary, pick, f"{facts.group_key(index)}{pick.rank}", color, scale) for pick in group.picks]
    if not group.picks:
        parts.append(Text("No document was picked for this group.", "italic"))
    return Group(*parts)


def _words(group: GroupSummary) -> str:
    told = (f"{line(term.term)} {percent(term.share)}" for term in group.terms)
    return ": " + ", ".join(told) if group.terms else ""


def _pick(summary: Summary, pick: Pick, key: str, color: str, scale: dict[str, float]) -> RenderableType:
    document = pick.document
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
    parts += _bars(pick, color, scale)
    remarks = (facts.stands_for(pick), facts.stability(pick, summary))
    parts.append(Text("; ".join(part for part in remarks if part), "dim"))
    return Padding(Group(*parts), (1, 0, 0, 0))


def _values(pick: Pick) -> dict[str, float | None]:
    scores = pick.scores
    return {"typical": scores.coverage, "distinct": scores.discrimination, "varied": scores.diversity}


def _scale(summary: Summary) -> dict[str, float]:
    """The largest value of each score over all picks."""
    values = [_values(pick) for group in summary.groups for pick in group.picks]
    return {
        name: max((row[name] or 0.0 for row in values if row[name] == row[name]), default=0.0)
        for name in ("typical", "distinct", "varied")
    }


def _bars(pick: Pick, color: str, scale: dict[str, float]) -> Iterator[Text]:
    for name, value in _values(pick).items():
        if value is None or value != value:
            continue
        length = round(BAR * max(0.0, value) / scale[name]) if scale[name] > 0 else 0
        yield Text.assemble(
            (f"{name:<9}", "dim"), ("━" * length, color), ("─" * (BAR - length), "dim"), f" {number(value)}"
        )


def _remarks(summary: Summary) -> Iterator[RenderableType]:
    remarks = [f"set aside, {line(aside.reason)}: {aside.count:,}" for aside in summary.set_aside]
    remarks += facts.remarks(summary)
    remarks += [line(note) for note in summary.notes]
    made = ", ".join(f"{name} {value}" for name, value in facts.parameters(summary))
    remarks.append(f"{line(summary.method)} ({made}), seed {summary.seed}, visavis {line(summary.version)}")
    yield Padding(Text("\n".join(remarks), "dim"), (1, 0, 0, 0))
