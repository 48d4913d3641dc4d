"""Texts as numbers: what a word is, and which words may begin, end or stand inside a phrase."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from visavis.explain.function_words import is_function_word, is_single_sign
from visavis.explain.furniture import without_furniture
from visavis.explain.languages import foreign_function_words
from visavis.records import Booleans, Integers
from visavis.shared.numbering import number_words
from visavis.shared.processes import by_chunks
from visavis.shared.unspaced import INDIC_MARKS, SOUTHEAST, UNSPACED, has_unspaced, may_have_indic, part, segmenter

TOKEN = re.compile(r"\w+(?:['-]+\w+)*|[^\w\s]")  # a word, or a mark that ends a phrase
ADDRESS = re.compile(r"(?:https?://|www\.|pic\.twitter\.com/)\S+")
NAME = re.compile(rf"(?:[^\W\d_]|[{SOUTHEAST}{INDIC_MARKS}])+")
_LETTERS = rf"\w{SOUTHEAST}{INDIC_MARKS}"  # words of these scripts have marks that are no letters
_LONGER_TOKEN = re.compile(rf"[{_LETTERS}]+(?:['-]+[{_LETTERS}]+)*|[^\s{_LETTERS}]")
_BREAK = re.compile(rf"(?<=[{UNSPACED}])\s+(?=[{UNSPACED}])")  # where words have no spaces, a space ends a phrase


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of all texts in a row: `codes` index `names`, `owners` say whose text each stands in.

    A token's `words` entry is the code of the word it stands for (a possessive stands for its noun), −1 if it is none:
    a function word, a numeral, a single letter or a mark. `joins` tells which tokens may stand inside a phrase, `signs`
    which are single signs of a script without spaces: they tell something only as part of a phrase.
    """

    names: tuple[str, ...]
    codes: Integers
    owners: Integers
    words: Integers
    joins: Booleans
    signs: Booleans

    def of_texts(self, texts: Integers) -> Tokens:
        """The tokens of these texts, in this order, as often as they are named; all names stay."""
        starts = np.searchsorted(self.owners, np.arange(int(texts.max(initial=-1)) + 2))
        lengths = starts[texts + 1] - starts[texts]
        before = np.cumsum(lengths) - lengths
        places = np.repeat(starts[texts] - before, lengths) + np.arange(int(lengths.sum()))
        return replace(self, codes=self.codes[places], owners=np.repeat(np.arange(len(texts)), lengths))


def words_of(text: str) -> list[str]:
    """The telling words of a text: case-folded, possessives stripped, without numerals and the usual function words."""
    words = (token.removesuffix("'s") for token in tokens_of(text))
    return [word for word in words if _is_word(word)]


def tokens_of(text: str) -> list[str]:
    """Words and marks in their order, case-folded; addresses and what stands around a story count as marks."""
    folded = without_furniture(text)
    if "://" in folded or "www." in folded or "pic.twitter" in folded:
        folded = ADDRESS.sub(" . ", folded)
    if has_unspaced(folded):
        return _LONGER_TOKEN.findall(part(_BREAK.sub(" | ", folded), segmenter()))
    if may_have_indic(folded):
        return _LONGER_TOKEN.findall(folded)
    return TOKEN.findall(folded)


def written(tokens: Sequence[str]) -> str:
    """Tokens as a text has them: blanks between, except in scripts that have none."""
    found = tokens[0]
    for before, token in pairwise(tokens):
        found += token if has_unspaced(before[-1]) and has_unspaced(token[0]) else f" {token}"
    return found


def name_words(name: str) -> frozenset[str]:
    """The words of a name, however they are joined: "gun_control", "The New York Times"."""
    return frozenset(NAME.findall(part(name.casefold(), segmenter())))


def read_tokens(texts: Sequence[str], processes: int = 1) -> Tokens:
    """The tokens of these texts, cut in several processes where there are very many."""
    numbers: defaultdict[str, int] = defaultdict(lambda: len(numbers))
    codes, lengths = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for found in by_chunks(partial(number_words, cut=tokens_of), texts, processes):
        new = np.array([numbers[token] for token in found.known], np.int64)
        codes.append(new[found.flat])
        lengths.append(found.lengths)
    flat, owners = np.concatenate(codes), np.repeat(np.arange(len(texts)), np.concatenate(lengths))
    foreign = foreign_function_words(list(numbers), flat, owners)
    words = [numbers[bare] if _is_word(bare := token.removesuffix("'s"), foreign) else -1 for token in list(numbers)]
    names = tuple(numbers)
    words += range(len(words), len(names))  # the nouns met only as possessives
    functions = (token == "a" or is_function_word(token, foreign) for token in names)
    joins = [holds or word >= 0 for holds, word in zip(functions, words, strict=True)]
    return Tokens(
        names, flat, owners, np.array(words, np.int64), np.array(joins, np.bool_),
        np.array([is_single_sign(token) for token in names], np.bool_),
    )  # fmt: skip


def _is_word(token: str, foreign: AbstractSet[str] = frozenset()) -> bool:
    if len(token) == 1 and not has_unspaced(token):
        return False
    return not token[0].isdigit() and token[0] != "_" and not is_function_word(token, foreign)
