"""The words of many texts as numbers: found once, for near-duplicates and for stories."""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from visavis.records import Integers
from visavis.shared.plain import PlainWords
from visavis.shared.unspaced import PAIRS, SOUTHEAST, has_unspaced, part, segmenter

_WORD = re.compile(r"\w+")
_LONGER_WORD = re.compile(rf"[\w{SOUTHEAST}]+")  # with the marks of scripts that have them
_PLAIN = PlainWords(kept="_")


@dataclass(frozen=True, eq=False)
class Words:
    """Words, case-folded, in the order of the texts: those of text i are `flat[starts[i]:starts[i] + lengths[i]]`.

    They are numbers, places in `known`, in the order in which they were first met.
    """

    flat: Integers = field(repr=False)
    starts: Integers = field(repr=False)
    lengths: Integers = field(repr=False)
    known: tuple[str, ...] = field(repr=False)

    @classmethod
    def of(cls, texts: Sequence[str]) -> Words:
        """Every run of letters and digits is a word; in scripts without spaces words are cut, or pairs of signs."""
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        flat, lengths = array("q"), array("q")
        for text in texts:
            plain = _PLAIN.cut(text)
            found = _words(text.casefold()) if plain is None else plain
            flat.extend(map(numbers.__getitem__, found))
            lengths.append(len(found))
        sizes = np.array(lengths, np.int64)
        return cls(np.array(flat, np.int64), np.cumsum(sizes) - sizes, sizes, tuple(numbers))

    def of_text(self, index: int) -> Integers:
        """The words of one text."""
        return self.flat[self.starts[index] : self.starts[index] + self.lengths[index]]


def _words(text: str) -> list[str]:
    if not has_unspaced(text):
        return _WORD.findall(text)
    return _LONGER_WORD.findall(part(text, segmenter(), PAIRS))


def distinct_pairs(owners: Integers, numbers: Integers, n_numbers: int) -> tuple[Integers, Integers]:
    """The distinct numbers (below `n_numbers`) of each owner: owners and numbers, sorted by both."""
    both = np.sort(owners * n_numbers + numbers)
    fresh = np.ones(len(both), np.bool_)
    fresh[1:] = both[1:] != both[:-1]
    found, number = np.divmod(both[fresh], max(1, n_numbers))
    return found, number
