"""Two summaries of a ledger face to face, as a page, as Markdown or as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict

from visavis.records.changes import Entry, EntryDiff, GroupDiff, NotedPick
from visavis.report.changes import when
from visavis.report.facts import in_words
from visavis.report.json_ import plain
from visavis.report.text import percent, plural, shorten, web_address
from visavis.shared.markdown import escape, table_row
from visavis.shared.text import line

LONGEST = 170


def facts_of(entry: Entry) -> list[tuple[str, str]]:
    """A summary in a few facts: when, of what, how, and what came of it."""
    accuracy = "" if entry.accuracy is None else percent(entry.accuracy)
    return [
        ("Made", f"{when(entry.made)}, {entry.made[11:16]} UTC"),
        ("Documents", f"{entry.documents:,} in {plural(len(entry.groups), 'group')}"),
        ("Method", line(entry.method)),
        ("Verdict", line(entry.headline) or "not assessed"),
        ("Groups told by the picks", accuracy or "not measured"),
    ]


def rows(found: EntryDiff) -> list[tuple[str, str, str]]:
    """The facts of both side by side, then the options that differ."""
    both = [
        (name, left, right)
        for (name, left), (_, right) in zip(facts_of(found.before), facts_of(found.after), strict=True)
    ]
    return [*both, *((line(name), in_words(a) or "none", in_words(b) or "none") for name, a, b in found.options)]


def heading(found: EntryDiff) -> str:
    """For instance "Summary 3 and summary 7"."""
    return f"Summary {found.before.number} and summary {found.after.number}"


def overview(found: EntryDiff) -> str:
    """How many picks both share, in a sentence."""
    kept, gone, new = (
        sum(len(getattr(group, name)) for group in found.groups) for name in ("kept", "dropped", "added")
    )
    return f"{plural(kept, 'pick')} in both, {gone} only in the first, {new} only in the second."


def lines(group: GroupDiff) -> list[tuple[str, NotedPick]]:
    """The picks of a group: in both, in the first alone, in the second alone."""
    return [
        *(("kept", new) for _, new in group.kept),
        *(("gone", pick) for pick in group.dropped),
        *(("new", pick) for pick in group.added),
    ]


def count(group: GroupDiff) -> str:
    """How many documents a group had in each."""
    told = ["not there" if n is None else plural(n, "document") for n in group.documents]
    return told[0] if told[0] == told[1] else f"{told[0]}, then {told[1]}"


def render_json(found: EntryDiff) -> str:
    """Both summaries and their difference as one object."""
    record = {"schema": 1, **asdict(found)}
    record["options"] = [{"name": name, "before": a, "after": b} for name, a, b in found.options]
    return json.dumps(plain(record), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def render_markdown(found: EntryDiff) -> str:
    """Markdown, every piece of foreign text escaped."""
    return "\n".join(_lines(found)).rstrip() + "\n"


def _lines(found: EntryDiff) -> Iterator[str]:
    yield from (f"# {escape(heading(found))}", "", escape(overview(found)), "")
    yield from (table_row(("", f"summary {found.before.number}", f"summary {found.after.number}")), "|---|---|---|")
    yield from (table_row(row) for row in rows(found))
    for group in found.groups:
        yield from ("", f"## {escape(group.name)}", "", escape(count(group)) + ".", "")
        for mark, pick in lines(group):
            address = web_address(pick.url)
            title = escape(shorten(pick.title, LONGEST))
            yield f"- {mark}: {f'[{title}](<{address}>)' if address else f'**{title}**'}{_byline(pick)}"
        before, after = (", ".join(map(escape, words)) for words in group.words)
        if before or after:
            yield from ("", f"Words: {before or 'none'}; then: {after or 'none'}.")


def _byline(pick: NotedPick) -> str:
    told = ", ".join(part for part in (line(pick.source), pick.date[:10]) if part)
    return f" — {escape(told)}" if told else ""


def render_html(found: EntryDiff) -> str:
    """A page without a script."""
    from visavis.report.html import render_diff

    return render_diff(found)


DIFFS: dict[str, Callable[[EntryDiff], str]] = {
    ".html": render_html,
    ".md": render_markdown,
    ".json": render_json,
}
