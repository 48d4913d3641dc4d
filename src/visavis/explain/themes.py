"""What the regions of a map are about: the words that set each apart from the rest of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from sklearn.cluster import KMeans

from visavis.explain.words import GroupWords
from visavis.kernel.threads import limited_to
from visavis.records import Floats, Integers, Theme

MOST_THEMES = 8
PER_REGION = 25  # documents, on average: with fewer there is little to say of a region
WORDS = 2
LONGEST = 26  # letters of a term: more would not fit on a map


def find_themes(points: Floats, words: GroupWords, seed: int) -> tuple[Theme, ...]:
    """The regions that have words of their own, the largest first; a word names one of them only."""
    points = points[words.read]
    codes, n_regions = _regions(points, seed)
    if n_regions < 2:
        return ()
    told = words.of_parts(codes, n_regions)
    found: list[Theme] = []
    used: set[str] = set()
    for region in np.argsort(-np.bincount(codes, minlength=n_regions), kind="stable").tolist():
        own = _apart(told[region], used)
        if own:
            inside = points[codes == region]
            x, y = np.median(inside, axis=0).tolist()
            found.append(Theme(own, x, y, len(inside)))
    return tuple(found)


def _apart(terms: Mapping[str, frozenset[str]], used: set[str]) -> tuple[str, ...]:
    """The first short terms that share no word with those `used`, to which theirs are added."""
    found: list[str] = []
    for term, words in terms.items():
        if len(found) < WORDS and len(term) <= LONGEST and not used & words:
            found.append(term)
            used.update(words)
    return tuple(found)


def _regions(points: Floats, seed: int) -> tuple[Integers, int]:
    """The region of each document, by k-means on the plane, and how many there are."""
    most = min(MOST_THEMES, len(points) // PER_REGION, len(np.unique(points, axis=0)))
    if most < 2:
        return np.zeros(len(points), np.intp), 1
    with limited_to(1):  # there is little to do: threads would wait for each other
        found = KMeans(most, n_init=4, random_state=seed % 2**32).fit(points)
    return np.asarray(found.labels_, np.intp), most
