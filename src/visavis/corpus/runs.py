"""The words of texts as numbers that can be compared: their sentences and lines, and runs of them.

Words that differ only in case or digits have the same key, numbers however many digits they have, and so do the names
of days and months. A character of a script without blanks is a word of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from visavis.corpus.notices import word_lists
from visavis.corpus.proposals import scatter
from visavis.records import Booleans, Integers
from visavis.shared.unspaced import EAST_ASIAN_WORD, SOUTHEAST_WORD, UNSPACED

RUN_WORDS = 6  # of a run: fewer recur by chance
QUARTERS = 4  # of a word: what one counts that stands between blanks

Keys = NDArray[np.uint64]

_SPACE, _NEWLINE, _LETTER, _SIGN = range(4)
MOST_WORDS_OF_A_UNIT_LINE = 10  # a short line is not cut into sentences
TEXTS_AT_ONCE = 128  # what is made of so many fits into a processor's cache: twice as fast as a thousand
FOLDED = 0x2000  # characters; beyond there is hardly any upper case
LAST_UNSPACED = 0x2FA20  # behind the last character of a script without blanks
EAST_ASIA = 0x3000  # the first character of Chinese, Japanese and Korean, all others without blanks stand before
_ODD = np.uint64(0x9E3779B97F4A7C15)
_POWERS = np.cumprod(np.full(64, 0xD6E8FEB86659FD93, np.uint64))
_PLACES = np.arange(64, dtype=np.uint8)  # of a character in its word; only their last six bits count
_STOP, _CLOSING, _FULL_STOP = 1, 2, 3  # the last with no blank behind it
_MARKS = {_STOP: ".!?", _CLOSING: "\"')”’」』", _FULL_STOP: "。！？។"}


@dataclass(frozen=True, eq=False)
class Words:
    """All words of some texts in a row: in which `text` each stands, from where to where, and its `key`.

    `quarters` is how much it counts, in quarters of a word; `unit` numbers the sentence or line it is part of, and
    `lines` tells which units are whole lines.
    """

    text: Integers
    start: Integers
    end: Integers
    key: Keys
    quarters: Integers
    unit: Integers
    lines: Booleans

    @property
    def unit_starts(self) -> Integers:
        """The first word of each unit."""
        return np.flatnonzero(np.diff(self.unit, prepend=-1))

    @property
    def unit_keys(self) -> Keys:
        """A number for the words of each unit; a line has another than the same sentence within one."""
        starts = self.unit_starts
        place = np.arange(len(self.unit)) - starts[self.unit]
        sums = _sums(scatter(self.key + place.astype(np.uint64) * _ODD), starts)
        return scatter(sums + self.lines.astype(np.uint64))

    @property
    def unit_words(self) -> Integers:
        """How many words each unit has."""
        return (_sums(self.quarters, self.unit_starts) + QUARTERS - 1) // QUARTERS

    @property
    def places(self) -> Integers:
        """The place of each word in its text."""
        starts = np.flatnonzero(np.diff(self.text, prepend=-1))
        return np.arange(len(self.text)) - np.repeat(starts, np.diff(starts, append=len(self.text)))

    def runs(self) -> tuple[Integers, Keys]:
        """The first word of each run of six within a text, and a number for the run."""
        count = max(0, len(self.key) - RUN_WORDS + 1)
        sums = np.zeros(count, np.uint64)
        for step in range(RUN_WORDS):
            sums = (sums + self.key[step : step + count]) * _ODD
        whole = np.flatnonzero(self.text[:count] == self.text[RUN_WORDS - 1 :])
        return whole, scatter(sums[whole])


def read_words(texts: Sequence[str]) -> Words:
    """The words of these texts, read a few texts at a time."""
    parts = [_read_some(texts[at : at + TEXTS_AT_ONCE]) for at in range(0, max(1, len(texts)), TEXTS_AT_ONCE)]
    if len(parts) == 1:
        return parts[0]
    text, start, end, key, quarters, unit, lines = (
        np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(Words)
    )
    text += np.repeat(np.arange(len(parts)) * TEXTS_AT_ONCE, [len(part.text) for part in parts])
    units = np.cumsum([0, *(len(part.lines) for part in parts)])[:-1]
    unit += np.repeat(units, [len(part.unit) for part in parts])
    return Words(text, start, end, key, quarters, unit, lines)


def _read_some(texts: Sequence[str]) -> Words:
    codes = np.frombuffer("\n".join([*texts, ""]).encode("utf-32-le", "surrogatepass"), np.uint32)
    tables = _tables()
    kind = tables.kinds[codes]
    turns = np.flatnonzero((kind[1:] != kind[:-1]) | (kind[1:] == _SIGN)) + 1
    start = np.concatenate(([0], turns))
    of_words = kind[start] >= _LETTER
    start, end = start[of_words], np.append(turns, len(codes))[of_words]
    key = _keys(tables.folded[codes[kind >= _LETTER]], end - start, tables.mixed)
    key[is_among(key, tables.times)] = 0
    lengths = np.array([len(text) for text in texts], np.intp) + 1
    firsts = np.cumsum(lengths) - lengths
    counts = np.diff(np.searchsorted(start, firsts), append=len(start))
    new_line = np.zeros(len(start) + 1, np.bool_)
    new_line[np.searchsorted(start, np.flatnonzero(kind == _NEWLINE))] = True
    new_line[:1] = True
    new_unit = new_line[:-1].copy()
    line_words = np.diff(np.flatnonzero(np.append(new_unit, True)))
    long = np.repeat(line_words > MOST_WORDS_OF_A_UNIT_LINE, line_words)
    new_unit[1:] |= (_ends_sentence(codes, start, end, key) & long)[:-1]
    whole_line = np.append(new_line[:-1][new_unit], True)
    offsets = np.repeat(firsts, counts)
    return Words(
        text=np.repeat(np.arange(len(texts)), counts),
        start=start - offsets,
        end=end - offsets,
        key=key,
        quarters=tables.quarters[codes[start]].astype(np.intp),
        unit=np.cumsum(new_unit) - 1,
        lines=whole_line[:-1] & whole_line[1:],
    )


def key_of(name: str) -> int:
    """A number for a name, the same everywhere."""
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def is_among(keys: Keys, few: Keys) -> Booleans:
    """Which of many keys are among few: most are ruled out by their last bits."""
    marks = np.zeros(1 << 16, np.bool_)
    marks[few & 0xFFFF] = True
    is_one: Booleans = marks[keys & np.uint64(0xFFFF)]
    likely = np.flatnonzero(is_one)
    is_one[likely] = np.isin(keys[likely], few)
    return is_one


def _keys(folded: NDArray[np.uint16], lengths: Integers, mixed: Keys) -> Keys:
    """A number for each word, from the folded characters of all in a row; of a number's digits in a row one counts."""
    starts = np.cumsum(lengths) - lengths
    digits = folded == ord("0")
    again = np.flatnonzero(digits[1:] & digits[:-1]) + 1
    word = np.searchsorted(starts, again, side="right") - 1
    inside = digits[starts[word]] & (starts[word] < again)  # a name such as w2020 is no number
    if inside.any():
        folded = np.delete(folded, again[inside])
        lengths = lengths - np.bincount(word[inside], minlength=len(lengths))
        starts = np.cumsum(lengths) - lengths
    place = np.resize(_PLACES, len(folded)) - np.repeat(starts.astype(np.uint8), lengths)
    return scatter(_sums(mixed[folded] * _POWERS[place & 63], starts))


