"""Pages of one article become one document: copies of its text, cut ones too, and pages that name the same address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from visavis.collect.records import Article, Cleaned, Drop, Extracted, Reason
from visavis.collect.text.canonical import canonical, key, preference
from visavis.collect.text.hosts import registered, unwanted
from visavis.collect.text.words import words_of
from visavis.corpus.duplicates import near_duplicates

STEP = "clean"
SHORTEST_CUT = 0.6  # of an article's length: what is cut to three quarters is found, whatever was added to it
SAME_WORDS = 0.5  # of the shorter text must be in the longer, or the pages that name one address are not one article

Candidate = tuple[Article, Extracted]


def fold(
    topic: str, candidates: Sequence[Candidate], spared: set[str], similarity: float
) -> tuple[list[Cleaned], list[Drop]]:
    """The earliest page of each article, with the weight of all of them; those in `spared` stay by themselves."""
    candidates = sorted(candidates, key=lambda pair: _order(*pair))
    texts = [document.text for _, document in candidates]
    leaders = near_duplicates(texts, similarity, shortest_cut=SHORTEST_CUT if similarity < 1 else 1.0).tolist()
    addresses: dict[str, int] = {}
    kept: dict[int, Cleaned] = {}
    drops = []
    for index, (article, document) in enumerate(candidates):
        leader, kind = _leader(index, candidates, leaders, addresses)
        if leader == index or article.url in spared:
            kept[index] = Cleaned(topic, article.url, document.text, article.time or document.date, article.weight)
            continue
        leaders[index] = leader
        first = kept[leader]
        kept[leader] = replace(first, weight=first.weight + article.weight, duplicates=first.duplicates + 1)
        drops.append(Drop(topic, article.url, STEP, Reason("duplicate", f"{kind} {first.url}")))
    return list(kept.values()), drops


def _leader(
    index: int, candidates: Sequence[Candidate], leaders: Sequence[int], addresses: dict[str, int]
) -> tuple[int, str]:
    """Which earlier page a page belongs to (itself if to none), and how."""
    document = candidates[index][1]
    names = _addresses(candidates[index][0].url, document)
    leader = leaders[leaders[index]]  # the page it copies may have been folded by its address
    if leader != index:
        same = document.text == candidates[leader][1].text
        found = leader, "the same text as" if same else "nearly the text of"
    else:
        known = [addresses[name] for name in names if name in addresses]
        alike = [one for one in known if _one_article(document, candidates[one][1])]
        found = (alike[0], "names the same address as") if alike else (index, "")
    for name in names:
        addresses.setdefault(name, found[0])
    return found


def _addresses(url: str, document: Extracted) -> list[str]:
    """What a page is known by: its address, and the one it names as its own, if that is an article of the same site."""
    own = key(url)
    named = canonical(document.canonical) if document.canonical else None
    if named is None or unwanted(named) is not None or _site(named) != _site(url):
        return [own]
    return list(dict.fromkeys((own, key(named))))


def _site(url: str) -> str:
    return registered(key(url).partition("/")[0].partition(":")[0])


def _one_article(one: Extracted, other: Extracted) -> bool:
    """Whether two pages that name one address are one article: some sites name one address for all their pages."""
    shorter, longer = sorted((set(words_of(one.text)), set(words_of(other.text))), key=len)
    titled = bool(one.title) and one.title.casefold() == other.title.casefold()
    return len(shorter & longer) >= (SAME_WORDS if titled else 0.8) * len(shorter)


def _order(article: Article, document: Extracted) -> tuple[bool, datetime, tuple[bool, bool, int, str]]:
    """The earliest first, then those without a time; full pages before AMP and mobile ones."""
    time = article.time or document.date
    return time is None, time or datetime.min.replace(tzinfo=UTC), preference(article.url)
