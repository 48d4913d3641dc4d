"""Texts that say the same again and again, or list what has one form: spam, tables, lists of contents, songs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

MANY, FEWEST_DISTINCT = 30, 2.0  # words from which on a text may repeat itself; distinct ones for each root of them
RUN, AGAIN, MOST_AGAIN = 5, 3, 0.4  # words in a row that it has so often, and the share of its words that stand in such
LOOKED_AT = 4_000  # characters of a text


def repeats_itself(text: str) -> bool:
    """Whether a text says the same again and again, or lists what has the same form.

    It has few distinct words for its length (others have five and more for each root of their number), or much of it
    stands in runs of words that it has three times and more: tables, lists of contents, songs.
    """
    words = text.split()
    if len(words) < MANY:
        return False
    distinct = len(set(words))
    if distinct < FEWEST_DISTINCT * len(words) ** 0.5:
        return True
    if distinct > len(words) * (1.0 - MOST_AGAIN * (1.0 - 1.0 / AGAIN)):
        return False  # too many for so much to stand there three times
    runs = list(zip(*(words[step:] for step in range(RUN)), strict=False))
    counts = Counter(runs)
    covered, end = 0, 0
    for place, run in enumerate(runs):
        if counts[run] >= AGAIN:
            covered += place + RUN - max(place, end)
            end = place + RUN
    return covered >= MOST_AGAIN * len(words)


def repeat_themselves(texts: Sequence[str]) -> list[bool]:
    """Which of these texts do, by their first 4,000 characters."""
    return [repeats_itself(text[:LOOKED_AT]) for text in texts]
