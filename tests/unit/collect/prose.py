"""Articles written by rule: English sentences, all different, reproducible."""

from __future__ import annotations

import html
import random

SUBJECTS = (
    "The committee", "A spokesman for the city", "The senator", "Her lawyer", "The report", "A group of teachers",
    "The governor's office", "One of the students", "The company", "A judge", "The mayor", "An analyst", "The union",
    "A former official", "The school board", "His deputy", "The minister", "A neighbor", "The agency", "The coach",
)  # fmt: skip
VERBS = (
    "announced", "denied", "described", "questioned", "welcomed", "rejected", "explained", "criticized", "supported",
    "delayed", "examined", "defended", "discussed", "reviewed", "approved", "challenged", "recalled", "confirmed",
)  # fmt: skip
OBJECTS = (
    "the new budget", "a plan for safer streets", "the results of the vote", "the changes to the law", "a long inquiry",
    "the closing of the hospital", "an agreement with the workers", "the price of housing", "the delay of the project",
    "the training of officers", "a letter from parents", "the ruling of the court", "the future of the harbor",
    "an earlier statement", "the repair of the bridge", "the cost of insurance", "a proposal on background checks",
)  # fmt: skip
ENDINGS = (
    "on Monday morning", "after weeks of debate", "in a crowded hall", "without giving details", "before the deadline",
    "despite strong protest", "during a short visit", "at the end of the meeting", "with some hesitation",
    "for the second time this year", "in front of reporters", "as winter approached", "over the weekend",
    "while others remained silent", "to the surprise of many", "according to two people in the room",
)  # fmt: skip


def sentences(seed: object, n: int) -> list[str]:
    rng = random.Random(f"prose {seed}")
    parts = (SUBJECTS, VERBS, OBJECTS, ENDINGS)
    return [
        " ".join(rng.choice(part) for part in parts) + f", and number {rng.randrange(10_000)} was read aloud."
        for _ in range(n)
    ]


def article(seed: object, n: int = 12, about: str = "gun control") -> str:
    day = random.Random(f"day {seed}").randrange(100_000)
    return " ".join([f"The debate on {about} entered day {day} in the capital.", *sentences(seed, n)])


def html_page(title: str, text: str, extra: str = "", date: str = "2026-02-03", author: str = "Ada Writer") -> str:
    words = text.split(". ")
    paragraphs = [". ".join(words[at : at + 3]).rstrip(".") + "." for at in range(0, len(words), 3)]
    body = "\n".join(f"<p>{html.escape(part)}</p>" for part in paragraphs)
    return (
        f'<!doctype html><html lang="en"><head><title>{html.escape(title)}</title>'
        f'<meta property="og:title" content="{html.escape(title)}">'
        f'<meta property="article:published_time" content="{date}"><meta name="author" content="{author}"></head>'
        '<body><header><nav><a href="/">Home</a> <a href="/news">News</a> <a href="/sport">Sport</a></nav></header>'
        f"<main><article><h1>{html.escape(title)}</h1>{body}{extra}</article></main>"
        "<footer><p>Copyright. All rights reserved.</p></footer></body></html>"
    )
