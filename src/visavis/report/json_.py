"""The summary as one JSON object, the same bytes each time."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from visavis.records import Gap, GroupSummary, Headline, Pick, PicksRead, Sentence, Summary, Term, TwoSampleTest
from visavis.report.differences import differences
from visavis.report.text import heading, iso_date
from visavis.report.verdict import verdict

SCHEMA = 1

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def render(summary: Summary) -> str:
    """JSON with a final line break. Timings and everything else that changes from run to run stay out."""
    return json.dumps(as_record(summary), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def as_record(summary: Summary) -> dict[str, Any]:
    """The summary as plain objects; numbers with 10 digits, None for what is no number."""
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "title": summary.title,
        "verdict": verdict(summary).outcome,
        "differences": _differences(summary),
        "groups": [_group(group) for group in summary.groups],
        "test": [_test(test) for test in summary.test],
        "accuracy": summary.accuracy,
        "accuracy_interval": summary.accuracy_interval,
        "ceiling": summary.ceiling,
        "ceiling_interval": summary.ceiling_interval,
        "common": [document.id for document in summary.common],
        "set_aside": [{"reason": aside.reason, "count": aside.count} for aside in summary.set_aside],
        "folded": summary.folded,
        "not_candidates": [{"reason": away.reason, "count": away.count} for away in summary.not_candidates],
        "boilerplate": {"share": summary.boilerplate},
        "warnings": summary.warnings,
        "notes": summary.notes,
        "method": summary.method,
        "parameters": summary.parameters,
        "seed": summary.seed,
        "version": summary.version,
    }
    if summary.gap is not None:
        record["sampled"] = _gap(summary.gap)
    if summary.headline is not None:
        record["headline"] = _headline(summary.headline)
    if summary.picks_read is not None:
        record["picks_read"] = _picks_read(summary.picks_read)
    if summary.changes is not None:
        record["changes"] = asdict(summary.changes)
    found: dict[str, Any] = plain(record)
    return found


def _gap(gap: Gap) -> dict[str, Any]:
    return {
        "documents": gap.n_documents,
        "sampled": gap.n_sampled,
        "tried": gap.n_tried,
        "value": gap.value,
        "missing_at_most": gap.most,
        "share_missing_at_most": gap.share,
    }


def _differences(summary: Summary) -> dict[str, Any]:
    found = differences(summary)
    lines = [{"group": summary.groups[line.group].name, "line": line.text} for line in found.lines]
    return {"heading": found.heading, "note": found.note or None, "lines": lines}


def _asked(told: Headline | PicksRead) -> dict[str, Any]:
    """Which model was asked, where, and why nothing came of it, if nothing did."""
    return {"model": told.model, "host": told.host, "texts_sent": told.texts_sent, "missing": told.missing or None}


def _headline(headline: Headline) -> dict[str, Any]:
    return _asked(headline) | {
        "sentences": [_sentence(sentence) for sentence in headline.shown],
        "dropped": [_sentence(sentence) | {"reason": sentence.dropped} for sentence in headline.dropped],
    }


def _picks_read(read: PicksRead) -> dict[str, Any]:
    return _asked(read) | {
        "refused": [
            {"id": one.id, "group": one.group, "why": one.why or None, "like": one.like or None} for one in read.refused
        ],
        "kept": read.kept,
        "unread": read.unread,
    }


def _sentence(sentence: Sentence) -> dict[str, Any]:
    return {
        "group": sentence.group or None,
        "text": sentence.text or None,
        "cites": sentence.cites,
        "cited_groups": sentence.cited_groups,
        "accuracy": sentence.accuracy,
        "p_value": sentence.p_value,
    }


def _group(group: GroupSummary) -> dict[str, Any]:
    return {
        "name": group.name,
        "documents": group.n_documents,
        "words": group.words,
        "terms": [_term(term) for term in group.terms],
        "objective": {"value": group.value, "stages": group.stages},
        "picks": [_pick(pick) for pick in group.picks],
    }


def _test(test: TwoSampleTest) -> dict[str, Any]:
    return {
        "groups": test.groups,
        "mmd2": test.mmd2,
        "p_value": test.p_value,
        "adjusted": test.adjusted,
        "blocks": {"by": test.blocks_by, "count": test.n_blocks},
        "permutations": test.permutations,
        "why": test.why or None,
    }


def _term(term: Term) -> dict[str, Any]:
    return {
        "term": term.term,
        "documents": term.documents,
        "share": term.share,
        "elsewhere": term.elsewhere,
        "share_elsewhere": term.share_elsewhere,
        "sources": term.sources,
        "telling": term.telling,
        "holders": [document.id for document in term.holders],
    }


def _pick(pick: Pick) -> dict[str, Any]:
    document, scores = pick.document, pick.scores
    return {
        "id": document.id,
        "rank": pick.rank,
        "title": document.title,
        "headline": heading(document),
        "date": iso_date(document.date) or None,
        "source": document.source,
        "url": document.url,
        "scores": {
            "coverage": scores.coverage,
            "discrimination": scores.discrimination,
            "diversity": scores.diversity,
            "versus": scores.versus,
            "typical": scores.typical,
            "distinct": scores.distinct,
        },
        "share": pick.share,
        "gain": pick.gain,
        "loss": pick.loss,
        "stability": pick.stability,
        "stability_by_chance": pick.stability_by_chance,
        "resamples": pick.resamples,
        "stands_for": pick.stands_for,
        "stands_for_rest": pick.stands_for_rest,
        "words": pick.words,
        "covers": pick.covers,
    }


def plain(value: Any) -> Any:
    """The same in types that JSON has; what has none is written as its text."""
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return float(f"{value:.10g}") + 0.0 if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {plain(str(key)): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (set, frozenset)):
        return sorted((plain(item) for item in value), key=str)
    return plain(getattr(value, "__name__", "") or type(value).__name__)
