"""The volume-over-time chart: documents a day, week or month, one panel a topic."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from visavis.errors import InvalidParameter, MissingExtra
from visavis.shared.periods import LABELS, begin, following

_EMBED = (
    "vegaEmbed('#figure', JSON.parse(document.getElementById('spec').textContent), "
    "{ast: true, actions: false, defaultStyle: false, renderer: 'svg'});"
)
FORMATS = (".svg", ".html", ".png", ".pdf")


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
    try:
        import altair as alt
    except ImportError as error:
        raise MissingExtra("the chart needs altair, which is not installed: pip install 'visavis[collect]'") from error
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
    """The chart in one of the formats svg, html, png, pdf. Raises InvalidParameter for another."""
    import vl_convert

    spec = volume_spec(times)
    match suffix.lower():
        case ".svg":
            return str(vl_convert.vegalite_to_svg(spec))
        case ".png":
            return bytes(vl_convert.vegalite_to_png(spec, scale=2.0))
        case ".pdf":
            return bytes(vl_convert.vegalite_to_pdf(spec))
        case ".html":
            return _page(spec, vl_convert.javascript_bundle(_EMBED))
    raise InvalidParameter(f"a chart cannot be written as {suffix!r}; there are: {', '.join(FORMATS)}")


def _page(spec: dict[str, Any], bundle: str) -> str:
    """One file, nothing loaded from elsewhere, the script allowed by its digest alone."""
    script = bundle.replace("</script", "<\\/script")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:"
    data = json.dumps(spec).replace("<", "\\u003c")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Volume over time</title>\n'
        f'</head>\n<body>\n<div id="figure"></div>\n<script type="application/json" id="spec">{data}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )
