"""From the pieces of a run to its results, and what only all splits together can tell."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from visavis.evaluate.plan import EVERY, Plan
from visavis.evaluate.results import Result, sorted_results
from visavis.evaluate.source import Source
from visavis.evaluate.stability import Agreement
from visavis.records import Integers

Pieces = Mapping[tuple[int, str], Mapping[str, Any]]  # by split and method, as the journal keeps them


def gather_results(source: Source, plan: Plan, done: Pieces) -> tuple[Result, ...]:
    """The rows of all pieces, sorted. Pieces of earlier versions have no picks and no measures: theirs are None."""
    stability = _stability(source, done)
    results = []
    for (split, method), record in done.items():
        for row in record["rows"]:
            told, measures = row["parameters"], row.get("measures", {})
            key = method, row["classifier"], row["size"]
            result = Result(
                plan.dataset, *key, split, row["gamma"], told.get("contrast"), row["cost"], row["balanced_accuracy"],
                told.get("sharpness"), row["missing"], _others(told), measures.get("variety"),
                measures.get("typicality"), stability.get(key, {}).get(split), measures.get("set_aside"),
                len(row["picks"]) or None if plan.candidates != EVERY else None, plan.candidates,
            )  # fmt: skip
            results.append(result)
    return sorted_results(results)


def candidate_notes(source: Source, plan: Plan, done: Pieces) -> list[str]:
    """What a reader should know where not every document may be picked, and which picks there are fewer of for that."""
    if plan.candidates == EVERY:
        return []
    told = {split: record["candidates"] for (split, _), record in sorted(done.items())}
    shares = [round(100 * own["count"] / len(source.splits[split].train)) for split, own in told.items()]
    notes = [
        f"candidates were {plan.candidates}: every method picked among the documents of a training part that a "
        f"comparison of it may show ({_span(shares)} % of them), one of each story"
    ]
    for code, name in enumerate(source.names):
        room = [own["room"][code] for own in told.values() if own["room"][code] < max(plan.sizes)]
        if room:
            notes.append(
                f"group {name!r} had no more than {_span(room)} documents to pick in {len(room)} of {len(told)} "
                "splits: larger sizes gave no more of it there"
            )
    if without := sum(own["without"] for own in told.values()):
        notes.append(
            f"in {without} of {len(told) * plan.folds} folds a group had no document to pick but those held out: there "
            "cross-validation did without picks of it"
        )
    return notes


def _span(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"


def _stability(source: Source, done: Pieces) -> dict[tuple[str, str, int], dict[int, float | None]]:
    """For each method, classifier and size how well each split's picks agree with those of the others."""
    picks: dict[tuple[str, str, int], dict[int, Integers]] = {}
    for (split, method), record in done.items():
        for row in record["rows"]:
            if row.get("picks"):
                picked = np.asarray(row["picks"], np.intp)
                picks.setdefault((method, row["classifier"], row["size"]), {})[split] = picked
    agreement = Agreement(source.codes, source.splits)
    return {key: agreement.by_split(by_split) for key, by_split in picks.items()}


def _others(parameters: Mapping[str, Any]) -> str:
    """The parameters that have no column of their own, as JSON; nothing where there are none."""
    others = {name: value for name, value in parameters.items() if name not in ("contrast", "sharpness")}
    return json.dumps(others, sort_keys=True) if others else ""
