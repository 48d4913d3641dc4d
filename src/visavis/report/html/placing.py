"""Where what is written on the map goes, so that nothing lies on anything else."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from visavis.records import Floats

WIDTH, HEIGHT = 1200, 760  # of the picture; all places are in its units
LABEL = 40.0  # the room of a pick's label
LETTER, LINE = 10.0, 26.0  # the width of a letter and the height of a line of a theme's words


@dataclass(frozen=True)
class Place:
    """A text and the middle of where it stands."""

    text: str
    x: float
    y: float


def push_apart(places: Floats) -> Floats:
    """Labels of picks: their places pushed apart until no two overlap, or nearly so."""
    moved: Floats = places + np.array([[0.0, -LABEL * 0.62]])
    spin = np.arange(len(places))[:, None] * 2.4  # labels of one place leave it in different directions
    moved = moved + 0.5 * np.hstack([np.cos(spin), np.sin(spin)])
    for _ in range(200):
        one, other = cKDTree(moved).query_pairs(LABEL, output_type="ndarray").T
        if len(one) == 0:
            break
        gaps = moved[one] - moved[other]
        distances = np.linalg.norm(gaps, axis=1, keepdims=True)
        pushes = 0.35 * gaps / np.maximum(distances, 1e-9) * (LABEL - distances)
        np.add.at(moved, one, pushes)
        np.subtract.at(moved, other, pushes)
        moved = np.clip(moved, LABEL / 2, [WIDTH - LABEL / 2, HEIGHT - LABEL / 2])
    return moved


def place_texts(texts: Sequence[str], middles: Floats, taken: Floats) -> tuple[Place, ...]:
    """Each text as near its middle as it can stand clear of the labels `taken` and of the texts before it."""
    boxes = [(x, y, LABEL, LABEL * 0.7) for x, y in taken.tolist()]
    found = []
    for text, (x, y) in zip(texts, middles.tolist(), strict=True):
        width = LETTER * sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
        best = min(_around(x, y, width), key=lambda spot: (_overlap((*spot, width, LINE), boxes), _far(spot, x, y)))
        boxes.append((*best, width, LINE))
        found.append(Place(text, round(best[0], 1), round(best[1], 1)))
    return tuple(found)


def _around(x: float, y: float, width: float) -> list[tuple[float, float]]:
    """Places on rings around a middle, kept within the picture."""
    spots = [(x, y)]
    for radius in range(24, 240, 24):
        spots += [
            (x + 1.4 * radius * math.cos(k * math.pi / 8), y + radius * math.sin(k * math.pi / 8)) for k in range(16)
        ]
    side = min(width / 2 + 6, WIDTH / 2)
    return [(min(max(a, side), WIDTH - side), min(max(b, LINE), HEIGHT - LINE)) for a, b in spots]


def _overlap(box: tuple[float, float, float, float], boxes: list[tuple[float, float, float, float]]) -> float:
    """How much of its area a box (middle, width, height) shares with others."""
    x, y, width, height = box
    wide = ((width + w) / 2 - abs(x - a) for a, _, w, _ in boxes)
    high = ((height + h) / 2 - abs(y - b) for _, b, _, h in boxes)
    return sum(max(0.0, across) * max(0.0, down) for across, down in zip(wide, high, strict=True))


def _far(spot: tuple[float, float], x: float, y: float) -> float:
    return math.hypot(spot[0] - x, spot[1] - y)
