"""The figure: means with error bars, one panel a classifier, sizes along the axis, a color a method.

To be imported only where figures are drawn: altair is an extra.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from visavis.evaluate.plan import EVERY
from visavis.evaluate.results import Evaluation

PALETTE = (
    "#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5", "#9c6b4e", "#9498a0",
    "#1b7837", "#762a83", "#b35806", "#444444",
)  # fmt: skip


def figure_spec(evaluation: Evaluation) -> dict[str, Any]:
    """The figure as a Vega-Lite specification."""
    spec: dict[str, Any] = _chart(evaluation).to_dict()
    return spec


def protocol(evaluation: Evaluation) -> str:
    """The end of a caption: what might be picked, where not everything, and what was held out together, if anything."""
    picked = "" if evaluation.candidates == EVERY else f"; candidates: {evaluation.candidates}"
    return picked + (f"; blocks (by {evaluation.blocks_by}) held out whole" if evaluation.blocks_by else "")


def method_colors(evaluation: Evaluation) -> Any:
    """A color for each method, the same in all figures of a run."""
    methods = list(evaluation.methods)
    return alt.Scale(domain=methods, range=[PALETTE[k % len(PALETTE)] for k in range(len(methods))])


def _chart(evaluation: Evaluation) -> Any:
    cells = evaluation.cells()
    lowest = min(cell.mean - (cell.corrected_half_width or 0.0) for cell in cells)
    scale = alt.Scale(domain=[max(0.0, round(lowest - 0.03, 2)), 1.0], clamp=True, nice=False)
    panels = [_panel(evaluation, classifier, scale) for classifier in evaluation.about["classifiers"]]
    dashed = "; dashed: trained on everything" if evaluation.ceilings() else ""
    caption = f"bars: corrected 95 % intervals over splits{dashed}{protocol(evaluation)}"
    title = alt.TitleParams(text=f"How well picks tell unseen documents apart: {evaluation.subject}", subtitle=caption)
    return alt.hconcat(*panels, title=title).configure_view(stroke=None)


def _panel(evaluation: Evaluation, classifier: str, scale: Any) -> Any:
    """Points and error bars: an axis that does not start at 0 would make bars lie."""
    methods, sizes = list(evaluation.methods), [str(size) for size in evaluation.about["sizes"]]
    base = alt.Chart(alt.InlineData(values=_rows(evaluation, classifier))).encode(
        x=alt.X("size:N", sort=sizes, title="picks per group", axis=alt.Axis(labelAngle=0, grid=False)),
        xOffset=alt.XOffset("method:N", sort=methods),
        color=alt.Color("method:N", scale=method_colors(evaluation), sort=methods, title=None),
    )
    numbers = [alt.Tooltip(f"{name}:Q", format=".3f") for name in ("mean", "low", "high")]
    points = base.mark_point(filled=True, size=45, opacity=1).encode(
        y=alt.Y("mean:Q", title="balanced accuracy", scale=scale), tooltip=["method:N", "size:N", *numbers]
    )
    layers = [base.mark_rule(strokeWidth=2).encode(y="low:Q", y2="high:Q"), points]
    for cell in evaluation.ceilings():
        if cell.classifier == classifier:
            everything = alt.Chart(alt.InlineData(values=[{"everything": cell.mean}]))
            layers.append(everything.mark_rule(strokeDash=[4, 3], color="#222").encode(y="everything:Q"))
    width = max(240, 12 * len(methods) * len(sizes))
    return alt.layer(*layers).properties(title=classifier, width=width, height=260)


def _rows(evaluation: Evaluation, classifier: str) -> list[dict[str, Any]]:
    return [
        {
            "method": cell.method,
            "size": str(cell.size),
            "mean": cell.mean,
            "low": max(0.0, cell.mean - (cell.corrected_half_width or 0.0)),
            "high": min(1.0, cell.mean + (cell.corrected_half_width or 0.0)),
        }
        for cell in evaluation.cells()
        if cell.classifier == classifier
    ]
