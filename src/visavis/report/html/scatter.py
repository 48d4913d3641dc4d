"""The map of all documents: a picture of the points for light and for dark pages, and what is written on it."""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from visavis.records import DocumentMap, Floats, Integers, Summary
from visavis.report.facts import group_name
from visavis.report.html import placing
from visavis.report.html.palette import hues, rgb
from visavis.report.html.placing import Place, place_texts, push_apart
from visavis.report.text import shorten

WIDTH, HEIGHT, MARGIN = placing.WIDTH, placing.HEIGHT, 36
MOST_DRAWN, MOST_NAMED = 30_000, 12_000
MOST_LABELED = 150  # picks; there is no room for more labels, and every two are kept apart
SMOOTH = 2  # drawn larger, then reduced
SHAPES = (  # of the groups' points in the key, in a box of 16 by 16, as `_shape` draws them on the map
    "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12z",
    "M2.8 2.8h10.4v10.4H2.8z",
    "M8 1.5L14.5 13H1.5z",
    "M8 1L15 8L8 15L1 8z",
    "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12zm0 2.7a3.3 3.3 0 1 1 0 6.6a3.3 3.3 0 1 1 0-6.6z",
    "M5.6 1.5h4.8v4.1h4.1v4.8h-4.1v4.1H5.6v-4.1H1.5V5.6h4.1z",
    "M8 14.5L14.5 3H1.5z",
)


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
    """The map, ready for the page: the picture, what its axes are, and what is written on it.

    `sides` are the groups to the left and to the right, where there are but two. `points` holds what the script needs
    to name a document under the pointer.
    """

    light: str
    dark: str
    about: str
    sides: tuple[int, int] | None
    labels: tuple[Label, ...]
    themes: tuple[Place, ...]
    n_documents: int
    n_drawn: int
    n_picks: int
    points: dict[str, list[int] | list[str]]

    @property
    def places(self) -> frozenset[str]:
        """The labels by group and rank."""
        return frozenset(f"{label.group}-{label.rank}" for label in self.labels)


def draw(summary: Summary) -> Scatter | None:
    """The map; None where the summary has none. Above 30,000 documents an even sample is drawn."""
    if summary.map is None or not len(summary.map.ids):
        return None
    fit = _fit(np.asarray(summary.map.points, dtype=float))
    places, n = fit(np.asarray(summary.map.points, dtype=float)), len(summary.map.ids)
    picked = _picked(summary, summary.map, places)
    labels = _labels(picked)
    drawn = _spread(n, MOST_DRAWN)
    codes = np.asarray(summary.map.codes)
    return Scatter(
        light=_picture(places[drawn], codes[drawn], [hue.light for hue in hues(summary)]),
        dark=_picture(places[drawn], codes[drawn], [hue.dark for hue in hues(summary)]),
        about=about_axes([group_name(group) for group in summary.groups], summary.map),
        sides=(0, 1) if summary.map.axes == "groups" and len(summary.groups) == 2 else None,
        labels=labels,
        themes=_themes(summary.map, fit, labels),
        n_documents=n,
        n_drawn=len(drawn),
        n_picks=len(picked),
        points=_named(summary.map, places, _spread(n, MOST_NAMED)),
    )


def _spread(n: int, most: int) -> Integers:
    """Evenly spaced row numbers, at most so many."""
    return np.arange(n) if n <= most else np.linspace(0, n - 1, most).astype(np.intp)


def _fit(points: Floats) -> Callable[[Floats], Floats]:
    """What puts points in the picture's units, the y axis pointing down."""
    spread = spread_out(points)

    def fit(places: Floats) -> Floats:
        scaled = spread(places)
        scaled[:, 1] = 1 - scaled[:, 1]
        return np.asarray(MARGIN + scaled * np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN]))

    return fit


def spread_out(points: Floats) -> Callable[[Floats], Floats]:
    """What puts points between 0 and 1 along both axes; one that is no number goes to the middle.

    Halfway between true to scale and evenly spread along each axis, so that a crowd can be read beside a few outliers.
    """
    known = points[np.isfinite(points).all(axis=1)]
    axes = [np.unique(axis) for axis in known.T]

    def fit(places: Floats) -> Floats:
        there = np.isfinite(places).all(axis=1)
        scaled = np.full(places.shape, 0.5)
        for axis, values in enumerate(axes):
            if len(values) > 1:
                own = places[there, axis]
                even = np.interp(own, values, np.linspace(0, 1, len(values)))
                scaled[there, axis] = (even + (own - values[0]) / (values[-1] - values[0])) / 2
        return scaled

    return fit


