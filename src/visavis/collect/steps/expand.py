"""The step that finds a topic's queries: the snowball over a seed window, and what a person says of what it finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from visavis.collect.records import Query, to_text
from visavis.collect.state.store import Store
from visavis.collect.steps.snowball import Ground, Measure, Rolled, RollLimits, Verdict, judge_by_seed, roll
from visavis.collect.text.likeness import FEWEST
from visavis.collect.text.places import place
from visavis.collect.text.queries import matcher, normal
from visavis.collect.text.windows import window
from visavis.errors import Incompatible, InvalidParameter, VisavisError
from visavis.shared.progress import Count, uncounted

SMALL = 30  # texts; of fewer a seed's figures are rough

Review = Callable[[Verdict], bool]


@dataclass(frozen=True)
class ExpandOptions:
    """How to expand one topic's query. `queries` are given besides the seed, belong to it, and are never judged.

    `fewest` texts of the topic must hold a query, and of its own texts at most the share `generality` may lie off the
    seed's topic. `keep` takes a query in whatever it is, `exclude` leaves it out, `review` is
    asked about the others unless they are far off.
    """

    topic: str
    query: str
    queries: tuple[str, ...] = ()
    window: str = "14d"
    top: int = 10
    rounds: int = 20
    fewest: int = 3
    generality: float = 0.3
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
        for name, least in (("top", 1), ("rounds", 1), ("fewest", 1)):
            if getattr(self, name) < least:
                raise InvalidParameter(f"{name}={getattr(self, name)}: it must be at least {least}")
        if not 0 <= self.generality <= 1:
            raise InvalidParameter(f"generality={self.generality}: a share between 0 and 1; 1 keeps every query")
        both = sorted(set(map(normal, self.keep)) & set(map(normal, self.exclude)))
        if both:
            raise Incompatible(f"{both[0]!r} is to be kept and to be excluded: name it once")


@dataclass(frozen=True)
class Expanded:
    """A topic's queries and how they were found: posts of the window, distinct texts, those that hold the seed.

    `by_hand` are those of the keep list. `notes` say what a reader should know of the seed before trusting the figures.
    """

    topic: str
    query: str
    start: datetime | None
    end: datetime | None
    posts: int
    texts: int
    seed_texts: int
    by_hand: tuple[Verdict, ...]
    rolled: Rolled
    queries: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What became of every query that was looked at."""
        return (*self.by_hand, *self.rolled.verdicts)


class NoMatch(VisavisError):
    """No post of the window matches the seed query."""


def expand(store: Store, options: ExpandOptions, tell: Count = uncounted) -> Expanded:
    """Expand a topic's query over the posts of its window and keep the queries that stay. Raises NoMatch.

    `tell` hears how many of a round's queries are judged.
    """
    given = tuple(dict.fromkeys(map(normal, (options.query, *options.queries))))
    start, end = window(options.window).bounds(store.first_time())
    posts = [(text.casefold(), tags) for text, tags in store.texts_between(start, end)]
    ground = Ground.of(posts, map(matcher, given))
    if not ground.own:
        raise NoMatch(
            f"no post matches {given[0]!r} among the {len(posts):,} of the window "
            f"{to_text(start) or 'the beginning'} to {to_text(end) or 'the end'}: {_advice(store)}"
        )
    listed = frozenset(map(normal, (*options.keep, *options.exclude)))
    kept = [query for query in _listed(ground, options.keep, listed) if query not in given]
    excluded = {*_listed(ground, options.exclude, listed), *map(normal, options.exclude)}  # a word in both spellings
    by_hand = tuple(Verdict(query, True, ground.measure(query), "on the keep list") for query in kept)
    judge = partial(_judge, ground, options, frozenset(excluded))
    limits = RollLimits(options.fewest, options.top, options.rounds)
    rolled = roll(ground, (*given, *kept), judge, limits, tell)
    verdicts = (*by_hand, *rolled.verdicts)
    found = [Query(options.topic, one.query, "expanded", one.kept, one.why) for one in verdicts]
    store.set_queries(options.topic, [*(Query(options.topic, text) for text in given), *found])
    queries = (*given, *(one.query for one in verdicts if one.kept))
    sizes = len(posts), len(ground.texts), len(ground.own)
    return Expanded(options.topic, given[0], start, end, *sizes, by_hand, rolled, queries, _notes(ground))


def _listed(ground: Ground, queries: Sequence[str], listed: frozenset[str]) -> list[str]:
    """Queries as someone lists them: one word is meant as a hashtag where there is such a one that is not `listed`."""
    spelled = (normal(query) for query in queries)
    tags = {query for query in ground.carriers if f"#{query}" not in listed}
    return list(dict.fromkeys(f"#{query}" if query in tags else query for query in spelled))


def _judge(ground: Ground, options: ExpandOptions, excluded: frozenset[str], query: str, measure: Measure) -> Verdict:
    """What becomes of a query: by the exclude list, as a place, by how it stands to the seed; review comes last."""
    where = place(query[1:]) if options.places and query[0] == "#" else None
    if query in excluded:
        return Verdict(query, False, measure, "on the exclude list")
    verdict = judge_by_seed(ground, query, measure, options.generality)
    if where:
        verdict = Verdict(query, False, measure, f"a place, {where}")
    is_near = verdict.kept or measure.share >= (1 - options.generality) / 2
    if options.review is None or not is_near or options.review(verdict) == verdict.kept:
        return verdict
    reason = "left out by you" if verdict.kept else f"kept by you, though {verdict.reason}"
    return replace(verdict, kept=not verdict.kept, reason=reason)


def _notes(ground: Ground) -> tuple[str, ...]:
    """What is to be known of a seed that says little."""
    size = len(ground.own)
    if size < FEWEST:
        return (
            f"the seed is very small: of {size:,} texts nothing can be learned, so that only queries come in whose "
            "texts hold it themselves; widen --window, or add words with --also",
        )
    if ground.likeness is None:
        return (
            f"the seed's {size:,} texts read like any others, so that only queries come in whose texts hold it "
            "themselves; a narrower seed finds more",
        )
    if size < SMALL:
        return (f"the seed is small: of {size:,} texts figures are rough; widen --window, or add words with --also",)
    return ()


def _advice(store: Store) -> str:
    if not store.has_texts() and store.count("posts"):
        return "listed URLs have no text to expand a query by: give `collect match` the --query, or expand = false"
    return "widen --window or change the query"
