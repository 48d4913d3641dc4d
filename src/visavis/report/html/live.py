"""What a page carries so that readers can choose anew in it: numbers in base64, and what a card shows."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from visavis.records import Array, Candidate, GroupShortlist, Outside, Shortlist
from visavis.report.html import cards
from visavis.report.html.pictures import thumbnail
from visavis.report.text import shorten

LONGEST_HEADING = 170  # characters
LARGEST_PICTURE = 96  # pixels


def as_record(shortlist: Shortlist, *, pictures: bool = True) -> dict[str, Any]:
    """The shortlist as reselect.js reads it.

    Means and gains are float64, the kernel float32 as the search has it (the upper triangle, row by row), the means
    of documents outside float32, rounded so that bounds stay bounds; all little-endian.
    `pictures` says whether cards have small ones.
    """
    return {
        "method": shortlist.method,
        "contrast": shortlist.contrast,
        "contrasts": list(shortlist.contrasts),
        "resolution": shortlist.resolution,
        "sizes": [len(picks) for picks in shortlist.picks],
        "picks": [list(picks) for picks in shortlist.picks],
        "pins": list(shortlist.pins),
        "groups": [_group(group) for group in shortlist.groups],
        "candidates": [_card(candidate, pictures) for candidate in shortlist.candidates],
    }


def _group(group: GroupShortlist) -> dict[str, Any]:
    upper = np.triu_indices(len(group.rows))
    return {
        "documents": len(group.rows) + group.n_outside,
        "count": len(group.rows),
        "own": _packed(group.own, "<f8"),
        "rest": _packed(group.rest, "<f8"),
        "kernel": _packed(group.kernel[upper], "<f4"),
        "stories": _packed(group.stories, "<i4"),
        "origins": None if group.origins is None else _packed(group.origins, "<i4"),
        "copies": _packed(group.copies, "<i4"),
        "floors": _packed(group.floors, "<f8"),
        "steps": group.paths.shape[1],
        "paths": _packed(group.paths, "<i4"),
        "challengers": _packed(group.challengers, "<f8"),
        "outside": None if group.outside is None else _outside(group.outside),
    }


def _outside(outside: Outside) -> dict[str, Any]:
    told = np.flatnonzero(outside.stories >= 0)
    alike = len(outside.diagonal) == 0 or bool(np.all(outside.diagonal == outside.diagonal[0]))
    return {
        "own": _packed(outside.own, "<f4"),
        "rest": _packed(outside.rest, "<f4"),
        "diagonal": _packed(outside.diagonal[:1] if alike else outside.diagonal, "<f4"),
        "stories": [_packed(told, "<i4"), _packed(outside.stories[told], "<i4")],  # few tell a candidate's story
        "origins": None if outside.origins is None else _packed(outside.origins, "<i4"),
    }


def _packed(values: Array, kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode()


def _card(candidate: Candidate, pictures: bool) -> dict[str, Any]:
    """What a card shows, and nothing that is not there."""
    document = candidate.document
    item = cards.item(document, candidate.words, picture=False)
    shown = {
        "id": document.id,
        "row": candidate.row,
        "group": candidate.group,
        "family": candidate.family,
        "title": shorten(item.heading, LONGEST_HEADING),
        "url": item.url,
        "source": item.outlet,
        "date": item.date,
        "iso": item.iso if item.iso != item.date else "",
        "snippet": [[text, int(marked)] for text, marked in item.pieces],
        "picture": thumbnail(document.image, LARGEST_PICTURE, "WEBP") if pictures else "",
        "typical": _percent(candidate.typical),
        "distinct": _percent(candidate.distinct),
    }
    return {name: value for name, value in shown.items() if value not in ("", None, [])}


def _percent(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
