"""Words or a phrase? Of terms that lie in one another, those that say most."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

NEARLY_ALL = 0.7  # of the documents with a word: if so many have it within the phrase, the phrase says more
MANY = 1 / 3  # ... or so many, where the word tells nothing without the phrase


def without_repeats(
    telling: Sequence[int],
    parts: Sequence[Sequence[int]],
    inside: Mapping[int, float],
    still_tells: Callable[[int, int], bool],
) -> list[int]:
    """The telling terms of a group, each thing once.

    A phrase takes the place of a part of it (a word, a shorter phrase) if nearly all documents `inside` with the part
    have the phrase, or many do and the part no longer tells anything where the phrase is not (`still_tells(part,
    phrase)`). A phrase that takes no part's place, though parts of it tell something, says no more than they do.
    """
    kept = dict.fromkeys(telling)
    for phrase in sorted(telling, key=lambda term: (-len(parts[term]), term)):  # the longest first
        told = [part for part in parts[phrase] if part in kept]
        if phrase not in kept or not told:
            continue
        replaced = [part for part in told if _replaces(phrase, part, inside, still_tells)]
        for gone in replaced or [phrase]:
            del kept[gone]
    return list(kept)


def _replaces(
    phrase: int, part: int, inside: Mapping[int, float], still_tells: Callable[[int, int], bool]
) -> bool:
    share = inside[phrase] / inside[part]
    return share >= NEARLY_ALL or (share >= MANY and not still_tells(part, phrase))
