"""What the form of a text gives away: that it repeats itself, has no sentence, breaks off, goes on, answers, sells.

In scripts without blanks tags are not told from words, and dots mean a pause: no post there is cut off or mostly links.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from visavis.shared.unspaced import has_unspaced

MANY, FEWEST_DISTINCT = 30, 2.0  # words from which on a text may repeat itself; distinct ones for each root of them
RUN, AGAIN, MOST_AGAIN = 5, 3, 0.4  # words in a row that it has so often, and the share of its words that stand in such
LOOKED_AT = 4_000  # characters of a text
LONG = 30  # words of a sentence by its usual ends from which on all ends are counted
POST = 60  # words up to which a text may break off, go on, answer somebody, or hold little but links and tags
MOST_TAGGED = 0.5  # of its words that are links, #tags and @names
SOLD_WITHIN, NEAR = 800, 200  # characters in which a text says that it sells, and how near the links are named

# What ends a sentence, or a part of a long one; found by its mark, which is quicker than by the word before it.
_END = re.compile('(?<=[\\w\\])"”’%»])[.!?;…]++(?=[\\s"”’»)]|[^\\W\\d_a-z]|$)')
_DENSE_END = re.compile("[。！？।؟۔]")
_USUAL_ENDS = (". ", ".\n", "! ", "? ", "; ")
_LINK = r"(?:(?:https?|ftp)://|www\.|pic\.twitter\.com/)[!-~]++"
_TAG = re.compile(rf"{_LINK}|(?<!\w)[#@]\w++")
_LAST_LINKS = re.compile(rf"(?:{_LINK}(?:\s*+…)?+\s*+)++$")  # the sign then is theirs
_CUT = re.compile(r"(?:^|[^\s.!?;…])\s*+…[\s\"'”’)\]]*$")
# Whom it answers, which may be an address on a server; not who does what it tells.
_ANSWER = re.compile(
    r"\s*@[\w.-]++(?:@[\w.-]++)?+(?=[\s:,])(?!\s+(?:is|are|was|were|has|have|had|will|would|can|could|does|did|says?|said|"
    r"and|&|who|also|just)\b)"
)
# The number of a part, as in "(2/3)" or "2/": not a mark out of ten, a day, a share of something or an address.
_FIRST_NUMBER = re.compile(r"\s*(?:\(\d{1,2}/(?:\d{1,2})?\)|\d{1,2}/(?:\d{1,2}\s?[:)]|\s))")
_LAST_NUMBER = re.compile(r"(?:\(\d{1,2}/(?:\d{1,2})?\)|(?<=[.!?…\"’”])\s++\d{1,2}/(?:\d{1,2})?)\s*+$")
_NUMBERS = re.compile(r"\d+")
_MARKS = (5, 10)  # out of which reviews give theirs
_MOST_PARTS = 12  # of a thread: above these are days of a month
_NINE_ELEVEN = (9, 11)
# "Purchases you make through our links may earn us a commission", as such articles have to say; in lower case.
_EARNS = re.compile(
    r"\b(?:(?:may|might|can|could)\b[^.!?]{0,60}?\b|we\s+)(?:earn|receive|collect|get|be\s+paid)\s+(?:us\s+)?(?:an?\s+)?"
    r"(?:small\s+)?(?:affiliate\s+|referral\s+)?(?:commissions?|(?:share|portion)\s+of\s+(?:the\s+)?sales?)\b"
    r"|\bearn\s+from\s+qualifying\s+purchases\b"
)
_SOLD_BY = re.compile(r"\b(?:our|these|the|this|some|an?)\s+(?:\w+\s+)?links?\b|\b(?:affiliate|amazon)\b")
_PAID_FOR = re.compile(  # a word alone may be what stands between a page's paragraphs
    r"\W*(?:(?:sponsored|paid|branded)\s+(?:content|post)|advertorial|advertisement\s+feature)\s*(?:[:|–—]|\n|$)"
    r"|\W*sponsored\s*[:|]"
)
_ANSWERING_TITLE = re.compile(  # as mail has them; not "re:publica"
    r"\s*(?:(?:re|aw|antw|sv|rv)\s?(?:\[\d{1,3}\])?:\s|(?-i:RE|AW|ANTW|SV|RV):)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Form:
    """Whether a text says the same again and again, how many words it has, and how many for each sentence.

    A post is `answer` if it begins with the @name of whom it answers, `tagged` if it is mostly links and tags,
    `cut` if it ends in “…”, links aside, as what a machine shortened does, and `later` if it begins or ends with the
    number of a part after the first. An article `sells` if it says that somebody earns by what is bought by its links,
    or paid for it.
    """

    repeats: bool
    cut: bool
    later: bool
    answer: bool
    tagged: bool
    sells: bool
    words: int
    per_sentence: float


def forms_of(texts: Sequence[str]) -> list[Form]:
    """The forms of these texts, by their first 4,000 characters."""
    return [_form(text[:LOOKED_AT]) for text in texts]


def _form(text: str) -> Form:
    words = text.count(" ") + text.count("\n") + 1
    ends = sum(map(text.count, _USUAL_ENDS))
    if words > LONG * (1 + ends):  # others are counted where that decides something
        ends = len(_END.findall(text)) + (0 if text.isascii() else len(_DENSE_END.findall(text)))
    post = words <= POST and not has_unspaced(text)
    cut = post and "…" in text and _CUT.search(_LAST_LINKS.sub("", text)) is not None
    later = words <= POST and "/" in text and _is_later_part(text)
    answer = words <= POST and "@" in text and _ANSWER.match(text) is not None
    tagged = post and _is_tagged(text)
    return Form(repeats_itself(text), cut, later, answer, tagged, _sells(text), words, words / (1 + ends))


def is_paid_for(title: str) -> bool:
    """Whether a title says that somebody paid for the article, as "Sponsored: the bridge"."""
    return _PAID_FOR.match(title.lower()) is not None


def is_answer(title: str) -> bool:
    """Whether a title says that something answers something else, as "Re: the bridge"."""
    return _ANSWERING_TITLE.match(title) is not None


def _is_later_part(text: str) -> bool:
    """Whether a text begins or ends, links aside, with the number of a part after the first, as "(2/5)" or "2/"."""
    for found in (_FIRST_NUMBER.match(text), _LAST_NUMBER.search(_LAST_LINKS.sub("", text))):
        part, *of = map(int, _NUMBERS.findall(found[0])) if found else (0,)
        parts = of[0] if of else part
        if 1 < part <= parts <= _MOST_PARTS and not (of and parts in _MARKS) and (part, parts) != _NINE_ELEVEN:
            return True
    return False


def _sells(text: str) -> bool:
    """Whether a text says at its beginning that somebody earns by what is bought by its links, or paid for it."""
    beginning = text[:SOLD_WITHIN].lower()
    if _PAID_FOR.match(beginning):
        return True
    if not any(word in beginning for word in ("link", "affiliate", "amazon")):
        return False
    near = (beginning[max(0, found.start() - NEAR) : found.end() + NEAR] for found in _EARNS.finditer(beginning))
    return any(_SOLD_BY.search(words) for words in near)


def _is_tagged(text: str) -> bool:
    """Whether more of a text's words are links, #tags and @names than others."""
    if not ("://" in text or "#" in text or "@" in text):
        return False
    tags = len(_TAG.findall(text))
    return tags > MOST_TAGGED * (tags + len(_TAG.sub(" ", text).split()))


def repeats_itself(text: str) -> bool:
    """Whether a text says the same again and again, or lists what has the same form.

    It has few distinct words for its length (others have five and more for each root of their number), or much of it
    stands in runs of words that it has three times and more: tables, lists of contents, songs.
    """
    words = text.split()
    if len(words) < MANY:
        return False
    distinct = len(set(words))
    if distinct < FEWEST_DISTINCT * len(words) ** 0.5:
        return True
    if distinct > len(words) * (1.0 - MOST_AGAIN * (1.0 - 1.0 / AGAIN)):
        return False  # too many for so much to stand there three times
    runs = list(zip(*(words[step:] for step in range(RUN)), strict=False))
    if len(runs) - len(set(runs)) < MOST_AGAIN * (1.0 - 1.0 / AGAIN) * len(words) / RUN:
        return False  # too few stand there again to cover so much
    counts = Counter(runs)
    covered, end = 0, 0
    for place, run in enumerate(runs):
        if counts[run] >= AGAIN:
            covered += place + RUN - max(place, end)
            end = place + RUN
    return covered >= MOST_AGAIN * len(words)
