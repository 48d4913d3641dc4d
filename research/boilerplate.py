"""How much boilerplate is left in, and how much of the stories is taken out: research/boilerplate.md holds the table.

    VISAVIS_DATA=... python -m research.boilerplate [--json FILE] [--read 40] [--without ROW] [--only SET]

Each set is a list of documents with their sources and, where it is known, the story of each. Both shares are counted
in 4-grams of words: of the 4-grams of a text that are not in its story, the share that remains; of the 4-grams of its
story, the share that is gone. Speeches, tweets, statements and bills have no gold text: there the share of words that
is taken out is counted, which should be next to nothing, and a sample of it can be read.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock
from urllib.parse import urlsplit

import numpy as np

from visavis.corpus import boilerplate, runs
from visavis.corpus.boilerplate import remove_boilerplate

DATA = Path(os.environ.get("VISAVIS_DATA", "../shared/data"))
SEEDS = 3
PAGES_OF_A_SITE = 25
WIRE_STORIES = 12
HOSTS_OF_A_WIRE_STORY = 50
PLANTED_SHARES = (0.02, 0.2, 0.6)
PLANTED_SIZES = (20, 100, 400)
OTHER_DOCUMENTS = 600  # of other sources, beside the source with planted boilerplate
LEAST_COPIES = 4  # planted texts: fewer are not boilerplate by anybody's measure
TWEETS = 3_000


@dataclass(frozen=True)
class Sample:
    """Documents to clean; `stories` holds the gold text of each, None where nobody knows it."""

    texts: list[str]
    sources: list[str]
    stories: list[str | None]


# --- pages ---------------------------------------------------------------------------------------------------------
class _Visible(HTMLParser):
    """All visible text of a page in reading order, block elements on lines of their own."""

    SILENT = frozenset(("script", "style", "noscript", "template", "svg", "head", "iframe"))
    INLINE = frozenset("a abbr b bdi cite code em font i kbd mark q s small span strong sub sup time u var".split())  # noqa: SIM905

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.silent += tag in self.SILENT
        if tag not in self.INLINE:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self.silent = max(0, self.silent - (tag in self.SILENT))
        if tag not in self.INLINE:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.pieces.append(" ".join(data.split()) if not data.strip() else re.sub(r"\s+", " ", data))


def visible_text(page: str) -> str:
    """The crude text of a page."""
    parser = _Visible()
    parser.feed(page)
    lines = (" ".join(line.split()) for line in "".join(parser.pieces).split("\n"))
    return "\n".join(line for line in lines if line)


def read_pages() -> list[tuple[str, str, str]]:
    """Host, crude text and gold text of each page."""
    gold = json.loads((DATA / "html/ground-truth.json").read_text(encoding="utf-8"))
    pages = []
    for name, row in sorted(gold.items()):
        with gzip.open(DATA / f"html/pages/{name}.html.gz", "rt", encoding="utf-8", errors="replace") as file:
            pages.append((urlsplit(row["url"]).netloc, visible_text(file.read()), row["articleBody"]))
    return pages


def site_frames() -> dict[str, tuple[list[str], list[str]]]:
    """For each host with two pages the lines both share, before the story and behind it."""
    by_host = defaultdict(list)
    for host, text, story in read_pages():
        by_host[host].append((text.split("\n"), story))
    frames = {}
    for host, pages in by_host.items():
        if len(pages) < 2:
            continue
        (lines, story), (others, _) = pages[:2]
        inside = [number for number, line in enumerate(lines) if len(line) > 60 and line[:60] in story]
        if not inside:
            continue
        shared = set(others)
        before = [line for line in lines[: inside[0]] if line in shared]
        behind = [line for line in lines[inside[-1] + 1 :] if line in shared]
        if len(" ".join(before + behind).split()) >= 30:
            frames[host] = before[-80:], behind[:80]
    return frames


def pages_sample(one_line: bool) -> Sample:
    """The pages as they are: one or two of each host."""
    pages = read_pages()
    texts = [" ".join(text.split()) if one_line else text for _, text, _ in pages]
    return Sample(texts, [host for host, _, _ in pages], [story for *_, story in pages])


def _within(frame: tuple[list[str], list[str]], body: str, one_line: bool) -> str:
    before, behind = frame
    text = "\n".join([*before, body, *behind])
    return " ".join(text.split()) if one_line else text


def sites_sample(one_line: bool) -> Sample:
    """Leads of news, each set of them within what all pages of a host share."""
    rng = random.Random(5)
    texts, sources, golds = [], [], []
    for host, frame in sorted(site_frames().items()):
        for row in rng.sample(read_news(), PAGES_OF_A_SITE):
            texts.append(_within(frame, row["text"], one_line))
            sources.append(host)
            golds.append(row["text"])
    return Sample(texts, sources, golds)


def wire_sample(one_line: bool) -> Sample:
    """The same, but some stories are told by very many hosts, as an agency's are: they are stories all the same."""
    rng = random.Random(6)
    sample = sites_sample(one_line)
    stories = [story[:1500].rsplit(" ", 1)[0] for *_, story in read_pages() if len(story.split()) > 80]
    frames = site_frames()
    texts, sources, golds = list(sample.texts), list(sample.sources), list(sample.stories)
    for story in rng.sample(stories, WIRE_STORIES):
        for host in rng.sample(sorted(frames), HOSTS_OF_A_WIRE_STORY):
            texts.append(_within(frames[host], story, one_line))
            sources.append(host)
            golds.append(story)
    return Sample(texts, sources, golds)


