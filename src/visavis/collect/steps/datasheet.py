"""The data sheet that lies beside an exported corpus: what it is made of, what was left out, and by which versions."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from visavis._version import __version__
from visavis.collect.records import to_text
from visavis.collect.state.store import Store
from visavis.collect.steps.funnel import Funnel, funnel
from visavis.shared.markdown import escape, table_row

PACKAGES = ("trafilatura", "httpx2", "feedparser", "py3langid", "tldextract", "courlan", "sentencex", "rensa")


def sheet_path(corpus: Path) -> Path:
    """Where the data sheet of a corpus lies."""
    return corpus.with_suffix(".datasheet.md")


def data_sheet(store: Store, topics: Sequence[str], corpus: Path, documents: int) -> str:
    """The data sheet, in Markdown."""
    lines = [f"# {escape(corpus.name)}", "", f"{documents:,} documents, written {to_text(datetime.now(UTC))} by "]
    lines[-1] += f"visavis {__version__}. Every figure is that of the state file at that time."
    lines += ["", "## Sources", "", *_rows(("source",), ((name,) for name in store.sources()))]
    lines += ["", *_rows(("kind of post", "posts"), store.platforms().items())]
    for topic in topics:
        lines += ["", *_topic(store, funnel(store, topic))]
    lines += ["", "## Versions", "", *_rows(("what", "version"), _versions())]
    return "\n".join(lines) + "\n"


def _topic(store: Store, found: Funnel) -> list[str]:
    times = sorted(store.document_times(found.topic))
    span = f"{to_text(times[0])} to {to_text(times[-1])}" if times else "no dates"
    stages = (*found.posts, *found.articles)
    lost = ((stage.name, loss.kind, loss.reason, loss.count) for stage in stages for loss in stage.losses)
    queries = ((one.text, "in" if one.kept else "out", one.reason or one.origin) for one in found.queries)
    return [
        f"## {escape(found.topic)}", "", f"{found.kept:,} documents, {span}.", "",
        *_rows(("query", "in or out", "why"), queries), "",
        *_rows(("stage", "number"), ((stage.name, stage.count) for stage in stages)), "",
        *_rows(("of", "what became of them", "why", "number"), lost),
    ]  # fmt: skip


def _versions() -> Iterable[tuple[str, str]]:
    yield "visavis", __version__
    yield "Python", platform.python_version()
    for name in PACKAGES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            yield name, "not installed"


def _rows(head: Sequence[str], rows: Iterable[Sequence[str | int]]) -> list[str]:
    cells = [[f"{cell:,}" if isinstance(cell, int) else cell for cell in row] for row in rows]
    return [table_row(head), "|" + "---|" * len(head), *map(table_row, cells)] if cells else ["None."]
