"""What stands on the little web: the bundled articles as pages, traps beside them, and posts that link to both."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from visavis.datasets import sample_path

TOPIC, SEED = "climate", "climate"
A_MONTH = 24  # articles of each month
HTML = "text/html; charset=utf-8"
_PASTIMES = ("match", "recipe", "concert", "garden", "film", "marathon", "library", "market")
_TALK = (
    "what a {0} last night, still singing",
    "who else queued for the {0} this morning?",
    "our {0} is open until nine, bring friends",
    "the {0} was cancelled and nobody told the band",
    "photos of the {0} are up, thanks to all who helped",
)


@dataclass(frozen=True)
class Reply:
    """What the little web answers: a status, a media type or where it leads, and a body."""

    status: int
    media_type: str
    body: str
    location: str = ""


Routes = Mapping[tuple[str, str], Reply]


@dataclass(frozen=True)
class Story:
    """A bundled article at its address on the little web."""

    title: str
    text: str
    date: str
    outlet: str
    host: str
    path: str

    @property
    def url(self) -> str:
        """Where it stands."""
        return f"http://{self.host}{self.path}"


def stories() -> list[Story]:
    """Some of the bundled articles, as many of every month."""
    rows = [json.loads(line) for line in sample_path().read_text(encoding="utf-8").splitlines()]
    taken: dict[str, list[Story]] = {}
    for row in rows:
        month = taken.setdefault(row["published"][:7], [])
        if len(month) < A_MONTH:
            parts = urlsplit(row["url"])
            host = (parts.hostname or "").removesuffix("example") + "test"
            month.append(Story(row["title"], row["text"], row["published"], row["outlet"], host, parts.path))
    return [story for month in taken.values() for story in month]


def routes(told: list[Story]) -> Routes:
    """Every page by host and path, traps included."""
    found = {(one.host, one.path): Reply(200, HTML, _page(one)) for one in told}
    first, host = told[0], told[0].host
    found["mirror.test", "/copied-story"] = Reply(200, HTML, _page(first))
    found[host, "/members/only"] = Reply(200, HTML, _wall())
    found[host, "/gone"] = Reply(200, HTML, _plain("Page not found", "The page you are looking for does not exist."))
    found[host, "/broken"] = Reply(500, HTML, "")
    found[host, "/robots.txt"] = Reply(200, "text/plain", "User-agent: *\nDisallow: /drafts/\n")
    found[host, "/drafts/secret"] = Reply(200, HTML, _page(first))
    found["bit.ly", "/3Story"] = Reply(301, "", "", told[1].url)
    found["sports.test", "/derby"] = Reply(200, HTML, _plain("The derby, minute by minute", " ".join(_derby())))
    return found


TRAPS = {
    "a copy of another outlet's article": "http://mirror.test/copied-story",
    "a page behind a paywall": "http://{host}/members/only",
    "a page that says it is none, with status 200": "http://{host}/gone",
    "a server that fails": "http://{host}/broken",
    "a page that robots.txt forbids": "http://{host}/drafts/secret",
    "an article on something else": "http://sports.test/derby",
    "an address inside this machine": "http://127.0.0.1/admin",
    "a social network": "https://twitter.com/someone/status/1",
}


def posts(told: list[Story]) -> Iterator[dict[str, str]]:
    """Posts about the articles, posts about other things, and posts that lead into traps."""
    written: list[tuple[str, str]] = []
    for number, one in enumerate(told):
        first, _, rest = one.text.partition(". ")
        written.append((one.date, f"{SEED}: {first}. {one.title} {one.url}?utm_source=feed"))
        written.append((one.date, f"{rest[:200]} {one.title} #{SEED}watch {one.url}"))
        if number % 3 == 0:
            written.append((one.date, f"{one.title} {SEED} #{SEED}watch #news http://bit.ly/3Story {number}"))
        talk = _TALK[number % len(_TALK)].format(_PASTIMES[number % len(_PASTIMES)])
        written.append((one.date, f"{talk} #news #weekend day {number}"))
        written.append((one.date, f"{_PASTIMES[(number + 3) % 8]} fans, {talk} #{_PASTIMES[number % 8]}day {number}"))
    traps = [link.format(host=told[0].host) for link in TRAPS.values()]
    written += [(told[0].date, f"about the {SEED}, number {place}: {link}") for place, link in enumerate(traps)]
    for number, (date, text) in enumerate(written):
        yield {"id": str(number), "time": f"{date}T{6 + number % 15:02}:{number % 60:02}:00Z", "text": text}


def _page(one: Story) -> str:
    """An article as a news site shows it: its text, a line of the desk, a menu and a footer."""
    title = html.escape(one.title)
    desk = f"The {SEED} desk of {one.outlet} told this story, {one.title}, on {one.date}."
    body = "".join(f"<p>{html.escape(part)}</p>" for part in (one.text, desk))
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title><meta property="og:title" content="{title}">'
        f'<meta property="article:published_time" content="{one.date}"></head><body><nav><a href="/">Home</a> '
        f'<a href="/weather">Weather</a></nav><main><article><h1>{title}</h1>{body}</article></main>'
        f"<footer><p>Subscribe to {html.escape(one.outlet)} for a daily letter.</p></footer></body></html>"
    )


def _plain(title: str, text: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title></head><body><main><h1>{title}</h1><p>{text}</p>'
        "</main></body></html>"
    )


def _wall() -> str:
    data = '{"@context": "https://schema.org", "@type": "NewsArticle", "isAccessibleForFree": false}'
    page = _plain("For members", f"The {SEED} report is for members. Subscribe now to read on.")
    return page.replace("</head>", f'<script type="application/ld+json">{data}</script></head>')


def _derby() -> list[str]:
    return [
        f"In minute {minute} the ball went {way}, and the stands of the old ground {did} as number {minute} ran on."
        for minute, (way, did) in enumerate(
            (way, did) for way in ("wide", "high", "long", "back") for did in ("rose", "groaned", "sang")
        )
    ]