# --- planted boilerplate ---------------------------------------------------------------------------------------------
FIRST = "Alma Pell Ines Jonas Dana Marta Otis Greta Ruben Sana".split()  # noqa: SIM905
LAST = "Torvald Harkness Okafor Reed Whitlow Lindqvist Bram Castell Duarte Eklund".split()  # noqa: SIM905
PLACES = "Oregon Maine Texas Vermont Idaho Ohio Nevada Kansas Georgia Utah".split()  # noqa: SIM905
MONTHS = ("January", "March", "June", "September", "November")
OTHER_MONTHS = ("janvier", "mars", "juin", "septembre", "novembre")  # which no list knows
CLOSINGS = (
    "Sign up for our newsletter to get the stories that matter to {place} every Friday morning.",
    "The {place} Tribune is a nonprofit newsroom, and readers like you pay for its work.",
    "{name} covers courts and schools for the {place} bureau of this paper.",
    "Our reporters can be reached at the desk in {place} on every working day.",
)
TOPICS = (  # noqa: SIM905
    "Home News Politics Business Markets Opinion Sports Weather Obituaries Classifieds Jobs Real Estate Arts Music "
    "Movies Food Travel Health Science Education Schools Crime Courts Traffic Puzzles Comics Horoscopes Photos Videos "
    "Podcasts Newsletters Events Calendar About Us Our Staff Advertise Careers Help Center My Account Log In Archive"
).split()


def _planter(kind: str, rng: random.Random) -> object:
    """A function that puts invented boilerplate of a kind around a story."""
    name = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
    place = rng.choice(PLACES)
    office, officer = f"{rng.randint(100, 2000)} {rng.choice(LAST)} Street", f"{rng.choice(FIRST)} {rng.choice(LAST)}"
    closing = rng.choice(CLOSINGS).format(place=place, name=name)
    menu = " ".join(rng.sample(TOPICS, rng.randint(25, min(60, len(TOPICS)))))

    months = rng.choice((MONTHS, OTHER_MONTHS))

    short = rng.random() < 0.5

    def letterhead(story: str) -> str:
        date = f"{rng.choice(months)} {rng.randint(1, 28)}, 20{rng.randint(10, 19)}"
        if short:
            return f"The Office of {name} of {place} {date} {story}"
        return f"The Office of {name} of {place} {office} {date} as told by {officer} to the newspapers {story}"

    return {
        "letterhead": letterhead,
        "closing": lambda story: f"{story} {closing}",
        "menu": lambda story: f"{menu} {story}",
        "lines": lambda story: f"{menu[:40].rsplit(' ', 1)[0]}\n{story}\n{closing}",
    }[kind]


