"""Openings that many documents of one source share word for word: letterheads of texts without line breaks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np

from visavis.corpus.duplicates import scatter
from visavis.corpus.notices import fold
from visavis.records import Floats, Integers
from visavis.shared.unspaced import find_signs, split_signs

HEAD = 60  # words in which an opening is sought
RUN = 6  # words in a row that must recur
SLACK = 8  # words between two such runs that may differ: a name, a date
LEAST = 0.2  # of the documents of a source, or of the corpus, must share a run
LEAST_BEHIND = 0.5  # where other words stand before it
FEWEST, FEWEST_IN_ALL = 3, 5

_LONGEST = 700  # bytes: no opening is sought behind them
_ODD = np.uint64(0x9E3779B97F4A7C15)
_DIGITS = re.compile(rb"0+")
_TIMES = re.compile(
    rb"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uary|march|april|may|june|july|august|"
    rb"(?:septem|octo|novem|decem)ber),?$"
)


class _Numbers(dict[bytes, int]):
    """Words as numbers that are always the same; words that differ in digits, or are days and months, share one."""

    def __missing__(self, word: bytes) -> int:
        plain = b"<time>" if _TIMES.match(word) else _DIGITS.sub(b"0", word)
        self[word] = number = int.from_bytes(blake2b(plain, digest_size=8).digest())
        return number


Shares = Mapping[str, Mapping[int, float]]  # of a source's documents ("" for all) that have a run, by its number


@dataclass(frozen=True)
class Openings:
    """Runs of words that many documents of a source, or of all, have: as their first words, and further on."""

    begun: Shares = field(default_factory=dict)
    within: Shares = field(default_factory=dict)

    def ends(self, texts: Sequence[bytes], sources: Sequence[str]) -> Integers:
        """Where in each text an opening ends that is known of its source, or of all; 0 if there is none."""
        numbers = _Numbers()
        begun = _Runs.of(texts, numbers, RUN)
        opened = begun.documents[begun.known_shares(self.begun, sources) >= LEAST]
        runs = _Runs.of([texts[index] for index in opened.tolist()], numbers, HEAD)
        return _ends(texts, opened, runs, runs.known_shares(self.within, [sources[at] for at in opened.tolist()]))


def shared_openings(
    texts: Sequence[bytes], owners: Integers, families: Integers, sources: Sequence[str]
) -> tuple[Integers, Openings]:
    """Where in each text the opening ends that it shares with others of its owner, or of all; 0 if it shares none.

    Runs of 6 words must recur in a fifth of the owner's documents (3 at least; 5 of the corpus); `owners` are −1 where
    not known, and documents of one family count once. The openings found can be looked for in later texts, whose
    owners are known by their names, the `sources`.
    """
    numbers = _Numbers()
    begun = _Runs.of(texts, numbers, RUN)
    begin = begun.shares(owners, families)
    opened = begun.documents[begin.max(axis=0) >= LEAST]
    runs = _Runs.of([texts[index] for index in opened.tolist()], numbers, HEAD)
    shares = runs.shares(owners, families, opened)
    known = Openings(begun.often(begin, sources), runs.often(shares, [sources[at] for at in opened.tolist()]))
    return _ends(texts, opened, runs, shares.max(axis=0)), known


def _ends(texts: Sequence[bytes], opened: Integers, runs: _Runs, shares: Floats) -> Integers:
    """Where the chains of recurring runs end with which texts open; 0 for those that are not among the opened."""
    ends = np.zeros(len(texts), np.intp)
    for place, index in enumerate(opened.tolist()):
        own = slice(*np.searchsorted(runs.documents, [place, place + 1]))
        often = shares[own] >= LEAST
        ends[index] = _end_of_words(texts[index], _chained(runs.places[own][often], shares[own][often]))
    return ends


@dataclass(frozen=True, eq=False)
class _Runs:
    """All runs of 6 words in the first words of texts: whose each is, where it begins, and a number for its words."""

    documents: Integers
    places: Integers
    keys: Integers

    @classmethod
    def of(cls, texts: Sequence[bytes], numbers: _Numbers, n_words: int) -> _Runs:
        heads = [split_signs(fold(text[:_LONGEST]), n_words) for text in texts]
        lengths = np.array([len(head) for head in heads], np.intp)
        flat = np.array([numbers[word] for head in heads for word in head], np.uint64)
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
