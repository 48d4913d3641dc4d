"""Letterheads: first words that many documents of one source share, where texts have no line breaks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np

from visavis.corpus.notices import fold
from visavis.corpus.runs import Runs, Shares, plain
from visavis.records import Floats, Integers
from visavis.shared.unspaced import find_signs, split_signs

HEAD = 60  # words in which a letterhead is sought
RUN = 6  # words in a row that must recur
SLACK = 8  # words between two such runs that may differ: a name, a date
LEAST = 0.2  # of the documents of a source, or of the corpus, must share a run
LEAST_BEHIND = 0.5  # where other words stand before it

_LONGEST = 700  # bytes: no letterhead is sought behind them


def letterhead_key(text: bytes) -> int:
    """A hash of the first 6 words of a text; 0 for one that has fewer."""
    words = split_signs(fold(text[:_LONGEST]), RUN)
    if len(words) < RUN:
        return 0
    return int.from_bytes(blake2b(b" ".join([plain[word] for word in words]), digest_size=8).digest(), "little") >> 1


Ends = list[tuple[int, int]]  # texts, and where their letterheads end


@dataclass(frozen=True)
class Letterheads:
    """Runs of words that many documents of a source, or of all, have: as their first words, and further on."""

    begun: Shares = field(default_factory=dict)
    within: Shares = field(default_factory=dict)

    def ends(self, text_at: Callable[[int], bytes], keys: Integers, sources: Sequence[str]) -> Ends:
        """The texts whose letterhead is known of their source, or of all, and where it ends."""
        there = np.flatnonzero(keys)
        begun = Runs(there, np.zeros(len(there), np.intp), keys[there])
        opened = there[begun.known_shares(self.begun, sources) >= LEAST]
        texts = [text_at(index) for index in opened.tolist()]
        runs = Runs.of(_heads(texts), RUN)
        return _ends(texts, opened, runs, runs.known_shares(self.within, [sources[at] for at in opened.tolist()]))


def shared_letterheads(
    text_at: Callable[[int], bytes], keys: Integers, owners: Integers, families: Integers, sources: Sequence[str]
) -> tuple[Ends, Letterheads]:
    """The texts that share a letterhead with others of their owner, or of all, and where it ends.

    Runs of 6 words must recur in a fifth of the owner's documents (3 at least; 5 of the corpus); `owners` are −1 where
    not known, and documents of one family count once. `keys` tell how the texts begin. The letterheads found can
    be looked for in later texts, whose owners are known by their names, the `sources`.
    """
    there = np.flatnonzero(keys)
    begun = Runs(there, np.zeros(len(there), np.intp), keys[there])
    begin = begun.shares(owners, families)
    opened = there[begin.max(axis=0) >= LEAST]
    texts = [text_at(index) for index in opened.tolist()]
    runs = Runs.of(_heads(texts), RUN)
    shares = runs.shares(owners, families, opened)
    own = [sources[at] for at in opened.tolist()]
    known = Letterheads(begun.often(begin, LEAST, sources), runs.often(shares, LEAST, own))
    return _ends(texts, opened, runs, shares.max(axis=0)), known


def _heads(texts: Sequence[bytes]) -> list[list[bytes]]:
    return [split_signs(fold(text[:_LONGEST]), HEAD) for text in texts]


def _ends(texts: Sequence[bytes], opened: Integers, runs: Runs, shares: Floats) -> Ends:
    """Where the chains of recurring runs end with which the opened texts begin."""
    found = []
    for place, (index, own) in enumerate(zip(opened.tolist(), runs.of_each(len(opened)), strict=True)):
        often = shares[own] >= LEAST
        end = _end_of_words(texts[place], _chained(runs.places[own][often], shares[own][often]))
        if end:
            found.append((index, end))
    return found


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
