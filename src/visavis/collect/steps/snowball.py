"""The snowball: from a seed to the hashtags beside it, round by round, each judged against the seed itself.

A query found in a later round must be on the seed's topic, not on that of the round before: so the snowball grows, but
does not roll away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from visavis.collect.text.forms import SHORTEST, is_form, names, splits
from visavis.collect.text.likeness import Likeness, Words, learn, least_share, words_of_post
from visavis.collect.text.queries import Matcher, matcher
from visavis.collect.text.words import gist
from visavis.shared.progress import Count, uncounted

Tagged = tuple[str, tuple[str, ...]]  # a post as the snowball sees it: case-folded text, hashtags

MOST_OTHERS = 10_000  # posts of which the seed's are told apart
MOST_OWN = 5_000
MOST_JUDGED = 300  # posts of a query that are read


@dataclass(frozen=True)
class Measure:
    """A query beside the seed: texts that hold it, those of them that hold the seed too, and how many times more
    common the seed is there than in all texts; the share of its texts on the topic, and the least it may be."""

    texts: int
    with_seed: int
    lift: float
    share: float
    least: float

    def __str__(self) -> str:
        return (
            f"{self.texts:,} texts, {self.with_seed:,} with the seed (lift {self.lift:.3g}); "
            f"{self.share:.0%} on its topic, at least {self.least:.0%}"
        )


@dataclass(frozen=True)
class Verdict:
    """Whether a query comes in, how it stands to the seed, and what else speaks for or against it."""

    query: str
    kept: bool
    measure: Measure
    reason: str = ""

    @property
    def why(self) -> str:
        """The reason and the figures."""
        return f"{self.reason}: {self.measure}" if self.reason else str(self.measure)


@dataclass(frozen=True)
class Round:
    """One round: the queries it began with, the texts they match, and what became of the queries found beside them.

    `waiting` had to leave room to others this time; `rare` are so many that stand in too few of the topic's texts.
    """

    number: int
    asked: tuple[str, ...]
    texts: int
    verdicts: tuple[Verdict, ...]
    waiting: int
    rare: int


@dataclass(frozen=True)
class Rolled:
    """All rounds, and how they ended: at a "fixed point" or at the "round limit"."""

    rounds: tuple[Round, ...]
    ended: str

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What became of every query that was looked at, in the order of the rounds."""
        return tuple(verdict for one in self.rounds for verdict in one.verdicts)


@dataclass(frozen=True)
class Ground:
    """The distinct texts of a window, and what was learned of the seed in them."""

    texts: Sequence[Tagged] = field(repr=False)
    seed: tuple[Matcher, ...]
    _words: dict[int, Words] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, posts: Iterable[Tagged], seed: Iterable[Matcher]) -> Ground:
        """Copies of a text (retweets) count once: they are one voice."""
        distinct: dict[str, Tagged] = {}
        for post in posts:
            distinct.setdefault(gist(post[0]), post)
        return cls(tuple(distinct.values()), tuple(seed))

    @cached_property
    def own(self) -> frozenset[int]:
        """The texts that hold the seed."""
        return frozenset(
            place for place, (text, tags) in enumerate(self.texts) if any(one(text, tags) for one in self.seed)
        )

    @cached_property
    def carriers(self) -> dict[str, list[int]]:
        """Hashtag → the texts that carry it."""
        found: dict[str, list[int]] = {}
        for place, (_, tags) in enumerate(self.texts):
            for tag in tags:
                found.setdefault(tag, []).append(place)
        return found

    @cached_property
    def likeness(self) -> Likeness | None:
        """What reads like the seed; None where there are too few texts to tell."""
        others = [place for place in range(len(self.texts)) if place not in self.own]
        mine, theirs = _evenly(sorted(self.own), MOST_OWN), _evenly(others, MOST_OTHERS)
        ignored = {word for one in self.seed for word in (one.tag, *one.needed)}
        return learn([self.words(place) for place in mine], [self.words(place) for place in theirs], ignored)

    def words(self, place: int) -> Words:
        """The words of a text, found once."""
        found = self._words.get(place)
        if found is None:
            found = self._words[place] = words_of_post(self.texts[place][0])
        return found

    def holding(self, query: str) -> list[int]:
        """The texts that match a query."""
        asked = matcher(query)
        if asked.tag:
            return self.carriers.get(asked.tag, [])
        return [place for place, (text, tags) in enumerate(self.texts) if asked(text, tags)]

    def measure(self, query: str) -> Measure:
        """How a query stands to the seed: its texts that hold the seed, and those of the others that read like them."""
        holding = self.holding(query)
        if not holding:
            return Measure(0, 0, 0.0, 0.0, 0.0)
        size, own = len(holding), sum(place in self.own for place in holding)
        others = _evenly([place for place in holding if place not in self.own], MOST_JUDGED)
        share, least = self._alike(others, words_of_post(query))
        share, least = ((own + (size - own) * one) / size for one in (share, least))
        least = min(least, least_share(share * size, size))
        return Measure(size, own, own / size / (len(self.own) / len(self.texts)), share, least)

    def _alike(self, places: Sequence[int], without: Words) -> tuple[float, float]:
        """The share of texts, none of which holds the seed, that are on its topic all the same, and the least of it."""
        likeness = self.likeness
        if likeness is None or not places:
            return 0.0, 0.0
        alike = sum(likeness.reads_alike(self.words(place), without) for place in places)
        return likeness.corrected(alike / len(places)), likeness.corrected(least_share(alike, len(places)))