def planted_sample(kind: str, size: int, share: float, seed: int) -> Sample:
    """A source in which a share of the stories has boilerplate of a kind, among many documents of other sources."""
    rng = random.Random(f"{kind} {size} {share} {seed}")
    rows = rng.sample(read_news(), size + OTHER_DOCUMENTS)
    plant = _planter(kind, rng)
    count = round(share * size)
    texts, sources, golds = [], [], []
    for at, row in enumerate(rows):
        story = " ".join(row["text"].split())
        story = story[: story.rfind(". ") + 1] or story  # leads were cut at 900 characters
        texts.append(plant(story) if at < count else story)
        sources.append("planted" if at < size else row["source"])
        golds.append(story)
    return Sample(texts, sources, golds)


def planted_samples(kind: str, share: float) -> Iterator[Sample]:
    """All sizes and seeds in which enough documents have it."""
    for size in PLANTED_SIZES:
        for seed in range(SEEDS):
            if round(share * size) >= LEAST_COPIES:
                yield planted_sample(kind, size, share, seed)


# --- real texts ------------------------------------------------------------------------------------------------------
def _read_lines(path: str, most: int | None = None) -> list[dict[str, str]]:
    with gzip.open(DATA / path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line, _ in zip(file, range(most or 10**9), strict=False)]


_news: list[dict[str, str]] = []


def read_news() -> list[dict[str, str]]:
    """The leads of news articles."""
    _news[:] = _news or _read_lines("news/articles_lead.jsonl.gz")
    return _news


def real_sample(name: str) -> Sample:
    """Texts as they were published, of which little is boilerplate."""
    rng = random.Random(11)
    if name == "news":
        rows = rng.sample(read_news(), 10_000)
    elif name == "tweets":
        rows = rng.sample(_read_lines("tweets/congress-2018.jsonl.gz"), TWEETS)
    else:
        rows = _read_lines(
            {"bills": "bills/bills.jsonl.gz", "sotu": "sotu/sotu.jsonl.gz", "polis": "polis/comments.jsonl.gz"}[name]
        )
    sources = {"news": "source", "tweets": "screen_name", "sotu": "name"}.get(name, "")
    return Sample([row["text"] for row in rows], [str(row.get(sources, "")) for row in rows], [None] * len(rows))


SETS = {
    "pages": lambda: [pages_sample(one_line=False)],
    "pages, one line": lambda: [pages_sample(one_line=True)],
    "sites": lambda: [sites_sample(one_line=False)],
    "sites, one line": lambda: [sites_sample(one_line=True)],
    "wire": lambda: [wire_sample(one_line=False)],
    "wire, one line": lambda: [wire_sample(one_line=True)],
    **{
        f"{kind} {share:.0%}": lambda kind=kind, share=share: list(planted_samples(kind, share))
        for kind in ("letterhead", "closing", "menu", "lines")
        for share in PLANTED_SHARES
    },
    **{name: lambda name=name: [real_sample(name)] for name in ("news", "bills", "sotu", "tweets", "polis")},
}


