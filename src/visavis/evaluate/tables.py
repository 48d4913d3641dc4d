"""Tables in the paper's form: a method a row, sizes side by side for each classifier, best bold, second italic."""

from __future__ import annotations

from visavis.evaluate.latex import escape_tex
from visavis.evaluate.measure_tables import heading, measures_md, measures_tex
from visavis.evaluate.measured import measured, measures_of
from visavis.evaluate.results import OVERALL, Cell, Evaluation, Versus
from visavis.shared.markdown import escape

ABOUT = (
    "Balanced accuracy of classifiers trained on the picks alone, mean over splits ± half the 95 % interval, corrected "
    "for training parts that overlap (means.csv has the narrower one as well, which takes splits for independent). "
    "Best in bold, second in italics; equal in the third decimal is equal."
)
AHEAD = "best ahead by ± half the corrected interval (p, adjusted)"


def table_md(evaluation: Evaluation) -> str:
    """table.md."""
    settings = evaluation.settings
    lines = [f"# {escape(evaluation.subject)}", "", ABOUT, ""]
    lines.append(
        "| method | " + " | ".join(f"{escape(classifier)}, {size}" for classifier, size in settings) + " | wins |"
    )
    lines.append("|---|" + "---|" * (len(settings) + 1))
    ranks, wins = _ranks(evaluation), evaluation.wins()
    for method in evaluation.methods:
        cells = [_marked(evaluation.cell(method, *setting), ranks, "**{}**", "*{}*") for setting in settings]
        lines.append(f"| {escape(method)} | " + " | ".join(cells) + f" | {wins[method]} |")
    remarks = [f"Trained on everything, {escape(cell.classifier)}: {_number(cell)}." for cell in evaluation.ceilings()]
    remarks += map(escape, [*_missing(evaluation), *evaluation.notes])
    return "\n\n".join(filter(None, ["\n".join(lines), *remarks, measures_md(evaluation)])) + "\n"


def table_tex(evaluation: Evaluation) -> str:
    """table.tex: a tabular, to be put into a table environment, and one of the measures for a reader."""
    sizes = [str(size) for size in evaluation.about["sizes"]]
    classifiers = [str(name) for name in evaluation.about["classifiers"]]
    ranks = _ranks(evaluation)
    lines = [f"% {escape_tex(evaluation.subject)}: {escape_tex(ABOUT)}"]
    lines += [f"% {escape_tex(note)}" for note in evaluation.notes]
    lines.append(r"\begin{tabular}{r" + ("|" + "l" * len(sizes)) * len(classifiers) + "}")
    lines.append(
        "".join(rf" & \multicolumn{{{len(sizes)}}}{{c}}{{{escape_tex(name)}}}" for name in classifiers) + r" \\"
    )
    lines.append("method" + "".join(f" & {size}" for _ in classifiers for size in sizes) + r" \\")
    lines.append(r"\hline")
    for method in evaluation.methods:
        marked = [
            _marked(evaluation.cell(method, *s), ranks, r"\textbf{{{}}}", r"\emph{{{}}}").replace("±", r"$\pm$")
            for s in evaluation.settings
        ]
        lines.append(escape_tex(method) + "".join(f" & {cell}" for cell in marked) + r" \\")
    if evaluation.ceilings():
        lines.append(r"\hline")
        across = [rf" & \multicolumn{{{len(sizes)}}}{{c}}{{{_number(c)}}}" for c in evaluation.ceilings()]
        lines.append("everything" + "".join(across).replace("±", r"$\pm$") + r" \\")
    own = "\n".join([*lines, r"\end{tabular}", ""])
    return "\n".join(filter(None, [own, measures_tex(evaluation)]))


def summary(evaluation: Evaluation) -> str:
    """A few lines for the terminal: each method over all settings, its wins, its measures, and how far it is behind."""
    wins, settings = evaluation.wins(), evaluation.settings
    means = {m: sum(evaluation.cell(m, *s).mean for s in settings) / len(settings) for m in evaluation.methods}
    order = sorted(means, key=lambda method: -means[method])
    splits = evaluation.about["splits"]
    lines = [
        f"{evaluation.subject}: {evaluation.facts['documents']:,} documents, {splits} split{'' if splits == 1 else 's'}"
    ]
    there = measures_of(evaluation)
    columns = "".join(f"{heading(name):>12}" for name in there)
    lines.append(f"{'method':24}{'mean':>7}{'wins of ' + str(len(settings)):>12}{columns}   {AHEAD}")
    overall = {(v.first, v.second): v for v in evaluation.tests() if v.classifier == OVERALL}
    for method in order:
        versus = overall.get((order[0], method)) or overall.get((method, order[0]))
        ahead = "" if versus is None else f"   {_ahead(versus)}"
        lines.append(f"{method:24}{means[method]:7.3f}{wins[method]:12d}{_measures(evaluation, method, there)}{ahead}")
    lines += [f"{'everything, ' + cell.classifier:24}{cell.mean:7.3f}" for cell in evaluation.ceilings()]
    return "\n".join([*lines, *_missing(evaluation), *evaluation.notes])


def _ahead(versus: Versus) -> str:
    return f"{abs(versus.difference):.3f} ± {versus.corrected_half_width:.3f} ({versus.holm:.3f})"


def _measures(evaluation: Evaluation, method: str, there: tuple[str, ...]) -> str:
    """The means over all settings, in columns of twelve."""
    found = (measured(evaluation, name, method) for name in there)
    return "".join(f"{'–' if one is None else f'{one.mean:.3f}':>12}" for one in found)


def _ranks(evaluation: Evaluation) -> dict[tuple[str, int], list[float]]:
    """The best and the second best value shown, in each setting."""
    return {
        setting: sorted({evaluation.cell(method, *setting).shown for method in evaluation.methods}, reverse=True)[:2]
        for setting in evaluation.settings
    }


def _marked(cell: Cell, ranks: dict[tuple[str, int], list[float]], bold: str, italic: str) -> str:
    top = ranks[cell.classifier, cell.size]
    shown = _number(cell)
    if cell.shown == top[0]:
        return bold.format(shown)
    return italic.format(shown) if len(top) > 1 and cell.shown == top[1] else shown


def _number(cell: Cell) -> str:
    if cell.corrected_half_width is None:
        return f"{cell.mean:.3f}"
    return f"{cell.mean:.3f} ± {cell.corrected_half_width:.3f}".replace("± 0.", "± .")


def _missing(evaluation: Evaluation) -> list[str]:
    """How often a method left out a group altogether."""
    total = evaluation.facts["groups"]
    notes = []
    for method in evaluation.methods:
        cells = [evaluation.cell(method, *setting) for setting in evaluation.settings]
        missed = ", ".join(f"{c.missing_groups} for {c.classifier} at size {c.size}" for c in cells if c.missing_groups)
        if missed:
            in_all = len(total) * cells[0].n_splits
            notes.append(f"{method} picked nothing of some groups ({missed}, of {in_all} each).")
    return notes
