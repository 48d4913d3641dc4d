"""The figures: boxes of accuracy per pair, people against the SVM, and levels of agreement, as inline SVG.

To be imported only where figures are drawn: altair is an extra.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from visavis.shared.figures import draw
from visavis.shared.text import line
from visavis.study.analysis.results import Analysis, ClassifierResults, Reading

PALETTE = (
    "#1065af", "#b15a0d", "#6b0536", "#187886", "#762300", "#083271", "#0d8164", "#ba2b3d", "#567a14", "#7043bd",
)  # fmt: skip
PANELS = (
    ("svm", "whole", "SVM, whole test set"),
    ("1-nn", "whole", "1-NN, whole test set"),
    ("svm", "same", "SVM, same articles"),
    ("1-nn", "same", "1-NN, same articles"),
    ("people", "same", "people"),
)
FONT = "Arial, 'Liberation Sans', sans-serif"  # of equal width, so that nothing overlaps where one is missing
BANDWIDTH, CELLS = 0.09, 24
LONGEST = 28  # characters of a method's name

_OPENING = re.compile(r"<svg\b[^>]*>")
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def boxes(reading: Reading, classifiers: ClassifierResults | None, name: str) -> str:
    """Accuracy of each pair, a panel for each judge; the dashed line is the SVM that sees all the training part."""
    scores = [*reading.people, *(classifiers.scores if classifiers else ())]
    ceiling = classifiers.ceiling if classifiers else None
    labels = _labels(reading)
    panels = []
    for judge, scope, title in PANELS:
        chosen = [
            {"method": labels[score.method], "accuracy": score.value}
            for score in scores
            if (score.judge, score.scope) == (judge, scope) and score.method in labels
        ]
        if chosen:
            panels.append(_box_panel(chosen, list(labels.values()), title, ceiling))
    return as_svg(alt.hconcat(*panels), name)


def _box_panel(rows: list[dict[str, Any]], methods: list[str], title: str, ceiling: float | None) -> Any:
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("method:N", sort=methods, title=None, axis=alt.Axis(labelAngle=-40, labelLimit=0)),
        color=_colors(methods, None),
    )
    accuracy = alt.Y("accuracy:Q", title="accuracy on a pair", scale=alt.Scale(domain=[0, 1]))
    layers = [
        base.mark_boxplot(size=22, outliers={"size": 14}, median={"color": "white"}).encode(y=accuracy),
        base.mark_point(shape="diamond", filled=True, size=40, color="white", stroke="black", opacity=1).encode(
            y=alt.Y("mean(accuracy):Q"), color=alt.value("white")
        ),
    ]
    if ceiling is not None:
        line = alt.Chart(alt.InlineData(values=[{"ceiling": ceiling}]))
        layers.append(line.mark_rule(strokeDash=[5, 3], color="#1b7837", strokeWidth=2).encode(y="ceiling:Q"))
    return alt.layer(*layers).properties(title=title, width=max(110, 38 * len(methods)), height=230)


def density(reading: Reading, classifiers: ClassifierResults, name: str) -> str:
    """People's accuracy against the SVM's on the same articles; a point is a pair, darker is where more of them lie."""
    by_svm = {(s.method, s.pair): s.value for s in classifiers.scores if (s.judge, s.scope) == ("svm", "same")}
    panels = []
    for number, (method, label) in enumerate(_labels(reading).items()):
        points = [
            (by_svm[method, score.pair], score.value)
            for score in reading.people
            if score.method == method and (method, score.pair) in by_svm
        ]
        if points:
            panels.append(_density_panel(points, label, PALETTE[number % len(PALETTE)]))
    return as_svg(alt.concat(*panels, columns=4), name) if panels else ""


def _density_panel(points: Sequence[tuple[float, float]], label: str, color: str) -> Any:
    axis = alt.Scale(domain=[0, 1], nice=False)
    cells = alt.Chart(alt.InlineData(values=_smoothed(points))).mark_rect(color=color, aria=False)
    cells = cells.encode(
        x=alt.X("left:Q", scale=axis, title="SVM"), x2="right:Q", y=alt.Y("low:Q", scale=axis, title="people"),
        y2="high:Q", opacity=alt.Opacity("density:Q", scale=alt.Scale(domain=[0, 1], range=[0, 0.75]), legend=None),
    )  # fmt: skip
    places: dict[tuple[float, float], int] = {}
    for point in points:
        places[point] = places.get(point, 0) + 1
    rows = [{"svm": x, "people": y, "pairs": count} for (x, y), count in places.items()]
    dots = alt.Chart(alt.InlineData(values=rows)).mark_point(filled=True, color="white", stroke="black", opacity=1)
    dots = dots.encode(
        x="svm:Q", y="people:Q", size=alt.Size("pairs:Q", scale=alt.Scale(domain=[1, 6], range=[18, 90]), legend=None)
    )
    ends = [{"svm": 0, "people": 0}, {"svm": 1, "people": 1}]
    equal = alt.Chart(alt.InlineData(values=ends)).mark_line(strokeDash=[3, 3], color="#666", strokeWidth=1)
    layers = alt.layer(cells, equal.encode(x="svm:Q", y="people:Q"), dots)
    return layers.properties(title=alt.TitleParams(text=label, limit=0), width=190, height=190)


def _smoothed(points: Sequence[tuple[float, float]]) -> list[dict[str, float]]:
    """A Gaussian around every point, summed over a grid and scaled to 1 at its highest; faint cells left out."""
    edges = np.linspace(0, 1, CELLS + 1)
    middles = (edges[:-1] + edges[1:]) / 2
    places = np.asarray(points, dtype=np.float64)
    spread = np.exp(-0.5 * ((middles[:, None] - places.T[:, None, :]) / BANDWIDTH) ** 2)  # (2, cells, points)
    heights = spread[0] @ spread[1].T
    heights /= heights.max()
    return [
        {
            "left": round(float(edges[x]), 4), "right": round(float(edges[x + 1]), 4), "low": round(float(edges[y]), 4),
            "high": round(float(edges[y + 1]), 4), "density": round(float(heights[x, y]), 3),
        }
        for x, y in zip(*np.nonzero(heights > 0.04), strict=True)
    ]  # fmt: skip


def levels(analysis: Analysis, reading: Reading, name: str) -> str:
    """How many questions all judges got right, all but one, …, none; a color a method."""
    labels = _labels(reading)
    methods = list(labels.values())
    full = analysis.per_question
    rows = [
        {"method": labels[method.name], "right": str(full - step), "questions": count}
        for method in reading.methods
        for step, count in enumerate(method.levels)
    ]
    order = [str(right) for right in range(full, -1, -1)]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("right:N", sort=order, title=f"judges of {full} who were right", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("method:N", sort=methods),
        y=alt.Y("questions:Q", title="questions"),
    )
    bars = base.mark_bar().encode(
        color=_colors(methods, alt.Legend(title=None, orient="top", labelLimit=0, columnPadding=18))
    )
    numbers = base.mark_text(dy=-6, fontSize=10).encode(text="questions:Q")
    return as_svg(alt.layer(bars, numbers).properties(width=max(360, 30 * len(methods) * (full + 1)), height=230), name)


def _labels(reading: Reading) -> dict[str, str]:
    return short_names([method.name for method in reading.methods])


def short_names(names: Sequence[str]) -> dict[str, str]:
    """The methods' names as a chart can take them: clean, short and distinct.

    A control character would end the whole process, and shortening by the chart's own rule could halve a character.
    """
    labels: dict[str, str] = {}
    for number, name in enumerate(dict.fromkeys(names), start=1):
        label = line(name) or "(unnamed)"
        label = label if len(label) <= LONGEST else label[: LONGEST - 1] + "…"
        labels[name] = f"{label} ({number})" if label in labels.values() else label
    return labels


def _colors(methods: list[str], legend: Any) -> Any:
    scale = alt.Scale(domain=methods, range=[PALETTE[k % len(PALETTE)] for k in range(len(methods))])
    return alt.Color("method:N", scale=scale, sort=methods, legend=legend)


def as_svg(chart: Any, name: str) -> str:
    """The chart as an element to set into a page: it scales with the page, and its caption names it."""
    spec = chart.configure(font=FONT, background="#ffffff").configure_view(stroke="#d0ccc2").to_dict()
    drawn = str(draw(spec, ".svg"))
    opening = _OPENING.search(drawn)
    box = _SIZE.search(opening.group()) if opening else None
    if opening is None or box is None:
        raise RuntimeError("the chart was drawn without a size")
    width, height = (round(1.2 * float(side)) for side in box.groups())
    size = f'{box.group()} width="{width}" height="{height}"'
    attributes = f'class="chart" xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="{name}-caption"'
    return f"<svg {attributes}>{drawn[opening.end() :]}"
