"""Other forms of a word ("opioid" of "opioids", "health care" of "healthcare"), and names that hold it."""

from __future__ import annotations

import re
from functools import lru_cache

from visavis.collect.text.inflections import are_kin, differ_by_ending, vocabulary
from visavis.collect.text.words import UNSPACED

SHORTEST = 3  # letters that forms of a word share, and parts of it have
STEM = 4  # letters that a stem has, unless the word has fewer
ENDINGS = (
    "", "s", "es", "d", "ed", "ing", "er", "ers", "y", "ies", "ly", "n", "an", "ns", "ans", "al", "ist", "ists",
    "tion", "nt", "nts",
)  # fmt: skip
_COMMON = {2: 500, 3: 5_000, 4: 20_000}  # letters of a word inside a hashtag → how rare a word it may be
_BETWEEN = re.compile(r"[\W\d_]+")


def stems(word: str) -> frozenset[str]:
    """What may be left of a word without its ending."""
    cut = (word.removesuffix(ending) for ending in ENDINGS)
    return frozenset(stem for stem in cut if len(stem) >= min(STEM, len(word)))


def is_form(word: str, other: str) -> bool:
    """Whether two different words are forms of one: they differ in an ending at most."""
    return word != other and (not stems(word).isdisjoint(stems(other)) or differ_by_ending(word, other))


def splits(word: str) -> tuple[str, ...]:
    """A word written as two ("health care" for "healthcare"), wherever it may be parted."""
    return tuple(f"{word[:at]} {word[at:]}" for at in range(SHORTEST, len(word) - SHORTEST + 1))


def names(tag: str, needed: tuple[str, ...]) -> bool:
    """Whether a hashtag holds every one of these words, in whatever form: #goptaxscam "taxes", #farmbill no "army"."""
    parts = {tag, *_BETWEEN.split(tag)}
    return bool(needed) and all(any(_holds(part, word, needed) for part in parts) for word in needed)


def _holds(tag: str, word: str, needed: tuple[str, ...]) -> bool:
    """Whether a form of a word begins where one may begin, and is no part of a longer word of another meaning."""
    if UNSPACED.search(word):
        return word in tag
    spans, starts = _common_words(tag, needed)
    kin = {(start, end) for start, end in spans if are_kin(word, tag[start:end])}
    begun = {(start, start + len(stem)) for stem in stems(word) for start in starts if tag.startswith(stem, start)}
    return any(
        not any(first <= start and end <= last for first, last in spans - kin - {(start, end)})
        for start, end in kin | begun
    )


@lru_cache(maxsize=10_000)
def _common_words(tag: str, needed: tuple[str, ...]) -> tuple[frozenset[tuple[int, int]], frozenset[int]]:
    """Where common words, or needed ones, stand in a hashtag, and where words may begin: at its start and after one."""
    known, spans, starts = vocabulary(), set[tuple[int, int]](), {0}
    for start in range(len(tag)):
        if start not in starts:
            continue
        for end in range(start + 2, len(tag) + 1):
            piece = tag[start:end]
            if piece in needed or known.rank(piece) < _COMMON[min(len(piece), 4)]:
                spans.add((start, end))
                starts.add(end)
    return frozenset(spans), frozenset(starts)
