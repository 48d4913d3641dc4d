"""Why a text is no article of a topic: too short, another language, an error page, spam, off-topic."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from visavis.collect.records import Reason
from visavis.collect.text.queries import UNSPACED
from visavis.errors import InvalidParameter

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_SHORT_PAGE = 250  # words; a longer text that speaks of cookies or errors is an article about them

_ERROR_TITLE = re.compile(  # "500 people march" is news
    r"^\W*error\W*[45]\d\d\b|^\W*(?:40[0134]|410|429|50[0-4])\s*(?:[-–—|:]|$|error|not found|forbidden|bad|internal"
    r"|service|gateway|page|unauthorized|too many|gone)|\b(?:page|file|article) (?:not found|unavailable)\b"
    r"|^\W*not found\b|^\W*access denied\b|^\W*forbidden\W*$|^\W*just a moment\W*$|^\W*attention required\b"
    r"|^\W*service unavailable\b|\bare you (?:a|not a) (?:robot|human)\b|\bdomain (?:is )?for sale\b"
    r"|\bsite (?:is )?under (?:construction|maintenance)\b",
    re.IGNORECASE,
)
_ERROR_TEXT = re.compile(
    r"\bpage (?:you (?:requested|are looking for)|could not be found|does ?n[o']t exist|no longer exists)"
    r"|\b(?:enable|requires) javascript\b|\bverify (?:that )?you are (?:a )?human\b|\bunusual traffic\b"
    r"|\bdo not have permission to (?:access|view)\b|\bnot available in your (?:region|country)\b"
    r"|\bthis domain\b.{0,40}\bsale\b",
    re.IGNORECASE,
)
_COOKIE_TEXT = re.compile(
    r"\b(?:we|site|website|our partners) (?:and our partners )?(?:use|uses|store)\b.{0,60}\bcookies\b"
    r"|\bcookie (?:policy|settings|preferences)\b"
    r"|\b(?:accept|manage|reject) (?:all )?cookies\b|\bconsent to (?:the use of )?cookies\b|\bprivacy choices\b",
    re.IGNORECASE | re.DOTALL,
)
_SALES = re.compile(
    r"\b(?:buy now|order now|click here|limited[- ]time offer|act now|free shipping|add to cart|best price|100 ?% free"
    r"|money[- ]back guarantee|no credit check|work from home|earn (?:up to )?[$€£]?\d|make money|get rich|risk[- ]free"
    r"|promo code|discount code|coupon|online casino|casino bonus|free spins|viagra|cialis|payday loan|weight loss"
    r"|crypto giveaway|double your|seo services|backlinks|followers for|replica watches|essay writing service"
    r"|sign up now|subscribe now|call now|special promotion|cheap)\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"https?://|www\.", re.IGNORECASE)
_MONEY = re.compile(r"[$€£]\s?\d|\b\d+ ?% off\b", re.IGNORECASE)
_COMMON = frozenset(
    "a an and are as at be by for from has have in is it its of on or that the their this to was were will with".split()  # noqa: SIM905
)


def words_of(text: str) -> list[str]:
    """Words, case-folded."""
    return _WORD.findall(text.casefold())


def count_words(text: str) -> int:
    """How many words there are; where they stand without spaces between them, every letter counts."""
    letters = sum(map(str.isalpha, UNSPACED.findall(text)))
    return len(_WORD.findall(UNSPACED.sub(" ", text) if letters else text)) + letters


def short_verdict(text: str, fewest_words: int) -> Reason | None:
    """Whether there is too little text."""
    count = count_words(text)
    return Reason("short", f"{count} words, fewer than {fewest_words}") if count < fewest_words else None


@cache
def known_languages() -> frozenset[str]:
    """The codes that a text's language may get."""
    import py3langid

    return frozenset(str(code) for code, _ in py3langid.rank(""))


