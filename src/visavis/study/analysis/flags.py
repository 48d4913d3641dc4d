"""What flags do to a report: who carries one, what they answered, and what is left without them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from visavis.errors import InvalidParameter
from visavis.study.analysis.rehearsed import Record
from visavis.study.analysis.results import FlagResult
from visavis.study.records import FLAGS, REHEARSED, Judgement


def leave_out(records: Iterable[Record], kinds: Sequence[str]) -> list[Record]:
    """The answers, those of workers with a flag of these kinds set aside. Raises InvalidParameter for no such kind."""
    found: list[Record] = list(records)
    known = (*FLAGS, *sorted({kind for one in found for kind in one.flags} - set(FLAGS)))
    for kind in kinds:
        if kind not in known:
            raise InvalidParameter(f"there is no flag {kind!r} to leave out: flags are {', '.join(known)}")
    return [replace(one, excluded=one.excluded or bool(set(kinds) & set(one.flags))) for one in found]


def flag_results(counted: Sequence[Judgement]) -> tuple[FlagResult, ...]:
    """For each kind of flag among those who are counted."""
    kinds = sorted({kind for judgement in counted for kind in judgement.flags} - {REHEARSED})
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