Judge = Callable[[str, Measure], Verdict]


@dataclass(frozen=True)
class RollLimits:
    """In how many of the topic's texts a query must stand to be judged, how many come in a round, how many rounds."""

    fewest: int = 3
    top: int = 10
    rounds: int = 20


def roll(ground: Ground, given: Sequence[str], judge: Judge, limits: RollLimits, tell: Count = uncounted) -> Rolled:
    """Round 1 begins with the given queries, every later one with those that came in before it.

    Hashtags in the texts of all queries so far, and other forms of a seed of one word, are judged by how they stand to
    the seed. At most so many come in a round, those of most texts first, and the others wait. It ends where none comes
    in: every query is judged once, so there is an end. `tell` hears how many of a round's queries are judged.
    """
    topic = set().union(*(ground.holding(query) for query in given))
    asked, done, waiting = tuple(given), set(given), dict[str, Verdict]()
    rounds: list[Round] = []
    while asked and len(rounds) < limits.rounds:
        counts = Counter(f"#{tag}" for place in topic for tag in ground.texts[place][1])
        if not rounds:
            counts.update(_forms(ground))
        fresh = {query: count for query, count in counts.items() if query not in done}
        often = sorted(query for query, count in fresh.items() if count >= limits.fewest)
        verdicts = []
        for place, query in enumerate(often):
            tell(place, len(often))
            verdicts.append(waiting.get(query) or judge(query, ground.measure(query)))
        coming = sorted((one for one in verdicts if one.kept), key=lambda one: (-one.measure.texts, one.query))
        waiting = {one.query: one for one in coming[limits.top :]}
        told = (*coming[: limits.top], *(one for one in verdicts if not one.kept))
        rounds.append(Round(len(rounds) + 1, asked, len(topic), told, len(waiting), len(fresh) - len(often)))
        done |= {one.query for one in told}
        asked = tuple(one.query for one in coming[: limits.top])
        topic.update(*(ground.holding(query) for query in asked))
    return Rolled(tuple(rounds), "round limit" if asked else "fixed point")


def judge_by_seed(ground: Ground, query: str, measure: Measure, generality: float) -> Verdict:
    """Keep a query of which no larger share of texts may lie off the seed's topic.

    One that names the seed may go halfway from there to all; one that never stands beside it, half as far.
    """
    most = generality if measure.with_seed else generality / 2
    joined = query.removeprefix("#").replace(" ", "")
    if any(names(joined, (one.tag,) if one.tag else one.needed) for one in ground.seed):
        most = (1 + generality) / 2
    kept = 1 - measure.least <= most
    return Verdict(query, kept, measure, "" if kept else "too general")


def _forms(ground: Ground) -> Counter[str]:
    """Other forms of the seed's words, where each of its queries is one word, and in how many texts they stand."""
    seeds = [one.needed[0] for one in ground.seed if not one.tag and len(one.needed) == 1]
    begun = {seed[:SHORTEST] for seed in seeds}
    parted = {pair for seed in seeds for pair in splits(seed)}
    is_form_of_seed = cache(lambda word: any(is_form(word, seed) for seed in seeds))  # a word stands in many texts
    counts: Counter[str] = Counter()
    for place, (text, _) in enumerate(ground.texts):
        if any(beginning in text for beginning in begun):
            counts.update(filter(is_form_of_seed, ground.words(place)))
        counts.update(pair for pair in parted if pair in text)
    return counts


def _evenly(places: Sequence[int], most: int) -> list[int]:
    """So many of the places at most, evenly spread."""
    if len(places) <= most:
        return list(places)
    return [places[number * len(places) // most] for number in range(most)]
