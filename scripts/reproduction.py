"""Write docs/reproduction.md: a finished USPS run beside the published numbers.

    python scripts/reproduction.py RESULTS_FOLDER [docs/reproduction.md]

A cell is held against the published one by the sum of both 95 % intervals. Exit status 1 if fewer than 56 of the 64
cells hold.
"""

from __future__ import annotations

import csv
import sys
from dataclasses import dataclass
from pathlib import Path

import visavis.evaluate
from visavis.evaluate import PAPER_METHODS, Cell, Evaluation, read_evaluation

ROOT = Path(__file__).resolve().parent.parent
PUBLISHED = Path(visavis.evaluate.__file__).parent / "data" / "published.csv"
CELLS, NEEDED = 64, 56


@dataclass(frozen=True)
class Pair:
    """A cell of ours and the published one."""

    ours: Cell
    mean: float
    half_width: float

    @property
    def room(self) -> float:
        """The sum of both intervals; of the published one alone where ours has none."""
        return self.half_width + (self.ours.half_width or 0.0)

    @property
    def verdict(self) -> str:
        """below, above, or nothing to remark."""
        difference = round(self.ours.mean - self.mean, 6)
        if difference < -self.room:
            return "below"
        return "above" if difference > self.room else ""


def pairs_of(evaluation: Evaluation, dataset: str) -> list[Pair]:
    """The published cells of a data set that the run has too, in the published order."""
    found = []
    with PUBLISHED.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            key = row["method"], row["classifier"].lower(), int(row["prototypes_per_group"])
            if row["dataset"] == dataset and evaluation.values(*key):
                found.append(Pair(evaluation.cell(*key), float(row["balanced_accuracy"]), float(row["ci95"])))
    return found


def page(evaluation: Evaluation, pairs: list[Pair]) -> str:
    """The whole page."""
    below, above = ([pair for pair in pairs if pair.verdict == verdict] for verdict in ("below", "above"))
    splits = int(evaluation.about["splits"])
    methods = "paper" if set(evaluation.methods) == set(PAPER_METHODS) else ",".join(evaluation.methods)
    lines = [
        "# Reproduction",
        "",
        f"Made by `scripts/reproduction.py` from a run of `visavis evaluate --dataset usps --methods {methods}`.",
        f"visavis {evaluation.facts['version']}, {splits} split{'s' if splits > 1 else ''}, "
        f"seed {evaluation.about['seed']}. Balanced accuracy ± half the plain 95 % interval over splits, as published.",
        "",
        f"**{len(pairs) - len(below)} of {len(pairs)} cells hold**: ours is not below the published mean by more than "
        f"both intervals together. {len(below)} are below, {len(above)} above.",
        "",
    ]
    if len(pairs) < CELLS:
        lines += [f"This is no reproduction yet: {len(pairs)} of the {CELLS} published cells were run.", ""]
    if splits < 10:
        lines += [
            f"This is no reproduction yet: {splits} of 10 splits were run, the first of which, the standard one, is "
            "harder than random ones. `make reproduce` runs all of them and writes this page anew.",
            "",
        ]
    lines += ["| method | classifier | size | ours | published | difference | |", "|---|---|---|---|---|---|---|"]
    lines += [_row(pair) for pair in pairs]
    for title, chosen in (("Below", below), ("Above", above)):
        lines += ["", f"## {title}", "", *([_sentence(pair) for pair in chosen] or ["None."])]
    if evaluation.ceilings():
        lines += ["", "## Trained on everything", ""]
    lines += [f"- {cell.classifier}: {_shown(cell.mean, cell.half_width)}" for cell in evaluation.ceilings()]
    return "\n".join(lines) + "\n"


def _row(pair: Pair) -> str:
    cell = pair.ours
    return (
        f"| {cell.method} | {cell.classifier} | {cell.size} | {_shown(cell.mean, cell.half_width)} | "
        f"{_shown(pair.mean, pair.half_width)} | {cell.mean - pair.mean:+.3f} | {pair.verdict} |"
    )


def _sentence(pair: Pair) -> str:
    cell = pair.ours
    return (
        f"- {cell.method}, {cell.classifier}, size {cell.size}: {cell.mean:.3f} against {pair.mean:.3f}, "
        f"{abs(cell.mean - pair.mean):.3f} apart where {pair.room:.3f} is allowed"
    )


def _shown(mean: float, half_width: float | None) -> str:
    return f"{mean:.3f}" if half_width is None else f"{mean:.3f} ± {half_width:.3f}"


def main(folder: str, target: str = str(ROOT / "docs" / "reproduction.md")) -> int:
    """Write the page; 0 if enough cells hold."""
    evaluation = read_evaluation(Path(folder))
    pairs = pairs_of(evaluation, "USPS") if evaluation.dataset.lower() == "usps" else []
    if not pairs:
        print(f"{folder} holds no published cell: it must be a run on USPS", file=sys.stderr)
        return 2
    Path(target).write_text(page(evaluation, pairs), encoding="utf-8")
    held = sum(pair.verdict != "below" for pair in pairs)
    print(f"{held} of {len(pairs)} cells hold; written to {target}")
    return 0 if held >= NEEDED else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
