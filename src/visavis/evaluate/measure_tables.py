"""The second table: what the picks of each method and size are worth to a reader."""

from __future__ import annotations

from visavis.evaluate.latex import escape_tex
from visavis.evaluate.measured import Measured, measured, measures_of
from visavis.evaluate.results import Evaluation
from visavis.shared.markdown import escape

TITLE = "Do the picks serve a reader?"
MEANINGS = {
    "variety": "variety: 1 if no two picks of a group share a word, 0 if two are the same",
    "typicality": "typicality: the share of their group's other documents that are less like the group than a pick is",
    "stability": "stability: how far other splits lead to the same picks, 0 being chance and 1 always",
    "set_aside": "set aside: the share of picks that should not be shown",
}


def measures_md(evaluation: Evaluation) -> str:
    """For table.md; nothing where nothing was measured."""
    there = measures_of(evaluation)
    if not there:
        return ""
    lines = [f"## {TITLE}", "", about(evaluation), ""]
    lines.append(f"| method | picks per group | {' | '.join(map(heading, there))} |")
    lines.append("|" + "---|" * (len(there) + 2))
    lines += [f"| {escape(row[0])} | {' | '.join(row[1:])} |" for row in _rows(evaluation, there)]
    return "\n".join(lines)


def measures_tex(evaluation: Evaluation) -> str:
    """For table.tex: a tabular of its own; nothing where nothing was measured."""
    there = measures_of(evaluation)
    if not there:
        return ""
    lines = [f"% {escape_tex(about(evaluation))}", rf"\begin{{tabular}}{{rr|{'l' * len(there)}}}"]
    lines += ["method & picks" + "".join(f" & {heading(name)}" for name in there) + r" \\", r"\hline"]
    lines += [" & ".join(map(escape_tex, row)) + r" \\" for row in _rows(evaluation, there)]
    return "\n".join([*lines, r"\end{tabular}", ""])


def about(evaluation: Evaluation) -> str:
    """What the numbers are, in a few sentences."""
    meanings = "; ".join(MEANINGS[name] for name in measures_of(evaluation))
    sentence = f"{meanings[0].upper()}{meanings[1:]}."
    return (
        "Of the picks of the whole training part, the mean over splits and classifiers ± half the 95 % interval "
        f"(corrected for overlapping splits; of stability, each split left out in turn). {sentence}"
    )


def heading(measure: str) -> str:
    """A measure's name as it is read."""
    return measure.replace("_", " ")


def _rows(evaluation: Evaluation, there: tuple[str, ...]) -> list[list[str]]:
    return [
        [method, str(size), *(_number(measured(evaluation, name, method, size)) for name in there)]
        for method in evaluation.methods
        for size in map(int, evaluation.about["sizes"])
    ]


def _number(found: Measured | None) -> str:
    if found is None:
        return "–"
    half = found.half_width if found.corrected_half_width is None else found.corrected_half_width
    return f"{found.mean:.3f}" if half is None else f"{found.mean:.3f} ± {half:.3f}".replace("± 0.", "± .")
