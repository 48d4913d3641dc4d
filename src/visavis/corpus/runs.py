"""Runs of words that recur across documents, word for word but for digits, days and months."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from visavis.corpus.proposals import scatter
from visavis.records import Floats, Integers

FEWEST = (3, 5)  # documents of a source, and of the corpus, that must share a passage or a run

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


plain = _Plain()


class _Numbers(dict[bytes, int]):
    """Words as numbers that are always the same."""

    def __missing__(self, word: bytes) -> int:
        self[word] = number = int.from_bytes(blake2b(word, digest_size=8).digest())
        return number


Shares = Mapping[str, Mapping[int, float]]  # of a source's documents ("" for all) that have a run, by its number


@dataclass(frozen=True, eq=False)
class Runs:
    """All runs of some texts: whose each is, at which word it begins, and a number for its words."""

    texts: Integers
    places: Integers
    keys: Integers

    @classmethod
    def of(cls, texts: Sequence[Sequence[bytes]], length: int) -> Runs:
        """All runs of so many words, from the folded words of each text."""
        lengths = np.array([len(words) for words in texts], np.intp)
        numbers = _Numbers()
        flat = np.array([numbers[plain[word]] for words in texts for word in words], np.uint64)
        text = np.repeat(np.arange(len(texts)), lengths)
        runs = np.zeros(max(0, len(flat) - length + 1), np.uint64)
        for step in range(length):
            runs = scatter(runs + flat[step : len(runs) + step] + _ODD)
        whole = np.flatnonzero(text[: len(runs)] == text[length - 1 :])
        places = whole - (np.cumsum(lengths) - lengths)[text[whole]]
        return cls(text[whole], places, runs[whole].view(np.int64))

    def shares(
        self, owners: Integers, families: Integers, rows: Integers | None = None, fewest: tuple[int, int] = FEWEST
    ) -> Floats:
        """For each run the share of the families of its owner, and of the corpus, that have it; 0 where they are few.

        `rows` says whose texts these are, where not one is of each document. Shape (2, runs).
        """
        documents = self.texts if rows is None else rows[self.texts]
        found = np.zeros((2, len(documents)))
        for at, own in enumerate((owners, np.zeros_like(owners))):
            known = np.flatnonzero(own[documents] >= 0)
            if len(known):
                owner = own[documents[known]]
                counts = count_families(self.keys[known], owner, families[documents[known]])
                found[at, known] = np.where(counts >= fewest[at], counts / np.bincount(own[own >= 0])[owner], 0.0)
        return found

    def often(self, shares: Floats, least: float, sources: Sequence[str]) -> dict[str, dict[int, float]]:
        """The runs that recur often enough, by the source they recur in; `sources` are the texts' own."""
        found: dict[str, dict[int, float]] = {}
        for at, place in np.argwhere(shares >= least).tolist():
            source = "" if at else sources[self.texts[place]]
            found.setdefault(source, {})[int(self.keys[place])] = float(shares[at, place])
        return found

    def known_shares(self, known: Shares, sources: Sequence[str]) -> Floats:
        """The share that is known of each run, in its source or in all; 0 where none is; shape (runs,)."""
        everywhere = known.get("", {})
        pairs = zip(self.texts.tolist(), self.keys.tolist(), strict=True)
        return np.array(
            [max(known.get(sources[text], everywhere).get(key, 0.0), everywhere.get(key, 0.0)) for text, key in pairs]
        )

    def of_each(self, n_texts: int) -> list[slice]:
        """Where the runs of each text stand."""
        bounds = np.searchsorted(self.texts, np.arange(n_texts + 1)).tolist()
        return [slice(bounds[at], bounds[at + 1]) for at in range(n_texts)]


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
