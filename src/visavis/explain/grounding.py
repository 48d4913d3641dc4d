"""Does a sentence rest on the documents it cites? Its words, names and numbers are looked for in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from visavis.explain.function_words import is_function_word
from visavis.explain.tokens import name_words, words_of

LEAST_WORDS, LEAST_SHARE = 3, 0.5  # telling words of a sentence that the documents it cites must hold
STEM = 4  # letters that two forms of a word share, at least
ENDING = 4  # letters that each may have beyond, at most
ENDINGS_OF_NAMES = ("s", "n", "an", "ian")  # "Iran" and "Iranian"; others make other names: "Niger" and "Nigeria"

_PART = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")  # a number or a run of letters: "COVID-19" is two
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def ungrounded(sentence: str, cited: Sequence[str], sent: Sequence[str], names: Sequence[str] = ()) -> str:
    """Why a sentence does not rest on its documents, as a clause; blank if it does.

    At least three of its telling words, and half of them, must be in the texts it cites, and every number and every
    capitalized word inside it in some text that was `sent`. The groups' `names` may be said, and do not count.
    """
    named = {word for name in names for word in (*name_words(name), *words_of(name))}
    words = [word for word in dict.fromkeys(words_of(sentence)) if not is_among(word, named)]
    known = {word for text in cited for word in words_of(text)}
    found = [word for word in words if is_among(word, known)]
    if len(found) < LEAST_WORDS or len(found) < LEAST_SHARE * len(words):
        return f"{len(found)} of its {len(words)} telling words are in the documents it cites"
    said = {_plain(part) for text in (*sent, *names) for part in _PART.findall(text)}
    strange = [part for part in _claims(sentence) if not _is_said(_plain(part), said)]
    return f"it says {strange[0]!r}, which no document that was sent does" if strange else ""


def is_among(word: str, known: AbstractSet[str]) -> bool:
    """Whether a word, or another form of it, is known: "border" and "borders", "separate" and "separation"."""
    return word in known or any(_same_stem(word, other) for other in known)


def _same_stem(left: str, right: str) -> bool:
    shared = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        shared += 1
    beyond = max(len(left), len(right)) - shared
    return left[:1].isalpha() and shared >= STEM and beyond <= ENDING


def _is_said(claim: str, said: AbstractSet[str]) -> bool:
    """Whether a number is said, or a name, be it with one of the usual endings more or less."""
    forms = {form for ending in ENDINGS_OF_NAMES for form in (claim + ending, claim.removesuffix(ending))}
    return claim in said or any(min(len(claim), len(form)) >= STEM for form in forms & said)


def _plain(part: str) -> str:
    """A number without separators of thousands, a word in small letters."""
    return part.replace(",", "") if _THOUSANDS.fullmatch(part) else part.casefold()


def _claims(sentence: str) -> list[str]:
    """The numbers of a sentence, and its capitalized words but the first: facts that cannot be other words for some."""
    return [
        part
        for place, part in enumerate(_PART.findall(sentence))
        if part[0].isdigit()
        or (place > 0 and part[0].isupper() and len(part) > 1 and not is_function_word(part.casefold()))
    ]
