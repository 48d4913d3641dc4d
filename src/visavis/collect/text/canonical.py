"""One spelling for each address: wrappers opened, tracking parameters and fragments dropped, spellings merged."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from urllib.parse import parse_qsl, quote, unquote, unquote_plus, urlencode, urlsplit, urlunsplit

import courlan

from visavis.collect.text.hosts import known

LONGEST = 4_000
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
        query = _kept(parts.query)
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme not in ("http", "https") or "." not in host or len(scrubbed) > LONGEST or "@" in parts.netloc:
        return None
    usual = port in (None, 80 if scheme == "http" else 443)
    path = quote(re.sub(r"(?<!:)/{2,}", "/", parts.path), safe="/%!=:,-~+@()*'$&;") or "/"
    return urlunsplit((scheme, host if usual else f"{host}:{port}", path, query, ""))


def key(url: str) -> str:
    """What canonical addresses of the same article share: no scheme, no www, m or amp, no trailing slash."""
    parts = urlsplit(url)
    host = re.sub(r"^(?:www\d?|m|mobile|amp)\.(?=[^.]+\.)", "", parts.netloc)
    path = unquote(_AMP_PATH.sub("", parts.path), errors="surrogateescape").rstrip("/")
    pairs = sorted(parse_qsl(parts.query, keep_blank_values=True))
    return f"{host}{path}?{urlencode(pairs)}" if pairs else f"{host}{path}"


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
            names = _WRAPPERS[host].split()
            inside = next((value for name, value in parse_qsl(parts.query) if name in names), "")
            inside = inside if names else parts.query
        if not inside.startswith(("http://", "https://")):
            return url
        url = inside
    return url


def _ascii_host(host: str) -> str:
    host = host.rstrip(".").lower()
    return host if host.isascii() else host.encode("idna").decode("ascii")


def _kept(query: str) -> str:
    """The parameters that may name the article, sorted; one without a value stays without its sign."""
    pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=200)
    bare = {unquote_plus(part) for part in query.split("&") if "=" not in part}
    kept = sorted((name, value) for name, value in pairs if not _tracks(name.lower()))
    spelled = (urlencode([pair], quote_via=quote, safe="/:,!+") for pair in kept)
    return "&".join(
        one.removesuffix("=") if not value and name in bare else one
        for one, (name, value) in zip(spelled, kept, strict=True)
    )


@cache
def _tracks(name: str) -> bool:
    """Whether a parameter follows people and not articles, by our list or courlan's."""
    if name in _AMBIGUOUS:
        return False  # what names an article on some sites stays: pages that turn out to be one are merged later
    if name in _TRACKERS:
        return True
    return "?" not in courlan.normalize_url(f"http://example.org/a?{quote(name, safe='')}=1")
