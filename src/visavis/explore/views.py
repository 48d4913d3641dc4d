"""Scenes and picks in the words and numbers of the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from visavis.comparing import Comparison
from visavis.comparing.moments import moments_of
from visavis.explore.query import State
from visavis.explore.scene import Scene
from visavis.records import Document, GroupSummary, Pick, Term, Timeline
from visavis.report import facts, sentences
from visavis.report.bars import bars, known_scores
from visavis.report.html.palette import HUES
from visavis.report.html.scatter import about_axes, spread_out
from visavis.report.periods import said
from visavis.report.text import day, fragments, heading, iso_date, outlet, snippet, web_address
from visavis.report.why import why
from visavis.shared.periods import LABELS, read_label
from visavis.shared.text import clean, line

NOWHERE = 65535  # the group of a point that is in none


def key_of(state: State, scene: Scene) -> str:
    """A short name for what is shown: another one for another corpus, and for a first look."""
    return f"{scene.number}-{state.named}" + ("-first" if scene.first else "")


def group_record(scene: Scene, group: int) -> dict[str, Any]:
    """A group with its color and the words that are more frequent in it."""
    hue = HUES[group % len(HUES)]
    return {
        "name": scene.names[group],
        "said": line(said(scene.names[group])),
        "key": facts.group_key(group),
        "count": int(np.sum(scene.codes == group)),
        "color": {"light": hue.light, "dark": hue.dark},
        "words": [word_record(term) for term in scene.about.words.of_group(group)],
    }


def word_record(term: Term) -> dict[str, Any]:
    """A word, in how many documents of the group and which share of them, and which share of the rest."""
    return {
        "term": line(term.term), "share": term.share, "rest": term.share_elsewhere, "count": term.documents,
        "said": sentences.term(term),
    }  # fmt: skip


def map_record(scene: Scene, ground: Scene) -> dict[str, Any]:
    """What is written on the map."""
    middles = np.array([[theme.x, theme.y] for theme in ground.about.map.themes], np.float64).reshape(-1, 2)
    places = spread_out(np.asarray(ground.about.map.points, np.float64))(middles) if len(middles) else middles
    return {
        "count": len(ground.documents),
        "axes": ground.about.map.axes,
        "note": about_axes([line(said(name)) for name in ground.names], ground.about.map),
        "themes": [
            {"x": float(x), "y": float(y), "label": ", ".join(map(line, theme.words)), "group": None}
            for theme, (x, y) in zip(ground.about.map.themes, places, strict=True)
        ],
        "drawn_over": scene is not ground,
    }


def document_record(scene: Scene, row: int) -> dict[str, Any]:
    """A document as a list shows it."""
    document = scene.called(row)
    return {
        "row": row, "id": document.id, "title": heading(document), "source": outlet(document),
        "date": iso_date(document.date), "said": day(document.date),
    }  # fmt: skip


def card(
    ground: Scene, summary: Comparison, group: GroupSummary, pick: Pick, known: dict[str, list[float]]
) -> dict[str, Any]:
    """A pick and why it was picked; `known` are the scores of all."""
    document = pick.document
    return {
        **ground.items.recall((document.id, pick.words), lambda: item(document, pick.words)),
        "row": ground.rows.get(document.id),
        "rank": pick.rank,
        "why": why(pick, group, summary),
        "bars": [{"label": bar.label, "percent": bar.length, "said": bar.about} for bar in bars(pick, group, known)],
        "stands_for": {
            "count": len(pick.covers), "share": pick.stands_for, "rest": pick.stands_for_rest,
            "said": sentences.stands_for(pick, group),
        },
        "pinned": document.id in summary.parameters.get("pin", ()),
    }  # fmt: skip


def item(document: Document, words: Sequence[str] = ()) -> dict[str, Any]:
    """A document with how it begins, words of its group marked."""
    return {
        "id": document.id, "title": heading(document), "source": outlet(document), "date": iso_date(document.date),
        "said": day(document.date), "author": author(document), "url": web_address(document.url),
        "snippet": fragments(snippet(document), tuple(words)),
    }  # fmt: skip


def author(document: Document) -> str:
    """Who wrote a document, where a column says so."""
    found = next((document.fields[name] for name in ("author", "authors", "byline") if name in document.fields), "")
    return line(str(found or ""))


def cards(ground: Scene, summary: Comparison) -> list[dict[str, Any]]:
    """The groups with their picks."""
    known = known_scores(summary)
    return [
        {"name": group.name, "picks": [card(ground, summary, group, pick, known) for pick in group.picks]}
        for group in summary.groups
    ]


def paragraphs(document: Document, words: Sequence[str]) -> list[Any]:
    """The whole text by paragraphs, words marked."""
    parts = (part.strip() for part in clean(document.text).split("\n"))
    return [fragments(part, tuple(words)) for part in parts if part]


def volume_record(scene: Scene, whole: Timeline | None) -> dict[str, Any] | None:
    """Documents over time: of each group, and of all whatever the filter; None where they have no dates."""
    if whole is None:
        return None
    labels, place = LABELS[whole.unit], {period: at for at, period in enumerate(whole.periods)}
    counts = np.zeros((len(scene.names), len(whole.periods)), np.int64)
    for moment, code in zip(moments_of(scene.documents), scene.codes.tolist(), strict=True):
        at = None if moment is None else place.get(labels(moment))
        if at is not None:
            counts[code, at] += 1
    periods = [read_label(period) for period in whole.periods]
    return {
        "unit": whole.unit,
        "labels": [line(said(period)) for period in whole.periods],
        "starts": [period.first.isoformat() for period in periods if period is not None],
        "counts": counts.tolist(),
        "all": [row[0] for row in whole.counts],
    }


def seconds_left(stage: str) -> float | None:
    """How long a stage says it will take, if it does."""
    found = re.search(r"about (\d+) (s|min) left", stage)
    return None if found is None else float(found[1]) * (60 if found[2] == "min" else 1)
