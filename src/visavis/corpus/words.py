"""The words of many texts as numbers: found once, for near-duplicates and for stories."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from visavis.records import Integers
from visavis.shared.numbering import number_words
from visavis.shared.plain import PlainWords
from visavis.shared.processes import by_chunks
from visavis.shared.unspaced import INDIC_MARKS, PAIRS, SOUTHEAST, has_unspaced, may_have_indic, part, segmenter

_PLAIN = PlainWords(kept="_")
_WORD = re.compile(r"\w+")
_LONGER_WORD = re.compile(rf"[\w{SOUTHEAST}{INDIC_MARKS}]+")  # with the marks of scripts that have them


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
    def of(cls, texts: Sequence[str], processes: int = 1) -> Words:
        """Every run of letters and digits is a word; in scripts without spaces words are cut, or pairs of signs."""
        numbers: dict[str, int] = {}
        flat, lengths = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
        for found in by_chunks(partial(number_words, cut=_cut), texts, processes):
            new = [numbers.setdefault(word, len(numbers)) for word in found.known]
            flat.append(np.array(new, np.int32)[found.flat] if new else found.flat)
            lengths.append(found.lengths)
        sizes = np.concatenate(lengths).astype(np.int64)
        return cls(np.concatenate(flat), np.cumsum(sizes) - sizes, sizes, tuple(numbers))

    def chunks(self, texts: Integers, most: int = 2**20) -> Iterator[Words]:
        """These texts (by number) one after another, in parts of about so many words."""
        ends = np.cumsum(self.lengths[texts])
        cuts = np.searchsorted(ends, np.arange(most, int(ends[-1]) if len(ends) else 0, most))
        for rows in np.split(texts, np.unique(cuts + 1)):
            if len(rows):
                yield self.of_texts(rows)

    def of_texts(self, texts: Integers) -> Words:
        """These texts (by number) alone; words keep their numbers."""
        lengths = self.lengths[texts]
        starts = np.cumsum(lengths) - lengths
        places = np.repeat(self.starts[texts] - starts, lengths) + np.arange(int(lengths.sum()))
        return Words(self.flat[places], starts, lengths, self.known)

    @property
    def owners(self) -> Integers:
        """Whose each word is."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    def of_text(self, index: int) -> Integers:
        """The words of one text."""
        return self.flat[self.starts[index] : self.starts[index] + self.lengths[index]]


def _cut(text: str) -> list[str]:
    plain = _PLAIN.cut(text)
    if plain is not None:
        return plain
    folded = text.casefold()
    if has_unspaced(folded):
        return _LONGER_WORD.findall(part(folded, segmenter(), PAIRS))
    return (_LONGER_WORD if may_have_indic(folded) else _WORD).findall(folded)


def distinct_pairs(owners: Integers, numbers: Integers, n_numbers: int) -> tuple[Integers, Integers]:
    """The distinct numbers (below `n_numbers`) of each owner: owners and numbers, sorted by both."""
    both = np.sort(owners * n_numbers + numbers)
    fresh = np.ones(len(both), np.bool_)
    fresh[1:] = both[1:] != both[:-1]
    return np.divmod(both[fresh], max(1, n_numbers))
