"""Other forms of a word ("opioid" of "opioids", "health care" of "healthcare"), and names that hold it."""

from __future__ import annotations

SHORTEST = 3  # letters that a stem has
ENDINGS = (
    "", "s", "es", "d", "ed", "ing", "er", "ers", "y", "ies", "ly", "n", "an", "ns", "ans", "al", "ist", "ists",
    "tion", "nt", "nts",
)  # fmt: skip


def stems(word: str) -> frozenset[str]:
    """What may be left of a word without its ending."""
    cut = (word.removesuffix(ending) for ending in ENDINGS)
    return frozenset(stem for stem in cut if len(stem) >= SHORTEST)


def is_form(word: str, other: str) -> bool:
    """Whether two words are forms of one: they differ in an ending at most."""
    return word != other and not stems(word).isdisjoint(stems(other))


def splits(word: str) -> tuple[str, ...]:
    """A word written as two ("health care" for "healthcare"), wherever it may be parted."""
    return tuple(f"{word[:at]} {word[at:]}" for at in range(SHORTEST, len(word) - SHORTEST + 1))


def names(tag: str, needed: tuple[str, ...]) -> bool:
    """Whether a hashtag holds every one of these words, in whatever form."""
    return bool(needed) and all(any(stem in tag for stem in stems(word)) for word in needed)
