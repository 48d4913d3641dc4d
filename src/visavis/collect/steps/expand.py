"""The step that finds a topic's queries: the snowball over a seed window, then the filters, each with its reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from visavis.collect.records import Query, to_text
from visavis.collect.state.store import Store
from visavis.collect.steps.snowball import Rolled, Tagged, roll
from visavis.collect.text.places import place
from visavis.collect.text.queries import Matcher, matcher, normal
from visavis.collect.text.windows import window
from visavis.collect.text.words import plain_tag
from visavis.errors import Incompatible, InvalidParameter, VisavisError


@dataclass(frozen=True)
class Verdict:
    """Whether a tag stays: the posts of the window that carry it, the share that no other query matches, and why."""

    tag: str
    posts: int
    alone: float
    kept: bool
    reason: str


Review = Callable[[Verdict], bool]


@dataclass(frozen=True)
class ExpandOptions:
    """How to expand one topic's query. `queries` are given besides the seed and never filtered.

    `keep` overrides every filter, `exclude` drops by name, `review` has the last word. `generality`: a tag goes if
    more than that share of its posts matches no other query of the topic.
    """

    topic: str
    query: str
    queries: tuple[str, ...] = ()
    window: str = "14d"
    top: int = 10
    rounds: int = 20
    generality: float = 0.8
    places: bool = True
    keep: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    review: Review | None = None

    def __post_init__(self) -> None:
        if not self.topic.strip():
            raise InvalidParameter("a topic needs a name")
        for query in (self.query, *self.queries):
            normal(query)
        window(self.window)
        for name, least in (("top", 1), ("rounds", 2)):
            if getattr(self, name) < least:
                raise InvalidParameter(f"{name}={getattr(self, name)}: it must be at least {least}")
        if not 0 <= self.generality <= 1:
            raise InvalidParameter(f"generality={self.generality}: a share between 0 and 1; 1 keeps every tag")
        both = sorted({plain_tag(tag) for tag in self.keep} & {plain_tag(tag) for tag in self.exclude})
        if both:
            raise Incompatible(f"#{both[0]} is to be kept and to be excluded: name it once")


@dataclass(frozen=True)
class Expanded:
    """A topic's queries and how they were found."""

    topic: str
    query: str
    start: datetime | None
    end: datetime | None
    posts: int
    rolled: Rolled
    verdicts: tuple[Verdict, ...]
    queries: tuple[str, ...]


class NoMatch(VisavisError):
    """No post of the window matches the seed query."""


def expand(store: Store, options: ExpandOptions) -> Expanded:
    """Expand a topic's query over the posts of its window and keep the queries that stay. Raises NoMatch."""
    seed = matcher(options.query)
    start, end = window(options.window).bounds(store.first_time())
    posts = [(text.casefold(), tags) for text, tags in store.texts_between(start, end)]
    rolled = roll(posts, seed, options.top, options.rounds)
    if not rolled.rounds[0].posts:
        raise NoMatch(
            f"no post matches {seed.query!r} among the {len(posts):,} of the window "
            f"{to_text(start) or 'the beginning'} to {to_text(end) or 'the end'}: {_advice(store)}"
        )
    verdicts = judge(posts, seed, [tag for tag, _ in rolled.taken.tags], options)
    given = tuple(dict.fromkeys(map(normal, (options.query, *options.queries))))
    queries = (*given, *(f"#{v.tag}" for v in verdicts if v.kept and f"#{v.tag}" not in given))
    _keep(store, options.topic, given, verdicts)
    return Expanded(options.topic, seed.query, start, end, len(posts), rolled, verdicts, queries)


def _advice(store: Store) -> str:
    if not store.has_texts() and store.count("posts"):
        return "listed URLs have no text to expand a query by: give `collect match` the --query, or expand = false"
    return "widen --window or change the query"


def judge(posts: Sequence[Tagged], seed: Matcher, tags: Sequence[str], options: ExpandOptions) -> tuple[Verdict, ...]:
    """What becomes of each tag: by the keep list, the exclude list, as a place, as too general; review comes last."""
    keep, exclude = ({plain_tag(tag) for tag in listed} for listed in (options.keep, options.exclude))
    first = {tag: _by_name(tag, keep, exclude, options.places) for tag in tags}
    others = [tag for tag in tags if tag not in exclude]  # a place is no query, but what stands beside it is on topic
    given = [seed, *(matcher(query) for query in options.queries)]
    verdicts = []
    for tag in tags:
        size, lonely = _alone(posts, tag, given, others)
        share = lonely / size if size else 0.0
        numbers = f"{lonely:,} of its {size:,} posts ({share:.0%}) match no other query"
        kept, reason = first[tag] or (share <= options.generality, "")
        if not reason:
            reason = numbers if kept else f"too general: {numbers}, over {options.generality:.0%}"
        verdict = Verdict(tag, size, share, kept, reason)
        if options.review is not None and options.review(verdict) != kept:
            verdict = Verdict(tag, size, share, not kept, f"{'dropped' if kept else 'kept'} by you (was: {reason})")
        verdicts.append(verdict)
    return tuple(verdicts)


def _by_name(tag: str, keep: set[str], exclude: set[str], places: bool) -> tuple[bool, str] | None:
    if tag in keep:
        return True, "on the keep list"
    if tag in exclude:
        return False, "on the exclude list"
    where = place(tag) if places else None
    return (False, f"a place: {where}") if where else None


def _alone(posts: Sequence[Tagged], tag: str, given: Sequence[Matcher], found: Sequence[str]) -> tuple[int, int]:
    """How many posts carry a tag, and how many of them match no other query."""
    others = set(found) - {tag}
    size = lonely = 0
    for text, tags in posts:
        if tag in tags:
            size += 1
            if others.isdisjoint(tags) and not any(one(text, tags) for one in given if one.tag != tag):
                lonely += 1
    return size, lonely


def _keep(store: Store, topic: str, given: Sequence[str], verdicts: Sequence[Verdict]) -> None:
    found = [Query(topic, f"#{v.tag}", "expanded", v.kept, v.reason) for v in verdicts if f"#{v.tag}" not in given]
    store.set_queries(topic, [*(Query(topic, text) for text in given), *found])
