"""Whether a post reads like those of a topic's seed, by the words it holds besides the seed's own.

A word weighs log((a + 1) / (A r + 1)) where a of the seed's A posts hold it and A r would, were it as common there as
elsewhere. A post reads alike if its words' weights add up to a threshold: the one where the share of the seed's posts
that reach it most exceeds ten times the share of other posts that do, every post weighed without itself.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from visavis.collect.text.words import gist, words
from visavis.shared.unspaced import PAIRS, part

FEWEST = 10  # posts from which anything can be learned
STRAY_COST = 10.0  # posts of other topics weigh more: there are many more of them
COMMON, MOST_ASIDE = 0.05, 0.25  # of the others on the topic, too; of more, the seed reads like anything else
MARGIN = 0.1  # by which they must be parted: less comes about by chance
LEAST_FOUND = 0.2  # of the seed's posts, for a threshold to be one
Z = 1.2816  # nine of ten bounds hold

Words = frozenset[str]


def words_of_post(text: str) -> Words:
    """The words of what a post says, each once, hashtags without their sign."""
    return frozenset(words(part(gist(text), "", PAIRS)))


def least_share(found: float, total: int) -> float:
    """The share that lies below the true one nine times of ten, where `found` of `total` were seen (Wilson, 1927)."""
    share, square = found / total, Z * Z
    spread = Z * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    return max(0.0, (share + square / (2 * total) - spread) / (1 + square / total))


@dataclass(frozen=True)
class Likeness:
    """What was learned from a seed: the weights of words, from where on a post reads alike, and how often that errs.

    `found` is the share of the seed's own posts that read alike, `strays` the share of all others.
    """

    weights: Mapping[str, float] = field(repr=False)
    threshold: float
    found: float
    strays: float

    def reads_alike(self, post: Words, without: Words = frozenset()) -> bool:
        """Whether a post reads like the seed's, some words not counted."""
        weights = self.weights
        return sum(weights.get(word, 0.0) for word in post - without) >= self.threshold

    def corrected(self, share: float) -> float:
        """The share of posts on the topic, given the share that read alike: (share − strays) / (found − strays)."""
        return min(1.0, max(0.0, (share - self.strays) / (self.found - self.strays)))


def learn(own: Sequence[Words], others: Sequence[Words], ignored: Iterable[str]) -> Likeness | None:
    """Learn from the seed's posts and from others what reads like the seed; None where that cannot be told.

    Where much is on the topic without the seed's words, so that more than one in twenty others reads like half of the
    seed's posts, these others are set aside, and it is learned once more from the rest.
    """
    if len(own) < FEWEST or len(others) < FEWEST:
        return None
    first = _Scores.of(own, others, frozenset(ignored))
    middle = first.mine[len(own) // 2]
    rest = [post for post, score in zip(others, first.theirs, strict=True) if score < middle]
    aside = 1 - len(rest) / len(others)
    return (_Scores.of(own, rest, frozenset(ignored)) if COMMON < aside <= MOST_ASIDE else first).likeness()


@dataclass(frozen=True)
class _Scores:
    """Weights of words, and the scores of all posts, each weighed without itself: the seed's in order, the others'."""

    weights: dict[str, float]
    mine: list[float]
    theirs: list[float]

    @classmethod
    def of(cls, own: Sequence[Words], others: Sequence[Words], ignored: frozenset[str]) -> _Scores:
        counts, common = (Counter(word for post in posts for word in post - ignored) for posts in (own, others))
        size, rest = len(own), len(others)

        def weight(a: int, b: int, less_own: int = 0, less_rest: int = 0) -> float:
            """A word's, in a of the seed's posts and b of the others, one post more or less."""
            expected = (size - less_own) * (b - less_rest + 0.5) / (rest - less_rest + 1)
            return math.log((a - less_own + 1) / (expected + 1))

        weights = {word: weight(counts[word], common[word]) for word in counts.keys() | common.keys()}
        less_mine = {word: weight(count, common[word], less_own=1) for word, count in counts.items()}
        less_theirs = {word: weight(counts[word], count, less_rest=1) for word, count in common.items()}
        mine = sorted(sum(less_mine.get(word, 0.0) for word in post) for post in own)
        return cls(weights, mine, [sum(less_theirs.get(word, 0.0) for word in post) for post in others])

    def likeness(self) -> Likeness | None:
        """The threshold that parts them best; None where none does."""
        theirs, size = sorted(self.theirs), len(self.mine)
        reached = [
            (1 - place / size, 1 - bisect_left(theirs, score) / len(theirs), score)
            for place, score in enumerate(self.mine[: round(size * (1 - LEAST_FOUND))])
        ]
        found, strays, score = max(reached, key=lambda one: one[0] - STRAY_COST * one[1])
        below = bisect_left(theirs, score)
        threshold = (score + theirs[below - 1]) / 2 if below else score
        return Likeness(self.weights, threshold, found, strays) if found - STRAY_COST * strays >= MARGIN else None
