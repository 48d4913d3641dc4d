"""A run's files: each is either the old one or the new one, never half of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from visavis.evaluate.measured import MEANS, means
from visavis.evaluate.results import Evaluation, results_csv
from visavis.evaluate.tables import table_md, table_tex
from visavis.shared.figures import can_draw, draw
from visavis.shared.files import replace_file
from visavis.shared.spreadsheet import csv_text

VERSUS = ("classifier", "size", "first", "second", "difference", "t", "p_value", "holm", "corrected_half_width")
TIMINGS = ("method", "split", "seconds", "cpu_seconds")
FIGURES = ("figure.html", "figure.png", "figure.pdf")
VARIETY = ("variety.html", "variety.png", "variety.pdf")  # only where there are texts
TABLES = ("wins.csv", "tests.csv", "means.csv", "table.md", "table.tex")
FILES = ("timings.csv", "run.json", *TABLES, *FIGURES, *VARIETY, "results.csv")


def write_evaluation(evaluation: Evaluation, folder: Path) -> None:
    """All files of a run. All but timings.csv and the PDFs depend on nothing but the results.

    Without the extra that draws figures they are left out, and NoFigures is warned of. Raises VisavisError if the
    folder cannot be written.
    """
    facts = {"plan": evaluation.about, "facts": evaluation.facts, "notes": evaluation.notes}
    files: dict[str, Callable[[], str | bytes]] = {
        "timings.csv": lambda: csv_text(TIMINGS, ([row[name] for name in TIMINGS] for row in evaluation.timings)),
        "run.json": lambda: json.dumps(facts, indent=2, sort_keys=True) + "\n",
        "wins.csv": lambda: csv_text(("method", "wins"), evaluation.wins().items()),
        "tests.csv": lambda: csv_text(VERSUS, ([getattr(v, name) for name in VERSUS] for v in evaluation.tests())),
        "means.csv": lambda: csv_text(MEANS, means(evaluation)),
        "table.md": lambda: table_md(evaluation),
        "table.tex": lambda: table_tex(evaluation),
        **_figures(evaluation),
        "results.csv": lambda: results_csv(evaluation.results),
    }
    for name, content in files.items():
        replace_file(folder / name, content)


def _figures(evaluation: Evaluation) -> dict[str, Callable[[], str | bytes]]:
    """The figures by their names; none where what draws them is not installed, which is warned of."""
    if not can_draw():
        return {}
    from visavis.evaluate.figures import figure_spec
    from visavis.evaluate.variety_figure import variety_spec

    specs = dict.fromkeys(FIGURES, figure_spec(evaluation))
    variety = variety_spec(evaluation)
    specs |= {} if variety is None else dict.fromkeys(VARIETY, variety)
    return {name: partial(draw, spec, Path(name).suffix, spec["title"]["text"]) for name, spec in specs.items()}