# --- measures --------------------------------------------------------------------------------------------------------
def _grams(text: str) -> Counter[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return Counter(zip(words, words[1:], words[2:], words[3:], strict=False))


def measure(samples: list[Sample], read: int = 0) -> dict[str, object]:
    """Shares of boilerplate left in and of story taken out, or of all words taken out, and examples of what went."""
    left = other = gone = own = words = remaining = touched = count = 0
    examples: list[str] = []
    began = time.perf_counter()
    cleaned = [remove_boilerplate(sample.texts, sample.sources).texts for sample in samples]
    seconds = time.perf_counter() - began
    for sample, texts in zip(samples, cleaned, strict=True):
        for raw, text, story in zip(sample.texts, texts, sample.stories, strict=True):
            count += 1
            touched += raw != text
            words += len(raw.split())
            remaining += len(text.split())
            if raw != text and read:
                examples.append(removed_words(raw, text))
            if story is None:
                continue
            whole, rest, gold = _grams(raw), _grams(text), _grams(story)
            gold &= whole
            around = whole - gold
            other += around.total()
            left += (around & (rest - gold)).total()
            own += gold.total()
            gone += (gold - rest).total()
    random.Random(3).shuffle(examples)
    return {
        "left in": round(left / other, 4) if other else None,
        "story out": round(gone / own, 5) if own else None,
        "words out": round(1 - remaining / max(1, words), 5),
        "documents touched": round(touched / max(1, count), 4),
        "seconds": round(seconds, 2),
        "examples": examples[:read],
    }


def removed_words(raw: str, text: str) -> str:
    """What was taken out of a text, with a few words on either side."""
    before, after = raw.split(), text.split()
    pieces = []
    for tag, i, j, *_ in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag in ("delete", "replace"):
            pieces.append(
                f"{' '.join(before[max(0, i - 4) : i])} [[{' '.join(before[i:j])}]] {' '.join(before[j : j + 4])}"
            )
    return " … ".join(pieces)[:500]


# --- ablations -------------------------------------------------------------------------------------------------------
def _parts() -> dict[str, list[tuple[object, str, object]]]:
    """What to put in the place of each part, so that it does nothing."""
    never = {
        name: [(boilerplate, "MEASURES", boilerplate.MEASURES | {name: replace(measure, share=2.0)})]
        for name, measure in boilerplate.MEASURES.items()
    }
    tables, no_keys = runs._tables(), np.zeros(0, np.uint64)
    return never | {
        "gap": [
            (
                boilerplate,
                "MEASURES",
                boilerplate.MEASURES | {"beginning": replace(boilerplate.MEASURES["beginning"], gap=0)},
            )
        ],
        "goes on": [(boilerplate, "GOES_ON_SHARE", 0.0)],
        "long passages": [(boilerplate, "LONG_PASSAGE_WORDS", 10**6)],
        "families": [(boilerplate, "near_duplicates", lambda texts: np.arange(len(texts)))],
        "notices": [(boilerplate, "find_notices", lambda _, passages: [False] * len(passages))],
        "datelines": [(boilerplate, "dateline_end", lambda _: 0)],
        "days, months": [(runs, "_tables", lambda: replace(tables, times=no_keys))],
        "abbreviations": [(runs, "_tables", lambda: replace(tables, abbreviations=no_keys))],
        "short lines": [(runs, "MOST_WORDS_OF_A_UNIT_LINE", 0)],
    }


@contextmanager
def without(part: str) -> Iterator[None]:
    """A context in which a part does nothing; "" for none."""
    with ExitStack() as stack:
        for owner, name, value in _parts()[part] if part else ():
            stack.enter_context(mock.patch.object(owner, name, value))
        yield


def main() -> None:
    """Print one line a set."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--json")
    parser.add_argument("--read", type=int, default=0)
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--only", action="append")
    options = parser.parse_args()
    results: dict[str, dict[str, object]] = {}
    names = options.only or list(SETS)
    for name in names:
        samples = SETS[name]()
        for part in options.without or [""]:
            with without(part):
                found = measure(samples, options.read)
            results[f"{name} / {part or 'all'}"] = found
            examples = found.pop("examples")
            print(f"{name:18} {part:12}", *(f"{key} {value}" for key, value in found.items()), sep="  ", flush=True)
            for example in examples:
                print("     ", example)
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
