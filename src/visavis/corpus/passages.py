"""The passages of texts, each a sentence or a line: which recur, and which are notices by their form."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from visavis.corpus.notices import fold, is_notice
from visavis.corpus.runs import FEWEST, count_families
from visavis.records import Booleans, Floats, Integers
from visavis.shared.unspaced import extra_words, has_raw_unspaced

LEAST_LINES, LEAST_SENTENCES = 0.01, 0.02  # of the documents of a source, and of the corpus
SHORTEST = 4  # words of a sentence within a line; shorter ones recur by chance

_SENTENCE = re.compile(  # not behind titles, initials, U.S. and D.C.
    rb" (?:(?<=[.!?] )|(?<=[.!?][\"')] ))(?<!rep\. )(?<!sen\. )(?<!gov\. )(?<!mrs\. )(?<!mr\. )(?<!ms\. )(?<!dr\. )"
    rb"(?<!\.[a-z]\. )(?<! [a-z]\. )",
    re.IGNORECASE,
)


_STOPS, _QUOTES = (b"|".join(sign.encode() for sign in signs) for signs in ("。！？။។", "」』”"))
_FULL_STOP = re.compile(b"(?:" + _STOPS + b")(?:" + _QUOTES + b")?")


@dataclass(frozen=True, eq=False)
class Passages:
    """The passages of texts in a row: how many each text has, which each is, its words, and whether it is a line.

    A passage is known by a hash of it, digits and case aside; `notices` marks those that are notices by their form.
    """

    lengths: Integers
    keys: Integers
    words: Integers
    lines: Booleans
    notices: Booleans
    hashes: Integers | None = None  # that the numbers stand for, where keys are numbers

    @classmethod
    def of(cls, raw: Sequence[bytes]) -> Passages:
        """Those of texts in UTF-8."""
        keys, words, lengths = array("q"), array("i"), array("i")
        lines, notices = bytearray(), bytearray()
        for text in raw:
            before, dense = len(keys), has_raw_unspaced(text)
            for sentences in split_lines(fold(text), dense):
                whole = len(sentences) == 1
                for sentence in sentences:
                    passage = sentence.strip()
                    keys.append(_key(b"\n" + passage if whole else passage))
                    count = passage.count(b" ") + 1 if passage else 0
                    words.append(count + extra_words(passage) if dense else count)
                    lines.append(whole)
                    notices.append(passage != b"" and is_notice(passage, whole_line=whole))
            lengths.append(len(keys) - before)
        marks = np.frombuffer(lines, np.bool_), np.frombuffer(notices, np.bool_)
        return cls(np.array(lengths, np.intp), np.array(keys, np.int64), np.array(words, np.intp), *marks)

    @classmethod
    def join(cls, parts: Sequence[Passages]) -> Passages:
        """The passages of all texts; keys become numbers from 0 on."""
        parts = parts or [cls.of([])]
        hashes, keys = np.unique(np.concatenate([part.keys for part in parts]), return_inverse=True)
        lengths, words, lines, notices = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("lengths", "words", "lines", "notices")
        )
        return cls(lengths, keys, words, lines, notices, hashes)

    @property
    def documents(self) -> Integers:
        """Whose each passage is."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    def recurring(self, owners: Integers, families: Integers) -> Booleans:
        """Which keys, numbers from 0 on, many families of one source, or of all, have; shape (keys,)."""
        usable = (self.words >= SHORTEST) | (self.lines & (self.words > 0))  # lines may be short
        keys, documents = self.keys[usable], self.documents[usable]
        n_keys = int(self.keys.max(initial=-1)) + 1
        is_line = np.zeros(n_keys, np.bool_)
        is_line[self.keys[self.lines]] = True
        share: Floats = np.where(is_line, LEAST_LINES, LEAST_SENTENCES)
        found = np.zeros(n_keys, np.bool_)
        for own, fewest in zip((owners, np.zeros_like(owners)), FEWEST, strict=True):
            known = own[documents] >= 0
            counts = count_families(keys[known], own[documents[known]], families[documents[known]])
            sizes = np.bincount(own[own >= 0])[own[documents[known]]] if known.any() else np.zeros(0)
            often = counts >= np.maximum(fewest, share[keys[known]] * sizes)
            found[keys[known][often]] = True
        return found


def split_lines(text: bytes, dense: bool) -> list[list[bytes]]:
    """The sentences of every line, blank lines included; `dense` texts have no blanks between words."""
    split = _dense_sentences if dense else _SENTENCE.split
    return [split(line) if line else [] for line in text.split(b"\n")]


def _dense_sentences(line: bytes) -> list[bytes]:
    ends = [0, *(found.end() for found in _FULL_STOP.finditer(line)), len(line)]
    return [line[begin:end] for begin, end in pairwise(ends) if begin < end] if len(ends) > 2 else _SENTENCE.split(line)


def without_passages(text: bytes, out: Sequence[bool]) -> bytes:
    """A text without the passages marked."""
    gone = iter(out)
    lines = ([sentence for sentence in line if not next(gone)] for line in split_lines(text, has_raw_unspaced(text)))
    return join_lines(lines)


def join_lines(lines: Iterable[list[bytes]]) -> bytes:
    """A text again, from the sentences of its lines."""
    return b"\n".join((b"" if _has_full_stops(line) else b" ").join(line) for line in lines).strip()


def _has_full_stops(sentences: list[bytes]) -> bool:
    """Whether no blank stands between these sentences."""
    return len(sentences) > 1 and not sentences[0].isascii() and _FULL_STOP.search(sentences[0]) is not None


def _key(passage: bytes) -> int:
    return int.from_bytes(blake2b(passage, digest_size=8).digest(), "little", signed=True)
