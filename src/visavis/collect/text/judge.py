"""Why a text is no article of a topic: too short, another language, an error page, spam, off-topic."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from visavis.collect.records import Reason
from visavis.collect.text.topical import topic_verdict
from visavis.collect.text.words import COMMON, count_words, words_of
from visavis.errors import InvalidParameter

__all__ = [
    "known_languages", "language_codes", "language_verdict", "short_verdict",
    "spam_signs", "spam_verdict", "topic_verdict",
]  # fmt: skip

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


def spam_signs(title: str, text: str) -> list[tuple[float, str]]:
    """What speaks for spam, each sign with its weight."""
    words = words_of(text)
    n_words = max(1, count_words(text))
    signs: list[tuple[float, str]] = []
    sales = Counter(found.casefold() for found in _SALES.findall(f"{title}\n{text}"))
    if sales:
        rate = 100 * sum(sales.values()) / n_words
        signs.append((min(1.5, 0.25 * len(sales)) * min(1.0, rate), f"sales talk ({', '.join(sorted(sales)[:4])})"))
    content = Counter(word for word in words if word not in COMMON and len(word) > 2)
    if len(words) >= 40 and content:
        word, count = content.most_common(1)[0]
        if count / len(words) > 0.08:
            signs.append((0.6, f"{word!r} is {100 * count / len(words):.0f} % of the words"))
        if len(set(words)) / len(words) < 0.2 and len(words) < 2000:
            signs.append((0.6, f"only {len(set(words))} different words"))
        if sum(word in COMMON for word in words) / len(words) < 0.08 and text.isascii():
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
