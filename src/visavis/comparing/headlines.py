"""What to call documents that have no title: the first sentence that tells something of their group."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from visavis.corpus.lead import says_something, sentences_of
from visavis.records import Document, Integers
from visavis.report.text import mentions, shorten
from visavis.shared.text import ADDRESS

WHOLE, CUT = 170, 110  # characters up to which a sentence stays whole, and to which a longer one is cut
SOUGHT = 12  # sentences among which one is sought

_SALUTATION = re.compile(
    r"(?:dear|mr\.|mrs\.|ms\.|madam|to the|(?:my )?fellow|gentlemen|ladies|members) [^!?:]{0,200}:\s+(?=\S)",
    re.IGNORECASE,
)
_NAME = re.compile(r"\S+(?: \S+){2,}?(?= [-–—] )")  # what stands before a dash: "Crude Oil Export Act - Amends the ..."


def headlines(
    documents: Sequence[Document], texts: Sequence[str], codes: Integers, words: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    """For each document without a title its first sentence with a word of its group, else the first of substance.

    `words` are those that set each group apart; documents with a title, and pictures, get none.
    """
    telling = [mentions(own) for own in words]
    return tuple(
        "" if document.title.strip() or document.image else _headline(text, telling[code])
        for document, text, code in zip(documents, texts, codes.tolist(), strict=True)
    )


def _headline(text: str, telling: Sequence[re.Pattern[str]]) -> str:
    found = [_SALUTATION.sub("", one, 1) for one in islice(sentences_of(ADDRESS.sub("", text)), SOUGHT)]
    full = [sentence for sentence in found if says_something(sentence)] or found
    tells = (sentence for sentence in full if any(word.search(sentence) for word in telling))
    return _cut(next(tells, full[0])) if full else ""


def _cut(sentence: str) -> str:
    if len(sentence) <= WHOLE:
        return sentence
    name = _NAME.match(sentence[:CUT])
    return name[0] if name else shorten(sentence, CUT)
