"""Forms of a word: guns, gunned, gunman, handgun for "gun"; immigrants for "immigration"; never "begun".

Endings and compounds are found by spelling. Spelling alone would take "banking" for "ban" + "king", so where both
words are among the common ones that come with visavis, their vectors must point the same way, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from visavis.embed.wordvectors import bundled_vectors

FREQUENT = 300  # the most common words, whose mean direction says nothing of what a word means
ALIKE = 0.2  # cosine above which words that share their spelling share their meaning
KIN = 0.4  # and for words that share no more than how they begin
LONGEST_ENDING = 4
_POSSESSIVE = re.compile(r"['’]s?$")
_ENDINGS = ("s", "es", "d", "ed", "ing", "er", "ers", "y", "ies", "ied", "n", "en", "e")
_DOUBLING = ("ed", "ing", "er", "ers", "y")  # before which a last letter may be doubled
_PARTS = {3: 3_000, 4: 10_000}  # letters that the other part of a compound has → how rare a word it may be


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Common words by how common they are, and where they point; shape (words, d), rows of length 1."""

    rows: dict[str, int]
    directions: NDArray[np.float32]

    @cached_property
    def words(self) -> list[str]:
        """The words, the most common first."""
        return list(self.rows)

    def rank(self, word: str) -> int:
        """How common a word is, 0 the most; all unknown ones are equally rare."""
        return self.rows.get(word, len(self.rows))

    def cosine(self, word: str, other: str) -> float | None:
        """How alike two words are; None if one is unknown."""
        row, column = self.rows.get(word), self.rows.get(other)
        return None if row is None or column is None else float(self.directions[row] @ self.directions[column])

    def cosines(self, word: str) -> NDArray[np.float32] | None:
        """How alike every word is to this one; None if it is unknown."""
        row = self.rows.get(word)
        return None if row is None else np.asarray(self.directions @ self.directions[row], np.float32)


@cache
def vocabulary() -> Vocabulary:
    """The words that come with visavis, without the direction that all of them share."""
    table = bundled_vectors()
    vectors = table.take(np.arange(len(table.rows)))
    vectors -= vectors[:FREQUENT].mean(axis=0)
    return Vocabulary(table.rows, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


class Forms:
    """The forms of one word, case-folded."""

    def __init__(self, word: str) -> None:
        self._word = word
        known = vocabulary()
        cosines = known.cosines(word)
        self.rank = known.rank(word)
        self._common = {
            other
            for row, other in enumerate(known.words)
            if other[:1] == word[:1] or word in other
            if _is_spelled(word, other, None if cosines is None else float(cosines[row]))
        }

    def __contains__(self, other: str) -> bool:
        other = _POSSESSIVE.sub("", other)
        if other in vocabulary().rows:
            return other in self._common
        return _is_spelled(self._word, other, None)


def are_kin(word: str, other: str) -> bool:
    """Whether one of two words is a form of the other: tax and taxes, gun and handgun; not arm and army."""
    cosine = vocabulary().cosine(word, other)
    return _is_spelled(word, other, cosine) or _is_spelled(other, word, cosine)


def differ_by_ending(word: str, other: str) -> bool:
    """Whether two words are inflections of one, and not of different meanings, as far as that is known."""
    if not (is_inflection(word, other) or is_inflection(other, word)):
        return False
    cosine = vocabulary().cosine(word, other)
    return cosine is None or cosine >= ALIKE


def _is_spelled(word: str, other: str, cosine: float | None) -> bool:
    """Whether the second word is a form of the first; `cosine` is how alike they are, where that is known."""
    if other in (word, f"{word}s", f"{word}es"):
        return True
    if cosine is not None and cosine < ALIKE:
        return False
    if is_inflection(word, other) or _is_compound(word, other):
        return True
    shared = _shared_beginning(word, other)
    if shared >= 5 and len(word) >= 5 and cosine is not None:
        return cosine >= KIN and shared >= 0.6 * len(word)
    return shared >= max(5, len(word) - 3) and len(other) - shared <= LONGEST_ENDING and len(word) - shared <= 3


def is_inflection(word: str, other: str) -> bool:
    """Whether two words differ by nothing but an ending: ban, bans, banned, banning; story, stories; leave, leaving."""
    return len(word) >= 3 and any(
        other == stem + ending
        for stem in {word, word + word[-1], word.removesuffix("e"), word.removesuffix("y"), word.removesuffix("s")}
        if len(stem) >= 3
        for ending in (_ENDINGS if len(stem) <= len(word) else _DOUBLING)
    )


def _is_compound(word: str, other: str) -> bool:
    """Whether a longer word is this one and a common one written together: gunman, handgun, handguns."""
    if len(word) < 3 or word not in other:
        return False
    for rest in (other.removeprefix(word), other.removesuffix("s").removesuffix(word), other.removesuffix(word)):
        rarest = _PARTS.get(min(len(rest), 4), 0)
        if len(rest) < len(other) - 1 and vocabulary().rank(rest) < rarest:
            return True
    return len(word) >= 5 and other.startswith(word)


def _shared_beginning(word: str, other: str) -> int:
    count = 0
    for one, two in zip(word, other, strict=False):
        if one != two:
            break
        count += 1
    return count
