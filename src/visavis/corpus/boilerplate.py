"""Boilerplate: letterheads, contacts, notices and footers, whatever recurs across documents that tell other things.

A passage is a sentence or a line; those that many distinct documents of one source, or of the whole corpus, have word
for word (digits aside) are boilerplate. So are openings that they share, for texts without line breaks, and notices
that are known by their form (`visavis.corpus.notices`). Copies of one story count once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from visavis.corpus.duplicates import near_duplicates
from visavis.corpus.notices import dateline_end, fold, header_spans, is_notice
from visavis.corpus.openings import Openings, count_families, shared_openings
from visavis.records import Booleans, Floats, Integers
from visavis.shared.unspaced import extra_words, has_raw_unspaced

FEWEST = 3  # documents of a source that must have a passage
FEWEST_IN_ALL = 5  # of the corpus
LEAST_LINES, LEAST_SENTENCES = 0.01, 0.02  # of the documents of a source, and of the corpus
SHORTEST = 4  # words of a sentence within a line; shorter ones recur by chance
SAYS_SOMETHING = 12  # words that must be left, or the text stays as it was

_SENTENCE = re.compile(  # not behind titles, initials, U.S. and D.C.
    rb" (?:(?<=[.!?] )|(?<=[.!?][\"')] ))(?<!rep\. )(?<!sen\. )(?<!gov\. )(?<!mrs\. )(?<!mr\. )(?<!ms\. )(?<!dr\. )"
    rb"(?<!\.[a-z]\. )(?<! [a-z]\. )",
    re.IGNORECASE,
)


_STOPS, _QUOTES = (b"|".join(sign.encode() for sign in signs) for signs in ("。！？။។", "」』”"))
_FULL_STOP = re.compile(b"(?:" + _STOPS + b")(?:" + _QUOTES + b")?")


@dataclass(frozen=True)
class Boilerplate:
    """What recurs in some documents, to be left out of later ones too: passages, by a hash of each, and openings."""

    passages: frozenset[int] = frozenset()
    openings: Openings = field(default_factory=Openings)


@dataclass(frozen=True, eq=False)
class Cleaned:
    """Texts without their boilerplate, and of how many `words` of each how many were `removed`.

    `bare` marks those that would say nothing without it, and therefore stay as they were; `recurring` is what was
    found to be boilerplate by recurring.
    """

    texts: tuple[str, ...] = field(repr=False)
    words: Integers = field(repr=False)
    removed: Integers = field(repr=False)
    bare: Booleans = field(repr=False)
    recurring: Boilerplate = field(default_factory=Boilerplate, repr=False)

    def share(self, rows: Integers | None = None) -> float:
        """The share of the words of these texts, or of all, that was left out."""
        chosen = np.arange(len(self.texts)) if rows is None else rows
        return float(self.removed[chosen].sum() / max(1, self.words[chosen].sum()))


def remove_boilerplate(
    texts: Sequence[str], sources: Sequence[str], window: int | None = None, known: Boilerplate | None = None
) -> Cleaned:
    """The texts without boilerplate; `window` is how many characters of each are looked at, None for all.

    No text is left with fewer than 12 words: it then stays as it was. Where it is `known` what recurs, nothing else is
    taken to, however often these texts have it.
    """
    raw = [text[:window].encode("utf-8", "surrogatepass").replace(b" ###", b"\n###") for text in texts]
    passages = _Passages.of(raw)
    if known is None:
        owners = _codes(sources)
        families = _families(passages, owners, texts)
        recurring = passages.recurring(owners, families)
    else:
        recurring = np.array([_key(name) in known.passages for name in passages.names], np.bool_)
    cut = _cut_passages(raw, passages, recurring[passages.keys] | passages.notices)
    if known is None:
        ends, openings = shared_openings(cut, owners, families, sources)
        often = frozenset(_key(name) for name, many in zip(passages.names, recurring.tolist(), strict=True) if many)
        known = Boilerplate(often, openings)
    else:
        ends = known.openings.ends(cut, sources)
    return _removed(texts, window, raw, passages, cut, _cut_openings(cut, ends), known)


def _removed(
    texts: Sequence[str], window: int | None, raw: list[bytes], passages: _Passages, cut: list[bytes],
    shorter: list[bytes], known: Boilerplate,
) -> Cleaned:  # fmt: skip
    """What is left of each text: without passages and opening, or without passages, or as it was."""
    counts = np.bincount(passages.documents, passages.words, len(raw)).astype(np.intp)
    more = np.array([window is not None and len(text) > window for text in texts], np.bool_)
    enough = (_count(shorter, cut, counts) >= SAYS_SOMETHING) | more
    cut = [short if fits else longer for short, longer, fits in zip(shorter, cut, enough.tolist(), strict=True)]
    left = _count(cut, raw, counts)
    changed = left != counts
    bare = changed & ~more & (left < np.minimum(SAYS_SOMETHING, counts))
    found = list(texts)
    for index in np.flatnonzero(changed & ~bare).tolist():
        rest = "" if window is None else texts[index][window:]
        found[index] = cut[index].decode("utf-8", "surrogatepass") + rest
    return Cleaned(tuple(found), counts, np.where(bare, 0, counts - left), bare, known)


def _key(passage: bytes) -> int:
    return int.from_bytes(blake2b(passage, digest_size=8).digest(), "little", signed=True)


def _count(texts: Sequence[bytes], before: Sequence[bytes], counts: Integers) -> Integers:
    """How many words the texts have; those that are what they were have as many as before."""
    pairs = zip(texts, before, counts.tolist(), strict=True)
    return np.array([count if text is old else _length(text) for text, old, count in pairs], np.intp)


def _length(text: bytes) -> int:
    return len(text.split()) + (extra_words(text) if has_raw_unspaced(text) else 0)


def _codes(sources: Sequence[str]) -> Integers:
    """A number for each source; −1 where it is not known."""
    numbers: dict[str, int] = {"": -1}
    return np.array([numbers.setdefault(source, len(numbers) - 1) for source in sources], np.intp)


@dataclass(frozen=True, eq=False)
class _Passages:
    """The passages of all texts in a row: whose each is, which one, its words, and whether it is a notice by form."""

    documents: Integers
    keys: Integers
    words: Integers
    lines: Booleans
    notices: Booleans
    names: tuple[bytes, ...]  # of the keys

    @property
    def n_keys(self) -> int:
        return len(self.names)

    @classmethod
    def of(cls, raw: Sequence[bytes]) -> _Passages:
        numbers: defaultdict[bytes, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        keys: list[int] = []
        words: list[int] = []
        lines: list[bool] = []
        notices: list[bool] = []
        lengths: list[int] = []
        for text in raw:
            before, dense = len(keys), has_raw_unspaced(text)
            for sentences in _lines(fold(text), dense):
                whole = len(sentences) == 1
                for sentence in sentences:
                    passage = sentence.strip()
                    keys.append(numbers[b"\n" + passage if whole else passage])
                    count = passage.count(b" ") + 1 if passage else 0
                    words.append(count + extra_words(passage) if dense else count)
                    lines.append(whole)
                    notices.append(passage != b"" and is_notice(passage, whole_line=whole))
            lengths.append(len(keys) - before)
        marks = np.array(lines, np.bool_), np.array(notices, np.bool_)
        documents = np.repeat(np.arange(len(raw)), lengths)
        return cls(documents, np.array(keys, np.intp), np.array(words, np.intp), *marks, tuple(numbers))

    def recurring(self, owners: Integers, families: Integers) -> Booleans:
        """Which keys many families of one source, or of all, have; shape (keys,)."""
        usable = (self.words >= SHORTEST) | (self.lines & (self.words > 0))  # lines may be short
        keys, documents = self.keys[usable], self.documents[usable]
        is_line = np.zeros(self.n_keys, np.bool_)
        is_line[self.keys[self.lines]] = True
        share: Floats = np.where(is_line, LEAST_LINES, LEAST_SENTENCES)
        found = np.zeros(self.n_keys, np.bool_)
        for own, fewest in ((owners, FEWEST), (np.zeros_like(owners), FEWEST_IN_ALL)):
            known = own[documents] >= 0
            counts = count_families(keys[known], own[documents[known]], families[documents[known]])
            sizes = np.bincount(own[own >= 0])[own[documents[known]]] if known.any() else np.zeros(0)
            often = counts >= np.maximum(fewest, share[keys[known]] * sizes)
            found[keys[known][often]] = True
        return found


def _lines(text: bytes, dense: bool) -> list[list[bytes]]:
    """The sentences of every line, blank lines included; `dense` texts have no blanks between words."""
    split = _dense_sentences if dense else _SENTENCE.split
    return [split(line) if line else [] for line in text.split(b"\n")]


def _dense_sentences(line: bytes) -> list[bytes]:
    ends = [0, *(found.end() for found in _FULL_STOP.finditer(line)), len(line)]
    return [line[begin:end] for begin, end in pairwise(ends) if begin < end] if len(ends) > 2 else _SENTENCE.split(line)


def _families(passages: _Passages, owners: Integers, texts: Sequence[str]) -> Integers:
    """For each text the first it nearly repeats; looked for only among those made mostly of what others have, too."""
    everyone = np.arange(len(texts))
    often = passages.recurring(owners, everyone)[passages.keys]
    shared = np.bincount(passages.documents, passages.words * often, len(texts))
    total = np.bincount(passages.documents, passages.words, len(texts))
    alike = np.flatnonzero(shared > 0.5 * total)
    families = everyone.copy()
    if len(alike) > 1:
        families[alike] = alike[near_duplicates([texts[place] for place in alike.tolist()])]
    return families


def _cut_passages(raw: Sequence[bytes], passages: _Passages, out: Booleans) -> list[bytes]:
    """The texts without these passages, headers that stand on a line with the story, and datelines."""
    found = []
    touched = np.bincount(passages.documents, out, len(raw)) > 0
    starts = np.searchsorted(passages.documents, np.arange(len(raw) + 1))
    for index, text in enumerate(raw):
        cut = _without(text, out[starts[index] : starts[index + 1]].tolist()) if touched[index] else text
        for begin, end in reversed(header_spans(cut)):
            cut = (cut[:begin].rstrip() + b" " + cut[end:]).strip()
        found.append(cut[dateline_end(cut) :])
    return found


def _without(text: bytes, out: Sequence[bool]) -> bytes:
    """A text without the passages marked."""
    gone = iter(out)
    lines = ([sentence for sentence in line if not next(gone)] for line in _lines(text, has_raw_unspaced(text)))
    return b"\n".join((b"" if _has_full_stops(line) else b" ").join(line) for line in lines).strip()


def _has_full_stops(sentences: list[bytes]) -> bool:
    """Whether no blank stands between these sentences."""
    return len(sentences) > 1 and not sentences[0].isascii() and _FULL_STOP.search(sentences[0]) is not None


def _cut_openings(texts: Sequence[bytes], ends: Integers) -> list[bytes]:
    """The texts from these places on."""
    found = list(texts)
    for index in np.flatnonzero(ends).tolist():
        cut = texts[index][ends[index] :].lstrip()
        found[index] = cut[dateline_end(cut) :]
    return found
