"""The words of many texts as numbers, cut out of whole arrays of bytes; the few texts that are not plain one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from visavis.shared.plain import PlainWords

BLOCK = 2**21  # characters that are cut at once

_Numbers = NDArray[Any]
_OTHER = 255  # a byte that no plain text has
_ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Numbered:
    """Words as places in `known`, in the order in which they are first met, and how many each text has."""

    flat: _Numbers
    lengths: _Numbers
    known: list[str]


@dataclass(frozen=True)
class Numbering:
    """What a word is: in plain texts as `plain` cuts them, in others as `cut` does."""

    plain: PlainWords
    cut: Callable[[str], list[str]]

    def number(self, texts: Sequence[str], each: Callable[..., Iterable[Numbered]] = map) -> Numbered:
        """The words of all texts; `each(work, items)` does the work on parts of them, in their order."""
        numbers: dict[str, int] = {}
        flat, lengths = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
        for found in each(self._number, _blocks(texts)):
            new = [numbers.setdefault(word, len(numbers)) for word in found.known]
            flat.append(np.array(new, np.int32)[found.flat] if new else found.flat)
            lengths.append(found.lengths)
        return Numbered(np.concatenate(flat), np.concatenate(lengths), list(numbers))

    def _number(self, texts: Sequence[str]) -> Numbered:
        raw = [text.encode("utf-8", "surrogatepass") for text in texts]
        ends = np.cumsum([len(text) + 1 for text in raw])
        codes = _codes(b"\n".join([*raw, b""]), self.plain.table)
        odd = np.unique(np.searchsorted(ends, np.flatnonzero(codes == _OTHER), side="right"))
        for text in odd.tolist():
            codes[ends[text] - len(raw[text]) - 1 : ends[text]] = 0
        begins, keys = _words(codes)
        owners = np.searchsorted(ends, begins, side="right")
        flat, first = _numbered(keys)
        spelled = codes.tobytes()
        known = [spelled[at : spelled.index(0, at)].decode() for at in begins[first].tolist()]
        if len(odd):
            flat, owners, known = self._with_others(texts, odd, flat, owners, known)
        return Numbered(flat, np.bincount(owners, minlength=len(texts)).astype(np.int32), known)

    def _with_others(
        self, texts: Sequence[str], odd: _Numbers, flat: _Numbers, owners: _Numbers, known: list[str]
    ) -> tuple[_Numbers, _Numbers, list[str]]:
        """The same with the words of the texts that are not plain, everything in the order of the texts."""
        numbers = {word: number for number, word in enumerate(known)}
        cut = [self.cut(texts[text]) for text in odd.tolist()]
        more = np.array([numbers.setdefault(word, len(numbers)) for words in cut for word in words], np.int32)
        whose = np.concatenate((owners, np.repeat(odd, [len(words) for words in cut])))
        order = np.argsort(whose, kind="stable")
        joined = np.concatenate((flat, more))[order]
        flat, first = _numbered(joined)
        words = list(numbers)
        return flat, whose[order], [words[number] for number in joined[first].tolist()]


def _blocks(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Texts in a row, about so many characters at a time that arrays of them are small."""
    begin = size = 0
    for place, text in enumerate(texts):
        size += len(text)
        if size >= BLOCK:
            yield texts[begin : place + 1]
            begin, size = place + 1, 0
    if begin < len(texts):
        yield texts[begin:]


def _codes(raw: bytes, table: bytes) -> NDArray[np.uint8]:
    """Letters of words in lower case, 0 for what stands between them, _OTHER for what is no plain text."""
    blob = np.frombuffer(raw, np.uint8)
    codes = np.frombuffer(raw.translate(table), np.uint8).copy()
    for lead, length in ((0xC2, 2), (0xE2, 3)):
        at = np.flatnonzero(blob == lead)
        if length == 2:
            at = at[blob[at + 1] == 0xA0]
        else:
            at = at[(blob[at + 1] == 0x80) & (blob[at + 2] >= 0x90) & (blob[at + 2] <= 0xA7)]
        for step in range(length):
            codes[at + step] = 0
    return codes


def _words(codes: NDArray[np.uint8]) -> tuple[_Numbers, _Numbers]:
    """Where words begin, and a hash of each: Σ letter · odd^(place in the word + 1), scattered."""
    inside = np.flatnonzero(codes)
    fresh = np.ones(len(inside), np.bool_)
    fresh[1:] = inside[1:] != inside[:-1] + 1
    firsts = np.flatnonzero(fresh)
    sizes = np.diff(np.append(firsts, len(inside)))
    place = np.arange(len(inside)) - np.repeat(firsts, sizes)
    powers = np.cumprod(np.full(int(sizes.max(initial=0)), _ODD))
    sums = np.add.reduceat(codes[inside] * powers[place], firsts) if len(firsts) else np.zeros(0, np.uint64)
    return inside[firsts], sums ^ (sums >> np.uint64(32))


def _numbered(keys: _Numbers) -> tuple[_Numbers, _Numbers]:
    """Keys as numbers in the order in which they are first met, and where each is."""
    distinct, numbers = np.unique(keys, return_inverse=True)
    first = np.empty(len(distinct), np.intp)
    first[numbers[::-1]] = np.arange(len(keys))[::-1]  # the first of several is written last
    order = np.argsort(first)
    rank = np.empty(len(distinct), np.int32)
    rank[order] = np.arange(len(distinct))
    return rank[numbers], first[order]
