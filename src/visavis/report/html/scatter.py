"""The map of all documents: a picture of the points for light and for dark pages, and where the picks' labels go."""

from __future__ import annotations

import base64
import io
import math
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from visavis.records import Booleans, DocumentMap, Floats, Integers, Summary
from visavis.report.html.palette import hues, rgb
from visavis.report.text import shorten

WIDTH, HEIGHT, MARGIN = 1200, 760, 36
MOST_DRAWN, MOST_NAMED = 30_000, 12_000
LABEL = 40.0  # the room of a pick's label, in the picture's units
SMOOTH = 2  # drawn larger, then reduced


@dataclass(frozen=True)
class Label:
    """Where a pick lies on the map and where its label stands, in the picture's units."""

    group: int
    rank: int
    x: float
    y: float
    label_x: float
    label_y: float


@dataclass(frozen=True)
class Scatter:
    """The map, ready for the page; `points` holds what the script needs to name a document under the pointer."""

    light: str
    dark: str
    labels: tuple[Label, ...]
    n_documents: int
    n_drawn: int
    points: dict[str, list[int] | list[str]]

    @property
    def places(self) -> frozenset[str]:
        """The labels by group and rank."""
        return frozenset(f"{label.group}-{label.rank}" for label in self.labels)


def draw(summary: Summary) -> Scatter | None:
    """The map; None where the summary has none. Above 30,000 documents an even sample is drawn."""
    if summary.map is None or not len(summary.map.ids):
        return None
    places = _fit(np.asarray(summary.map.points, dtype=float))
    n = len(places)
    drawn = _spread(n, MOST_DRAWN)
    codes = np.asarray(summary.map.codes)
    return Scatter(
        light=_picture(places[drawn], codes[drawn], [hue.light for hue in hues(summary)]),
        dark=_picture(places[drawn], codes[drawn], [hue.dark for hue in hues(summary)]),
        labels=_labels(summary, summary.map, places),
        n_documents=n,
        n_drawn=len(drawn),
        points=_named(summary.map, places, _spread(n, MOST_NAMED)),
    )


def _spread(n: int, most: int) -> Integers:
    """Evenly spaced row numbers, at most so many."""
    return np.arange(n) if n <= most else np.linspace(0, n - 1, most).astype(np.intp)


def _fit(points: Floats) -> Floats:
    """Points in the picture's units, the y axis pointing up; one that is no number goes to the middle."""
    points = np.where(np.isfinite(points), points, np.nan)
    missing: Booleans = np.asarray(np.isnan(points).any(axis=1))
    if missing.all():
        return np.tile([WIDTH / 2, HEIGHT / 2], (len(points), 1))
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    extent = np.where(high > low, high - low, 1.0)
    room = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN])
    scaled: Floats = np.where(high > low, (points - low) / extent, 0.5)
    scaled[:, 1] = 1 - scaled[:, 1]
    fitted: Floats = np.where(missing[:, None], np.array([WIDTH / 2, HEIGHT / 2]), MARGIN + scaled * room)
    return fitted


