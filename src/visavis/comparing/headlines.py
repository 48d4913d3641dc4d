"""What to call documents that have no title: the first sentence that tells something of their group."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import overload

from visavis.corpus.lead import says_something, sentences_of
from visavis.records import Document, Integers
from visavis.report.text import SNIPPET, mentions, shorten
from visavis.shared.text import ADDRESS

WHOLE, CUT = 170, 110  # characters up to which a sentence stays whole, and to which a longer one is cut
SOUGHT = 12  # sentences among which one is sought

_SALUTATION = re.compile(
    r"(?:dear|mr\.|mrs\.|ms\.|madam|to the|(?:my )?fellow|gentlemen|ladies|members) [^!?:]{0,200}:\s+(?=\S)",
    re.IGNORECASE,
)
_NAME = re.compile(r"\S+(?: \S+){2,}?(?= [-–—] )")  # what stands before a dash: "Crude Oil Export Act - Amends the ..."


@dataclass(frozen=True, eq=False)
class Asked(Sequence[str]):
    """Words for each document that are found when asked for, once: a page names few of very many documents."""

    find: Callable[[int], str]
    size: int
    known: dict[int, str] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[str]: ...
    def __getitem__(self, row: int | slice) -> str | Sequence[str]:
        """Those of one document, or of several."""
        if isinstance(row, slice):
            return [self[at] for at in range(*row.indices(self.size))]
        at = range(self.size)[row]
        if at not in self.known:
            self.known[at] = self.find(at)
        return self.known[at]


def headlines(
    documents: Sequence[Document], texts: Sequence[str], codes: Integers, words: Sequence[Sequence[str]]
) -> Sequence[str]:
    """For each document without a title its first sentence with a word of its group, else the first of substance.

    Of short texts it is the first of substance: they are shown whole, and read in order. `words` are those that set
    each group apart; documents with a title, and pictures, get none.
    """
    telling = [mentions(own) for own in words]

    def find(row: int) -> str:
        document = documents[row]
        return "" if document.title.strip() or document.image else _headline(texts[row], telling[codes[row]])

    return Asked(find, len(documents))


def titles(documents: Sequence[Document], found: Sequence[str]) -> Sequence[str]:
    """What each document is called: its title, else its headline among those `found`."""
    return Asked(lambda row: documents[row].title or found[row], len(documents))


def _headline(text: str, telling: Sequence[re.Pattern[str]]) -> str:
    found = [_SALUTATION.sub("", one, 1) for one in islice(sentences_of(ADDRESS.sub("", text)), SOUGHT)]
    full = [sentence for sentence in found if says_something(sentence)] or found
    tells = (sentence for sentence in full if any(word.search(sentence) for word in telling))
    first = full[0] if full else ""
    return _cut(first if len(text) <= SNIPPET else next(tells, first))


def _cut(sentence: str) -> str:
    if len(sentence) <= WHOLE:
        return sentence
    name = _NAME.match(sentence[:CUT])
    return name[0] if name else shorten(sentence, CUT)
