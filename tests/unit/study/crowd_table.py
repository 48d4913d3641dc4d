"""The paper's human study as numbers: one row a question and method, three judges each, no texts."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from visavis.study.records import Judgement

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "crowd.csv"
HEAD = (
    "question", "first", "second", "method", "questionnaire", "label", "right_published", "right_shown", "workers",
    "page_seconds",
)  # fmt: skip


def golden_rows() -> list[dict[str, str]]:
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def golden_judgements() -> list[Judgement]:
    """Judgements with the counts of the table: which of the three judges was right is not in it, and not needed."""
    found = []
    for row in golden_rows():
        pair = (row["first"], row["second"])
        truth = pair[int(row["label"])]
        other = pair[1 - int(row["label"])]
        published, shown = int(row["right_published"]), int(row["right_shown"])
        flipped = published != shown  # the order is wrong for all three, so those who were right become wrong
        pages = zip(row["workers"].split(), row["page_seconds"].split(), strict=True)
        for place, (worker, page_seconds) in enumerate(pages):
            right = place < published
            found.append(
                Judgement(
                    question=row["question"],
                    method=row["method"],
                    pair=pair,
                    worker=worker,
                    chosen=truth if right != flipped else other,
                    truth=truth,
                    seconds=float(page_seconds) / 12,
                    published=truth if right else other,
                    questionnaire=row["questionnaire"],
                )
            )
    return found


def table_of(judgements: Iterable[Judgement]) -> list[dict[str, str]]:
    """The table of judgements as read from the real file."""
    cells: dict[tuple[tuple[str, str], str, str], list[Judgement]] = {}
    for judgement in judgements:
        if not judgement.gold:
            cells.setdefault((judgement.pair, judgement.question, judgement.method), []).append(judgement)
    numbers = {key: number for number, key in enumerate(sorted({(pair, int(name)) for pair, name, _ in cells}), 1)}
    rows = []
    for (pair, name, method), own in sorted(
        cells.items(), key=lambda item: (numbers[item[0][0], int(item[0][1])], item[0][2])
    ):
        own = sorted(own, key=lambda judgement: int(judgement.worker))
        values = (
            numbers[pair, int(name)], *pair, method, own[0].questionnaire, pair.index(own[0].truth),
            sum(j.published == j.truth for j in own), sum(j.chosen == j.truth for j in own),
            " ".join(j.worker for j in own), " ".join(f"{round(12 * (j.seconds or 0))}" for j in own),
        )  # fmt: skip
        rows.append({key: str(value) for key, value in zip(HEAD, values, strict=True)})
    return rows
