"""One spelling for each address: wrappers opened, tracking parameters and fragments dropped, spellings merged."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from urllib.parse import parse_qsl, quote, unquote, unquote_plus, unquote_to_bytes, urlsplit, urlunsplit

import courlan

from visavis.collect.text.hosts import known

LONGEST = 4_000
MOST_PARAMETERS = 200
_TRACKERS, _AMBIGUOUS = known("trackers"), known("ambiguous")
_WRAPPERS = {  # hosts whose links carry the address they lead to in a parameter
    "l.facebook.com": "u",
    "lm.facebook.com": "u",
    "l.instagram.com": "u",
    "google.com": "q url",
    "news.google.com": "url",
    "t.umblr.com": "z",
    "out.reddit.com": "url",
    "href.li": "",
    "youtube.com": "q",
}
_AMP_PATH = re.compile(r"(?:/amp/?|\.amp(?:\.html)?|/amp\.html)$", re.IGNORECASE)
_AMP_CACHE = re.compile(r"/(?:amp|c|v)/(?:s/)?(?P<rest>[^/]+\.[^/]+/.*)")


@lru_cache(maxsize=200_000)
def canonical(url: str) -> str | None:
    """The address to fetch: http(s), lower-case ASCII host, no tracking parameters, no fragment; None if it is none."""
    found = _spelled(url.strip())
    for _ in range(10):  # what is taken away may lay bare more of the same
        again = found and _spelled(found)
        if again == found:
            return found
        found = again
    return None


def _spelled(url: str) -> str | None:
    try:
        scrubbed = courlan.scrub_url(_unwrapped(url).partition("#")[0])
        parts = urlsplit(scrubbed)
        host = _ascii_host(parts.hostname or "")
        port = parts.port
        path = _quoted(re.sub(r"(?<!:)/{2,}", "/", parts.path), "/%!=:,-~+@()*'$&;") or "/"
        query = _kept(parts.query)
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme not in ("http", "https") or "." not in host or len(scrubbed) > LONGEST or "@" in parts.netloc:
        return None
    usual = port in (None, 80 if scheme == "http" else 443)
    return urlunsplit((scheme, host if usual else f"{host}:{port}", path, query, ""))


def key(url: str) -> str:
    """What canonical addresses of the same article share: no scheme, no www, m or amp, no trailing slash."""
    parts = urlsplit(url)
    host = re.sub(r"^(?:www\d?|m|mobile|amp)\.(?=[^.]+\.)", "", parts.netloc)
    path = unquote(_AMP_PATH.sub("", parts.path), errors="surrogateescape").rstrip("/")
    pairs = (piece.partition("=") for piece in parts.query.split("&") if piece)
    query = "&".join(sorted(f"{_read_bytes(name)}={_read_bytes(value)}" for name, _, value in pairs))
    return f"{host}{path}?{query}" if query else f"{host}{path}"


def preference(url: str) -> tuple[bool, bool, int, str]:
    """Which of an article's spellings is taken, the least first: full page before AMP or mobile, https before http."""
    parts = urlsplit(url)
    slim = bool(_AMP_PATH.search(parts.path)) or parts.netloc.startswith(("amp.", "m.", "mobile."))
    return slim, parts.scheme != "https", len(url), url


def _unwrapped(url: str) -> str:
    """The address inside a wrapper's, as deep as five wrappers go."""
    for _ in range(5):
        parts = urlsplit(url)
        host = (parts.hostname or "").removeprefix("www.")
        inside = ""
        if host in ("google.com", "cdn.ampproject.org") or host.endswith(".cdn.ampproject.org"):
            found = _AMP_CACHE.fullmatch(parts.path)
            inside = f"https://{found['rest']}" + (f"?{parts.query}" if parts.query else "") if found else ""
        if not inside and host in _WRAPPERS:
            names, given = _WRAPPERS[host].split(), parse_qsl(parts.query, errors="surrogateescape")
            inside = next((value for name, value in given if name in names), "")
            inside = inside if names else parts.query
        if not inside.startswith(("http://", "https://")):
            return url
        url = inside
    return url


def _ascii_host(host: str) -> str:
    host = host.rstrip(".").lower()
    return host if host.isascii() else host.encode("idna").decode("ascii")


def _kept(query: str) -> str:
    """The parameters that may name the article, sorted, each as it was written: to read a value may change it."""
    pieces = [piece.partition("=") for piece in query.split("&") if piece]
    if len(pieces) > MOST_PARAMETERS:
        raise ValueError(f"{len(pieces)} parameters")
    kept = (piece for piece in sorted(pieces) if not _tracks(unquote_plus(piece[0]).lower()))
    return _quoted("&".join(map("".join, kept)), "/?%!=:,-~+@()*'$&;")


def _quoted(text: str, safe: str) -> str:
    """Signs that may not stand in an address, as their bytes; what is spelled as bytes stays so, whatever they mean."""
    return quote(text, safe=safe, errors="surrogateescape")


def _read_bytes(text: str) -> str:
    """One spelling for each string of bytes in a name or a value; it may be in any encoding, or in none."""
    return quote(unquote_to_bytes(text.replace("+", " ")), safe="")


@cache
def _tracks(name: str) -> bool:
    """Whether a parameter follows people and not articles, by our list or courlan's."""
    if name in _AMBIGUOUS:
        return False  # what names an article on some sites stays: pages that turn out to be one are merged later
    if name in _TRACKERS:
        return True
    return "?" not in courlan.normalize_url(f"http://example.org/a?{quote(name, safe='')}=1")
