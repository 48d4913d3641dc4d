"""Texts as words, cut about as GloVe's tokenizer cuts them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np
from scipy import sparse

from visavis.records import Integers
from visavis.shared.numbering import number_words

# addresses, letters with periods (u.s.), words with inner apostrophes and hyphens; split further in `readings`
_TOKEN = re.compile(r"https?://\S+|www\.\S+|[^\W\d_](?:\.[^\W\d_])+\b\.?|\w+(?:['’‘`\-‐‑]\w+)*")
_PLAIN = str.maketrans({"’": "'", "‘": "'", "`": "'", "‐": "-", "‑": "-"})
_SEPARATOR = re.compile(r"[-'_]+")
_ENDING = re.compile(r"(.+)('s|'ll|'re|'ve|'m|'d)")
_NEGATED = {"ca": "can", "wo": "will", "sha": "shall"}  # can't, won't, shan't

# Words too common to tell texts apart. Not every set of vectors has them, and nobody needs to hear that.
FUNCTION_WORDS = frozenset({"a", "i", "'s", "n't", "'ll", "'re", "'ve", "'m", "'d"})


@dataclass(frozen=True, eq=False)
class Tokens:
    """Every text's tokens: `ids` index `distinct`, and text i owns ids[starts[i]:starts[i + 1]]."""

    ids: Integers
    starts: Integers
    distinct: list[str]

    def counts(self) -> sparse.csr_array:
        """How often each text uses each token; shape (texts, tokens)."""
        shape = (len(self.starts) - 1, len(self.distinct))
        ones = np.ones(len(self.ids), dtype=np.float32)
        counts = sparse.csr_array((ones, self.ids, self.starts), shape=shape, copy=True)
        counts.sum_duplicates()  # works in place, hence the copy
        return counts


def tokenize(texts: Sequence[str]) -> Tokens:
    """The lower-case tokens of each text, as numbers."""
    found = number_words(texts, _cut)
    starts: Integers = np.concatenate(([0], np.cumsum(found.lengths))).astype(np.int32)
    found.flat.flags.writeable = starts.flags.writeable = False
    return Tokens(found.flat, starts, found.known)


def _cut(text: str) -> list[str]:
    return _TOKEN.findall((text if text.isascii() else unicodedata.normalize("NFC", text)).lower())


def readings(token: str) -> list[tuple[str, ...]]:
    """The ways to read a token as words, best first: "well-known" is itself, or else "well" and "known".

    No reading at all means that the token says nothing: a number, an address, a single letter's stump.
    """
    if token.startswith(("http://", "https://", "www.")):
        return []
    token = token.translate(_PLAIN)
    if not any(map(str.isalpha, token.removesuffix("'s"))):
        return []
    found: list[tuple[str, ...]] = [(token,)]
    if "." in token:
        bare = token.strip(".")
        return list(dict.fromkeys([*found, (bare + ".",), (bare,), (bare.replace(".", ""),)]))
    if token.endswith("n't") and len(token) > 3:
        stem = token[:-3]
        return [*found, (_NEGATED.get(stem, stem), "n't")]
    ending = _ENDING.fullmatch(token)
    if ending:
        return [*found, *((*words, ending[2]) for words in readings(ending[1]))]
    parts = tuple(part for part in _SEPARATOR.split(token) if len(part) > 1 and not part[0].isdigit())
    if parts != (token,):
        found.append(parts)
    return [*found, *_without_accents(found[-1])]


def _without_accents(words: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    if all(map(str.isascii, words)):
        return []
    bare = partial(re.sub, "[\u0300-\u036f]", "")
    return [tuple(bare(unicodedata.normalize("NFKD", word)) for word in words)]


def wanted_words(tokens: Iterable[str]) -> set[str]:
    """Every word that some reading of these tokens asks for."""
    return set(chain.from_iterable(chain.from_iterable(map(readings, tokens))))
