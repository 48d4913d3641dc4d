"""Which ranks of a document within its group foretell what readers said of it, and whether it is odd.

    python -m research.reading.documents

It reads documents.csv: 25 documents of each group of the comparisons of round one, drawn at random, judged one by one.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score

Numbers = NDArray[np.float64]
RANKS = (
    "rank_words",
    "rank_length",
    "rank_common_words",
    "rank_closeness",
    "rank_own",
    "rank_subject",
    "rank_substance",
)
SHARES = (0.5, 0.3, 0.2)


def main() -> None:
    """Two tables: each rank alone, and what is left where the best of each group by some ranks is kept."""
    with Path(__file__).with_name("documents.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    groups = np.array([f"{row['comparison']}/{row['group']}" for row in rows])
    score = np.array([float(row["score"]) for row in rows])
    odd = np.array([int(row["odd"]) for row in rows])
    beyond = score.copy()
    for group in np.unique(groups):
        beyond[groups == group] -= score[groups == group].mean()
    ranks = {name: np.array([float(row[name]) if row[name] else np.nan for row in rows]) for name in RANKS}
    print(f"{len(rows)} documents of {len(np.unique(groups))} groups; {100 * odd.mean():.1f} of 100 are odd\n")
    print("| rank by | documents | correlation with the score, within groups | area for not odd |\n|---|--:|--:|--:|")
    for name, values in ranks.items():
        there = ~np.isnan(values)
        own = [
            spearmanr(values[there & (groups == g)], score[there & (groups == g)])[0] for g in np.unique(groups[there])
        ]
        area = roc_auc_score(1 - odd[there], values[there])
        print(
            f"| {name.removeprefix('rank_').replace('_', ' ')} | {there.sum()} | {np.nanmean(own):.2f} | {area:.2f} |"
        )
    print(
        "\n| kept of each group by the lowest of | " + " | ".join(f"{share:.0%}: score, odd" for share in SHARES) + " |"
    )
    print("|---|" + "---|" * len(SHARES))
    rules: dict[str, Callable[[], Numbers]] = {
        "chance": lambda: np.random.default_rng(0).random(len(rows)),
        "closeness": lambda: ranks["rank_closeness"],
        "length": lambda: ranks["rank_length"],
        "closeness, length": lambda: np.minimum(ranks["rank_closeness"], ranks["rank_length"]),
        "words, length": lambda: np.minimum(ranks["rank_words"], ranks["rank_length"]),
        "length, common words": lambda: np.minimum(ranks["rank_length"], ranks["rank_common_words"]),
        "closeness, length, common words": lambda: np.min(
            [ranks["rank_closeness"], ranks["rank_length"], ranks["rank_common_words"]], axis=0
        ),
    }
    for name, rule in rules.items():
        cells = [_kept(np.nan_to_num(rule(), nan=0.5), share, groups, beyond, odd) for share in SHARES]
        print(f"| {name} | {' | '.join(cells)} |")


def _kept(values: Numbers, share: float, groups: NDArray[np.str_], score: Numbers, odd: NDArray[np.intp]) -> str:
    """The mean score beyond the group's, and how many of 100 are odd, of the best by these values."""
    kept = np.zeros(len(values), np.bool_)
    for group in np.unique(groups):
        inside = np.flatnonzero(groups == group)
        kept[inside[np.argsort(-values[inside], kind="stable")[: max(4, round(share * len(inside)))]]] = True
    return f"{score[kept].mean():+.2f}, {100 * odd[kept].mean():.1f}"


if __name__ == "__main__":
    main()
