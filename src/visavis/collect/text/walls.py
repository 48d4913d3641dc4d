"""Pages that stand in an article's place: not found, access denied, not for this region, consent first, pay first."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from urllib.parse import urlsplit

from visavis.collect.records import Reason
from visavis.collect.text.words import count_words

SHORT = 250  # words; a longer text that speaks of cookies or errors is an article about them
LONGEST = 3_000  # of a page that asks for consent at length
CLOSE = 1.5  # times in a hundred words that such a page says so
SEVERAL = {"cookies": 2}  # an article may end with one such sentence
MOST_OF_TITLE = 0.5  # of a title's words, below which it may be a headline that begins like a wall's
MUCH = 0.25  # of a page's words, below which one such sentence may be news
MANY = 4  # different sentences, without which no long page is a wall
_SITE = re.compile(r"\s+[|·»–—-]\s+(?:\S+\s*){1,4}$")  # a site's name after a title
_ASKING = {
    "paywall": re.compile(r"/(?:log-?in|sign-?in|sso|subscribe|subscription|register|anmelden|connexion)\b", re.I)
}
_ASKING["cookies"] = re.compile(r"//consent\.|/consent\b|/collectconsent\b|/privacy-?(?:wall|gate|center)\b", re.I)
_ASKING["access denied"] = re.compile(r"/(?:captcha|challenge|blocked|access-?denied)\b", re.I)
_ASKING["error"] = re.compile(r"/(?:404|not-?found|error)(?:\.\w+)?/?$", re.I)


@dataclass(frozen=True)
class _Wall:
    label: str
    title: re.Pattern[str]
    text: tuple[re.Pattern[str], ...]
    beside: re.Pattern[str] | None  # what such a page says besides; without it, one sentence of a short page is enough


@cache
def _walls() -> tuple[_Wall, ...]:
    table = tomllib.loads(files("visavis.collect.text").joinpath("data/walls.toml").read_text(encoding="utf-8"))
    return tuple(
        _Wall(
            label,
            re.compile("|".join(said["title"]), re.IGNORECASE),
            tuple(re.compile(one, re.IGNORECASE) for one in said["text"]),
            re.compile("|".join(said["beside"]), re.IGNORECASE) if "beside" in said else None,
        )
        for label, said in table.items()
    )


def wall_verdict(title: str, text: str) -> Reason | None:
    """Whether a page is no article but a wall, by what it says."""
    count = count_words(text)
    if count >= LONGEST:
        return None
    text = " ".join(text.split())
    for wall in _walls():
        found = wall.title.search(title) if count < SHORT else None
        said = [one for one in (pattern.search(text) for pattern in wall.text) if one is not None]
        if (found and _is_title(wall, title, found, text, said)) or _is_wall(wall, text, said, count):
            return Reason(wall.label, f"says {(found or said[0])[0][:80]!r}")
    return None


def _is_wall(wall: _Wall, text: str, said: list[re.Match[str]], count: int) -> bool:
    if count < SHORT:
        return len(said) >= SEVERAL.get(wall.label, 1) and _is_sure(wall, text, said, count)
    times = sum(len(pattern.findall(text)) for pattern in wall.text)
    return len(said) >= MANY and 100 * times / count >= CLOSE


def _is_sure(wall: _Wall, text: str, said: list[re.Match[str]], count: int) -> bool:
    """Whether a short page is no news in which such a sentence stands: it says so twice, or little else."""
    if wall.beside is None or len(said) > 1 or wall.beside.search(text):
        return True
    return count_words(said[0][0]) >= MUCH * count


def _is_title(wall: _Wall, title: str, found: re.Match[str], text: str, said: list[re.Match[str]]) -> bool:
    """Whether a title is a wall's, and no headline ("Access denied to aid convoys"), or the text says so, too."""
    if said or any(sign.isdigit() for sign in found[0]) or (wall.beside and wall.beside.search(text)):
        return True
    without_site = _SITE.sub("", title)
    return count_words(found[0]) >= MOST_OF_TITLE * count_words(without_site)


def address_verdict(asked: str, final: str) -> Reason | None:
    """Whether a link no longer leads to its article: to the home page, or to where consent or an account is asked."""
    if not final or _address(final) == _address(asked):
        return None
    path = urlsplit(final).path.strip("/")
    if path in ("", "index.html", "index.php", "home") and len(urlsplit(asked).path.strip("/")) > 10:
        return Reason("error", f"leads to the home page {final[:200]!r}")
    for label, pattern in _ASKING.items():
        if pattern.search(final) and not pattern.search(asked):
            return Reason(label, f"leads to {final[:200]!r}")
    return None


def _address(url: str) -> tuple[str, str, str]:
    parts = urlsplit(url)
    return (parts.hostname or "").removeprefix("www."), parts.path.rstrip("/"), parts.query
