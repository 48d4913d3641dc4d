"""What can be counted in documents: words, and phrases of a few words that recur."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from scipy import sparse

from visavis.explain.tokens import Tokens, read_tokens, tokens_of, written
from visavis.records import Booleans, Integers

MOST_WORDS = 4  # telling words in a phrase: "elementary and secondary education act"; two single signs make one
MOST_TOKENS = 6  # ... with the function words between them: "secretary of health and human services"


@dataclass(frozen=True, eq=False)
class Terms:
    """Words and phrases by their number: `runs` are the tokens of each, `found` (documents, terms) has ones where held.

    The last token of a run is a word without its possessive.
    """

    tokens: Tokens
    runs: Sequence[tuple[int, ...]]
    found: Any

    def name(self, number: int) -> str:
        """A term as it is written, in small letters."""
        return written([self.tokens.names[token] for token in self.runs[number]])

    def words(self, number: int) -> frozenset[str]:
        """The words of a term that tell something."""
        words = (int(self.tokens.words[token]) for token in self.runs[number])
        return frozenset(self.tokens.names[word] for word in words if word >= 0)

    def held_in(self, text: str) -> set[int]:
        """The terms of a text that is none of those counted."""
        tokens = tokens_of(text)
        bare = [token.removesuffix("'s") for token in tokens]
        spans = ((start, start + length) for length in range(1, MOST_TOKENS + 1) for start in range(len(tokens)))
        runs = {(*tokens[start : end - 1], bare[end - 1]) for start, end in spans if end <= len(tokens)}
        return {self._by_name[run] for run in runs if run in self._by_name}

    @cached_property
    def _by_name(self) -> dict[tuple[str, ...], int]:
        return {tuple(self.tokens.names[token] for token in run): number for number, run in enumerate(self.runs)}

    def parts(self, numbers: Iterable[int]) -> dict[int, list[int]]:
        """For each of these terms the shorter ones among them that lie in it."""
        place = {self.runs[number]: number for number in numbers}
        return {number: [place[part] for part in self._inside(run) if part in place] for run, number in place.items()}

    def _inside(self, run: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for length in range(1, len(run)):
            for start in range(len(run) - length + 1):
                part = run[start : start + length]
                yield (*part[:-1], int(self.tokens.words[part[-1]]))


class _Spellings(Sequence[tuple[int, ...]]):
    """The tokens of each term, from blocks of terms of one length; most are never asked for."""

    def __init__(self, blocks: Sequence[Integers]) -> None:
        self._blocks = blocks
        self._ends = list(accumulate(len(block) for block in blocks))

    def __len__(self) -> int:
        return self._ends[-1]

    def __getitem__(self, number: Any) -> Any:
        at = bisect_right(self._ends, number)
        return tuple(self._blocks[at][number - self._ends[at]].tolist())  # counted from the end of its block


@dataclass(frozen=True, eq=False)
class _Runs:
    """Runs of tokens that recur: at `places` stands the run `codes`; `spelled` lists the tokens of each run."""

    places: Integers
    codes: Integers
    spelled: Integers

    def take(self, kept: Integers | Booleans) -> _Runs:
        return _Runs(self.places[kept], self.codes[kept], self.spelled)


def count_terms(texts: Sequence[str], least: int, tokens: Tokens | None = None) -> Terms:
    """The words, and the phrases of two to four telling words, that at least `least` documents hold.

    A phrase begins and ends with a word that tells something; between them may stand function words, but no mark. It
    can recur only if its halves do, so rare words and runs are left behind before anything longer is counted. `tokens`
    are those of the texts, where they have been read already.
    """
    tokens = read_tokens(texts) if tokens is None else tokens
    n, size = len(texts), len(tokens.names)
    at = np.flatnonzero((tokens.words[tokens.codes] >= 0) & ~tokens.signs[tokens.codes])
    singles = _held_by(_Runs(at, tokens.words[tokens.codes[at]], np.arange(size)[:, None]), tokens.owners, n, least)
    longer = _phrases(tokens, _usable(tokens, singles[1], least), least)
    phrases = (_held_by(runs, tokens.owners, n, least) for runs in longer)
    matrices, spelled = zip(singles, *phrases, strict=True)
    return Terms(tokens, _Spellings(spelled), sparse.hstack(matrices, format="csr", dtype=np.float64))


def _usable(tokens: Tokens, frequent: Integers, least: int) -> Booleans:
    """Which tokens may stand in a phrase: those of frequent words, and frequent function words."""
    kept = np.zeros(len(tokens.names), np.bool_)
    kept[frequent[:, 0]] = True
    is_word = (tokens.words >= 0) & ~tokens.signs
    often = np.bincount(tokens.codes, minlength=len(tokens.names)) >= least
    return np.asarray(np.where(is_word, kept[np.where(is_word, tokens.words, 0)], often & tokens.joins))


def _phrases(tokens: Tokens, usable: Booleans, least: int) -> Iterator[_Runs]:
    """Phrases of two tokens, of three and so on; a run is made longer by the run that overlaps it but for an end."""
    codes, is_word = tokens.codes, tokens.words >= 0
    every = np.arange(len(tokens.names))[:, None]
    at = np.flatnonzero(usable[codes])
    runs = _Runs(at, codes[at], every)
    for length in range(2, MOST_TOKENS + 1):
        follows = np.diff(runs.places, append=-1) == 1
        follows &= tokens.owners[runs.places] == tokens.owners[np.minimum(runs.places + length - 1, len(codes) - 1)]
        shorter = runs.take(follows)
        ends = codes[shorter.places + length - 1]
        runs = _recurring(shorter.places, shorter.codes, ends, shorter.spelled, least)
        shorter = shorter.take(is_word[codes[shorter.places]] & is_word[ends])
        closed = tokens.words[codes[shorter.places + length - 1]]  # a possessive at the end is left out
        phrases = _recurring(shorter.places, shorter.codes, closed, shorter.spelled, least)
        few = np.where(tokens.signs, 0.5, is_word)[phrases.spelled].sum(axis=1) <= MOST_WORDS
        yield phrases.take(few[phrases.codes])


def _recurring(places: Integers, heads: Integers, tails: Integers, spelled: Integers, least: int) -> _Runs:
    """Heads and tails joined into longer runs, without those that stand in fewer than `least` places."""
    base = int(tails.max(initial=0)) + 1
    found, codes, counts = np.unique(heads * base + tails, return_inverse=True, return_counts=True)
    often = counts >= least
    numbers = np.cumsum(often) - 1
    kept = np.flatnonzero(often[codes])
    found = found[often]
    longer = np.column_stack([spelled[found // base], found % base])
    return _Runs(places[kept], numbers[codes[kept]], longer)


def _held_by(runs: _Runs, owners: Integers, n: int, least: int) -> tuple[Any, Integers]:
    """Which documents hold each run, and the runs' tokens; runs of fewer than `least` documents are left out."""
    size = len(runs.spelled)
    often = np.bincount(runs.codes, minlength=size) >= least
    there = often[runs.codes]
    cells = (owners[runs.places[there]], runs.codes[there])
    matrix = sparse.csr_matrix((np.ones(len(cells[0])), cells), (n, size))  # adds up what a document repeats
    matrix.data[:] = 1.0
    kept = np.bincount(matrix.indices, minlength=size) >= least
    return matrix[:, kept], runs.spelled[kept]
