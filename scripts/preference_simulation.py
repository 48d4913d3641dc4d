"""What a study of preferences can show, and how often its intervals hold the truth: the table in docs/study.md.

Run it to print the table; with --write it is put into the page between its markers. Readers are drawn as the design's
own power is; tests and intervals are those of the program itself.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from visavis.study.analysis.preferring.statistics import preference_interval
from visavis.study.design.power import SPREAD
from visavis.study.design.preference_power import EXPECTED, preference_power

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
    found = [preference_interval(row, READERS * comparisons) for row in rng.binomial(READERS, lean) / READERS]
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


if __name__ == "__main__":
    from tables import tell_table

    tell_table(__doc__, table, BEGIN, END)
