"""What flags do to a report: who carries one, what they answered, and what is left without them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from visavis.study.analysis.results import FlagResult
from visavis.study.records import Judgement


def leave_out(records: Iterable[Judgement], kinds: Sequence[str]) -> list[Judgement]:
    """The judgements, those of workers with a flag of these kinds set aside."""
    return [replace(one, excluded=one.excluded or bool(set(kinds) & set(one.flags))) for one in records]


def flag_results(counted: Sequence[Judgement]) -> tuple[FlagResult, ...]:
    """For each kind of flag among those who are counted."""
    kinds = sorted({kind for judgement in counted for kind in judgement.flags})
    return tuple(_result(kind, counted) for kind in kinds)


def _result(kind: str, counted: Sequence[Judgement]) -> FlagResult:
    flagged = [judgement for judgement in counted if kind in judgement.flags]
    methods = sorted({judgement.method for judgement in counted})
    rest = {
        method: [one.chosen == one.truth for one in counted if one.method == method and kind not in one.flags]
        for method in methods
    }
    return FlagResult(
        kind, len({one.worker for one in flagged}), len(flagged), sum(one.chosen == one.truth for one in flagged),
        tuple((method, sum(right) / len(right) if right else None) for method, right in rest.items()),
    )  # fmt: skip
