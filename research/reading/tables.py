"""The tables of all rounds of blind reading, made from the judgements that lie here.

    python -m research.reading.tables > research/reading/tables.md
    python -m research.reading.tables JUDGEMENTS.csv

The unit is the comparison: its score is the share of its readers who preferred the candidate. The interval is a
bootstrap over comparisons (10,000 draws, 95 %). Odd picks are counted per hundred that were read.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

DRAWS = 10_000
PICKS_READ = 8  # four of each of two groups


def read_rows(path: str) -> list[dict[str, str]]:
    """The judgements."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def tabulate(rows: list[dict[str, str]]) -> str:
    """One line of Markdown for each candidate and what it was read against."""
    lines = [
        "| candidate | against | read | won, split, lost | judgements | preferred [95 %] | odd of 100 | same event |",
        "|---|---|--:|---|---|---|---|---|",
    ]
    pairs: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        pairs[row["candidate"], row["against"]].append(row)
    summaries = [(summarize(part), *key, part) for key, part in pairs.items()]
    for (mean, low, high, scores), candidate, against, part in sorted(summaries, key=lambda one: -one[0][0]):
        won, lost = int(np.sum(scores > 0.5)), int(np.sum(scores < 0.5))
        ahead = sum(row["better"] == candidate for row in part)
        odd = [count_marks(part, side, "odd") for side in (candidate, against)]
        same = [count_marks(part, side, "same_event") for side in (candidate, against)]
        per_hundred = [100 * count / (len(part) * PICKS_READ) for count in odd]
        cells = (
            candidate,
            against,
            len(scores),
            f"{won}, {len(scores) - won - lost}, {lost}",
            f"{ahead} : {len(part) - ahead}",
            f"{mean:.2f} [{low:.2f}, {high:.2f}]",
            f"{per_hundred[0]:.1f} : {per_hundred[1]:.1f}",
            f"{same[0]} : {same[1]}",
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def summarize(rows: list[dict[str, str]]) -> tuple[float, float, float, np.ndarray]:
    """The mean score of the comparisons with its interval, and the scores."""
    votes: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        votes[row["comparison"]].append(row["better"] == row["candidate"])
    scores = np.array([np.mean(own) for own in votes.values()])
    rng = np.random.default_rng(0)
    means = scores[rng.integers(0, len(scores), (DRAWS, len(scores)))].mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(scores.mean()), float(low), float(high), scores


def count_marks(rows: list[dict[str, str]], side: str, column: str) -> int:
    """How many marks of that column name picks of one side."""
    return sum(mark.startswith(side.replace(" ", "_") + ":") for row in rows for mark in row[column].split())


def main() -> None:
    """One table of a file that is named, or one for each round of those that lie here."""
    if len(sys.argv) > 1:
        print(tabulate(read_rows(sys.argv[1])))
        return
    rows = read_rows(str(Path(__file__).with_name("judgements.csv")))
    print("# What readers preferred\n\nMade by `python -m research.reading.tables`; README.md says what was read.")
    for name in dict.fromkeys(row["round"] for row in rows):
        print(f"\n## {name.capitalize()}\n")
        print(tabulate([row for row in rows if row["round"] == name]))


if __name__ == "__main__":
    main()