def _ends_sentence(codes: NDArray[np.uint32], start: Integers, end: Integers, key: Keys) -> Booleans:
    """Which words end a sentence: not titles, initials and the like of "U.S."."""
    tables = _tables()
    last, before = tables.marks[codes[end - 1]], tables.marks[codes[np.maximum(end - 2, 0)]]
    stop = np.where(last == _CLOSING, before, last)
    ends: Booleans = (stop == _STOP) | (stop == _FULL_STOP) | (tables.marks[codes[start]] == _FULL_STOP)
    likely = np.flatnonzero(ends)
    length = (end - start)[likely]
    initial = (length == 2) | ((length > 3) & (codes[np.maximum(end[likely] - 3, 0)] == ord(".")))
    ends[likely[initial & (codes[end[likely] - 1] == ord("."))]] = False
    ends[likely[is_among(key[likely], tables.abbreviations)]] = False
    return ends


def _sums(values: NDArray[Any], starts: Integers) -> NDArray[Any]:
    """The sums of stretches that begin at these places, each of one value at least."""
    return np.add.reduceat(values, starts) if len(starts) else values[:0]


@dataclass(frozen=True, eq=False)
class _Tables:
    """What is known of each character, and of some words."""

    kinds: NDArray[np.uint8]
    folded: NDArray[np.uint16]
    marks: NDArray[np.uint8]
    quarters: NDArray[np.uint8]
    mixed: Keys
    times: Keys
    abbreviations: Keys


@cache
def _tables() -> _Tables:
    """The tables, made once."""
    characters = "".join(map(chr, range(LAST_UNSPACED)))
    signs = np.array([ord(sign) for sign in re.findall(f"[{UNSPACED}]", characters)])
    kinds = np.full(0x110000, _LETTER, np.uint8)
    kinds[[code for code in range(0x3001) if chr(code).isspace()]] = _SPACE
    kinds[ord("\n")] = _NEWLINE
    kinds[signs] = _SIGN
    quarters = np.full(0x110000, QUARTERS, np.uint8)
    quarters[signs] = QUARTERS // SOUTHEAST_WORD
    quarters[signs[signs > EAST_ASIA]] = QUARTERS // EAST_ASIAN_WORD
    quarters[0x3001:0x3021] = quarters[0xFF01:0xFF10] = 0  # marks between words without blanks
    folded = np.arange(0x110000).astype(np.uint16)
    lower = [chr(code).lower() for code in range(FOLDED)]
    folded[:FOLDED] = [ord("0") if sign.isdecimal() else ord(sign[0]) for sign in lower]
    marks = np.zeros(0x110000, np.uint8)
    for mark, these in _MARKS.items():
        marks[[ord(sign) for sign in these]] = mark
    mixed = scatter(np.arange(1 << 16, dtype=np.uint64) + _ODD)

    def keys_of(words: Sequence[str]) -> Keys:
        codes = np.frombuffer("".join(words).encode("utf-32-le"), np.uint32)
        return _keys(folded[codes], np.array([len(word) for word in words], np.intp), mixed)

    words = word_lists()
    times = [time + comma for time in (*words["months"], *words["days"]) for comma in ("", ",")]
    return _Tables(kinds, folded, marks, quarters, mixed, keys_of(times), keys_of(words["abbreviations"]))
