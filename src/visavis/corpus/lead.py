"""The lead of a document: its title and first sentences, which carry what a news story is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from visavis.corpus.notices import is_byline
from visavis.errors import InvalidParameter
from visavis.records import Document
from visavis.shared.unspaced import SOUTHEAST

AUTO = "auto"
FEWEST_SENTENCES = 3  # that are read of a document, unless fewer are asked for
SENTENCES_IN_ALL = 30_000  # that are read of all documents together, where nobody says how many of each
LONGEST = 20_000  # characters in which the first sentences are sought
FEWEST_WORDS = 5  # of a sentence that says something
SPACELESS = 12  # characters of one in a script without spaces
STRETCH = 80  # characters that make a sentence where nothing ends one
LONGEST_BEGUN = 8  # characters: a bracket, a short word and its full stop
LONGEST_HELD = 500  # characters that wait for what follows them: what refers to so many sections is no sentence

_BEGUN = re.compile(r"\(\w{1,6}\.$")
_PARAGRAPH_BREAK = re.compile(r"\n\s*\n")
_SOUTHEAST = re.compile(f"[{SOUTHEAST}]")
_OTHER_LETTER = re.compile(rf"[^\W\d_{SOUTHEAST}]")
_STOP = re.compile(r"(?<=[\u104b\u17d4\u17d5])\s*")
_ENDS = (".", "!", "?", ";", ":")
_FULL_STOPS = ("。", "！", "？", "」", "』")


def usual_lead(n_documents: int) -> int:
    """How many sentences of each are read, unless somebody says so: the fewer documents, the more of them.

    Speeches begin with greetings, and a few hundred documents are soon read; of very many, three sentences do.
    """
    return max(FEWEST_SENTENCES, SENTENCES_IN_ALL // max(n_documents, 1))


def settle_lead(asked: int | str | None, n_documents: int) -> int | None:
    """A number of sentences, or None for all, from what may be "auto". Raises InvalidParameter for other words."""
    if asked == AUTO:
        return usual_lead(n_documents)
    if isinstance(asked, str):
        raise InvalidParameter(f"lead must be a number of sentences, None for all, or 'auto', got {asked!r}")
    return asked


def read_lead(written: str) -> int | str | None:
    """What a command or an address says of it: "auto", "all" or a number. Raises ValueError for other words."""
    if written == AUTO:
        return AUTO
    return None if written == "all" else int(written)


def lead_text(document: Document, sentences: int | None = 3, *, choosy: bool = False) -> str:
    """Title and first sentences of a document on one line, single spaces between words; None takes the whole text.

    A first sentence that only repeats the title is passed over; with `choosy` so are those that say nothing, unless
    the text has too few others. Raises InvalidParameter for a negative number.
    """
    if sentences is not None and (isinstance(sentences, bool) or not isinstance(sentences, int) or sentences < 0):
        raise InvalidParameter(f"sentences must be a whole number of at least 0, or None for all, got {sentences!r}")
    title = _one_line(document.title)
    if sentences is None:
        return f"{title} {_one_line(document.text)}".strip()
    passed: list[str] = []
    telling: list[str] = []
    for position, sentence in enumerate(sentences_of(document.text[:LONGEST])):
        if len(telling) >= sentences:
            break
        if position or sentence != title:
            passed.append(sentence)
            if not choosy or says_something(sentence):
                telling.append(sentence)
    chosen = telling if len(telling) >= sentences else passed[:sentences]
    return _joined([title, *chosen] if title else chosen)


def leads(documents: Sequence[Document], sentences: int | None, choosy: bool) -> list[str]:
    """The leads of some documents."""
    return [lead_text(document, sentences, choosy=choosy) for document in documents]


def says_something(sentence: str) -> bool:
    """Whether a sentence has a sentence's worth of words, and is no byline."""
    if sentence.count(" ") < FEWEST_WORDS - 1 and (sentence.isascii() or len(sentence) < SPACELESS):
        return False
    return not is_byline(sentence[:120])


def sentences_of(text: str) -> Iterator[str]:
    """Sentences in order, none of them blank.

    Paragraph by paragraph: no sentence crosses a blank line, so the answer is the same and most text is never touched.
    """
    for paragraph in _PARAGRAPH_BREAK.split(text.replace("\r\n", "\n")):
        for sentence in _segments(_encodable(paragraph)):
            if not sentence.isascii() and _is_southeast(sentence):
                yield from _stretches(sentence)
            elif sentence:
                yield sentence


def _segments(paragraph: str) -> Iterator[str]:
    """Sentences on one line each, blank ones too; "(Sec." and the like belong to what follows."""
    from sentencex import segment

    held = ""
    for piece in segment("en", paragraph):
        sentence, held = _one_line(f"{held} {piece}"), ""
        begun = _BEGUN.search(sentence, max(0, len(sentence) - LONGEST_BEGUN))
        if begun and len(sentence) <= LONGEST_HELD:
            before = sentence[: begun.start()].rstrip()
            sentence, held = (before, begun[0]) if before.endswith(_ENDS) else ("", sentence)
        yield sentence
    yield held


def _is_southeast(sentence: str) -> bool:
    """Whether most letters are of these scripts: a word of theirs in another language's sentence does not cut it."""
    own = len(_SOUTHEAST.findall(sentence))
    return own > 0 and own > len(_OTHER_LETTER.findall(sentence))


def _stretches(text: str) -> Iterator[str]:
    """Sentences by the stops of Khmer and Burmese; without any, as in Thai, phrases as long as one together."""
    for sentence in _STOP.split(text):
        held = ""
        for phrase in sentence.split(" "):
            held = f"{held} {phrase}".strip()
            if len(held) >= STRETCH:
                yield held
                held = ""
        if held:
            yield held


def _joined(sentences: list[str]) -> str:
    """Sentences in a row; where scripts have no blanks, there is none between them."""
    found = "".join(sentences[:1])
    for sentence in sentences[1:]:
        found += sentence if found.endswith(_FULL_STOPS) else f" {sentence}"
    return found


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _encodable(text: str) -> str:
    """The text, half surrogates (which JSON lets through) replaced by question marks."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="replace").decode()
    return text
