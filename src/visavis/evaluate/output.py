"""A run's files: each is either the old one or the new one, never half of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from visavis.evaluate.results import Evaluation, results_csv
from visavis.evaluate.tables import table_md, table_tex
from visavis.shared.files import replace_file
from visavis.shared.spreadsheet import csv_text

VERSUS = ("classifier", "size", "first", "second", "difference", "t", "p_value", "holm")
TIMINGS = ("method", "split", "seconds", "cpu_seconds")
FILES = (
    "timings.csv", "run.json", "wins.csv", "tests.csv", "table.md", "table.tex", "figure.html", "figure.png",
    "figure.pdf", "results.csv",
)  # fmt: skip


def write_evaluation(evaluation: Evaluation, folder: Path) -> None:
    """All files of a run. results.csv, run.json, wins.csv, tests.csv and the tables depend on nothing but the results.

    Raises VisavisError if the folder cannot be written.
    """
    from visavis.evaluate.figures import figure_html, figure_pdf, figure_png, figure_spec

    facts = {"plan": evaluation.about, "facts": evaluation.facts, "notes": evaluation.notes}
    spec = figure_spec(evaluation)
    files: dict[str, Callable[[], str | bytes]] = {
        "timings.csv": lambda: csv_text(TIMINGS, ([row[name] for name in TIMINGS] for row in evaluation.timings)),
        "run.json": lambda: json.dumps(facts, indent=2, sort_keys=True) + "\n",
        "wins.csv": lambda: csv_text(("method", "wins"), evaluation.wins().items()),
        "tests.csv": lambda: csv_text(VERSUS, ([getattr(v, name) for name in VERSUS] for v in evaluation.tests())),
        "table.md": lambda: table_md(evaluation),
        "table.tex": lambda: table_tex(evaluation),
        "figure.html": lambda: figure_html(spec, evaluation.dataset),
        "figure.png": lambda: figure_png(spec),
        "figure.pdf": lambda: figure_pdf(spec),
        "results.csv": lambda: results_csv(evaluation.results),
    }
    for name in FILES:
        replace_file(folder / name, files[name])
