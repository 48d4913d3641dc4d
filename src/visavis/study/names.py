"""Names of groups where they stand in a text: as written, shortened, behind a person, within handles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from visavis.study.dates import MASK
from visavis.study.joined_words import JOINED, joined_pattern, name_pattern

SHORT = 3  # letters; shorter names count in capitals only, as they are words as well
PARTIES = (
    ("D", "Dem", "Democrat", "Democratic", "Democratic Party"),
    ("R", "GOP", "Repub", "Republican", "Republican Party", "Grand Old Party"),
    ("I", "Independent"),
)  # letters behind a name, and what they stand for
_SITE = re.compile(r"(?:https?://)?(?:www\.)?([\w-]+)(?:\.[a-z]{2,4}){1,2}/?", re.IGNORECASE)
_SMALL = ("the", "of", "and", "for", "a")


@dataclass(frozen=True)
class _Finder:
    """What finds some names: as words of their own, and within words that are joined to others."""

    alone: re.Pattern[str]
    joined: re.Pattern[str]

    def finds(self, text: str) -> bool:
        return self.alone.search(text) is not None or any(self.joined.search(word[0]) for word in JOINED.finditer(text))

    def hide(self, text: str) -> str:
        whole = JOINED.sub(lambda word: MASK if self.joined.search(word[0]) else word[0], text)
        return self.alone.sub(MASK, whole)


def _finder(names: Iterable[str]) -> _Finder:
    chosen = tuple(names)
    return _Finder(_pattern(chosen), joined_pattern(chosen))


class GroupNames:
    """The names of all groups; `also` holds further ones, "GROUP=NAME" for one group's or "NAME" for nobody's."""

    def __init__(self, groups: Sequence[str], also: Iterable[str] = ()) -> None:
        self.groups = tuple(groups)
        self._also = [(group if name else "", name or group) for group, _, name in (one.partition("=") for one in also)]

    @cached_property
    def _finders(self) -> dict[str, _Finder]:
        further = {group: [name for of, name in self._also if of == group] for group in self.groups}
        return {group: _finder([*_names(group), *further[group]]) for group in self.groups}

    @cached_property
    def _any(self) -> _Finder:
        names = [name for group in self.groups for name in _names(group)]
        return _finder([*names, *(name for _, name in self._also)])

    def named_in(self, text: str) -> set[str]:
        """The groups that a text names."""
        return {group for group, finder in self._finders.items() if finder.finds(text)}

    def mask(self, text: str) -> str:
        """The text with every name of every group replaced by ▢; what is appended to a name, such as ’s, stays."""
        return self._any.hide(text)


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
        state = rf"(?<![\w-]){letter}(?=[-–][A-Z]{{2}}(?!\w))"
        return rf"(?<=[(\[]){letter}(?=[\s.,)\]–-])|(?<=, ){letter}(?=[-–][A-Z])|{state}"
    if len(name) <= SHORT:
        capitals = {name.upper(), name if any(letter.isupper() for letter in name) else name.upper()}
        return rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(capitals)))})[sS]?(?!\w)" if letters else ""
    written = name_pattern(name)
    return rf"(?<!\w)(?i:{written}(?:s|es)?)(?!\w)" if written else ""
