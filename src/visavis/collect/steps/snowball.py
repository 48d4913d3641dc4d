"""The snowball: query, common hashtags, query by those, until the hashtags stop changing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from visavis.collect.text.queries import Matcher

Tagged = tuple[str, tuple[str, ...]]  # a post as the snowball sees it: case-folded text, hashtags


@dataclass(frozen=True)
class Round:
    """One round: how many posts the query or the last round's tags matched, and the most common tags in them."""

    number: int
    posts: int
    tags: tuple[tuple[str, int], ...]

    @property
    def names(self) -> frozenset[str]:
        """The tags as a set, which is what rounds are compared by."""
        return frozenset(tag for tag, _ in self.tags)


@dataclass(frozen=True)
class Rolled:
    """All rounds, and how they ended: at a "fixed point" or at the "round limit"; the last one is taken."""

    rounds: tuple[Round, ...]
    ended: str

    @property
    def taken(self) -> Round:
        """The round whose tags go on to the filters."""
        return self.rounds[-1]


def roll(posts: Sequence[Tagged], seed: Matcher, top: int, most_rounds: int) -> Rolled:
    """Round 1 counts the hashtags of the posts that match the seed, every later one those of the posts that carry
    one of the last round's tags. Ties are alphabetical.

    It ends where a round finds the tags it asked by. It cannot go in circles: the posts of a round hold every post of
    the tags it asked by, so a tag takes another's place only if it is the more common of the two in the whole window
    (or as common, and first by the alphabet); with every round the set gets more common, and no set comes twice.
    """
    carriers: dict[str, list[int]] = {}
    for place, (_, tags) in enumerate(posts):
        for tag in tags:
            carriers.setdefault(tag, []).append(place)
    rounds = [_round(1, posts, [place for place, (text, tags) in enumerate(posts) if seed(text, tags)], top)]
    while rounds[-1].tags and len(rounds) < most_rounds:
        last = rounds[-1]
        matched = {place for tag in last.names for place in carriers[tag]}
        rounds.append(_round(last.number + 1, posts, matched, top))
        if rounds[-1].names == last.names:
            return Rolled(tuple(rounds), "fixed point")
    return Rolled(tuple(rounds), "round limit" if rounds[-1].tags else "fixed point")


def _round(number: int, posts: Sequence[Tagged], matched: Iterable[int], top: int) -> Round:
    counts: Counter[str] = Counter()
    size = 0
    for place in matched:
        counts.update(posts[place][1])
        size += 1
    common = sorted(counts.items(), key=lambda found: (-found[1], found[0]))[:top]
    return Round(number, size, tuple(common))
