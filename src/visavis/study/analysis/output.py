"""The analysis as a page, as Markdown and as JSON."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from visavis.shared.figures import can_draw
from visavis.shared.files import replace_file
from visavis.shared.markdown import escape, table_row
from visavis.shared.text import line
from visavis.study.analysis import words
from visavis.study.analysis.results import Analysis, Interval, MethodResult, Reading
from visavis.study.analysis.sections import Figure, Section, Table, sections

SCHEMA = 1


def as_html(analysis: Analysis) -> str:
    """One page with its styles and pictures inside, no script, under a policy that lets nothing else in.

    Without the extra that draws figures they are left out, and NoFigures is warned of.
    """
    parts = list(sections(analysis))
    if not can_draw():
        parts = [replace(part, figures=()) for part in parts]
    style = _file("page.css")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return _environment().get_template("page.html").render(
        analysis=analysis,
        sections=parts,
        lead=[words.overview(analysis), *filter(None, [words.contradiction(analysis)])],
        draw=lambda figure, section: Markup(_draw(analysis, figure, section)),
        style=Markup(style),
        policy=policy,
    )  # fmt: skip


def _draw(analysis: Analysis, figure: Figure, section: Section) -> str:
    from visavis.study.analysis import figures

    reading = section.reading
    if reading is None:
        return ""
    if figure.kind == "levels":
        return figures.levels(analysis, reading, figure.name)
    if figure.kind == "density" and analysis.classifiers is not None:
        return figures.density(reading, analysis.classifiers, figure.name)
    return figures.boxes(reading, analysis.classifiers, figure.name)


@functools.cache
def _environment() -> Environment:
    return Environment(
        loader=FunctionLoader(_file),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: line(value) if isinstance(value, str) and not isinstance(value, Markup) else value,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


@functools.cache
def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def as_markdown(analysis: Analysis) -> str:
    """Sentences and tables, without the figures."""
    return "\n".join(_lines(analysis)).rstrip() + "\n"


def _lines(analysis: Analysis) -> Iterator[str]:
    yield from (f"# {escape(analysis.title)}", "", escape(words.overview(analysis)), "")
    if words.contradiction(analysis):
        yield from (escape(words.contradiction(analysis)), "")
    for section in sections(analysis):
        yield from (f"## {escape(section.heading)}", "")
        yield from (f"- {escape(sentence)}" for sentence in section.sentences)
        yield ""
        for table in section.tables:
            yield from _markdown_table(table)
        for text, about in section.quotes:
            yield from (f"> {escape(text)}", ">", f"> — {escape(about)}", "")


def _markdown_table(table: Table) -> Iterator[str]:
    yield from (f"**{escape(table.caption)}**", "")
    yield table_row(table.head)
    yield "|" + "---|" * table.labels + "---:|" * (len(table.head) - table.labels)
    yield from map(table_row, table.rows)
    yield ""


def as_json(analysis: Analysis) -> str:
    """One JSON object, with a final line break, the same bytes each time."""
    return json.dumps(as_record(analysis), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def as_record(analysis: Analysis) -> dict[str, Any]:
    """The numbers as plain objects: floats with 10 digits, None for what is undefined."""
    return {
        "schema": SCHEMA,
        "readings": [_reading(reading) for reading in analysis.readings],
        "contradicted": analysis.contradicted,
        "planned": analysis.planned,
        "gold": {"judgements": analysis.gold, "correct": analysis.gold_correct},
        "set_aside": analysis.excluded,
        "intervals": [_intervals(reading) for reading in analysis.readings],
        "notes": [line(note) for note in analysis.notes],
    }


def _intervals(reading: Reading) -> dict[str, Any]:
    """Accuracies and their differences, each with the bootstrap's interval."""
    return {
        "reading": reading.reading,
        "methods": [
            {"name": line(method.name), "accuracy": _number(method.accuracy), "interval": _ends(method.interval)}
            for method in reading.methods
        ],
        "differences": [
            {"one": line(d.one), "other": line(d.other), "value": _number(d.value), "interval": _ends(d.interval)}
            for d in reading.differences
        ],
    }


def _ends(interval: Interval) -> list[float | None] | None:
    return None if interval is None else [_number(end) for end in interval]


def _reading(reading: Reading) -> dict[str, Any]:
    combined = reading.combined
    return {
        "reading": reading.reading,
        "methods": [_method(method) for method in reading.methods],
        "combined": {"kappa_correct": _number(combined.kappa_correct), "workers": combined.workers},
        "sign_tests": [
            {
                "better": line(test.better), "worse": line(test.worse), "wins": test.wins, "losses": test.losses,
                "ties": test.ties, "p": _number(test.p), "adjusted": _number(test.adjusted),
            }
            for test in reading.sign_tests
        ],
    }  # fmt: skip


def _method(method: MethodResult) -> dict[str, Any]:
    whole = {key: getattr(method, key) for key in ("judgements", "correct", "majority", "questions", "workers")}
    kappas = {key: _number(getattr(method, key)) for key in ("kappa_correct", "kappa_choice", "seconds_per_question")}
    return {"name": line(method.name), **whole, "levels": list(method.levels), **kappas}


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(f"{value:.10g}") + 0.0


FORMATS: dict[str, Callable[[Analysis], str]] = {".html": as_html, ".md": as_markdown, ".json": as_json}


def write_analysis(analysis: Analysis, path: Path) -> None:
    """Write the report in the format of the path's suffix, whole or not at all. Raises VisavisError."""
    render = FORMATS[path.suffix.lower()]
    replace_file(path, lambda: render(analysis))
