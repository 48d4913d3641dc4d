"""The volume over time: posts or documents a day, week or month, weeks from Monday on as everywhere here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from visavis.shared.extras import needs
from visavis.shared.figures import draw
from visavis.shared.periods import LABELS, begin, following

DAYS, WEEKS = 92, 730  # spans up to which days and weeks can be told apart


@dataclass(frozen=True)
class Bar:
    """So many from one day until before another."""

    first: date
    end: date
    count: int


def counts_over_time(times: Sequence[datetime], unit: str = "") -> tuple[str, list[Bar]]:
    """The period that suits the span (day, week, month), and how many fall in each, empty periods included."""
    if not times:
        return unit or "day", []
    unit = unit or suitable_unit(times)
    found = Counter(begin(time.date(), unit) for time in times)
    bars, at, last = [], min(found), max(found)
    while at <= last:
        after = following(at, unit)
        bars.append(Bar(at, after, found[at]))
        at = after
    return unit, bars


def suitable_unit(times: Sequence[datetime]) -> str:
    """Days, weeks or months, by how long it lasts."""
    days = (max(times) - min(times)).days
    return "day" if days <= DAYS else "week" if days <= WEEKS else "month"


def volume_spec(times: Mapping[str, Sequence[datetime]]) -> dict[str, Any]:
    """The chart as a Vega-Lite specification: a panel a topic; bars reach from the first day of a period to its end."""
    with needs("figures", "drawing figures"):
        import altair as alt
    panels = []
    label = LABELS["day"]
    for topic, moments in times.items():
        unit, bars = counts_over_time(moments)
        values = [{"from": label(bar.first), "until": label(bar.end), "documents": bar.count} for bar in bars]
        drawn = alt.Chart(alt.InlineData(values=values)).mark_bar(color="#4269d0")
        panels.append(
            drawn.encode(
                x=alt.X("from:T", title=None, scale=alt.Scale(type="utc")),
                x2="until:T",
                y=alt.Y("documents:Q", title=f"articles a {unit}", axis=alt.Axis(tickMinStep=1)),
                tooltip=[alt.Tooltip("from:N", title=unit), "documents:Q"],
            ).properties(title=alt.TitleParams(text=topic[:80], anchor="start"), width=560, height=120)
        )
    spec: dict[str, Any] = alt.vconcat(*panels).configure_view(stroke=None).to_dict()
    return spec


def volume_chart(times: Mapping[str, Sequence[datetime]], suffix: str) -> str | bytes:
    """The chart in one of the formats svg, html, png, pdf. Raises InvalidParameter for another, or MissingExtra."""
    return draw(volume_spec(times), suffix, "Volume over time")