def language_codes(wanted: Iterable[str]) -> tuple[str, ...]:
    """Language codes as texts get them; none where "any" is among them. Raises InvalidParameter for an unknown one."""
    codes = tuple(dict.fromkeys(code.strip().lower() for code in wanted))
    if "any" in codes:
        return ()
    for code in codes:
        if code not in known_languages():
            raise InvalidParameter(f"language {code!r}: write 'any' or one of {', '.join(sorted(known_languages()))}")
    return codes


def language_verdict(language: str, wanted: Iterable[str]) -> Reason | None:
    """Whether it is in another language than wanted; none wanted means any."""
    wanted = language_codes(wanted)
    return (
        Reason("language", f"{language!r} instead of {' or '.join(wanted)}")
        if wanted and language not in wanted
        else None
    )


def error_verdict(title: str, text: str) -> Reason | None:
    """Whether it is no article but a server's excuse, or a request to accept cookies."""
    is_short = count_words(text) < _SHORT_PAGE
    found = _ERROR_TITLE.search(title) if is_short else None
    found = found or (_ERROR_TEXT.search(text) if is_short else None)
    if found:
        return Reason("error", f"says {found[0][:80]!r}")
    asked = _COOKIE_TEXT.findall(text) if is_short else []
    return Reason("cookies", f"says {asked[0][:80]!r}") if len(asked) >= 2 else None


def spam_signs(title: str, text: str) -> list[tuple[float, str]]:
    """What speaks for spam, each sign with its weight."""
    words = words_of(text)
    n_words = max(1, count_words(text))
    signs: list[tuple[float, str]] = []
    sales = Counter(found.casefold() for found in _SALES.findall(f"{title}\n{text}"))
    if sales:
        rate = 100 * sum(sales.values()) / n_words
        signs.append((min(1.5, 0.25 * len(sales)) * min(1.0, rate), f"sales talk ({', '.join(sorted(sales)[:4])})"))
    content = Counter(word for word in words if word not in _COMMON and len(word) > 2)
    if len(words) >= 40 and content:
        word, count = content.most_common(1)[0]
        if count / len(words) > 0.08:
            signs.append((0.6, f"{word!r} is {100 * count / len(words):.0f} % of the words"))
        if len(set(words)) / len(words) < 0.2 and len(words) < 2000:
            signs.append((0.6, f"only {len(set(words))} different words"))
        if sum(word in _COMMON for word in words) / len(words) < 0.08 and text.isascii():
            signs.append((0.5, "a list of words, not sentences"))
    for pattern, name, most in ((_LINK, "links", 1.0), (_MONEY, "prices", 2.0)):
        rate = 100 * len(pattern.findall(text)) / n_words
        if rate > most:
            signs.append((0.4, f"{name}: {rate:.1f} for 100 words"))
    letters = [character for character in text if character.isalpha()]
    if letters and sum(map(str.isupper, letters)) / len(letters) > 0.4:
        signs.append((0.4, "capitals"))
    if text.count("!") > 0.02 * n_words and text.count("!") > 3:
        signs.append((0.4, f"{text.count('!')} exclamation marks"))
    return signs


def spam_verdict(title: str, text: str, threshold: float = 1.0) -> Reason | None:
    """Whether the signs of spam add up to the threshold."""
    signs = spam_signs(title, text)
    score = sum(weight for weight, _ in signs)
    return Reason("spam", f"score {score:.2f}: " + "; ".join(name for _, name in signs)) if score >= threshold else None


def topic_verdict(title: str, text: str, queries: Iterable[str]) -> Reason | None:
    """Whether none of the queries' words stands in it; a tag of several words may be written with spaces.

    Words of scripts without spaces count wherever they stand, as they do in posts.
    """
    wanted = [query.casefold() for query in queries]
    terms = {word for query in wanted for word in words_of(query) if word not in _COMMON}
    if not terms:
        return None
    whole = f"{title}\n{text}".casefold()
    found = words_of(whole)
    if terms.isdisjoint(found) and not any(UNSPACED.search(term) and term in whole for term in terms):
        squeezed = "".join(found)
        if not any(len(query) > 5 and query.removeprefix("#") in squeezed for query in wanted if query[:1] == "#"):
            return Reason("off-topic", "none of the queries' words")
    return None
