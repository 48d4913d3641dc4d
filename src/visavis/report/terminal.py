"""The summary in a terminal: the verdict, then the groups side by side where there is room."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from visavis.records import GroupSummary, Pick, Summary
from visavis.report import by_model, facts
from visavis.report.text import day, fragments, heading, number, percent, plural, snippet, web_address
from visavis.report.verdict import ANSWERS, DIFFER, outcome, p_value, pair_tests, test_name, verdict
from visavis.shared.text import line

MOST_PAIRS = 15
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
    yield from _by_model(summary)
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
    told = verdict(summary)
    text = Text.assemble((told.headline, "bold"), "\n", told.detail)
    if facts.accuracy(summary):
        text.append("\n" + facts.accuracy(summary))
    text.append("".join(f"\n{said}" for said in _pairs(summary)))
    return Panel(text, border_style="dim")


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


def _group(summary: Summary, index: int, scale: dict[str, float]) -> RenderableType:
    group = summary.groups[index]
    color = COLORS[index % len(COLORS)]
    parts: list[RenderableType] = [
        Text.assemble((f" {facts.group_key(index)} ", f"reverse {color}"), " ", (line(group.name), "bold")),
        Text(plural(group.n_documents, "document") + _words(group), "dim"),
        *([Text(facts.NO_TERMS, "dim italic")] if facts.lacks_terms(group, summary) else []),
    ]
    parts += [_pick(summary, index, pick, scale) for pick in group.picks]
    if not group.picks:
        parts.append(Text("No document was picked for this group.", "italic"))
    return Group(*parts)


def _words(group: GroupSummary) -> str:
    told = (f"{line(term.term)} {percent(term.share)}" for term in group.terms)
    return ": " + ", ".join(told) if group.terms else ""


def _pick(summary: Summary, index: int, pick: Pick, scale: dict[str, float]) -> RenderableType:
    document, group, color = pick.document, summary.groups[index], COLORS[index % len(COLORS)]
    key = f"{facts.group_key(index)}{pick.rank}"
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
    remarks = (facts.stands_for(pick, group), facts.stability(pick, summary))
    parts.append(Text("; ".join(part for part in remarks if part), "dim"))
    return Padding(Group(*parts), (1, 0, 0, 0))


def _scale(summary: Summary) -> dict[str, float]:
    """The largest value of each score over all picks, by which bars without a percentile are drawn."""
    scores = [pick.scores for group in summary.groups for pick in group.picks]
    raw: dict[str, list[float | None]] = {
        "typical": [one.coverage for one in scores],
        "distinct": [one.discrimination for one in scores],
        "varied": [one.diversity for one in scores],
    }
    return {name: max((v for v in values if facts.is_known(v)), default=0.0) for name, values in raw.items()}


def _bars(pick: Pick, color: str, scale: dict[str, float]) -> Iterator[Text]:
    """How typical and how distinct it is among its group's documents; how varied among the picks of all groups."""
    scores = pick.scores
    for name, rank, value in (
        ("typical", scores.typical, scores.coverage),
        ("distinct", scores.distinct, scores.discrimination),
        ("varied", None, scores.diversity),
    ):
        if not facts.is_known(value):
            continue
        part = max(0.0, value) / scale[name] if scale[name] > 0 else 0.0
        length = round(BAR * (rank / 100 if facts.is_known(rank) else part))
        shown = f"{facts.rank(rank):>5} ({number(value)})" if facts.is_known(rank) else number(value)
        yield Text.assemble((f"{name:<9}", "dim"), ("━" * length, color), ("─" * (BAR - length), "dim"), f" {shown}")


def _remarks(summary: Summary) -> Iterator[RenderableType]:
    remarks = [f"set aside, {line(aside.reason)}: {aside.count:,}" for aside in summary.set_aside]
    remarks += facts.remarks(summary)
    remarks += [line(note) for note in summary.notes]
    made = ", ".join(f"{name} {value}" for name, value in facts.parameters(summary))
    remarks.append(f"{line(summary.method)} ({made}), seed {summary.seed}, visavis {line(summary.version)}")
    yield Padding(Text("\n".join(remarks), "dim"), (1, 0, 0, 0))