def _picture(places: Floats, codes: Integers, colors: list[str]) -> str:
    """A PNG with a transparent ground, as a data address."""
    radius = SMOOTH * float(np.clip(260 / math.sqrt(len(places)), 2.2, 8.0))
    large = Image.new("RGBA", (WIDTH * SMOOTH, HEIGHT * SMOOTH), (0, 0, 0, 0))
    pen = ImageDraw.Draw(large)
    for row in _shuffled(len(places)):  # else the last group would lie on top of the others
        code = int(codes[row])
        _shape(pen, code, places[row] * SMOOTH, radius, (*rgb(colors[code % len(colors)]), 190))
    small = large.resize((WIDTH, HEIGHT), Image.Resampling.BOX).quantize(128, method=Image.Quantize.FASTOCTREE)
    file = io.BytesIO()
    small.save(file, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def _shuffled(n: int) -> Integers:
    return np.random.default_rng(0).permutation(n)


def _shape(pen: ImageDraw.ImageDraw, code: int, center: Floats, r: float, color: tuple[int, int, int, int]) -> None:
    """Groups differ in shape as well as in color: disk, square, triangle, diamond, ring, cross, triangle down."""
    x, y = float(center[0]), float(center[1])
    match code % 7:
        case 0:
            pen.ellipse((x - r, y - r, x + r, y + r), fill=color)
        case 1:
            pen.rectangle((x - 0.86 * r, y - 0.86 * r, x + 0.86 * r, y + 0.86 * r), fill=color)
        case 2:
            pen.polygon([(x, y - 1.2 * r), (x + 1.1 * r, y + 0.8 * r), (x - 1.1 * r, y + 0.8 * r)], fill=color)
        case 3:
            pen.polygon([(x, y - 1.25 * r), (x + 1.25 * r, y), (x, y + 1.25 * r), (x - 1.25 * r, y)], fill=color)
        case 4:
            pen.ellipse((x - r, y - r, x + r, y + r), outline=color, width=max(2, round(r / 2.2)))
        case 5:
            pen.rectangle((x - 1.15 * r, y - 0.4 * r, x + 1.15 * r, y + 0.4 * r), fill=color)
            pen.rectangle((x - 0.4 * r, y - 1.15 * r, x + 0.4 * r, y + 1.15 * r), fill=color)
        case _:
            pen.polygon([(x, y + 1.2 * r), (x + 1.1 * r, y - 0.8 * r), (x - 1.1 * r, y - 0.8 * r)], fill=color)


def _labels(summary: Summary, where: DocumentMap, places: Floats) -> tuple[Label, ...]:
    rows = {key: row for row, key in enumerate(where.ids)}
    found = [
        (index, pick.rank, places[rows[pick.document.id]])
        for index, group in enumerate(summary.groups)
        for pick in group.picks
        if pick.document.id in rows
    ]
    if not found:
        return ()
    true = np.array([place for _, _, place in found])
    moved = _apart(true)
    return tuple(
        Label(index, rank, *(round(float(value), 1) for value in (*true[i], *moved[i])))
        for i, (index, rank, _) in enumerate(found)
    )


def _apart(places: Floats) -> Floats:
    """The places pushed apart until no two labels overlap, or nearly so."""
    moved: Floats = places + np.array([[0.0, -LABEL * 0.62]])
    spin = np.arange(len(places))[:, None] * 2.4  # labels of one place leave it in different directions
    moved = moved + 0.5 * np.hstack([np.cos(spin), np.sin(spin)])
    for _ in range(200):
        gaps = moved[:, None, :] - moved[None, :, :]
        distances = np.linalg.norm(gaps, axis=2)
        np.fill_diagonal(distances, np.inf)
        close = np.clip(LABEL - distances, 0, None)
        if not close.any():
            break
        moved = moved + 0.35 * np.sum(gaps / np.maximum(distances, 1e-9)[..., None] * close[..., None], axis=1)
        moved = np.clip(moved, LABEL / 2, [WIDTH - LABEL / 2, HEIGHT - LABEL / 2])
    return moved


def _named(where: DocumentMap, places: Floats, rows: Integers) -> dict[str, list[int] | list[str]]:
    """Places, groups and names of documents, for the script."""
    rounded = np.rint(places[rows]).astype(int)
    return {
        "x": rounded[:, 0].tolist(),
        "y": rounded[:, 1].tolist(),
        "g": [int(where.codes[row]) for row in rows],
        "t": [shorten(where.titles[row], 110) or shorten(where.ids[row], 110) for row in rows],
    }


def rules(scatter: Scatter | None) -> str:
    """Style rules that put each label in its place: the page's policy allows no style attributes."""
    if scatter is None:
        return ""
    return "".join(
        f"#at-{label.group}-{label.rank}"
        f"{{left:{100 * label.label_x / WIDTH:.2f}%;top:{100 * label.label_y / HEIGHT:.2f}%}}"
        for label in scatter.labels
    )
