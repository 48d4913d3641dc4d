"""What a query matches: all of its words, in any order, or one hashtag exactly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from visavis.collect.text.words import UNSPACED, plain_tag, words
from visavis.errors import InvalidParameter


@dataclass(frozen=True)
class Matcher:
    """One query, ready: `tag` for "#tag", otherwise `needed` words, each a whole word of the text or a hashtag."""

    query: str
    tag: str
    needed: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]

    def __call__(self, folded: str, tags: Sequence[str]) -> bool:
        """Whether a post matches, by its case-folded text and its hashtags."""
        if self.tag:
            return self.tag in tags
        for word, pattern in zip(self.needed, self.patterns, strict=True):
            if not (word in folded and pattern.search(folded)) and word not in tags:
                return False
        return True


def matcher(query: str) -> Matcher:
    """Read a query, which gets its one spelling. Raises InvalidParameter where it holds no word."""
    query = " ".join(query.split())
    tag = plain_tag(query) if query.startswith(("#", "＃")) else ""
    needed = () if tag else tuple(dict.fromkeys(words(query)))
    if not tag and not needed:
        raise InvalidParameter(f'query {query!r} holds no word: write words ("gun control") or one hashtag ("#tag")')
    return Matcher(f"#{tag}" if tag else query.casefold(), tag, needed, tuple(_whole(word) for word in needed))


def normal(query: str) -> str:
    """The one spelling of a query: no case, no blanks but one between words. Raises InvalidParameter."""
    return matcher(query).query


def _whole(word: str) -> re.Pattern[str]:
    escaped = re.escape(word)
    return re.compile(escaped if UNSPACED.search(word) else rf"(?<!\w){escaped}(?!\w)")


class Matchers:
    """Several queries at once; hashtags are looked up, not tried one after the other."""

    def __init__(self, queries: Iterable[str]) -> None:
        every = [matcher(query) for query in queries]
        self._worded = [one for one in every if not one.tag]
        self._by_tag = {one.tag: one.query for one in every if one.tag}

    def matching(self, text: str, tags: Sequence[str]) -> list[str]:
        """The queries that a post matches."""
        found = [self._by_tag[tag] for tag in tags if tag in self._by_tag]
        if self._worded:
            folded = text.casefold()
            found += [one.query for one in self._worded if one(folded, tags)]
        return found
