"""The frozen records of the collector, one for each kind of row its state file keeps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was left out: a label that can be counted, and what was found."""

    label: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.label}: {self.detail}" if self.detail else self.label


@dataclass(frozen=True, slots=True)
class Post:
    """A short message: hashtags without "#", case-folded; links as the platform expanded them, or as written.

    `platform` and `id` together name it. `time` is in UTC, None where the source does not say.
    """

    platform: str
    id: str
    text: str
    time: datetime | None = None
    author: str = ""
    tags: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Something of a source that could not be read: where (a line number, 0 if none), and why."""

    source: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Query:
    """A query of a topic: words or "#tag"; where it came from ("given" or "expanded"), kept or not, and why."""

    topic: str
    text: str
    origin: str = "given"
    kept: bool = True
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Article:
    """A page that posts of a topic link to: canonical URL, time of the first such post, number of posts."""

    topic: str
    url: str
    time: datetime | None
    weight: int


@dataclass(frozen=True, slots=True)
class Expansion:
    """Where a short link leads; `target` is "" and `reason` says why where that could not be found out."""

    url: str
    target: str
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Fetch:
    """How the fetching of a URL ended: `state` is "fetched", "failed", "refused", or "later" for what may pass.

    "lost" is what failed and has no copy in the archive that was asked for one.
    `reason` says why not fetched, `status` what the server answered, if it did; the next run tries "later" again.
    """

    url: str
    state: str
    reason: Reason | None = None
    status: int | None = None
    final_url: str = ""
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Page:
    """What a server answered: decoded of its transfer coding, not of its character set.

    `copied` is when an archive took the copy that this is; None for a page that came from its own server.
    `spare` is the address of a saved page for where another page is here under `url`; it is not kept.
    """

    url: str
    final_url: str
    content_type: str
    body: bytes
    copied: datetime | None = None
    spare: str = ""


@dataclass(frozen=True, slots=True)
class Extracted:
    """The article in a page; `reason` says why there is none, `wall` what seems to stand in its place.

    `canonical` is the address that the page names as its own.
    """

    url: str
    title: str = ""
    text: str = ""
    date: datetime | None = None
    author: str = ""
    language: str = ""
    outlet: str = ""
    reason: Reason | None = None
    canonical: str = ""
    wall: Reason | None = None


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A document that stays in a topic's corpus: its text without boilerplate, what it stands for.

    `duplicates` counts the near-duplicates that were dropped for it, `weight` the posts that link to any of them,
    `time` is the earliest of theirs.
    """

    topic: str
    url: str
    text: str
    time: datetime | None
    weight: int
    duplicates: int = 0


@dataclass(frozen=True, slots=True)
class Drop:
    """Something left out of a topic: by which step, for which reason; `undone` brings it back."""

    topic: str
    url: str
    step: str
    reason: Reason
    undone: bool = False


@dataclass(frozen=True, slots=True)
class Rules:
    """What a site's robots.txt answered at a time: its rules, none (4xx), or why nothing may be asked of it (5xx).

    `cause` is the reason for which it could not be reached, "" where it answered.
    """

    origin: str
    text: str = ""
    refusal: str = ""
    at: float = 0.0
    cause: str = ""


def to_text(moment: datetime | None) -> str | None:
    """A moment as the state file writes it: UTC, whole seconds, so that text sorts as time does."""
    if moment is None:
        return None
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")


def to_moment(text: str | None) -> datetime | None:
    """A moment from the state file."""
    return None if text is None else datetime.fromisoformat(text)
