"""The analysis as a page, as Markdown and as JSON."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from visavis.report.html.head import TEMPLATE, fill_head, head_template
from visavis.shared.figures import can_draw
from visavis.shared.files import replace_file
from visavis.shared.markdown import escape, table_row
from visavis.shared.text import line
from visavis.study.analysis import words
from visavis.study.analysis.more_records import more_records
from visavis.study.analysis.numbers import ends, number
from visavis.study.analysis.preferring import sections as preferring
from visavis.study.analysis.preferring import words as preferring_words
from visavis.study.analysis.preferring.record import as_record as preferences_as_record
from visavis.study.analysis.preferring.results import PreferenceAnalysis
from visavis.study.analysis.results import Analysis, MachineReader, MethodResult, Reading
from visavis.study.analysis.sections import Figure, Section, sections
from visavis.study.analysis.tables import Table

SCHEMA = 1
AnyAnalysis = Analysis | PreferenceAnalysis


def as_html(analysis: AnyAnalysis) -> str:
    """One page with its styles and pictures inside, no script, under a policy that lets nothing else in.

    Without the extra that draws figures they are left out, and NoFigures is warned of.
    """
    parts = list(_sections(analysis))
    if not can_draw():
        parts = [replace(part, figures=()) for part in parts]
    return _environment().get_template("page.html").render(
        analysis=analysis,
        sections=parts,
        lead=_lead(analysis),
        draw=lambda figure, section: Markup(_draw(analysis, figure, section)),
        **fill_head(analysis.title, _file("page.css")),
    )  # fmt: skip


def _sections(analysis: AnyAnalysis) -> Iterator[Section]:
    return preferring.sections(analysis) if isinstance(analysis, PreferenceAnalysis) else sections(analysis)


def _lead(analysis: AnyAnalysis) -> list[str]:
    """What stands above all sections."""
    if isinstance(analysis, PreferenceAnalysis):
        return list(preferring_words.overview(analysis))
    return [words.overview(analysis), *filter(None, [words.contradiction(analysis)])]


def _draw(analysis: AnyAnalysis, figure: Figure, section: Section) -> str:
    if isinstance(analysis, PreferenceAnalysis):
        from visavis.study.analysis.preferring import figures as of_preferences

        readers = analysis.readers[figure.place]
        draw = of_preferences.preferences if figure.kind == "preferences" else of_preferences.reasons
        return draw(readers, figure.name)
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
        loader=FunctionLoader(lambda name: head_template() if name == TEMPLATE else _file(name)),
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


def as_markdown(analysis: AnyAnalysis) -> str:
    """Sentences and tables, without the figures."""
    return "\n".join(_lines(analysis)).rstrip() + "\n"


def _lines(analysis: AnyAnalysis) -> Iterator[str]:
    yield from (f"# {escape(analysis.title)}", "")
    for sentence in _lead(analysis):
        yield from (escape(sentence), "")
    for section in _sections(analysis):
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


def as_json(analysis: AnyAnalysis) -> str:
    """One JSON object, with a final line break, the same bytes each time."""
    return json.dumps(as_record(analysis), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def as_record(analysis: AnyAnalysis) -> dict[str, Any]:
    """The numbers as plain objects: floats with 10 digits, None for what is undefined."""
    if isinstance(analysis, PreferenceAnalysis):
        return preferences_as_record(analysis)
    return {
        "schema": SCHEMA,
        "readings": [_reading(reading) for reading in analysis.readings],
        "contradicted": analysis.contradicted,
        "planned": analysis.planned,
        "gold": {"judgements": analysis.gold, "correct": analysis.gold_correct},
        "set_aside": analysis.excluded,
        "intervals": [_intervals(reading) for reading in analysis.readings],
        "notes": [line(note) for note in analysis.notes],
        "task": "sort",
        "readers": line(analysis.machine) or "people",
        "machines": [_machine(machine) for machine in analysis.machines],
        "flags": [
            {"kind": line(flag.kind), "workers": flag.workers, "judgements": flag.judgements, "correct": flag.correct,
             "without": {line(name): number(value) for name, value in flag.without}}
            for flag in analysis.flags
        ],
    }  # fmt: skip


def _machine(machine: MachineReader) -> dict[str, Any]:
    """What a machine made of the same questions, and how that compares with people."""
    return {
        "name": line(machine.name), **_reading(machine.reading), "intervals": _intervals(machine.reading),
        "gold": {"judgements": machine.gold, "correct": machine.gold_correct},
        "beside_people": [
            {"method": line(one.method), "questions": one.questions, "decided": one.decided, "same": one.same,
             "difference": number(one.difference), "interval": ends(one.interval)}
            for one in machine.versus
        ],
    }  # fmt: skip


def _intervals(reading: Reading) -> dict[str, Any]:
    """Accuracies and their differences, each with its interval."""
    return {
        "reading": reading.reading,
        "methods": [
            {"name": line(method.name), "accuracy": number(method.accuracy), "interval": ends(method.interval)}
            for method in reading.methods
        ],
        "differences": [
            {"one": line(d.one), "other": line(d.other), "value": number(d.value), "interval": ends(d.interval)}
            for d in reading.differences
        ],
    }


def _reading(reading: Reading) -> dict[str, Any]:
    combined = reading.combined
    return {
        "reading": reading.reading,
        "methods": [_method(method) for method in reading.methods],
        "combined": {"kappa_correct": number(combined.kappa_correct), "workers": combined.workers},
        "sign_tests": [
            {
                "better": line(test.better), "worse": line(test.worse), "wins": test.wins, "losses": test.losses,
                "ties": test.ties, "p": number(test.p), "adjusted": number(test.adjusted),
            }
            for test in reading.sign_tests
        ],
        **more_records(reading),
    }  # fmt: skip


def _method(method: MethodResult) -> dict[str, Any]:
    whole = {key: getattr(method, key) for key in ("judgements", "correct", "majority", "questions", "workers")}
    kappas = {key: number(getattr(method, key)) for key in ("kappa_correct", "kappa_choice", "seconds_per_question")}
    return {"name": line(method.name), **whole, "levels": list(method.levels), **kappas}


FORMATS: dict[str, Callable[[AnyAnalysis], str]] = {".html": as_html, ".md": as_markdown, ".json": as_json}


def write_analysis(analysis: AnyAnalysis, path: Path) -> None:
    """Write the report in the format of the path's suffix, whole or not at all. Raises VisavisError."""
    render = FORMATS[path.suffix.lower()]
    replace_file(path, lambda: render(analysis))
