"""Two runs side by side: what changed, and whether it is more than noise."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from visavis.errors import VisavisError
from visavis.evaluate.metrics import corrected_t_test
from visavis.evaluate.results import Cell, Evaluation, read_evaluation
from visavis.shared.markdown import escape


@dataclass(frozen=True)
class Change:
    """A cell in both runs; p is of the corrected paired test, None where the runs have not the same splits."""

    first: Cell
    second: Cell
    p_value: float | None

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
            lines.append(
                f"| {escape(cell.method)} | {escape(cell.classifier)} | {cell.size or 'all'} | {_shown(cell)} | "
                f"{_shown(change.second)} | {change.difference:+.3f} | {p} |"
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
    changes = tuple(Change(c, d, _p_value(a, b, c) if same else None) for c, d in shared)
    differing = tuple(sorted(k for k in {*a.about, *b.about} if a.about.get(k) != b.about.get(k)))
    if a.facts["version"] != b.facts["version"]:
        differing = (*differing, "version")
    return Comparison(
        str(first), str(second), changes, differing,
        tuple(m for m in a.methods if m not in b.methods), tuple(m for m in b.methods if m not in a.methods), same,
    )  # fmt: skip


def _key(cell: Cell) -> tuple[str, str, int]:
    return cell.method, cell.classifier, cell.size


def _p_value(a: Evaluation, b: Evaluation, cell: Cell) -> float | None:
    test = corrected_t_test(b.values(*_key(cell)), a.values(*_key(cell)), float(a.facts["test_to_train"]))
    return None if test is None else test.p_value


def _shown(cell: Cell) -> str:
    return f"{cell.mean:.3f}" if cell.half_width is None else f"{cell.mean:.3f} ± {cell.half_width:.3f}"
