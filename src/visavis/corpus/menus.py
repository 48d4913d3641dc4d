"""Menus and footers of pages that stand on one line: stretches that many documents share within long passages.

Where a page was turned into text without line breaks, its menu is no line and no sentence, but a part of one that also
holds the title before it and the first words of the story behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from visavis.corpus.notices import fold
from visavis.corpus.passages import join_lines, split_lines
from visavis.corpus.runs import Runs, Shares
from visavis.records import Booleans, Integers
from visavis.shared.unspaced import find_signs, has_raw_unspaced

LONG, LONG_THERE = 40, 16  # words from which on a passage may hold a menu, and where another of its text holds one
RUN = 8  # words in a row that must recur
LEAST = 0.2  # of the documents of a source, or of the corpus, must share a run
SLACK = 8  # words between two such runs that may differ
SHORTEST = 12  # words of a menu

_Rule = Callable[[Runs, Integers], Booleans]  # which runs recur, from them and the rows of the texts that have them


def shared_menus(
    text_at: Callable[[int], bytes], rows: Integers, owners: Integers, families: Integers, sources: Sequence[str]
) -> tuple[dict[int, bytes], Shares]:
    """Those of these texts that share menus with others of their owner, or of all, without them.

    Runs of 8 words must recur in a fifth of the owner's documents (3 at least; 5 of the corpus); `owners` are −1 where
    not known, and documents of one family count once. What recurs can be left out of later texts, whose owners are
    known by their names, the `sources`.
    """
    known: dict[str, dict[int, float]] = {}

    def recurring(runs: Runs, of_run: Integers) -> Booleans:
        shares = runs.shares(owners, families, of_run)
        for source, found in runs.often(shares, LEAST, [sources[row] for row in of_run.tolist()]).items():
            known.setdefault(source, {}).update(found)
        return np.asarray(shares.max(axis=0) >= LEAST)

    return _without(text_at, rows, recurring), known


def without_menus(
    text_at: Callable[[int], bytes], rows: Integers, known: Shares, sources: Sequence[str]
) -> dict[int, bytes]:
    """Those of these texts that have menus which are known of their source, or of all, without them."""

    def recurring(runs: Runs, of_run: Integers) -> Booleans:
        return runs.known_shares(known, [sources[row] for row in of_run.tolist()]) >= LEAST

    return _without(text_at, rows, recurring) if known else {}


def _without(text_at: Callable[[int], bytes], rows: Integers, rule: _Rule) -> dict[int, bytes]:
    """The texts of which something goes, by row: long passages are looked at first, and there shorter ones, too."""
    found = _cut_all({row: text_at(row) for row in rows.tolist()}, LONG, rule)
    return found | _cut_all(found, LONG_THERE, rule)


def _cut_all(texts: Mapping[int, bytes], long: int, rule: _Rule) -> dict[int, bytes]:
    """The texts of which something goes, looking at passages of so many words."""
    lines = {row: _lines(text) for row, text in texts.items()}
    there = [
        (row, line, at)
        for row, own in lines.items()
        for line in own
        for at, passage in enumerate(line)
        if passage.count(b" ") >= long - 1
    ]
    runs = Runs.of([[word[0] for word in find_signs(fold(line[at]))] for _, line, at in there], RUN)
    rows = np.array([row for row, _, _ in there], np.intp)
    recurring = rule(runs, rows)
    changed = {}
    for (row, line, at), own in zip(there, runs.of_each(len(there)), strict=True):
        if spans := _stretches(runs.places[own][recurring[own]]):
            line[at] = _cut(line[at], spans)
            changed[row] = lines[row]
    return {row: join_lines(own) for row, own in changed.items()}


def _lines(text: bytes) -> list[list[bytes]]:
    return split_lines(text, has_raw_unspaced(text))


def _stretches(places: Integers) -> list[tuple[int, int]]:
    """From which word to which other the recurring runs of a passage go, where they make a stretch."""
    if len(places) == 0:
        return []
    breaks = np.flatnonzero(np.diff(places) > RUN + SLACK) + 1
    parts = pairwise((0, *breaks.tolist(), len(places)))
    spans = [(int(places[begin]), int(places[end - 1]) + RUN) for begin, end in parts]
    return [(begin, end) for begin, end in spans if end - begin >= SHORTEST]


def _cut(passage: bytes, spans: Sequence[tuple[int, int]]) -> bytes:
    """A passage without these words."""
    words = [word.span() for word in find_signs(passage)]
    kept, end = [], 0
    for first, behind in spans:
        kept.append(passage[end : words[first][0]].rstrip())
        end = words[behind - 1][1]
    return b" ".join(piece for piece in (*kept, passage[end:].lstrip()) if piece)
