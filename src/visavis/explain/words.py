"""Words that set a group apart: log-odds with an informative prior."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from visavis.records import Integers

WORD = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?")
PRIOR = 0.01  # weight of the whole corpus as a prior, relative to its own counts
NOTABLE = 1.96  # standard deviations from no difference
MUCH = 1.3  # times as many documents inside: in a large corpus even "the" differs notably, but not by much
LEAST = 3  # a word in fewer documents of a group than this says little about it


class GroupWords:
    """How telling each word is for each group.

    z = (log-odds of the word in the group − in the rest) / its standard deviation, both with the corpus as a prior.
    """

    def __init__(self, texts: Sequence[str], codes: Integers, n_groups: int) -> None:
        self._found = [frozenset(words_of(text)) for text in texts]
        counts: list[Counter[str]] = [Counter() for _ in range(n_groups)]
        for words, code in zip(self._found, codes, strict=True):
            counts[code].update(words)
        self._z = [_z_scores(counts[g], counts[:g] + counts[g + 1 :], self._n(codes, g)) for g in range(n_groups)]

    def of_group(self, group: int, most: int = 12) -> tuple[str, ...]:
        """The most telling words of a group."""
        return _top(self._z[group], most)

    def of_document(self, document: int, group: int, most: int = 8) -> tuple[str, ...]:
        """The most telling words of a group among those of one document."""
        telling = self._z[group]
        return _top({word: telling[word] for word in self._found[document] if word in telling}, most)

    @staticmethod
    def _n(codes: Integers, group: int) -> tuple[int, int]:
        inside = int(np.sum(codes == group))
        return inside, len(codes) - inside


def words_of(text: str) -> list[str]:
    """The words of a text, case-folded, possessives stripped, of at least two letters."""
    found = WORD.findall(text.casefold().replace("’", "'"))
    return [word for word in (word.removesuffix("'s") for word in found) if len(word) > 1]


def _z_scores(inside: Counter[str], others: Sequence[Counter[str]], sizes: tuple[int, int]) -> dict[str, float]:
    """z of every word that notably more documents inside have; counts are documents with the word, not its uses."""
    words = [word for word, count in inside.items() if count >= min(LEAST, sizes[0])]
    here = np.array([inside[word] for word in words], float)
    there = np.array([sum(counts[word] for counts in others) for word in words], float)
    n_here, n_there = sizes
    if not words or n_there == 0:
        return dict(zip(words, here.tolist(), strict=True))
    have = PRIOR * (here + there) + 0.5
    lack = PRIOR * (n_here + n_there - here - there) + 0.5
    cells = [here + have, n_here - here + lack, there + have, n_there - there + lack]
    log_odds = np.log(cells[0] / cells[1]) - np.log(cells[2] / cells[3])
    z = log_odds / np.sqrt(sum(1.0 / cell for cell in cells))
    ratio = (cells[0] / (cells[0] + cells[1])) / (cells[2] / (cells[2] + cells[3]))
    telling = (z > NOTABLE) & (ratio >= MUCH)
    return {word: float(score) for word, score, tells in zip(words, z, telling, strict=True) if tells}


def _top(scores: dict[str, float], most: int) -> tuple[str, ...]:
    return tuple(sorted(scores, key=lambda word: (-scores[word], word))[:most])
