"""How often pairs of groups that are alike are said to differ, and those that are not are found: a table.

Groups are drawn, and every two of them tested. Run it to print the table; `--runs` says how many of each design.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

from visavis.explain.blocks import divide
from visavis.explain.difference import difference_tests
from visavis.inputs import Grouped
from visavis.records import Blocks, Compute, Floats, Points, TwoSampleTest
from visavis.select import pose
from visavis.shared.statistics import ALPHA, holm

DIMENSIONS = 3
UNEQUAL = (4, 5, 6, 8, 10, 12, 16, 20, 30, 40)
MANY = 20  # groups that take long: they are drawn a quarter as often


@dataclass(frozen=True)
class Design:
    """Blocks of each group, documents of a block, how many groups are odd, each in its own way, and how odd.

    `camps` parts the groups in two that are far apart; `heavy` draws documents from a distribution with heavy tails.
    """

    name: str
    blocks: tuple[int, ...]
    each: int = 1
    odd: int = 0
    by: float = 0.0
    camps: bool = False
    heavy: bool = False

    @property
    def centers(self) -> Floats:
        """Where each group lies."""
        found = np.zeros((len(self.blocks), DIMENSIONS))
        for group in range(self.odd):
            found[group, group % DIMENSIONS] = self.by * (1 + group // DIMENSIONS)
        found[len(found) // 2 :, 0] += 5.0 * self.camps
        return found


DESIGNS = (
    Design("10 groups of 12, alike", (12,) * 10),
    Design("10 groups of 4 to 40, alike", UNEQUAL),
    Design("10 groups of 4 to 40, alike, heavy tails", UNEQUAL, heavy=True),
    Design("10 groups of 8 blocks of 3, alike", (8,) * 10, each=3),
    Design("10 groups of 12, two camps", (12,) * 10, camps=True),
    Design("10 groups of 12, 5 of them far off", (12,) * 10, odd=5, by=6.0),
    Design("10 groups of 12, 5 of them a little off", (12,) * 10, odd=5, by=1.0),
    Design("10 groups of 4 to 40, 5 of them a little off", UNEQUAL, odd=5, by=1.0),
    Design("40 groups of 8, alike", (8,) * 40),
    Design("40 groups of 8, 1 of them far off", (8,) * 40, odd=1, by=4.0),
    Design("40 groups of 8, 20 of them far off", (8,) * 40, odd=20, by=3.0),
)


def pair_tests(design: Design, seed: int) -> list[TwoSampleTest]:
    """The tests of every two groups of one draw."""
    rng = np.random.default_rng([seed, 11])
    of_block = np.repeat(np.arange(len(design.blocks)), design.blocks)
    codes, numbers = np.repeat(of_block, design.each), np.repeat(np.arange(len(of_block)), design.each)
    size = (len(codes), DIMENSIONS)
    points = rng.standard_t(2.5, size) if design.heavy else rng.normal(size=size)
    points += design.centers[codes] + (design.each > 1) * rng.normal(size=(len(of_block), DIMENSIONS))[numbers]
    names = tuple(f"g{group}" for group in range(len(design.blocks)))
    session = pose(Points.of(points), Grouped(np.array(names, dtype=object), codes), compute=Compute("float64", 1))
    blocks: Blocks = divide("block", numbers, codes, [numbers]).take(session.order)
    keys = [str(row) for row in session.order]
    found = difference_tests(session.problem(), session.engine, names, keys, rng, blocks=blocks, pairs=True)
    return [test for test in found.tests if len(test.groups) == 2]


def row(design: Design, runs: int) -> str:
    """How often one pair or more of those alike is said to differ; and what share of the others is, by both ways."""
    centers, wrong, found, by_holm = design.centers, 0, [], []
    for seed in range(runs):
        tests = pair_tests(design, seed)
        places = [[int(name[1:]) for name in test.groups] for test in tests]
        alike = np.array([np.array_equal(*centers[place]) for place in places])
        said = np.array([test.adjusted is not None and test.adjusted < ALPHA for test in tests])
        plain = np.array(holm([1.0 if test.p_value is None else test.p_value for test in tests])) < ALPHA
        wrong += bool(np.any(said & alike))
        if not alike.all():
            found.append(said[~alike].mean())
            by_holm.append(plain[~alike].mean())
    power = f"{np.mean(found):.1%} | {np.mean(by_holm):.1%}" if found else "– | –"
    return f"| {design.name} | {len(tests)} | {wrong / runs:.1%} | {power} |".replace("%", " %")


def main() -> None:
    """Print the table, row after row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    runs = parser.parse_args().runs
    print("| groups | pairs | one or more said wrongly to differ | found of those that do | by Holm |")
    print("|---|---|---|---|---|")
    for design in DESIGNS:
        print(row(design, runs if len(design.blocks) < MANY else runs // 4), flush=True)


if __name__ == "__main__":
    main()