def about_axes(names: Sequence[str], where: DocumentMap) -> str:
    """What the places on the map mean."""
    if where.axes != "groups":
        return "Each point is a document; near points are about similar things." + (
            " From what they are about alone, groups may mix." if len(names) > 1 else ""
        )
    if len(names) == 2:
        return (
            f"Each point is a document. The further right, the more it reads like {names[1]}; the further left, the "
            f"more like {names[0]}, as judged by other documents than itself. From bottom to top goes the largest "
            "difference that is left."
        )
    return (
        "Each point is a document, near others that read like the same groups, as judged by other documents than "
        "itself: groups lie apart as far as they can be told apart."
    )


def _themes(where: DocumentMap, fit: Callable[[Floats], Floats], labels: tuple[Label, ...]) -> tuple[Place, ...]:
    """The words of each region, near its middle and clear of the picks' labels."""
    texts = [", ".join(shorten(word, 40) for word in theme.words) for theme in where.themes]
    if not texts:
        return ()
    middles = fit(np.array([[theme.x, theme.y] for theme in where.themes], dtype=float))
    taken = np.array([[label.label_x, label.label_y] for label in labels]).reshape(-1, 2)
    return place_texts(texts, middles, taken)


def _picture(places: Floats, codes: Integers, colors: list[str]) -> str:
    """A PNG with a transparent ground, as a data address."""
    radius = SMOOTH * float(np.clip(260 / math.sqrt(len(places)), 2.2, 8.0))
    large = Image.new("RGBA", (WIDTH * SMOOTH, HEIGHT * SMOOTH), (0, 0, 0, 0))
    pen = ImageDraw.Draw(large)
    inks = [(*rgb(color), 190) for color in colors]
    order = _shuffled(len(places))  # else the last group would lie on top of the others
    for code, (x, y) in zip(codes[order].tolist(), (places[order] * SMOOTH).tolist(), strict=True):
        _shape(pen, code, x, y, radius, inks[code % len(inks)])
    small = large.resize((WIDTH, HEIGHT), Image.Resampling.BOX).quantize(128, method=Image.Quantize.FASTOCTREE)
    file = io.BytesIO()
    small.save(file, "PNG")  # optimized, a file 3 % smaller takes six times as long
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def _shuffled(n: int) -> Integers:
    return np.random.default_rng(0).permutation(n)


def _shape(pen: ImageDraw.ImageDraw, code: int, x: float, y: float, r: float, color: tuple[int, int, int, int]) -> None:
    """Groups differ in shape as well as in color: disk, square, triangle, diamond, ring, cross, triangle down."""
    match code % len(SHAPES):
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


def _picked(summary: Summary, where: DocumentMap, places: Floats) -> list[tuple[int, int, Floats]]:
    """The group, the rank and the place of every pick."""
    rows = {key: row for row, key in enumerate(where.ids)}
    return [
        (index, pick.rank, places[rows[pick.document.id]])
        for index, group in enumerate(summary.groups)
        for pick in group.picks
        if pick.document.id in rows
    ]


def _labels(picked: list[tuple[int, int, Floats]]) -> tuple[Label, ...]:
    """The labels of the picks, where there are many of those ranked first."""
    found = sorted(sorted(picked, key=lambda pick: pick[1])[:MOST_LABELED], key=lambda pick: pick[:2])
    if not found:
        return ()
    true = np.array([place for _, _, place in found])
    moved = push_apart(true)
    return tuple(
        Label(index, rank, *(round(float(value), 1) for value in (*true[i], *moved[i])))
        for i, (index, rank, _) in enumerate(found)
    )


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
    spots = [(f"at-{label.group}-{label.rank}", label.label_x, label.label_y) for label in scatter.labels]
    spots += [(f"theme-{number}", theme.x, theme.y) for number, theme in enumerate(scatter.themes)]
    return "".join(f"#{name}{{left:{100 * x / WIDTH:.2f}%;top:{100 * y / HEIGHT:.2f}%}}" for name, x, y in spots)
