"""What a study of preferences can show, and how often its intervals hold the truth: the table in docs/study.md.

Run it to print the table; with --write it is put into the page between its markers. Readers are drawn as the design's
own power is; tests and intervals are those of the program itself.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from scipy.stats import norm

from visavis.study.analysis.preferring.statistics import share_interval
from visavis.study.design.power import SPREAD
from visavis.study.design.preference_power import EXPECTED, preference_power

PAGE = Path(__file__).resolve().parent.parent / "docs" / "study.md"
BEGIN = "<!-- preference table: scripts/preference_simulation.py --write -->"
END = "<!-- end of the preference table -->"
COMPARISONS = (12, 24, 48, 96)
SHOWN = (0.6, 0.7, 0.8)
READERS, RUNS = 3, 2000
PAIRS = {2: 1, 4: 6}  # of methods, that many methods have


def coverage(comparisons: int, preferred: float, runs: int = RUNS, seed: int = 0) -> float:
    """How often the interval of a share holds the true preference."""
    rng = np.random.default_rng([seed, comparisons])
    middle = norm.ppf(preferred) * np.sqrt(1 + SPREAD**2)
    lean = norm.cdf(middle + SPREAD * rng.standard_normal((runs, comparisons)))
    found = [share_interval(row, READERS * comparisons) for row in rng.binomial(READERS, lean) / READERS]
    return sum(ends is not None and ends[0] <= preferred <= ends[1] for ends in found) / runs


def table() -> str:
    """The table in Markdown."""
    head = [f"{100 * share:.0f} %, {methods} methods" for methods in PAIRS for share in SHOWN]
    lines = [f"| comparisons | {' | '.join(head)} | 95 % intervals hold it |", "|---" * (len(head) + 2) + "|"]
    for comparisons in COMPARISONS:
        powers = [dict(preference_power(comparisons, READERS, pairs, 0).power) for pairs in PAIRS.values()]
        cells = [f"{100 * power[share]:.0f} %" for power in powers for share in SHOWN]
        cells.append(f"{100 * coverage(comparisons, EXPECTED):.1f} %")
        lines.append(f"| {comparisons} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table, or put it into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into docs/study.md")
    if not parser.parse_args().write:
        print(table())
        return
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{table()}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
