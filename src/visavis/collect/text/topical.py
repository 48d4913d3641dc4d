"""Whether a text is about what was asked for: it names it in some form of its words, or its words are related.

A query is named by its rarest word, "gun" of "gun control", or by all of them where all are ordinary ("health care").
A text that does not say it may still be about it, if it
holds many words that stand near it in meaning ("rifle", "firearms", "concealed"), more than chance explains: the sum of

    max(0, cosine − 0.35) · max(0, ln(rank) − 5)²

over its words, those of the title twice, is held against what as many words drawn by their frequency would give.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from visavis.collect.records import Reason
from visavis.collect.text.inflections import Forms, vocabulary
from visavis.collect.text.words import COMMON, UNSPACED, words_of
from visavis.embed.wordvectors import bundled_vectors

NEAR = 0.35
SURE = 3.0  # standard deviations above what chance gives
ORDINARY = 1_000  # the most common words, none of which says alone what is meant
PLAIN = 3_000  # common words: a hashtag that is one of them is named by the hashtag alone
LONGEST = 2_000  # words of a text that are looked at: the lead says what it is about


class Topic:
    """The queries of a topic, ready to be held against texts."""

    def __init__(self, queries: Iterable[str]) -> None:
        asked = [query.casefold() for query in queries]
        self._tags = {query for query in asked if query[:1] == "#"}
        self._phrases = [tag[1:] for tag in self._tags if len(tag) > 5 and vocabulary().rank(tag[1:]) >= PLAIN]
        self._forms = [forms for query in asked for forms in _naming(query)]  # all of one must stand
        self._unspaced = {word for query in asked for word in words_of(query) if UNSPACED.search(word)}
        spoken = {_rarest(query) for query in asked if query[:1] != "#"} - {""}
        self._related = [_Related(word) for word in sorted(spoken) if word in vocabulary().rows]

    def verdict(self, title: str, text: str) -> Reason | None:
        """Why a text is not about the topic; None if it is, or if the queries say nothing."""
        if not self._forms and not self._unspaced and not self._tags:
            return None
        found = words_of(f"{title}\n{text}")
        if self._is_named(f"{title}\n{text}".casefold(), found):
            return None
        lead = set(found[:LONGEST])
        if any(related.stands_out(lead, set(words_of(title))) for related in self._related):
            return None
        return Reason("off-topic", "none of the queries' words, nor enough that are related")

    def _is_named(self, whole: str, found: list[str]) -> bool:
        distinct = set(found)
        if any(all(any(word in one for word in distinct) for one in forms) for forms in self._forms):
            return True
        if any(word in whole for word in self._unspaced) or any(tag in whole for tag in self._tags):
            return True
        squeezed = "".join(found)
        return any(phrase in squeezed for phrase in self._phrases)


def topic_verdict(title: str, text: str, queries: Iterable[str]) -> Reason | None:
    """Whether a text is about none of the queries."""
    return _topic(tuple(queries)).verdict(title, text)


@lru_cache(maxsize=64)
def _topic(queries: tuple[str, ...]) -> Topic:
    return Topic(queries)


def _naming(query: str) -> list[list[Forms]]:
    """Sets of words, any of which names a query."""
    terms = [word for word in words_of(query) if word not in COMMON and not UNSPACED.search(word)]
    known = vocabulary()
    if query[:1] == "#":
        return [[Forms(term)] for term in terms if known.rank(term) >= PLAIN]
    if not any(term in known.rows for term in terms):
        return [[Forms(term)] for term in terms]
    if all(known.rank(term) < ORDINARY for term in terms):
        return [[Forms(term) for term in terms]]
    return [[Forms(_rarest(query))]]


def _rarest(query: str) -> str:
    terms = [word for word in words_of(query) if word not in COMMON]
    return max(terms, key=lambda term: vocabulary().rank(term), default="")


class _Related:
    """How much the words of a text have to do with one word."""

    def __init__(self, word: str) -> None:
        known = vocabulary()
        cosines = known.cosines(word)
        assert cosines is not None
        rarity = np.maximum(0.0, np.log(np.arange(1, len(known.rows) + 1)) - 5.0) ** 2
        forms = Forms(word)
        self._weights = np.maximum(0.0, cosines - NEAR) * rarity
        self._weights[[row for row, other in enumerate(known.words) if cosines[row] > NEAR and other in forms]] = 0.0
        self._rows = known.rows
        self._frequencies = bundled_vectors().frequencies(np.arange(len(known.rows)))

    def stands_out(self, words: set[str], title: set[str]) -> bool:
        """Whether the sum of weights is beyond chance."""
        score = self._sum(words) + self._sum(title)
        mean, deviation = self._by_chance(len(words) + len(title))
        return score >= mean + SURE * deviation

    def _sum(self, words: set[str]) -> float:
        rows = [self._rows[word] for word in words if word in self._rows]
        return float(self._weights[rows].sum())

    def _by_chance(self, count: int) -> tuple[float, float]:
        """Mean and standard deviation of the sum over a text of so many different words."""
        likely: NDArray[np.float64] = 1.0 - np.exp(-self._frequencies * 1.5 * count)
        mean = float(likely @ self._weights)
        return mean, float(np.sqrt((likely * (1.0 - likely)) @ self._weights**2))
