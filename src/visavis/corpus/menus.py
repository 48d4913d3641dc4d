"""Menus and footers of pages that stand on one line: stretches that many documents share within long passages.

Where a page was turned into text without line breaks, its menu is no line and no sentence, but a part of one that also
holds the title before it and the first words of the story behind it. What stories share may look alike, so only long
stretches count, of words that mostly begin with a capital, or that half of the documents have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from visavis.corpus.notices import fold
from visavis.corpus.passages import join_lines, split_lines
from visavis.corpus.runs import Runs, Shares
from visavis.records import Booleans, Floats, Integers
from visavis.shared.processes import CHUNK
from visavis.shared.unspaced import has_raw_unspaced

LONG = 40  # words from which on a passage may hold a menu
RUN = 8  # words in a row that must recur
SHORTEST = 20  # words of a menu
LEAST, CAPITALS = 0.2, 0.5  # of the documents of a source, or of the corpus, if so many words begin with a capital
LEAST_OF_PROSE = 0.5  # of the documents, if fewer do
FEWEST = (5, 10)  # documents of a source, and of the corpus
LOOKED_AT = 600  # words of a document
MOST_JUDGED = 4_000  # documents in which menus are sought, evenly drawn

_WORD = re.compile(rb"\S+")
_TextAt = Callable[[int], bytes]


@dataclass(frozen=True, eq=False)
class _Long:
    """A long passage: the text it is of, its place in it, and its words."""

    row: int
    line: int
    at: int
    words: list[bytes]


def shared_menus(
    text_at: _TextAt, rows: Integers, owners: Integers, families: Integers, sources: Sequence[str]
) -> Shares:
    """The menus that these texts share with others of their owner, or of all, as runs of 8 words, by source.

    A menu has 20 words and more. Every run of 8 in it recurs in a fifth of the owner's documents where half of 20 words
    begin with a capital, else in half of them; in 5 at least, 10 of the corpus. `owners` are −1 where not known, and
    documents of one family count once. Where documents are very many, menus are sought in some of them.
    """
    step = -(-max(1, len(owners)) // MOST_JUDGED)
    found = [one for row in rows[rows % step == 0].tolist() for one in _long_passages(row, text_at(row))]
    runs, rows_of = _runs(found), np.array([one.row for one in found], np.intp)
    shares = runs.shares(owners[::step], families[::step], rows_of // step, FEWEST)
    for one, own in zip(found, runs.of_each(len(found)), strict=True):
        for of_owner in shares:  # what recurs in one source may be said by chance in another
            of_owner[own] *= _in_menus(one.words, runs.places[own], of_owner[own])
    return runs.often(shares, LEAST, [sources[row] for row in rows_of.tolist()])


def without_menus(text_at: _TextAt, rows: Integers, known: Shares, sources: Sequence[str]) -> dict[int, bytes]:
    """Those of these texts that have menus which are known of their source, or of all, without them."""
    changed: dict[int, bytes] = {}
    for begin in range(0, len(rows) if known else 0, CHUNK):
        found = [one for row in rows[begin : begin + CHUNK].tolist() for one in _long_passages(row, text_at(row))]
        runs = _runs(found)
        there = runs.known_shares(known, [sources[one.row] for one in found]) > 0
        spans = [_stretches(runs.places[own][there[own]]) for own in runs.of_each(len(found))]
        for row, own in groupby(zip(found, spans, strict=True), key=lambda pair: pair[0].row):
            cut = {(one.line, one.at): span for one, span in own if span}
            if cut:
                changed[row] = _without(text_at(row), cut)
    return changed


def _long_passages(row: int, text: bytes) -> Iterator[_Long]:
    """The long passages at the beginning of a text; in scripts without blanks they are not told from words."""
    left = LOOKED_AT
    for line, passages in enumerate(_lines(text)):
        for at, passage in enumerate(passages):
            if left > 0 and passage.count(b" ") >= LONG - 1 and not has_raw_unspaced(passage):
                words = passage.split(None, left)[:left]
                left -= len(words)
                yield _Long(row, line, at, words)


def _lines(text: bytes) -> list[list[bytes]]:
    return split_lines(text, has_raw_unspaced(text))


def _runs(found: Sequence[_Long]) -> Runs:
    return Runs.of([fold(b" ".join(one.words)).split(b" ") for one in found], RUN)


def _in_menus(words: Sequence[bytes], places: Integers, shares: Floats) -> Booleans:
    """Which runs of a passage are part of a menu."""
    spans = []
    for begin, end in _stretches(places[shares >= LEAST]):
        inside = (places >= begin) & (places <= end - RUN) & (shares >= LEAST_OF_PROSE)
        spans += [(begin + first, begin + last) for first, last in _capitals(words[begin:end])]
        spans += _stretches(places[inside])
    found = np.zeros(len(places), np.bool_)
    for begin, end in spans:
        found |= (places >= begin) & (places <= end - RUN)
    return found


def _capitals(words: Sequence[bytes]) -> list[tuple[int, int]]:
    """From which word to which half of any 20 in a row begin with a capital, or are signs or numbers."""
    begins = [word.decode("utf-8", "replace")[0] for word in words]
    before = np.cumsum([0, *(sign.isupper() or not sign.isalpha() for sign in begins)])
    found = np.zeros(len(words) + 2, np.int8)
    for first in np.flatnonzero(before[SHORTEST:] - before[:-SHORTEST] >= CAPITALS * SHORTEST).tolist():
        found[first + 1 : first + 1 + SHORTEST] = 1
    turns = np.flatnonzero(np.diff(found)).tolist()
    return list(zip(turns[::2], turns[1::2], strict=True))


def _stretches(places: Integers) -> list[tuple[int, int]]:
    """From which word to which other runs follow each other without a gap, where that is long enough."""
    breaks = np.flatnonzero(np.diff(places) > RUN) + 1
    parts = pairwise((0, *breaks.tolist(), len(places)))
    spans = [(int(places[begin]), int(places[end - 1]) + RUN) for begin, end in parts if begin < end]
    return [(begin, end) for begin, end in spans if end - begin >= SHORTEST]


def _without(text: bytes, cut: dict[tuple[int, int], list[tuple[int, int]]]) -> bytes:
    """A text without these words of its passages."""
    lines = _lines(text)
    for (line, at), spans in cut.items():
        lines[line][at] = _cut(lines[line][at], spans)
    return join_lines(lines)


def _cut(passage: bytes, spans: Sequence[tuple[int, int]]) -> bytes:
    """A passage without these words."""
    words = [word.span() for word in _WORD.finditer(passage)]
    kept, end = [], 0
    for first, behind in spans:
        kept.append(passage[end : words[first][0]].strip())
        end = words[behind - 1][1]
    return b" ".join(piece for piece in (*kept, passage[end:].strip()) if piece)
