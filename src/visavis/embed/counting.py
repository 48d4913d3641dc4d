"""How often texts use words and pairs of neighboring words, counted in whole arrays.

A word is a number, in the order in which words are first met; a pair of words a, b is a · (number of words) + b.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
from scipy import sparse

from visavis.kernel.threads import ordered_map
from visavis.records import Booleans, Integers
from visavis.shared.numbering import Numbered, number_words

PART = 2**17  # words that are worked on at once: arrays of them stay near the processor

_NO_TERM = -1

Cut = Callable[[str], Sequence[str]]  # the words of a text; single letters may be among them, and are left out


@dataclass(frozen=True, eq=False)
class _Stream:
    """The words of some texts one behind the other, as numbers, and how many each text has."""

    flat: Integers
    lengths: Integers

    @classmethod
    def of(cls, found: Numbered, numbers: Integers) -> _Stream:
        """With these numbers for the words found; words with a negative one are left out."""
        flat = numbers[found.flat] if len(numbers) else np.zeros(0, np.int64)
        kept = np.flatnonzero(flat >= 0)
        owners = np.repeat(np.arange(len(found.lengths)), found.lengths)
        return cls(flat[kept], np.bincount(owners[kept], minlength=len(found.lengths)))

    @cached_property
    def owners(self) -> Integers:
        """Whose each word is."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    def pairs(self, n_words: int) -> tuple[Integers, Integers]:
        """Every word with its neighbor, as a number, and where the first of them stands."""
        places = np.flatnonzero(self.owners[:-1] == self.owners[1:])
        return self.flat[places] * n_words + self.flat[places + 1], places


@dataclass(frozen=True, eq=False)
class _Uses:
    """The terms of some texts: for every use whose it is, which term, and a number that grows with where it stands.

    In a text, words come before pairs.
    """

    owners: Integers
    terms: Integers
    order: Integers
    n_texts: int

    @classmethod
    def of(cls, stream: _Stream, pairs: Integers, n_words: int) -> _Uses:
        """Words by their numbers, and after them those of the `pairs` (ascending) that the texts have."""
        keys, places = stream.pairs(n_words)
        at, hit = _find(keys, pairs)
        places = places[hit]
        starts = np.cumsum(stream.lengths) - stream.lengths
        whose = stream.owners[places]
        behind = places + starts[whose] + stream.lengths[whose]
        return cls(
            np.concatenate((stream.owners, whose)),
            np.concatenate((stream.flat, at[hit] + n_words)),
            np.concatenate((np.arange(len(stream.flat)) + starts[stream.owners], behind)),
            len(stream.lengths),
        )

    def texts_with(self, n_terms: int) -> Integers:
        """How many of the texts have each term."""
        both = np.sort(self.owners * n_terms + self.terms)
        fresh = np.ones(len(both), np.bool_)
        fresh[1:] = both[1:] != both[:-1]
        return np.bincount(both[fresh] % max(1, n_terms), minlength=n_terms)

    def count(self, numbers: Integers, n_terms: int) -> sparse.csr_matrix:
        """How often each text uses each term, by other numbers of them; those with a negative one are left out."""
        new = numbers[self.terms]
        chosen = new >= 0
        return _counted(self.owners[chosen], new[chosen], self.n_texts, n_terms)


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

    def count(self, texts: Sequence[str], cut: Cut) -> sparse.csr_matrix:
        """How often each text uses each term; float32 of shape (texts, terms), terms ascending in every row."""
        found, stranger = number_words(texts, cut), len(self.words)
        numbers = np.array([self.words.get(word, stranger) for word in found.known], np.int64)
        stream = _Stream.of(found, np.where(_usable(found.known), numbers, _NO_TERM))
        single = np.append(self.single, _NO_TERM)[stream.flat]
        keys, places = stream.pairs(stranger)
        known = np.flatnonzero((stream.flat[places] < stranger) & (stream.flat[places + 1] < stranger))
        at, hit = _find(keys[known], self.pairs)
        terms = np.concatenate((single, self.paired[at[hit]]))
        owners = np.concatenate((stream.owners, stream.owners[places[known[hit]]]))
        return _counted(owners[terms >= 0], terms[terms >= 0], len(texts), self.n_terms)


