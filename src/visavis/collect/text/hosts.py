"""Hosts by kind: shorteners, which lead elsewhere; social and media sites, which hold no articles."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from visavis.collect.records import Reason

if TYPE_CHECKING:
    from tldextract import TLDExtract


@cache
def _tables() -> dict[str, frozenset[str]]:
    text = files("visavis.collect.text").joinpath("data/links.toml").read_text(encoding="utf-8")
    return {name: frozenset(entries) for name, entries in tomllib.loads(text).items()}


def known(kind: str) -> frozenset[str]:
    """The entries of one table of data/links.toml."""
    return _tables()[kind]


SHORTENERS = known("shorteners")
SOCIAL = known("social")
MEDIA = known("media")
FILES = re.compile(
    r"\.(?:jpe?g|png|gif|webp|svg|bmp|tiff?|ico|heic|mp[34]|m4[av]|mov|avi|wmv|mkv|webm|ogg|ogv|wav|flac|m3u8?|pdf|"
    r"docx?|xlsx?|pptx?|odt|ods|epub|zip|gz|tgz|rar|7z|exe|dmg|apk|iso|css|js|json|xml|rss|atom|ics|csv|txt)$",
    re.IGNORECASE,
)
_SHORT_PATH = re.compile(r"/(?=[A-Za-z0-9]*(?:\d|[a-z][A-Z]|[A-Z][a-z]))[A-Za-z0-9]{5,10}")


@cache
def _suffixes() -> TLDExtract:
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), cache_dir=None)


@cache
def registered(host: str) -> str:
    """The name that was registered: "news.example.co.uk" → "example.co.uk"; the host itself where there is none."""
    return _suffixes()(host).top_domain_under_public_suffix or host


def is_known_shortener(url: str) -> bool:
    """Whether a URL is a short link by its host."""
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    return (host in SHORTENERS or host.endswith(".trib.al")) and parts.path not in ("", "/")


def is_shortener(url: str) -> bool:
    """Whether a URL is a short link: its host is a known one, or host and path are as short as those of one.

    The latter is a guess, and worth no more than asking; sites that hold no articles have short names too.
    """
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    if is_known_shortener(url):
        return True
    if len(host) > 7 or host.count(".") != 1 or host in SOCIAL or host in MEDIA:
        return False
    return not parts.query and bool(_SHORT_PATH.fullmatch(parts.path))


def unwanted(url: str) -> Reason | None:
    """Why a URL is no article ("social", "media" or "home page"); None if it may be one."""
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    names = {host, registered(host), host.removeprefix("m.")}
    if names & SOCIAL:
        return Reason("social", registered(host))
    if names & MEDIA:
        return Reason("media", registered(host))
    if found := FILES.search(parts.path):
        return Reason("media", f"a {found[0].lower()} file")
    if parts.path.strip("/") in ("", "index.html", "index.php", "home") and not parts.query:
        return Reason("home page", host)
    return None
