"""Names of groups where they stand in a text: as written, shortened, in brackets behind a person, as possessives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from visavis.study.dates import MASK

SHORT = 3  # letters; shorter names count in capitals only, as they are words as well
PARTIES = (
    ("D", "Dem", "Democrat", "Democratic", "Democratic Party"),
    ("R", "GOP", "Republican", "Republican Party", "Grand Old Party"),
    ("I", "Independent"),
)  # letters behind a name, and what they stand for
_SITE = re.compile(r"(?:https?://)?(?:www\.)?([\w-]+)(?:\.[a-z]{2,4}){1,2}/?", re.IGNORECASE)
_GAP = r"[\s._-]*"
_SMALL = ("the", "of", "and", "for", "a")


class GroupNames:
    """The names of all groups; `also` holds further ones, "GROUP=NAME" for one group's or "NAME" for nobody's."""

    def __init__(self, groups: Sequence[str], also: Iterable[str] = ()) -> None:
        self.groups = tuple(groups)
        self._also = [(group if name else "", name or group) for group, _, name in (one.partition("=") for one in also)]

    @cached_property
    def _patterns(self) -> dict[str, re.Pattern[str]]:
        further = {group: [name for of, name in self._also if of == group] for group in self.groups}
        return {group: _pattern([*_names(group), *further[group]]) for group in self.groups}

    @cached_property
    def _any(self) -> re.Pattern[str]:
        names = [name for group in self.groups for name in _names(group)]
        return _pattern([*names, *(name for _, name in self._also)])

    def named_in(self, text: str) -> set[str]:
        """The groups that a text names."""
        return {group for group, pattern in self._patterns.items() if pattern.search(text)}

    def mask(self, text: str) -> str:
        """The text with every name of every group replaced by ▢; what is appended to a name, such as ’s, stays."""
        return self._any.sub(MASK, text)


def _names(group: str) -> list[str]:
    """A group's name and what else it is called: a site's own word, initials, a party's letter and names."""
    name = " ".join(group.split())
    found = [name]
    if site := _SITE.fullmatch(name):
        found.append(site[1])
    bare = re.sub(r"^the\s+", "", name, flags=re.IGNORECASE)
    words = [word for word in bare.split() if word.lower() not in _SMALL]
    if len(words) >= 3 and all(word[0].isupper() for word in words):
        found.append("".join(word[0] for word in words))
    for party in PARTIES:
        if any(bare.casefold() in (one.casefold(), f"{one}s".casefold()) for one in party):
            found += party
    return list(dict.fromkeys([bare, *found]))


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Any of the names, whole words, the longest first; a pattern that never matches where there are none."""
    forms = [form for name in sorted(set(names), key=lambda name: (-len(name), name)) if (form := _form(name))]
    return re.compile("|".join(forms) if forms else r"(?!)")


def _form(name: str) -> str:
    """How one name stands in texts; "" for one that could be anything, such as a number of three digits."""
    letters = [letter for letter in name if letter.isalpha()]
    if len(name) == 1 and letters:
        letter = re.escape(name.upper())
        return rf"(?<=\(){letter}(?=[\s.,)–-])|(?<=, ){letter}(?=[-–][A-Z])"
    if len(name) <= SHORT:
        capitals = {name.upper(), name if any(letter.isupper() for letter in name) else name.upper()}
        return rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(capitals)))})s?(?!\w)" if letters else ""
    parts = [re.escape(part).replace("'", "['’]") for part in re.split(r"[\s._-]+", name) if part]
    return rf"(?<!\w)(?i:{_GAP.join(parts)}(?:s|es)?)(?!\w)" if parts else ""
