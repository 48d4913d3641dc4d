"""Words or a phrase? Of terms that say the same thing, the one that says most."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

NEARLY_ALL = 0.7  # of a term's documents: if so many hold another that it overlaps, they are one thing
MANY = 1 / 3  # ... or so many, where a word tells nothing without the phrase


@dataclass(frozen=True, eq=False)
class Shared:
    """How many documents of a group hold each telling term (the diagonal), and each two of them; `place` finds them."""

    place: dict[int, int]
    counts: Any

    def share(self, term: int, other: int) -> float:
        """Of the documents that hold the term, how many hold the other as well."""
        here, there = self.place[term], self.place[other]
        return float(self.counts[here, there] / self.counts[here, here])


def each_thing_once(
    ranked: Sequence[int],
    parts: Mapping[int, Sequence[int]],
    words: Mapping[int, frozenset[str]],
    shared: Shared,
    still_tells: Callable[[int, int], bool],
) -> list[int]:
    """The telling terms of a group, without those that say what another says; the order stays.

    A phrase takes the place of a part of it (a word, a shorter phrase) if nearly all documents with the part hold the
    phrase, or many do and the part tells nothing where the phrase is not (`still_tells(part, phrase)`). A phrase that
    takes no part's place, though parts of it tell something, says no more than they do. Of phrases that overlap, and
    nearly always stand together, the most telling stays.
    """
    kept = _without_parts(ranked, parts, shared, still_tells)
    stays: dict[int, None] = {}
    for term in sorted(kept, key=lambda term: -len(words[term])):
        if not _repeats(term, stays, words, shared):
            stays[term] = None
    return [term for term in ranked if term in stays]


def _without_parts(
    ranked: Sequence[int],
    parts: Mapping[int, Sequence[int]],
    shared: Shared,
    still_tells: Callable[[int, int], bool],
) -> list[int]:
    kept = dict.fromkeys(ranked)
    for phrase in sorted(ranked, key=lambda term: -len(parts[term])):  # the longest first
        told = [part for part in dict.fromkeys(parts[phrase]) if part in kept]  # "ha ha" has one part, twice
        if phrase not in kept or not told:
            continue
        replaced = [part for part in told if _replaces(phrase, part, shared, still_tells)]
        for gone in replaced or [phrase]:
            del kept[gone]
    return list(kept)


def _replaces(phrase: int, part: int, shared: Shared, still_tells: Callable[[int, int], bool]) -> bool:
    share = shared.share(part, phrase)
    return share >= NEARLY_ALL or (share >= MANY and not still_tells(part, phrase))


def _repeats(term: int, stays: Iterable[int], words: Mapping[int, frozenset[str]], shared: Shared) -> bool:
    """Whether a phrase shares a word with one that stays, and is nearly always found with it."""
    return len(words[term]) > 1 and any(
        len(words[other]) > 1 and words[term] & words[other] and shared.share(term, other) >= NEARLY_ALL
        for other in stays
    )
