"""How often the intervals of accuracy and ceiling hold what they should: a table from documents that are drawn.

Groups differ by their means, documents of a block by a draw that they share. What an interval should hold is the mean
over all runs, or chance where the groups do not differ. Run it to print the table; `--runs` says how many of each.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

from visavis.comparing.assess import assess
from visavis.comparing.choice import Choice
from visavis.comparing.session import DocumentSession, pose
from visavis.records import Blocks, Compute, Document, Points
from visavis.select import select

DIMENSIONS = 5


@dataclass(frozen=True)
class Design:
    """Blocks of each group, documents of each block, how far groups lie apart, and how far the blocks of one do."""

    name: str
    blocks: tuple[int, ...]
    each: tuple[int, ...]  # documents of a block, taken in turn
    apart: float
    scatter: float = 0.0

    @property
    def chance(self) -> float:
        """The accuracy of guessing."""
        return 1 / len(self.blocks)


DESIGNS = (
    Design("2 groups of 60 documents", (60, 60), (1,), 0.5),
    Design("2 groups of 150 and 40 documents", (150, 40), (1,), 0.5),
    Design("4 groups of 80, 60, 40 and 30 documents", (80, 60, 40, 30), (1,), 0.5),
    Design("2 groups, 12 blocks of 8", (12, 12), (8,), 0.5, 0.7),
    Design("2 groups, 20 and 8 blocks of 2 to 20", (20, 8), (2, 5, 10, 20), 0.5, 0.7),
    Design("4 groups, 9 to 15 blocks of 2 to 10", (15, 12, 10, 9), (2, 4, 10), 0.5, 0.7),
    Design("2 groups, 5 blocks of 20", (5, 5), (20,), 0.5, 0.7),
    Design("2 groups, 12 blocks of 8, far apart", (12, 12), (8,), 1.5, 0.5),
    Design("2 groups of 60 documents, alike", (60, 60), (1,), 0.0),
    Design("2 groups, 12 blocks of 8, alike", (12, 12), (8,), 0.0, 1.0),
    Design("4 groups, 9 to 15 blocks of 2 to 10, alike", (15, 12, 10, 9), (2, 4, 10), 0.0, 1.0),
    # these had no part in choosing how wide intervals are
    Design("2 groups of 15 documents", (15, 15), (1,), 0.8),
    Design("3 groups, 6 blocks of 3 to 15", (6, 6, 6), (3, 15, 8), 0.5, 0.7),
    Design("2 groups, 30 and 10 blocks of 1 to 40", (30, 10), (1, 3, 40, 2, 12), 0.5, 0.7),
    Design("2 groups, 8 blocks of 12, mostly alike within", (8, 8), (12,), 0.7, 2.0),
    Design("6 groups, 20 blocks of 4", (20,) * 6, (4,), 0.5, 0.5),
)


def draw(design: Design, seed: int) -> DocumentSession:
    """Documents of a design."""
    rng = np.random.default_rng([seed, 7])
    of_block = np.repeat(np.arange(len(design.blocks)), design.blocks)
    sizes = np.concatenate([np.resize(design.each, count) for count in design.blocks])
    codes, blocks = np.repeat(of_block, sizes), np.repeat(np.arange(len(sizes)), sizes)
    centers = design.apart * np.random.default_rng(1).normal(size=(len(design.blocks), DIMENSIONS))
    shared = design.scatter * rng.normal(size=(len(sizes), DIMENSIONS))
    vectors = (centers[codes] + shared[blocks] + rng.normal(size=(len(codes), DIMENSIONS))).astype(np.float32)
    everyone = np.arange(len(codes))
    return pose(
        Points.of(vectors), tuple(f"group {n}" for n in range(len(design.blocks))), codes,
        documents=[Document(id=str(n)) for n in everyone], texts=[""] * len(codes),
        candidates=np.ones(len(codes), np.bool_), compute=Compute("float32", 1), seed=seed,
        blocks=Blocks("blocks", blocks, everyone, np.zeros(len(codes), np.intp)),
    )  # fmt: skip


def measured(design: Design, runs: int) -> np.ndarray:
    """Accuracy, low, high; ceiling, low, high, of each run; shape (runs, 2, 3)."""
    found = []
    for seed in range(runs):
        session = draw(design, seed)
        choice = Choice("mmd-diff-greedy", {"contrast": 0.3}, "rbf", session.gamma, (3,) * len(design.blocks))
        told = assess(session, select(session, session.request(choice)), ["accuracy", "ceiling"])
        found.append([[told.accuracy, *told.accuracy_interval], [told.ceiling, *told.ceiling_interval]])
    return np.array(found)


def coverage(design: Design, runs: int) -> list[tuple[float, float, float]]:
    """For accuracy and ceiling: their mean, the share of intervals that hold it (or chance), and half their width."""
    rows = []
    for values, low, high in np.moveaxis(measured(design, runs), (1, 2), (0, 1)):
        expected = values.mean() if design.apart else design.chance
        held = np.mean((low <= expected) & (expected <= high))
        rows.append((float(values.mean()), float(held), float(np.mean(high - low) / 2)))
    return rows


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    runs = parser.parse_args().runs
    print("| documents | accuracy | held | ± | ceiling | held | ± |\n|---|---|---|---|---|---|---|")
    for design in DESIGNS:
        cells = [f"{mean:.3f} | {100 * held:.0f} % | {half:.3f}" for mean, held, half in coverage(design, runs)]
        print(f"| {design.name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
