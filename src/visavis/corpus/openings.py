"""Openings that many documents of one source share word for word: letterheads of texts without line breaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np

from visavis.corpus.notices import fold
from visavis.corpus.proposals import scatter
from visavis.records import Floats, Integers
from visavis.shared.unspaced import find_signs, split_signs

HEAD = 60  # words in which an opening is sought
RUN = 6  # words in a row that must recur
SLACK = 8  # words between two such runs that may differ: a name, a date
LEAST = 0.2  # of the documents of a source, or of the corpus, must share a run
LEAST_BEHIND = 0.5  # where other words stand before it
FEWEST, FEWEST_IN_ALL = 3, 5

_LONGEST = 700  # bytes: no opening is sought behind them
_MOST_KNOWN = 200_000  # words that are remembered as they are compared
_ODD = np.uint64(0x9E3779B97F4A7C15)
_DIGITS = re.compile(rb"0+")
_TIMES = re.compile(
    rb"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uary|march|april|may|june|july|august|"
    rb"(?:septem|octo|novem|decem)ber),?$"
)


class _Plain(dict[bytes, bytes]):
    """Words as they are compared: those that differ in digits, or are days and months, are the same."""

    def __missing__(self, word: bytes) -> bytes:
        plain = b"<time>" if _TIMES.match(word) else _DIGITS.sub(b"0", word)
        if len(self) < _MOST_KNOWN:
            self[word] = plain
        return plain


_plain = _Plain()


class _Numbers(dict[bytes, int]):
    """Words as numbers that are always the same."""

    def __missing__(self, word: bytes) -> int:
        self[word] = number = int.from_bytes(blake2b(word, digest_size=8).digest())
        return number


def opening_key(text: bytes) -> int:
    """A hash of the first 6 words of a text; 0 for one that has fewer."""
    words = split_signs(fold(text[:_LONGEST]), RUN)
    if len(words) < RUN:
        return 0
    return int.from_bytes(blake2b(b" ".join([_plain[word] for word in words]), digest_size=8).digest(), "little") >> 1


Shares = Mapping[str, Mapping[int, float]]  # of a source's documents ("" for all) that have a run, by its number
Ends = list[tuple[int, int]]  # texts, and where their openings end


@dataclass(frozen=True)
class Openings:
    """Runs of words that many documents of a source, or of all, have: as their first words, and further on."""

    begun: Shares = field(default_factory=dict)
    within: Shares = field(default_factory=dict)

    def ends(self, text_at: Callable[[int], bytes], keys: Integers, sources: Sequence[str]) -> Ends:
        """The texts whose opening is known of their source, or of all, and where it ends."""
        there = np.flatnonzero(keys)
        begun = _Runs(there, np.zeros(len(there), np.intp), keys[there])
        opened = there[begun.known_shares(self.begun, sources) >= LEAST]
        texts = [text_at(index) for index in opened.tolist()]
        runs = _Runs.of(texts)
        return _ends(texts, opened, runs, runs.known_shares(self.within, [sources[at] for at in opened.tolist()]))


def shared_openings(
    text_at: Callable[[int], bytes], keys: Integers, owners: Integers, families: Integers, sources: Sequence[str]
) -> tuple[Ends, Openings]:
    """The texts that share an opening with others of their owner, or of all, and where it ends.

    Runs of 6 words must recur in a fifth of the owner's documents (3 at least; 5 of the corpus); `owners` are −1 where
    not known, and documents of one family count once. `keys` are those of the texts' openings. The openings found can
    be looked for in later texts, whose owners are known by their names, the `sources`.
    """
    there = np.flatnonzero(keys)
    begun = _Runs(there, np.zeros(len(there), np.intp), keys[there])
    begin = begun.shares(owners, families)
    opened = there[begin.max(axis=0) >= LEAST]
    texts = [text_at(index) for index in opened.tolist()]
    runs = _Runs.of(texts)
    shares = runs.shares(owners, families, opened)
    known = Openings(begun.often(begin, sources), runs.often(shares, [sources[at] for at in opened.tolist()]))
    return _ends(texts, opened, runs, shares.max(axis=0)), known


def _ends(texts: Sequence[bytes], opened: Integers, runs: _Runs, shares: Floats) -> Ends:
    """Where the chains of recurring runs end with which the opened texts begin."""
    bounds = np.searchsorted(runs.documents, np.arange(len(opened) + 1)).tolist()
    found = []
    for place, index in enumerate(opened.tolist()):
        own = slice(bounds[place], bounds[place + 1])
        often = shares[own] >= LEAST
        end = _end_of_words(texts[place], _chained(runs.places[own][often], shares[own][often]))
        if end:
            found.append((index, end))
    return found


@dataclass(frozen=True, eq=False)
class _Runs:
    """All runs of 6 words in the first words of texts: whose each is, where it begins, and a number for its words."""

    documents: Integers
    places: Integers
    keys: Integers

    @classmethod
    def of(cls, texts: Sequence[bytes]) -> _Runs:
        heads = [split_signs(fold(text[:_LONGEST]), HEAD) for text in texts]
        lengths = np.array([len(head) for head in heads], np.intp)
        numbers = _Numbers()
        flat = np.array([numbers[_plain[word]] for head in heads for word in head], np.uint64)
        document = np.repeat(np.arange(len(texts)), lengths)
        runs = np.zeros(max(0, len(flat) - RUN + 1), np.uint64)
        for step in range(RUN):
            runs = scatter(runs + flat[step : len(runs) + step] + _ODD)
        whole = np.flatnonzero(document[: len(runs)] == document[RUN - 1 :])
        places = whole - (np.cumsum(lengths) - lengths)[document[whole]]
        return cls(document[whole], places, runs[whole].view(np.int64))

    def shares(self, owners: Integers, families: Integers, rows: Integers | None = None) -> Floats:
        """For each run the share of the families of its owner, and of the corpus, that have it; 0 where they are few.

        `rows` says which texts these are, where not all. Shape (2, runs).
        """
        documents = self.documents if rows is None else rows[self.documents]
        found = np.zeros((2, len(documents)))
        for at, (own, fewest) in enumerate(((owners, FEWEST), (np.zeros_like(owners), FEWEST_IN_ALL))):
            known = np.flatnonzero(own[documents] >= 0)
            if len(known):
                owner = own[documents[known]]
                counts = count_families(self.keys[known], owner, families[documents[known]])
                found[at, known] = np.where(counts >= fewest, counts / np.bincount(own[own >= 0])[owner], 0.0)
        return found

    def often(self, shares: Floats, sources: Sequence[str]) -> dict[str, dict[int, float]]:
        """The runs that recur often enough, by the source they recur in; `sources` are the texts' own."""
        found: dict[str, dict[int, float]] = {}
        for at, place in np.argwhere(shares >= LEAST).tolist():
            source = "" if at else sources[self.documents[place]]
            found.setdefault(source, {})[int(self.keys[place])] = float(shares[at, place])
        return found

    def known_shares(self, known: Shares, sources: Sequence[str]) -> Floats:
        """The share that is known of each run, in its source or in all; 0 where none is; shape (runs,)."""
        everywhere = known.get("", {})
        pairs = zip(self.documents.tolist(), self.keys.tolist(), strict=True)
        return np.array(
            [max(known.get(sources[text], everywhere).get(key, 0.0), everywhere.get(key, 0.0)) for text, key in pairs]
        )


def count_families(keys: Integers, owners: Integers, families: Integers) -> Integers:
    """For each of the keys, how many distinct families of its owner have it."""
    order = np.lexsort((families, keys, owners))
    key, owner, family = keys[order], owners[order], families[order]
    fresh = np.ones(len(key), np.bool_)
    fresh[1:] = (key[1:] != key[:-1]) | (owner[1:] != owner[:-1])
    distinct = fresh.copy()
    distinct[1:] |= family[1:] != family[:-1]
    blocks = np.cumsum(fresh) - 1
    counts = np.zeros(len(key), np.intp)
    counts[order] = np.bincount(blocks, distinct)[blocks] if len(key) else 0
    return counts


def _chained(places: Integers, shares: Floats) -> int:
    """How many words the chain of recurring runs takes that begins with the text."""
    end = 0
    for place, share in zip(places.tolist(), shares.tolist(), strict=True):
        if place > end and (not end or place > end + SLACK or share < LEAST_BEHIND):
            break
        end = max(end, place + RUN)
    return end


def _end_of_words(text: bytes, count: int) -> int:
    """Where the first words of a text end."""
    if not count:
        return 0
    *_, last = (word for word, _ in zip(find_signs(text), range(count), strict=False))
    return last.end()
