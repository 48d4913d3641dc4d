"""Which words only hold sentences together, in the languages that the texts are in: the texts themselves tell which.

German "die" and "war", French "on" and "car" say something in English. So a list counts where a notable part of the
texts is in its language, and a word of it where it mostly stands in such texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, reduce
from operator import and_
from pathlib import Path

import numpy as np
from scipy import sparse

from visavis.explain.function_words import ENGLISH
from visavis.records import Booleans, Integers

LISTS = Path(__file__).with_name("data") / "function_words.txt"
COVERED, FEWEST = 0.15, 2  # of a text's words, and how many of them: with less it is in no language
NOTABLE, VARIED = 0.03, 5  # of the texts are in a language that counts, with so many of its words: "ha ha" is none
MOST_JUDGED = 5_000  # texts that are asked for their language

_JOINS = re.compile("['-]")


def foreign_function_words(known: Sequence[str], flat: Integers, owners: Integers) -> frozenset[str]:
    """Those of the words that only hold sentences together in the languages of the texts, other than English.

    A text is in the language whose list covers the largest share of its words; of equals in the one that covers more of
    all texts. `flat` has the words of all texts as places in `known`, `owners` say whose each is, ascending. Of very
    many texts some are judged, evenly drawn.
    """
    if len(owners) == 0:
        return frozenset()
    step = -(-(int(owners[-1]) + 1) // MOST_JUDGED)
    if step > 1:
        judged = owners % step == 0
        flat, owners = flat[judged], owners[judged] // step
    listed = _listed(known)
    languages, n_texts = _languages(listed, known, flat, owners)
    sizes = np.bincount(languages[languages >= 0], minlength=listed.shape[1])
    counts = np.flatnonzero(sizes[1:] >= max(1.0, NOTABLE * n_texts)) + 1  # English, the first, always counts
    own, found = np.zeros(len(known)), np.zeros(len(known), np.bool_)
    for language in counts.tolist():
        there = listed[:, language] * np.bincount(flat[languages[owners] == language], minlength=len(known))
        if np.count_nonzero(there) >= VARIED:
            own += there
            found |= listed[:, language]
    found &= 2 * own >= np.bincount(flat, minlength=len(known))
    return frozenset(known[place] for place in np.flatnonzero(found).tolist())


def _languages(listed: Booleans, known: Sequence[str], flat: Integers, owners: Integers) -> tuple[Integers, int]:
    """The language of each text by its number, −1 for none of the lists; and how many texts have words."""
    n_texts = int(owners[-1]) + 1
    letters = np.array([name[:1].isalpha() for name in known], np.bool_)
    n_words = np.bincount(owners[letters[flat]], minlength=n_texts)
    there = np.asarray(listed.any(axis=1))[flat]
    starts = np.searchsorted(owners[there], np.arange(n_texts + 1))
    held = sparse.csr_matrix((np.ones(starts[-1], np.float32), flat[there], starts), (n_texts, len(known)))
    covered = held @ listed.astype(np.float32)
    order = np.argsort(-covered.sum(axis=0), kind="stable")
    best = order[covered[:, order].argmax(axis=1)]
    most = covered.max(axis=1)
    sure = (most >= FEWEST) & (most >= COVERED * n_words)
    return np.where(sure, best, -1), int(np.count_nonzero(n_words))


def _listed(known: Sequence[str]) -> Booleans:
    """Which lists each word is on, shape (words, lists); a joined one ("c'est", "est-ce") where all its parts are."""
    lists = _lists()
    marks = [lists.get(name, 0) for name in known]
    for place, name in enumerate(known):
        if "'" in name or "-" in name:
            marks[place] |= reduce(and_, (lists.get(part, 0) for part in _JOINS.split(name)))
    bits = np.array(marks, np.int64)[:, None]
    return np.asarray(bits >> np.arange(1 + len(_blocks())) & 1 == 1)


@cache
def _lists() -> dict[str, int]:
    """For each word the lists it is on, as bits: English is the first, then those of the file in their order."""
    found = dict.fromkeys(ENGLISH | {"a", "i"}, 1)
    for place, words in enumerate(_blocks().values(), 1):
        for word in words:
            found[word] = found.get(word, 0) | 1 << place
    return found


@cache
def _blocks() -> dict[str, frozenset[str]]:
    """The words of each language, case-folded, as a text is that is read."""
    blocks = LISTS.read_text(encoding="utf-8").casefold().strip().split("\n\n")
    return {name: frozenset(words.split()) for name, words in (block.split("\n", 1) for block in blocks)}
