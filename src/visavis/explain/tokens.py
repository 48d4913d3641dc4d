"""Texts as numbers: what a word is, and which words may begin, end or stand inside a phrase."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from visavis.records import Booleans, Integers

TOKEN = re.compile(r"\w+(?:['-]+\w+)*|[^\w\s]")  # a word, or a mark that ends a phrase
ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
NAME = re.compile(r"[^\W\d_]+")

# Words that hold English sentences together: they may differ between groups, but they tell a reader nothing.
FUNCTION_WORDS = frozenset(  # a block of words reads better than a list of strings
    """
    about above according across after again against ago all almost along already also although always am among an and
    another any anyone anything are around as at away back be became because become been before behind being
    below between both but by came can cannot could did do does doing done down during each either else enough
    even ever every everyone few for from get gets getting give given go goes going gone got had has have having
    he her here hers herself him himself his how however if in into is isn't it its itself just keep kept knew
    know last least less let like made make makes making many may me might mine more most much must my myself
    near nearly neither never next no nobody none nor not nothing now of off often on once one ones only onto or
    other others our ours out over own per perhaps put quite rather really said same saw say saying says see seen
    several shall she should since so some someone something soon still such take taken takes tell tells than that the
    their theirs them themselves then there these they thing things this those though through thus to together
    told too took toward towards two under until up upon us use used very was wasn't way we well went were what when
    where whether which while who whole whom whose why will with within without won't would yet you your yours
    aren't can't couldn't didn't doesn't don't hadn't hasn't haven't i'd i'll i'm i've shouldn't they'll they're
    they've we'll we're we've weren't wouldn't you'll you're you've
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of all texts in a row: `codes` index `names`, `owners` say whose text each stands in.

    A token's `words` entry is the code of the word it stands for (a possessive stands for its noun), −1 if it is none:
    a function word, a numeral, a single letter or a mark. `joins` tells which tokens may stand inside a phrase.
    """

    names: tuple[str, ...]
    codes: Integers
    owners: Integers
    words: Integers
    joins: Booleans


def words_of(text: str) -> list[str]:
    """The telling words of a text: case-folded, possessives stripped, function words and numerals left out."""
    words = (token.removesuffix("'s") for token in tokens_of(text))
    return [word for word in words if _is_word(word)]


def tokens_of(text: str) -> list[str]:
    """Words and marks in their order, case-folded; addresses count as marks."""
    folded = text.casefold().replace("’", "'")
    if "://" in folded or "www." in folded:
        folded = ADDRESS.sub(" . ", folded)
    return TOKEN.findall(folded)


def name_words(name: str) -> frozenset[str]:
    """The words of a name, however they are joined: "gun_control", "The New York Times"."""
    return frozenset(NAME.findall(name.casefold()))


def read_tokens(texts: Sequence[str]) -> Tokens:
    """The tokens of these texts."""
    numbers: defaultdict[str, int] = defaultdict(lambda: len(numbers))
    codes: list[int] = []
    lengths = []
    for text in texts:
        found = tokens_of(text)
        codes.extend(map(numbers.__getitem__, found))
        lengths.append(len(found))
    words = [numbers[bare] if _is_word(bare := token.removesuffix("'s")) else -1 for token in list(numbers)]
    names = tuple(numbers)
    words += range(len(words), len(names))  # the nouns met only as possessives
    joins = [token in FUNCTION_WORDS or token == "a" or word >= 0 for token, word in zip(names, words, strict=True)]
    return Tokens(
        names, np.array(codes, np.int64), np.repeat(np.arange(len(texts)), lengths), np.array(words, np.int64),
        np.array(joins, np.bool_),
    )  # fmt: skip


def _is_word(token: str) -> bool:
    return len(token) > 1 and not token[0].isdigit() and token[0] != "_" and token not in FUNCTION_WORDS
