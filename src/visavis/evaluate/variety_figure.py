"""The second figure: accuracy against variety, a point a method, sizes side by side, a row of panels a classifier.

Up is easy to tell apart, right is little repeated. To be imported only where figures are drawn: altair is an extra.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from visavis.evaluate.figures import method_colors, protocol
from visavis.evaluate.measured import ACCURACY, Measured, measured
from visavis.evaluate.results import Evaluation

WIDTH = HEIGHT = 190
TITLE = "How well picks tell documents apart, and how little they repeat each other"


def variety_spec(evaluation: Evaluation) -> dict[str, Any] | None:
    """The figure as a Vega-Lite specification; None where no size has a variety."""
    rows = _rows(evaluation)
    if not rows:
        return None
    scales = {axis: _scale(rows, axis) for axis in ("variety", "accuracy")}
    panels = [
        alt.hconcat(*(_panel(evaluation, own, scales) for own in _by_size(rows, classifier)))
        for classifier in evaluation.about["classifiers"]
    ]
    caption = (
        "up: easier to tell apart; right: picks repeat each other less; bars: corrected 95 % intervals over splits"
    )
    shown = caption + protocol(evaluation)
    title = alt.TitleParams(text=f"{TITLE}: {evaluation.subject}", subtitle=shown, anchor="start")
    spec: dict[str, Any] = alt.vconcat(*panels, title=title).configure_view(stroke="#ddd").to_dict()
    return spec


def _panel(evaluation: Evaluation, rows: list[dict[str, Any]], scales: dict[str, Any]) -> Any:
    methods, legend = list(evaluation.methods), alt.Legend(title=None, symbolOpacity=1)
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        color=alt.Color("method:N", scale=method_colors(evaluation), sort=methods, legend=legend)
    )
    axes = {name: alt.Axis(format=".2f", tickCount=4, gridOpacity=0.5) for name in ("x", "y")}
    x = alt.X("variety:Q", title="variety", scale=scales["variety"], axis=axes["x"])
    y = alt.Y("accuracy:Q", title="balanced accuracy", scale=scales["accuracy"], axis=axes["y"])
    numbers = [alt.Tooltip(f"{name}:Q", format=".3f") for name in ("accuracy", "variety")]
    layers = [
        base.mark_rule(opacity=0.35).encode(
            x=x, y=alt.Y("accuracy_low:Q", scale=scales["accuracy"], title="balanced accuracy"), y2="accuracy_high:Q"
        ),
        base.mark_rule(opacity=0.35).encode(
            y=y, x=alt.X("variety_low:Q", scale=scales["variety"], title="variety"), x2="variety_high:Q"
        ),
        base.mark_point(filled=True, size=60, opacity=1).encode(x=x, y=y, tooltip=["method:N", *numbers]),
    ]
    title = f"{rows[0]['classifier']}, {rows[0]['size']} picks per group"
    return alt.layer(*layers).properties(title=title, width=WIDTH, height=HEIGHT)


def _by_size(rows: list[dict[str, Any]], classifier: str) -> list[list[dict[str, Any]]]:
    sizes = sorted({row["size"] for row in rows})
    return [[row for row in rows if (row["classifier"], row["size"]) == (classifier, size)] for size in sizes]


def _rows(evaluation: Evaluation) -> list[dict[str, Any]]:
    found = []
    for method in evaluation.methods:
        for classifier, size in evaluation.settings:
            accuracy, variety = (measured(evaluation, name, method, size, classifier) for name in (ACCURACY, "variety"))
            if accuracy is not None and variety is not None:
                own = {"method": method, "classifier": classifier, "size": size}
                found.append({**own, **_interval("accuracy", accuracy), **_interval("variety", variety)})
    return found


def _interval(name: str, value: Measured) -> dict[str, float]:
    half = value.corrected_half_width or 0.0
    low, high = max(0.0, value.mean - half), min(1.0, value.mean + half)
    return {name: value.mean, f"{name}_low": low, f"{name}_high": high}


def _scale(rows: list[dict[str, Any]], axis: str) -> Any:
    """The same for all panels: all points with some room; wide intervals of a few splits are cut off."""
    values = [row[axis] for row in rows]
    room = max(0.02, 0.25 * (max(values) - min(values)))
    low, high = max(0.0, min(values) - room), min(1.0, max(values) + room)
    return alt.Scale(domain=[round(low, 2), round(high, 2)], clamp=True, nice=False)
