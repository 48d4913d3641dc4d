"""Two runs side by side: what changed, and whether it is more than noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scipy.stats import binomtest, wilcoxon

from visavis.errors import VisavisError
from visavis.evaluate.measured import ACCURACY, measured
from visavis.evaluate.measures import MEASURES
from visavis.evaluate.metrics import corrected_t_test, mean_and_interval
from visavis.evaluate.results import Cell, Evaluation, read_evaluation
from visavis.shared.markdown import escape


@dataclass(frozen=True)
class Change:
    """A cell in both runs; p and half the 95 % interval of the difference are those of the corrected paired test.

    Both are None where the runs have not the same splits.
    """

    first: Cell
    second: Cell
    p_value: float | None
    corrected_half_width: float | None = None

    @property
    def difference(self) -> float:
        """Second minus first."""
        return self.second.mean - self.first.mean


@dataclass(frozen=True)
class Comparison:
    """Two runs: the cells they share, the parts of the plan that differ, and the methods only one of them has."""

    first: str
    second: str
    changes: tuple[Change, ...]
    differing: tuple[str, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    paired: bool

    def as_record(self) -> dict[str, Any]:
        """For JSON."""
        rows = [{**asdict(change), "difference": change.difference} for change in self.changes]
        return {**{k: v for k, v in vars(self).items() if k != "changes"}, "changes": rows}

    def as_text(self) -> str:
        """A Markdown table, and what else there is to know."""
        lines = [
            f"| method | classifier | size | {escape(self.first)} | {escape(self.second)} | change | p |",
            "|" + "---|" * 7,
        ]
        for change in self.changes:
            cell = change.first
            p = "" if change.p_value is None else f"{change.p_value:.3f}"
            width = "" if change.corrected_half_width is None else f" ± {change.corrected_half_width:.3f}"
            lines.append(
                f"| {escape(cell.method)} | {escape(cell.classifier)} | {cell.size or 'all'} | {_shown(cell)} | "
                f"{_shown(change.second)} | {change.difference:+.3f}{width} | {p} |"
            )
        lines.append("")
        if not self.paired:
            lines.append("The runs have not the same documents and splits, so no test is made.")
        if self.differing:
            lines.append(escape(f"They differ in: {', '.join(self.differing)}."))
        for run, methods in ((self.first, self.only_first), (self.second, self.only_second)):
            if methods:
                lines.append(escape(f"Only in {run}: {', '.join(methods)}."))
        return "\n".join(lines).rstrip() + "\n"


def compare_runs(first: str | Path, second: str | Path) -> Comparison:
    """The cells that two finished runs share. Raises VisavisError if there are none."""
    a, b = read_evaluation(Path(first)), read_evaluation(Path(second))
    same = a.facts["splits_key"] == b.facts["splits_key"]
    shared = [(c, d) for c in (*a.cells(), *a.ceilings()) for d in (*b.cells(), *b.ceilings()) if _key(c) == _key(d)]
    if not shared:
        raise VisavisError(f"{str(first)!r} and {str(second)!r} share no method, classifier and size")
    changes = tuple(_change(a, b, c, d) if same else Change(c, d, None) for c, d in shared)
    differing = tuple(sorted(k for k in {*a.about, *b.about} if a.about.get(k) != b.about.get(k)))
    differing += tuple(name for name in ("blocks", "version") if a.facts.get(name) != b.facts.get(name))
    return Comparison(
        str(first), str(second), changes, differing,
        tuple(m for m in a.methods if m not in b.methods), tuple(m for m in b.methods if m not in a.methods), same,
    )  # fmt: skip


def _key(cell: Cell) -> tuple[str, str, int]:
    return cell.method, cell.classifier, cell.size


def _change(a: Evaluation, b: Evaluation, before: Cell, after: Cell) -> Change:
    key = _key(before)
    test = corrected_t_test(b.values(*key), a.values(*key), float(a.facts["test_to_train"]))
    return Change(before, after, None) if test is None else Change(before, after, test.p_value, test.half_width)


def _shown(cell: Cell) -> str:
    half = cell.corrected_half_width
    return f"{cell.mean:.3f}" if half is None else f"{cell.mean:.3f} ± {half:.3f}"


@dataclass(frozen=True)
class AcrossTasks:
    """Two methods over several tasks, each counting once: first minus second of every task, and whether it is noise.

    `half_width` is half the 95 % interval of the mean (t, tasks − 1 degrees of freedom; None for one task); the p are
    two-sided, of the sign test and of Wilcoxon's signed ranks.
    """

    first: str
    second: str
    tasks: tuple[str, ...]
    differences: tuple[float, ...]
    mean: float
    half_width: float | None
    sign_p: float
    wilcoxon_p: float


def across_tasks(results: Sequence[Evaluation], first: str, second: str, measure: str = ACCURACY) -> AcrossTasks:
    """Compare two methods over tasks: splits of one task are no new evidence about other tasks, tasks are.

    A task's difference is the mean over its classifiers, sizes and splits. Raises VisavisError if there is no task, or
    one in which a method or the measure is missing.
    """
    if not results:
        raise VisavisError("there is no task to compare methods on: give the evaluations of one or more")
    differences = []
    for evaluation in results:
        a, b = (_task_mean(evaluation, measure, method) for method in (first, second))
        differences.append(a - b)
    decided = [d for d in differences if abs(d) > 1e-12]
    ahead = sum(d > 0 for d in decided)
    return AcrossTasks(
        first, second, tuple(evaluation.dataset for evaluation in results), tuple(differences),
        *mean_and_interval(differences),
        sign_p=float(binomtest(ahead, len(decided)).pvalue) if decided else 1.0,
        wilcoxon_p=float(wilcoxon(decided).pvalue) if decided else 1.0,
    )  # fmt: skip


def _task_mean(evaluation: Evaluation, measure: str, method: str) -> float:
    if measure not in (ACCURACY, *MEASURES):
        raise VisavisError(f"there is no measure {measure!r}; there are: {', '.join((ACCURACY, *MEASURES))}")
    found = measured(evaluation, measure, method)
    if found is None:
        raise VisavisError(f"{evaluation.dataset!r} has no {measure} of {method!r}: compare what all tasks have")
    return found.mean
