"""How often texts use words and pairs of neighboring words, counted in whole arrays.

A word is a number, in the order in which words are first met; a pair of words a, b is a · (number of words) + b.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy import sparse

from visavis.records import Integers
from visavis.shared.numbering import Numbered, Numbering

_NO_TERM = -1


@dataclass(frozen=True, eq=False)
class _Stream:
    """The words of some texts one behind the other, as numbers, and how many each text has."""

    flat: Integers
    lengths: Integers

    @classmethod
    def of(cls, found: Numbered, numbers: Integers) -> _Stream:
        """With these numbers for the words found; words of one letter or digit are left out."""
        usable = np.array([len(word) > 1 or not word.isascii() for word in found.known], np.bool_)
        whole = cls(found.flat, found.lengths)
        kept = np.flatnonzero(usable[found.flat]) if len(usable) else np.zeros(0, np.intp)
        flat = numbers[found.flat[kept]] if len(usable) else np.zeros(0, np.int64)
        return cls(flat, np.bincount(whole.owners[kept], minlength=len(whole.lengths)))

    @cached_property
    def owners(self) -> Integers:
        """Whose each word is."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    def pairs(self, n_words: int) -> tuple[Integers, Integers]:
        """Every word with its neighbor, as a number, and where the first of them stands."""
        places = np.flatnonzero(self.owners[:-1] == self.owners[1:])
        return self.flat[places] * n_words + self.flat[places + 1], places


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Terms in alphabetical order: words, each followed by the pairs that begin with it.

    `words` are numbered as they stand; `single` (words,) and `paired` (pairs, ascending in `pairs`) say which term a
    word or a pair of them is, -1 for none.
    """

    words: dict[str, int] = field(repr=False)
    single: Integers = field(repr=False)
    pairs: Integers = field(repr=False)
    paired: Integers = field(repr=False)
    n_terms: int

    @classmethod
    def of(cls, terms: Sequence[str]) -> Vocabulary:
        """Of these terms, each a word or two with a blank between them, in alphabetical order."""
        parts = [term.split(" ") for term in terms]
        numbers = {word: number for number, word in enumerate(dict.fromkeys(word for part in parts for word in part))}
        single = np.full(len(numbers), _NO_TERM)
        keys, paired = [], []
        for place, part in enumerate(parts):
            if len(part) == 1:
                single[numbers[part[0]]] = place
            else:
                keys.append(numbers[part[0]] * len(numbers) + numbers[part[1]])
                paired.append(place)
        order = np.argsort(np.array(keys, np.int64))
        return cls(numbers, single, np.array(keys, np.int64)[order], np.array(paired, np.int64)[order], len(terms))

    def count(self, texts: Sequence[str], numbering: Numbering) -> sparse.csr_matrix:
        """How often each text uses each term; float32 of shape (texts, terms), terms ascending in every row."""
        found, stranger = numbering.number(texts), len(self.words)
        numbers = np.array([self.words.get(word, stranger) for word in found.known], np.int64)
        stream = _Stream.of(found, numbers)
        single = np.append(self.single, _NO_TERM)[stream.flat]
        keys, places = stream.pairs(stranger)
        known = np.flatnonzero((stream.flat[places] < stranger) & (stream.flat[places + 1] < stranger))
        at = np.minimum(np.searchsorted(self.pairs, keys[known]), max(0, len(self.pairs) - 1))
        hit = self.pairs[at] == keys[known] if len(self.pairs) else np.zeros(len(known), np.bool_)
        terms = np.concatenate((single, self.paired[at[hit]]))
        owners = np.concatenate((stream.owners, stream.owners[places[known[hit]]]))
        return _counted(owners[terms >= 0], terms[terms >= 0], len(texts), self.n_terms)


def count_terms(texts: Sequence[str], numbering: Numbering, fewest: int) -> tuple[tuple[str, ...], sparse.csr_matrix]:
    """The terms that at least `fewest` texts have, in alphabetical order, and how often each text uses each.

    Terms of a row stand in the order in which the texts first use them: what is summed over a row is summed that way.
    """
    found = numbering.number(texts)
    words, stream = found.known, _Stream.of(found, np.arange(len(found.known)))
    keys, places = stream.pairs(len(words))
    pairs, numbers = np.unique(keys, return_inverse=True)
    often = (np.bincount(numbers, minlength=len(pairs)) >= fewest)[numbers]
    numbers, places = numbers[often], places[often]
    owners = np.concatenate((stream.owners, stream.owners[places]))
    terms = np.concatenate((stream.flat, numbers + len(words)))
    frequent = _frequency(owners, terms, len(words) + len(pairs)) >= fewest
    kept = np.flatnonzero(frequent)
    first = _first_met(stream, places, numbers, len(words), len(pairs))[kept]
    met = np.empty(len(words) + len(pairs), np.int64)
    met[kept[np.argsort(first)]] = np.arange(len(kept))
    chosen = frequent[terms]
    counts = _counted(owners[chosen], met[terms[chosen]], len(texts), len(kept))
    names, alphabetical = _names(words, kept, pairs)
    place = np.empty(len(kept), np.int32)
    place[met[kept[alphabetical]]] = np.arange(len(kept))
    counts.indices = place[counts.indices]
    counts.has_sorted_indices = False
    return names, counts


def _frequency(owners: Integers, terms: Integers, n_terms: int) -> Integers:
    """How many texts have each term."""
    both = np.sort(owners * n_terms + terms)
    fresh = np.ones(len(both), np.bool_)
    fresh[1:] = both[1:] != both[:-1]
    return np.bincount(both[fresh] % max(1, n_terms), minlength=n_terms)


def _first_met(stream: _Stream, places: Integers, numbers: Integers, n_words: int, n_pairs: int) -> Integers:
    """For each word and pair a number that grows with where it is first met: in a text, words come before pairs."""
    starts = np.cumsum(stream.lengths) - stream.lengths
    first = np.zeros(n_words + n_pairs, np.int64)
    whole = np.arange(len(stream.flat))
    first[stream.flat[::-1]] = (whole + starts[stream.owners])[::-1]  # the first of several is written last
    behind = places + starts[stream.owners[places]] + stream.lengths[stream.owners[places]]
    first[numbers[::-1] + n_words] = behind[::-1]
    return first


def _counted(owners: Integers, terms: Integers, n_texts: int, n_terms: int) -> sparse.csr_matrix:
    """Counts of what each owner has, terms ascending in every row."""
    both = np.sort(owners * max(1, n_terms) + terms)
    begins = np.flatnonzero(np.concatenate(([True], both[1:] != both[:-1]))) if len(both) else np.zeros(0, np.intp)
    owner, term = np.divmod(both[begins], max(1, n_terms))
    values = np.diff(np.append(begins, len(both))).astype(np.float32)
    rows = np.concatenate(([0], np.cumsum(np.bincount(owner, minlength=n_texts)))).astype(np.int32)
    return sparse.csr_matrix((values, term.astype(np.int32), rows), shape=(n_texts, n_terms))


def _names(words: Sequence[str], found: Integers, pairs: Integers) -> tuple[tuple[str, ...], Integers]:
    """The terms in alphabetical order, and where each stands in `found`. A blank comes before any letter, so a pair
    stands where its words lead."""
    rank = np.empty(len(words) + 1, np.int64)
    rank[sorted(range(len(words)), key=words.__getitem__)] = np.arange(1, len(words) + 1)
    rank[-1] = 0  # of no second word
    is_pair = found >= len(words)
    keys = pairs[found[is_pair] - len(words)]
    left, right = found.copy(), np.full(len(found), len(words))
    left[is_pair], right[is_pair] = np.divmod(keys, max(1, len(words)))
    order = np.lexsort((rank[right], rank[left]))
    ends = [*(f" {word}" for word in words), ""]
    names = tuple(words[a] + ends[b] for a, b in zip(left[order].tolist(), right[order].tolist(), strict=True))
    return names, order
