"""The numbers of an analysis of preferences as plain objects."""

from __future__ import annotations

from typing import Any

from visavis.shared.text import line
from visavis.study.analysis.numbers import ends, number
from visavis.study.analysis.preferring.results import MethodPair, PreferenceAnalysis, Readers
from visavis.study.preferences import CLEARNESS

SCHEMA = 1


def as_record(analysis: PreferenceAnalysis) -> dict[str, Any]:
    """Floats with 10 digits, None for what is undefined."""
    return {
        "schema": SCHEMA,
        "task": "prefer",
        "readers": [_readers(readers) for readers in analysis.readers],
        "machines_beside_people": [
            {
                "machine": line(one.machine), "first": line(one.first), "second": line(one.second),
                "comparisons": one.comparisons, "decided": one.decided, "same": one.same,
                "difference": number(one.difference), "interval": ends(one.interval),
            }
            for one in analysis.versus
        ],
        "planned": analysis.planned,
        "alike": analysis.alike,
        "notes": [line(note) for note in analysis.notes],
    }  # fmt: skip


def _readers(readers: Readers) -> dict[str, Any]:
    whole = ("readers", "answers", "comparisons", "materials", "on_the_left", "gold", "gold_correct")
    return {
        "name": line(readers.name),
        **{key: getattr(readers, key) for key in whole},
        "set_aside": readers.excluded,
        "same": number(readers.same),
        "kappa": number(readers.kappa),
        "seconds": number(readers.seconds),
        "pairs": [_pair(pair) for pair in readers.pairs],
        "strengths": [
            {"method": line(one.method), "preferred": number(one.share), "interval": ends(one.interval)}
            for one in readers.strengths
        ],
        "flags": [
            {"kind": line(one.kind), "readers": one.readers, "answers": one.answers, "gold": one.gold,
             "gold_correct": one.gold_correct, "shares_without": [number(share) for share in one.without]}
            for one in readers.flags
        ],
        "reasons": [
            {"method": line(one.method), "preferred": one.preferred, **dict(one.given)} for one in readers.reasons
        ],
    }  # fmt: skip


def _pair(pair: MethodPair) -> dict[str, Any]:
    whole = ("comparisons", "wins", "losses", "ties")
    return {
        "first": line(pair.first), "second": line(pair.second), "answers": list(pair.answers),
        "share": number(pair.share), "interval": ends(pair.interval), **{key: getattr(pair, key) for key in whole},
        "p": number(pair.p), "adjusted": number(pair.adjusted), "same": number(pair.same),
        "kappa": number(pair.kappa),
        "clearness": {word: list(counts) for word, counts in zip(CLEARNESS.values(), pair.clearness, strict=True)},
        "reasons": {name: list(counts) for name, counts in pair.reasons},
    }  # fmt: skip