def count_terms(
    texts: Sequence[str], cut: Cut, fewest: int, threads: int = 1
) -> tuple[tuple[str, ...], sparse.csr_matrix]:
    """The terms that at least `fewest` texts have, in alphabetical order, and how often each text uses each.

    Terms of a row stand in the order in which the texts first use them: what is summed over a row is summed that way.
    """
    each = partial(ordered_map, threads=threads)
    found = number_words(texts, cut)
    words = found.known
    own = np.where(_usable(words), np.arange(len(words)), _NO_TERM)
    streams = list(each(partial(_Stream.of, numbers=own), _parts(found)))
    pairs = _recurring([stream.pairs(len(words))[0] for stream in streams], fewest)
    uses = list(each(partial(_Uses.of, pairs=pairs, n_words=len(words)), streams))
    n_terms = len(words) + len(pairs)
    having = np.zeros(n_terms, np.int64)
    for some in each(lambda part: part.texts_with(n_terms), uses):
        having += some
    kept = np.flatnonzero(having >= fewest)
    met = np.full(n_terms, _NO_TERM)
    met[kept[np.argsort(_first_met(uses, n_terms)[kept])]] = np.arange(len(kept))
    counts = sparse.vstack(list(each(lambda part: part.count(met, len(kept)), uses)), format="csr")
    names, alphabetical = _names(words, kept, pairs)
    place = np.empty(len(kept), np.int32)
    place[met[kept[alphabetical]]] = np.arange(len(kept))
    counts.indices = place[counts.indices]
    counts.has_sorted_indices = False
    return names, counts


def _usable(words: Sequence[str]) -> Booleans:
    """Which words are more than one letter or digit."""
    return np.array([len(word) > 1 or not word.isascii() for word in words], np.bool_)


def _parts(found: Numbered) -> Iterator[Numbered]:
    """The words of some texts after those of others, about PART of them at a time."""
    starts = np.concatenate(([0], np.cumsum(found.lengths, dtype=np.int64)))
    cuts = np.searchsorted(starts, np.arange(PART, int(starts[-1]), PART))
    for begin, end in pairwise([0, *np.unique(cuts[cuts < len(found.lengths)]).tolist(), len(found.lengths)]):
        yield Numbered(found.flat[starts[begin] : starts[end]], found.lengths[begin:end], found.known)


def _recurring(keys: Sequence[Integers], fewest: int) -> Integers:
    """The keys that stand there so often, ascending."""
    ordered = np.concatenate([np.zeros(0, np.int64), *keys])
    ordered.sort()
    begins = np.flatnonzero(np.diff(ordered, prepend=-1))
    return np.asarray(ordered[begins[np.diff(begins, append=len(ordered)) >= fewest]])


def _find(keys: Integers, known: Integers) -> tuple[Integers, Booleans]:
    """Where keys stand among those that are known, which ascend, and which do at all."""
    if len(known) == 0:
        return np.zeros(len(keys), np.intp), np.zeros(len(keys), np.bool_)
    order = np.argsort(keys)  # what is looked for in order is found in memory that has just been read
    at = np.empty(len(keys), np.intp)
    at[order] = np.minimum(np.searchsorted(known, keys[order]), len(known) - 1)
    return at, known[at] == keys


def _first_met(uses: Sequence[_Uses], n_terms: int) -> Integers:
    """For each term a number that grows with where it is first met."""
    first = np.zeros(n_terms, np.int64)
    after = 2 * sum(len(part.terms) for part in uses)
    for part in reversed(uses):
        after -= 2 * len(part.terms)
        first[part.terms[::-1]] = part.order[::-1] + after  # the first of several is written last
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
