"""Where a collection stands: the funnel of every topic, as records and as a page with the volume over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import resources

from visavis.collect.records import Query
from visavis.collect.state.store import Store
from visavis.collect.steps.funnel import Funnel, Loss, Stage, funnel
from visavis.collect.steps.volume import Bar, counts_over_time, suitable_unit
from visavis.report.html import render_template
from visavis.shared.periods import LABELS

LEAST = 3.0  # hundredths of the height: a single post can be seen beside thousands


@dataclass(frozen=True)
class TopicStatus:
    """A topic's funnel, and when its posts and its documents appeared."""

    funnel: Funnel
    post_times: tuple[datetime, ...]
    document_times: tuple[datetime, ...]


def status(store: Store, topic: str | None = None) -> tuple[TopicStatus, ...]:
    """Where each topic stands; works while a step is at work. Raises InvalidParameter for a topic that is not there."""
    with store.snapshot():
        return tuple(
            TopicStatus(funnel(store, name), tuple(store.post_times(name)), tuple(store.document_times(name)))
            for name in store.chosen_topics(topic)
        )


def status_page(found: Sequence[TopicStatus], state: str) -> str:
    """The same as one page of HTML, without a script."""
    folder = resources.files(__package__)
    template, style = (folder.joinpath(f"status.{kind}").read_text("utf-8") for kind in ("html", "css"))
    topics = [_topic(one) for one in found]
    return render_template(template, "Where the collection stands", style, lead=state, topics=topics)


@dataclass(frozen=True)
class _StageBar:
    name: str
    count: int
    width: float
    losses: tuple[Loss, ...]


@dataclass(frozen=True)
class _Strip:
    name: str
    total: int
    most: int
    width: int
    path: str
    first: str
    last: str
    told: str


@dataclass(frozen=True)
class _TopicView:
    name: str
    about: str
    stages: tuple[_StageBar, ...]
    strips: tuple[_Strip, ...]
    kept: list[Query]
    left_out: list[Query]


def _topic(found: TopicStatus) -> _TopicView:
    one = found.funnel
    kept = [query for query in one.queries if query.kept]
    times = {"posts": found.post_times, "documents": found.document_times}
    every = [*found.post_times, *found.document_times]
    unit = suitable_unit(every) if every else "day"
    strips = tuple(strip for name, moments in times.items() if (strip := _strip(name, moments, unit)) is not None)
    about = f"{one.posts[1].count:,} posts lead to {one.kept:,} documents."
    stages = (*_bars(one.posts), *_bars(one.articles))
    return _TopicView(one.topic, about, stages, strips, kept, [query for query in one.queries if not query.kept])


def _bars(stages: Sequence[Stage]) -> tuple[_StageBar, ...]:
    """Stages beside the first of them."""
    whole = max(1, stages[0].count)
    return tuple(_StageBar(one.name, one.count, round(100 * one.count / whole, 2), one.losses) for one in stages)


def _strip(name: str, times: Sequence[datetime], unit: str) -> _Strip | None:
    _, bars = counts_over_time(times, unit)
    if not bars:
        return None
    most = max(bar.count for bar in bars)
    label = LABELS[unit]
    first, last = label(bars[0].first), label(bars[-1].first)
    told = f"{len(times):,} {name} from {first} to {last}, at most {most:,} a {unit}"
    return _Strip(f"{name} a {unit}", len(times), most, len(bars), _path(bars, most), first, last, told)


def _path(bars: Sequence[Bar], most: int) -> str:
    """Bars from the bottom of a picture that is 100 high and one wide for each of them."""
    heights = [max(LEAST, 100 * bar.count / most) if bar.count else 0.0 for bar in bars]
    drawn = (f"M{place + 0.06:.2f} 100v{-high:.2f}h.88V100z" for place, high in enumerate(heights) if high)
    return "".join(drawn)
