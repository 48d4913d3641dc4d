"""The figures of preferences: shares with their intervals, and reasons. To be imported only where they are drawn."""

from __future__ import annotations

from typing import Any

import altair as alt

from visavis.study.analysis.figures import PALETTE, as_svg, short_names
from visavis.study.analysis.preferring.results import Readers
from visavis.study.analysis.preferring.words import REASON_WORDS

WIDEST = 6.2  # of a letter of a label, on average


def preferences(readers: Readers, name: str) -> str:
    """A line for each pair of methods, the share that preferred the first with its interval."""
    labels = short_names([one for pair in readers.pairs for one in (pair.first, pair.second)])
    rows: list[dict[str, Any]] = [
        {
            "pair": f"{labels[pair.first]} rather than {labels[pair.second]}", "share": pair.share,
            "low": (pair.interval or (pair.share, 0))[0], "high": (pair.interval or (0, pair.share))[1],
        }
        for pair in readers.pairs
    ]  # fmt: skip
    order = [row["pair"] for row in rows]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("pair:N", sort=order, title=None, axis=_named(order)),
    )
    scale = alt.Scale(domain=[0, 1])
    axis = alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1])
    lines = base.mark_rule(strokeWidth=3, color=PALETTE[0]).encode(
        x=alt.X("low:Q", scale=scale, axis=axis, title="share of readers who preferred the first"), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=90, color=PALETTE[0], opacity=1).encode(x=alt.X("share:Q", scale=scale))
    even = alt.Chart(alt.InlineData(values=[{"share": 0.5}])).mark_rule(strokeDash=[5, 3], color="#666")
    chart = alt.layer(even.encode(x="share:Q"), lines, dots)
    return as_svg(chart.properties(width=420, height=max(60, 34 * len(rows))), name)


def _named(labels: list[str]) -> Any:
    """An axis with room for its labels in whatever font a reader's machine has."""
    return alt.Axis(labelLimit=0, ticks=False, minExtent=WIDEST * max(map(len, labels)))


def reasons(readers: Readers, name: str) -> str:
    """A bar for each method and reason."""
    labels = short_names([one.method for one in readers.reasons])
    rows: list[dict[str, Any]] = [
        {"method": labels[one.method], "reason": REASON_WORDS[reason], "share": count / one.preferred}
        for one in readers.reasons
        if one.preferred
        for reason, count in one.given
    ]
    methods, names = [labels[one.method] for one in readers.reasons if one.preferred], list(REASON_WORDS.values())
    colors = alt.Scale(domain=methods, range=[PALETTE[place % len(PALETTE)] for place in range(len(methods))])
    chart = alt.Chart(alt.InlineData(values=rows)).mark_bar()
    chart = chart.encode(
        y=alt.Y("reason:N", sort=names, title=None, axis=_named(names)),
        yOffset=alt.YOffset("method:N", sort=methods),
        x=alt.X("share:Q", title="share of the answers for the method", axis=alt.Axis(format="%"),
                scale=alt.Scale(domain=[0, 1])),
        color=alt.Color("method:N", scale=colors, sort=methods,
                        legend=alt.Legend(title=None, orient="top", labelLimit=0, columnPadding=18)),
    )  # fmt: skip
    return as_svg(chart.properties(width=420, height=max(120, 4 * 14 * len(methods))), name)
