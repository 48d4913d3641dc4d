"""Sentences that a site repeats on its pages ("Subscribe to our channel") are not part of its articles."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from visavis.corpus.duplicates import near_duplicates

FEWEST_PAGES = 3  # on which a sentence must stand
LEAST_SHARE = 0.1  # of a site's pages, too

_WORD = re.compile(r"\w+")


def sentences(text: str, language: str = "en") -> Iterator[list[str]]:
    """Sentences, line by line (a line of a page is a block of its own), none of them blank."""
    from sentencex import segment

    for line in text.splitlines():
        parts = [piece.strip() for piece in segment(language, line)] if line.strip() else []
        kept = [piece for piece in parts if piece]
        if kept:
            yield kept


def remove_boilerplate(texts: Sequence[str], sites: Sequence[str], languages: Sequence[str]) -> list[tuple[str, int]]:
    """Each text without the sentences its site repeats, and how many of them it had.

    A sentence goes if it stands, letters and digits alone considered, in at least 3 of the site's pages and in a tenth
    of them. Pages that are near-duplicates count as one, so that an article on many pages is not its own boilerplate.
    """
    first = near_duplicates(texts)
    split = [list(sentences(text, language or "en")) for text, language in zip(texts, languages, strict=True)]
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    pages: Counter[str] = Counter()
    counted: set[tuple[str, int]] = set()
    for index, (lines, site) in enumerate(zip(split, sites, strict=True)):
        if (site, int(first[index])) in counted:
            continue
        counted.add((site, int(first[index])))
        pages[site] += 1
        seen[site].update({key for line in lines for piece in line if (key := _key(piece))})
    repeated = {
        site: {key for key, count in counts.items() if count >= max(FEWEST_PAGES, LEAST_SHARE * pages[site])}
        for site, counts in seen.items()
    }
    return [_without(lines, repeated[site]) for lines, site in zip(split, sites, strict=True)]


def _without(lines: list[list[str]], repeated: set[str]) -> tuple[str, int]:
    kept = [" ".join(piece for piece in line if _key(piece) not in repeated) for line in lines]
    removed = sum(_key(piece) in repeated for line in lines for piece in line)
    return "\n".join(line for line in kept if line), removed


def _key(sentence: str) -> str:
    return " ".join(_WORD.findall(sentence.casefold()))
