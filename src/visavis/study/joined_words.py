"""Names within words that are joined to others: handles (@HouseGOP), tags (#GOPTaxScam) and addresses (dems.gov/news).

Such a word is hidden whole, as what is left of it would tell the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

LONG = 6  # letters from which a name is known wherever it stands within a joined word
_LETTER = r"[^\W\d_]"
_GAP = r"[\s._-]*"
JOINED = re.compile(
    r"(?:https?:?//|(?<!\w)www\.)\S*[\w/]"  # an address, without the full stop behind it
    r"|(?<![\w-])[\w-]+(?:\.(?:[a-z\d][\w-]*|[A-Z]{2,6}\b))+(?:/\S*[\w/])?"  # ... or a site alone
    r"|[@#]\w+"
)


def name_pattern(name: str) -> str:
    """A name as written by the words it is made of, with or without what parts them."""
    parts = [re.escape(part).replace("'", "['’]") for part in re.split(r"[\s._-]+", name) if part]
    return _GAP.join(parts)


def joined_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """What finds any of the names within a joined word; never matches where there are none."""
    forms = [form for name in sorted(set(names)) for form in _forms(name)]
    return re.compile("|".join(forms) if forms else r"(?!)")


def _forms(name: str) -> list[str]:
    """Where a name may stand: a long one anywhere; a short one where signs, capitals or the word's end part it off."""
    letters = sum(letter.isalpha() for letter in name)
    body = name_pattern(name)
    if letters >= LONG:
        return [rf"(?i:{body})"]
    if letters < 2:
        return []  # a letter within a word tells nothing
    capitals = "|".join(sorted({re.escape(form) for form in (name.upper(), name[0].upper() + name[1:])}))
    found = [
        rf"(?<!{_LETTER})(?i:{body})s?(?!{_LETTER})",  # 374149-gop-chairman
        rf"(?:{capitals})[sS]?(?!{_LETTER})",  # @HouseJudDems
        rf"(?<![A-Z])(?:{capitals})s?(?=[A-Z][a-z])",  # #GOPTaxScam, not #APIKey for AP
    ]
    if letters > 2:  # shorter ones end many words: @asap
        found.append(rf"(?i:{body})s?(?!{_LETTER})")  # @edworkforcedems
    if letters == 3:
        found.append(rf"(?<!{_LETTER}){re.escape(name.upper())}(?=[a-z])")  # @GOPoversight
    return found
