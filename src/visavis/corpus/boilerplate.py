"""Boilerplate: letterheads, contacts, notices and footers, whatever recurs across documents that tell other things.

A passage is a sentence or a line; those that many distinct documents of one source, or of the whole corpus, have word
for word (digits aside) are boilerplate. So are letterheads that they begin with and menus within long passages, for
texts without line breaks, and notices that are known by their form (`visavis.corpus.notices`). Copies of one story
count once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from visavis.corpus.duplicates import near_duplicates
from visavis.corpus.letterheads import Letterheads, letterhead_key, shared_letterheads
from visavis.corpus.menus import LONG, shared_menus, without_menus
from visavis.corpus.notices import dateline_end, header_spans
from visavis.corpus.passages import Passages, without_passages
from visavis.corpus.runs import Shares
from visavis.records import Booleans, Integers
from visavis.shared.processes import CHUNK, by_chunks, spread_out
from visavis.shared.texts import change
from visavis.shared.unspaced import extra_words, has_raw_unspaced

SAYS_SOMETHING = 12  # words that must be left, or the text stays as it was

_Cut = tuple[dict[int, bytes], list[int]]


@dataclass(frozen=True)
class Boilerplate:
    """What recurs in some documents, to be left out of later ones too: passages, by a hash, letterheads, menus."""

    passages: frozenset[int] = frozenset()
    letterheads: Letterheads = field(default_factory=Letterheads)
    menus: Shares = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Cleaned:
    """Texts without their boilerplate, and of how many `words` of each how many were `removed`.

    `bare` marks those that would say nothing without it, and therefore stay as they were; `recurring` is what was
    found to be boilerplate by recurring.
    """

    texts: Sequence[str] = field(repr=False)
    words: Integers = field(repr=False)
    removed: Integers = field(repr=False)
    bare: Booleans = field(repr=False)
    recurring: Boilerplate = field(default_factory=Boilerplate, repr=False)

    def share(self, rows: Integers | None = None) -> float:
        """The share of the words of these texts, or of all, that was left out."""
        chosen = np.arange(len(self.texts)) if rows is None else rows
        return float(self.removed[chosen].sum() / max(1, self.words[chosen].sum()))


def remove_boilerplate(
    texts: Sequence[str],
    sources: Sequence[str],
    window: int | None = None,
    processes: int = 1,
    known: Boilerplate | None = None,
) -> Cleaned:
    """The texts without boilerplate; `window` is how many characters of each are looked at, None for all.

    No text is left with fewer than 12 words: it then stays as it was. Where it is `known` what recurs, nothing else is
    taken to, however often these texts have it.
    """
    passages = Passages.join(list(by_chunks(partial(_find_passages, window=window), texts, processes)))
    hashes = np.zeros(0, np.int64) if passages.hashes is None else passages.hashes
    owners = families = np.zeros(0, np.intp)
    if known is None:
        owners = _codes(sources)
        families = _families(passages, owners, texts)
        recurring = passages.recurring(owners, families)
    else:
        recurring = np.isin(hashes, np.array(sorted(known.passages), np.int64))
    out = recurring[passages.keys] | passages.notices
    left = _Left(texts, window, *_cut_passages(texts, window, passages, out, processes))
    long = np.unique(passages.documents[(passages.words >= LONG) & ~out])
    if known is None:
        menus = shared_menus(left.at, long, owners, families, sources)
        left.shorten(without_menus(left.at, long, menus, sources))
        ends, letterheads = shared_letterheads(left.at, left.keys, owners, families, sources)
        known = Boilerplate(frozenset(hashes[recurring].tolist()), letterheads, menus)
    else:
        left.shorten(without_menus(left.at, long, known.menus, sources))
        ends = known.letterheads.ends(left.at, left.keys, sources)
    return _removed(texts, window, passages, left.cut, ends, known)


@dataclass(frozen=True, eq=False)
class _Left:
    """What is left of texts so far, of those that lost something, and a key of how each begins."""

    texts: Sequence[str]
    window: int | None
    cut: dict[int, bytes]
    keys: Integers

    def at(self, index: int) -> bytes:
        """What is left of one of them."""
        return self.cut.get(index, _raw(self.texts[index], self.window))

    def shorten(self, shorter: Mapping[int, bytes]) -> None:
        """Some of them lost more."""
        for index, text in shorter.items():
            self.cut[index], self.keys[index] = text, letterhead_key(text)


def _removed(
    texts: Sequence[str], window: int | None, passages: Passages, cut: dict[int, bytes],
    ends: Sequence[tuple[int, int]], known: Boilerplate,
) -> Cleaned:  # fmt: skip
    """What is left of each text: without passages and letterhead, or without passages, or as it was."""
    counts = np.bincount(passages.documents, passages.words, len(texts)).astype(np.intp)
    more = np.array([window is not None and len(text) > window for text in texts], np.bool_)
    for index, end in ends:
        shorter = cut.get(index, _raw(texts[index], window))[end:].lstrip()
        shorter = shorter[dateline_end(shorter) :]
        if more[index] or _length(shorter) >= SAYS_SOMETHING:
            cut[index] = shorter
    left, changed = counts.copy(), np.zeros(len(texts), np.bool_)
    for index, text in cut.items():  # a dateline stuck to the first word takes no word away
        left[index], changed[index] = _length(text), True
    bare = changed & ~more & (left < np.minimum(SAYS_SOMETHING, counts))
    found: dict[int, str] = {}
    for index in np.flatnonzero(changed & ~bare).tolist():
        rest = "" if window is None else texts[index][window:]
        found[index] = cut.pop(index).decode("utf-8", "surrogatepass") + rest
    removed = np.where(bare, 0, np.maximum(counts - left, 0))  # several blanks were counted as words
    return Cleaned(change(texts, found), counts, removed, bare, known)


def _raw(text: str, window: int | None) -> bytes:
    """What is looked at of a text, in UTF-8; the mark at the end of a release stands on a line of its own."""
    return text[:window].encode("utf-8", "surrogatepass").replace(b" ###", b"\n###")


def _find_passages(texts: Sequence[str], window: int | None) -> Passages:
    return Passages.of([_raw(text, window) for text in texts])


def _length(text: bytes) -> int:
    return len(text.split()) + (extra_words(text) if has_raw_unspaced(text) else 0)


def _codes(sources: Sequence[str]) -> Integers:
    """A number for each source; −1 where it is not known."""
    numbers: dict[str, int] = {"": -1}
    return np.array([numbers.setdefault(source, len(numbers) - 1) for source in sources], np.intp)


def _families(passages: Passages, owners: Integers, texts: Sequence[str]) -> Integers:
    """For each text the first it nearly repeats; looked for only among those made mostly of what others have, too."""
    everyone = np.arange(len(texts))
    documents = passages.documents
    often = passages.recurring(owners, everyone)[passages.keys]
    shared = np.bincount(documents, passages.words * often, len(texts))
    total = np.bincount(documents, passages.words, len(texts))
    alike = np.flatnonzero(shared > 0.5 * total)
    families = everyone.copy()
    if len(alike) > 1:
        families[alike] = alike[near_duplicates([texts[place] for place in alike.tolist()])]
    return families


def _cut_passages(
    texts: Sequence[str], window: int | None, passages: Passages, out: Booleans, processes: int
) -> tuple[dict[int, bytes], Integers]:
    """What is looked at of the texts without these passages, where that changes it, and a key of how each begins."""
    ends = np.cumsum(passages.lengths)
    starts = ends - passages.lengths
    stretches = [slice(begin, begin + CHUNK) for begin in range(0, len(texts), CHUNK)]
    tasks = ((texts[s], passages.lengths[s], out[starts[s][0] : ends[s][-1]]) for s in stretches)
    cut: dict[int, bytes] = {}
    keys: list[int] = []
    for changed, opened in spread_out(partial(_cut_some, window=window), tasks, len(stretches), processes):
        cut.update((index + len(keys), text) for index, text in changed.items())
        keys += opened
    return cut, np.array(keys, np.int64)


def _cut_some(task: tuple[Sequence[str], Integers, Booleans], window: int | None) -> _Cut:
    """Some texts without the passages marked, headers that stand on a line with the story, and datelines."""
    texts, lengths, out = task
    cut: dict[int, bytes] = {}
    keys = []
    begin = 0
    for index, (text, length) in enumerate(zip(texts, lengths.tolist(), strict=True)):
        whole = found = _raw(text, window)
        marked = out[begin : begin + length]
        begin += length
        if marked.any():
            found = without_passages(found, marked.tolist())
        for start, end in reversed(header_spans(found)):
            found = (found[:start].rstrip() + b" " + found[end:]).strip()
        found = found[dateline_end(found) :]
        if found is not whole:
            cut[index] = found
        keys.append(letterhead_key(found))
    return cut, keys
