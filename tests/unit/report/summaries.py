"""Summaries to report on: the bundled news sample with picks made by a simple rule, and pictures of other cases."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from importlib import resources
from itertools import pairwise

import numpy as np

from visavis.records import (
    Document,
    DocumentMap,
    GroupSummary,
    Pick,
    Scores,
    SetAside,
    Summary,
    Term,
    Timeline,
    TwoSampleTest,
)

COMMON = """
a an and are as at be been but by for from had has have he her his how in into is it its more most no not of on one or
out over she so than that the their them then there they this to two was were what when which who will with would year
years said says after before about also only each every both like down through since
"""


def sample() -> list[Document]:
    lines = resources.files("visavis.datasets").joinpath("data/sample.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        Document(
            id=row["id"],
            title=row["title"],
            text=row["text"],
            date=datetime.fromisoformat(row["published"]).replace(tzinfo=UTC),
            source=row["outlet"],
            url=row["url"],
        )
        for row in map(json.loads, lines)
    ]


def news(n_groups: int = 4, size: int = 4, *, p: float = 0.001) -> Summary:
    """The sample in spans of time (4 are its months), with scores that look like those of a real comparison."""
    documents = sample()
    rng = np.random.default_rng(7)
    first, last = documents[0].date.toordinal(), max(d.date.toordinal() for d in documents)
    days = np.array([document.date.toordinal() for document in documents])
    if n_groups == 4:
        labels = [f"{document.date:%Y-%m}" for document in documents]
    else:
        spans = (days - first) * n_groups // (last - first + 1)
        starts = [first + math.ceil(k * (last - first + 1) / n_groups) for k in range(n_groups + 1)]
        names = [
            f"{datetime.fromordinal(a):%Y-%m-%d}..{datetime.fromordinal(b - 1):%Y-%m-%d}" for a, b in pairwise(starts)
        ]
        labels = [names[span] for span in spans]
    names = tuple(sorted(set(labels)))
    codes = np.array([names.index(label) for label in labels])
    return _summary(documents, names, codes, size, p, rng)


def _summary(documents, names, codes, size, p, rng) -> Summary:
    bags = [set(_tokens(d.title + " " + d.text)) for d in documents]
    points = rng.normal(size=(len(documents), 2)) + 1.5 * np.column_stack(
        [np.cos(2 * np.pi * codes / len(names)), np.sin(2 * np.pi * codes / len(names))]
    )
    groups = tuple(
        _group(documents, bags, codes, names, index, min(size, int((codes == index).sum())), rng)
        for index in range(len(names))
    )
    picked = {pick.document.id for group in groups for pick in group.picks}
    tests = (TwoSampleTest(names, 0.0123456789012, p, p),)
    if len(names) > 2:
        tests += tuple(
            TwoSampleTest((name,), 0.01 + 0.001 * i, p, p + (0.2 if i == 1 else 0)) for i, name in enumerate(names)
        )
    return Summary(
        title="Climate coverage, month by month",
        by="published:month",
        groups=groups,
        test=tests,
        accuracy=0.61,
        ceiling=0.74,
        common=tuple([d for d in documents if d.id not in picked][5:8]),
        set_aside=(
            SetAside("no date", ("articles.csv:14", "articles.csv:90")),
            SetAside("no text", ("articles.csv:3",)),
        ),
        folded=11,
        warnings=("The group 2024-05 has 3 times as many documents as 2024-02: compare counts with care.",),
        notes=("Texts are read up to their first 3 sentences.",),
        method="mmd-diff-grad",
        parameters={"contrast": 0.1, "gamma": 0.8123456, "size": size, "embedder": "glove-sif", "resamples": 20},
        seed=0,
        version="0.1.0",
        command="visavis compare articles.csv --by published:month --size 4 --seed 0",
        size_curve=((1, 0.42), (2, 0.52), (4, 0.61), (8, 0.66), (16, 0.69)),
        timeline=_timeline(documents, codes, len(names)),
        map=DocumentMap(points, codes, tuple(d.id for d in documents), tuple(d.title for d in documents)),
    )


def _group(documents, bags, codes, names, index, size, rng) -> GroupSummary:
    rows = np.flatnonzero(codes == index)
    inside = Counter(word for row in rows for word in bags[row])
    outside = Counter(word for row in np.flatnonzero(codes != index) for word in bags[row])
    rest = len(documents) - len(rows)
    odds = {w: n / (len(rows) + 2) - outside[w] / (rest + 2) for w, n in inside.items() if n > 2}
    words = tuple(sorted(odds, key=lambda w: (-odds[w], w))[:10])
    ranked = sorted(rows, key=lambda row: (-len(bags[row] & set(words)), row))[:size]
    nearest = {row: max(ranked, key=lambda pick: len(bags[row] & bags[pick])) for row in rows}
    picks = []
    for rank, row in enumerate(ranked, 1):
        versus = {name: float(rng.uniform(-0.01, 0.06)) for name in names if name != names[index]}
        scores = Scores(
            float(rng.uniform(0.35, 0.55)), float(rng.uniform(-0.004, 0.05)), float(rng.uniform(0.4, 0.7)), versus
        )
        share, gain, loss = rng.uniform(0, 0.2, 3).tolist()
        picks.append(
            Pick(
                document=documents[row],
                rank=rank,
                scores=scores,
                share=share,
                gain=gain - 0.02,
                loss=loss,
                stability=round(float(rng.uniform(0.5, 1)) * 20) / 20,
                words=tuple(word for word in words if word in bags[row]),
                covers=tuple(documents[r].id for r in rows if nearest[r] == row),
            )
        )
    return GroupSummary(
        names[index],
        len(rows),
        tuple(picks),
        0.51,
        {"start": 0.5, "optimized": 0.52, "snapped": 0.51, "exchanged": None},
        tuple(
            Term(w, inside[w], inside[w] / len(rows), outside[w], outside[w] / max(1, rest), 3, telling=True)
            for w in words
        ),
    )


def _tokens(text: str) -> list[str]:
    return [word for word in re.findall(r"[a-z]{4,}", text.lower()) if f" {word} " not in COMMON.replace("\n", " ")]


def _timeline(documents, codes, n_groups) -> Timeline:
    weeks = [f"{d.date.isocalendar().year:04d}-W{d.date.isocalendar().week:02d}" for d in documents]
    periods = tuple(sorted(set(weeks)))
    counts = np.zeros((len(periods), n_groups), dtype=int)
    for week, code in zip(weeks, codes, strict=True):
        counts[periods.index(week), code] += 1
    return Timeline("week", periods, tuple(tuple(row) for row in counts.tolist()))


def outlets() -> Summary:
    """Two outlets face to face, without a clear difference."""
    documents = [d for d in sample() if d.source in ("Tideline", "Meridian Post")]
    codes = np.array([int(d.source == "Tideline") for d in documents])
    made = _summary(documents, ("Meridian Post", "Tideline"), codes, 5, 0.41, np.random.default_rng(3))
    return replace(
        made, title="Tideline against the Meridian Post", by="outlet", accuracy=0.53, ceiling=0.58, warnings=()
    )


def large(n_documents: int = 10_000, n_groups: int = 14) -> Summary:
    """Many documents in many groups, each with a day of a year."""
    base = sample()
    rng = np.random.default_rng(1)
    documents = [
        replace(base[i % len(base)], id=f"d{i:06d}", date=datetime.fromordinal(738000 + i % 366).replace(tzinfo=UTC))
        for i in range(n_documents)
    ]
    codes = np.arange(n_documents) % n_groups
    names = tuple(f"Group number {k + 1}" for k in range(n_groups))
    points = rng.normal(size=(n_documents, 2)) + 2 * np.column_stack([np.cos(codes), np.sin(codes)])
    groups = []
    for index, name in enumerate(names):
        rows = np.flatnonzero(codes == index)
        terms = tuple(Term(word, 90, 0.13, 200, 0.02, 3, telling=True) for word in ("climate", "water level", "price"))
        picks = tuple(
            Pick(
                documents[row],
                rank,
                Scores(0.4, 0.02, 0.5, {n: 0.01 for n in names if n != name}),
                0.1,
                0.1,
                0.1,
                0.9,
                ("climate",),
                tuple(documents[r].id for r in rows[rank::8]),
            )
            for rank, row in enumerate(rows[:8], 1)
        )
        groups.append(GroupSummary(name, len(rows), picks, 0.4, {"start": 0.4}, terms))
    counts = np.zeros((366, n_groups), dtype=int)
    np.add.at(counts, (np.arange(n_documents) % 366, codes), 1)
    days = tuple(f"{datetime.fromordinal(738000 + k):%Y-%m-%d}" for k in range(366))
    return replace(
        news(),
        title="Many groups",
        groups=tuple(groups),
        timeline=Timeline("day", days, tuple(map(tuple, counts.tolist()))),
        map=DocumentMap(points, codes, tuple(d.id for d in documents), tuple(d.title for d in documents)),
        test=(TwoSampleTest(names, 0.01, 0.001, 0.003), *(TwoSampleTest((n,), 0.01, 0.01, 0.02) for n in names)),
    )


def with_first_document(summary: Summary, **changes: object) -> Summary:
    group = summary.groups[0]
    pick = replace(group.picks[0], document=replace(group.picks[0].document, **changes))
    return replace(summary, groups=(replace(group, picks=(pick, *group.picks[1:])), *summary.groups[1:]))
