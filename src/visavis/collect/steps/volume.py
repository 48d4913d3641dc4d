"""The volume-over-time chart: documents a day, week or month, one panel a topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from visavis.shared.extras import needs
from visavis.shared.figures import draw
from visavis.shared.periods import LABELS, begin, following


def counts_over_time(times: Sequence[datetime]) -> tuple[str, list[tuple[str, int]]]:
    """The period that suits the span (day, week, month), and how many fall in each, empty periods included."""
    if not times:
        return "day", []
    days = (max(times) - min(times)).days
    unit = "day" if days <= 92 else "week" if days <= 730 else "month"
    found = Counter(begin(time.date(), unit, weeks_from_sunday=True) for time in times)  # as Vega's weeks begin
    rows, at = [], min(found)
    while at <= max(found):
        rows.append((LABELS["day"](at), found[at]))
        at = following(at, unit)
    return unit, rows


def volume_spec(times: Mapping[str, Sequence[datetime]]) -> dict[str, Any]:
    """The chart as a Vega-Lite specification."""
    with needs("figures", "drawing figures"):
        import altair as alt
    panels = []
    periods: dict[str, Any] = {"day": "utcyearmonthdate", "week": "utcyearweek", "month": "utcyearmonth"}
    for topic, moments in times.items():
        unit, rows = counts_over_time(moments)
        values = [{"period": period, "documents": count} for period, count in rows]
        bars = alt.Chart(alt.InlineData(values=values)).mark_bar(color="#4269d0")
        panels.append(
            bars.encode(
                x=alt.X(
                    "period:T",
                    title=None,
                    timeUnit=periods[unit],
                ),
                y=alt.Y("documents:Q", title=f"articles a {unit}", axis=alt.Axis(tickMinStep=1)),
                tooltip=["period:T", "documents:Q"],
            ).properties(title=alt.TitleParams(text=topic[:80], anchor="start"), width=560, height=120)
        )
    spec: dict[str, Any] = alt.vconcat(*panels).configure_view(stroke=None).to_dict()
    return spec


def volume_chart(times: Mapping[str, Sequence[datetime]], suffix: str) -> str | bytes:
    """The chart in one of the formats svg, html, png, pdf. Raises InvalidParameter for another, or MissingExtra."""
    return draw(volume_spec(times), suffix, "Volume over time")
