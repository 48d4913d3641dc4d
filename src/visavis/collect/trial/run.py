"""All steps on the little web, each told as it is done: what came of it, and what to type for a topic of one's own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from visavis.collect.sources import open_sources
from visavis.collect.state.store import Store
from visavis.collect.steps.clean import CleanOptions, clean_documents
from visavis.collect.steps.expand import ExpandOptions, expand
from visavis.collect.steps.export import ExportOptions, export_corpus
from visavis.collect.steps.extract import extract_pages
from visavis.collect.steps.fetch import FetchOptions, fetch_pages
from visavis.collect.steps.funnel import Funnel
from visavis.collect.steps.links import LinkOptions, collect_links
from visavis.collect.steps.match import MatchOptions, match
from visavis.collect.steps.posts import PostOptions, gather
from visavis.collect.steps.shorteners import ShortLinkOptions
from visavis.collect.steps.status import status, status_page
from visavis.collect.trial.content import SEED, TOPIC, TRAPS, posts, routes, stories
from visavis.collect.trial.web import serving
from visavis.collect.web.guard import Allowance
from visavis.collect.web.net import Client
from visavis.collect.web.pace import Manners
from visavis.comparing.comparison import Comparison
from visavis.comparing.run import compare
from visavis.errors import InvalidParameter
from visavis.report import write
from visavis.shared.files import replace_file

POSTS, STATE, CORPUS = "posts.jsonl", "collection.sqlite", "climate.jsonl"
PAGE, REPORT = "status.html", "comparison.html"
QUICK = Manners(seconds_a_host=0.0, first_retry=0.05)

Tell = Callable[[str, Iterable[str], str], None]  # a step, what came of it, what to type for one's own topic


@dataclass(frozen=True)
class Trial:
    """What came of it: the funnel, the comparison, and where everything lies."""

    folder: Path
    funnel: Funnel
    comparison: Comparison


def try_out(folder: Path, tell: Tell) -> Trial:
    """Collect from the little web into a folder and compare. Raises InvalidParameter for a folder that is not empty."""
    if folder.is_dir() and (found := sorted(path.name for path in folder.iterdir())):
        raise InvalidParameter(
            f"{str(folder)!r} is not empty, {found[0]!r} is there already: name a new folder, or an empty one"
        )
    folder.mkdir(parents=True, exist_ok=True)
    told = stories()
    pages = routes(told)
    with serving(pages) as allowance, Store(folder / STATE) as store:
        names = len(allowance.hosts)
        tell("A little web", [f"{len(pages):,} pages under {names} names, on this machine; nothing else is asked"], "")
        _posts(store, folder, tell)
        _queries(store, tell)
        _pages(store, allowance, tell)
        return _corpus(store, folder, tell)


def _posts(store: Store, folder: Path, tell: Tell) -> None:
    text = "".join(json.dumps(post) + "\n" for post in posts(stories()))
    replace_file(folder / POSTS, lambda: text)
    read = gather(store, PostOptions(tuple(open_sources([str(folder / POSTS)]))))
    said = [f"{read.total:,} posts, some on the topic, some not"]
    tell("Posts", said, "visavis collect posts POSTS.jsonl https://a.site/feed")


def _queries(store: Store, tell: Tell) -> None:
    found = expand(store, ExpandOptions(TOPIC, SEED, window="all"))
    lines = [f"{found.seed_texts:,} of {found.texts:,} texts hold {SEED!r}"]
    lines += [f"{'in ' if one.kept else 'out'} {one.query}: {one.why}" for one in found.verdicts[:6]]
    matched = match(store, MatchOptions(TOPIC))
    lines.append(f"{matched.matched:,} of {matched.posts:,} posts match")
    tell("Queries", lines, 'visavis collect expand --topic NAME --query "YOUR WORDS", then match --topic NAME')


def _pages(store: Store, allowance: Allowance, tell: Tell) -> None:
    client = Client(allowance=allowance)
    linked = collect_links(store, LinkOptions(TOPIC, short=ShortLinkOptions(client, QUICK)))
    lines = [f"{linked.links:,} links → {linked.articles:,} articles; dropped: {_reasons(linked.dropped)}"]
    fetched = fetch_pages(store, FetchOptions(TOPIC, manners=QUICK, allowance=allowance))
    lines.append(f"{fetched.fetched:,} pages fetched; not: {_reasons(fetched.missed)}")
    read = extract_pages(store)
    lines.append(f"{read.extracted:,} articles read in them; not: {_reasons(read.missed)}")
    cleaned = clean_documents(store, CleanOptions(TOPIC))
    lines.append(f"{cleaned.kept:,} documents kept; dropped: {_reasons(cleaned.dropped)}")
    lines.append(f"traps that were laid: {'; '.join(TRAPS)}")
    tell("Pages", lines, "visavis collect links --topic NAME, then fetch --contact YOU, extract, clean")


def _corpus(store: Store, folder: Path, tell: Tell) -> Trial:
    export_corpus(store, ExportOptions(folder / CORPUS, (TOPIC,)))
    (stands,) = status(store, TOPIC)
    replace_file(folder / PAGE, lambda: status_page([stands], STATE))
    kept = f"{stands.funnel.kept:,} documents in {folder / CORPUS}, a data sheet beside it"
    tell(
        "A corpus",
        [kept, f"how it came about: {folder / PAGE}"],
        "visavis collect export CORPUS.jsonl, then status --html STATUS.html",
    )
    comparison = compare(str(folder / CORPUS), "date:month", size=3)
    write(comparison, folder / REPORT)
    faced = [f"its months face to face: {folder / REPORT}"]
    tell("A comparison", faced, "visavis compare CORPUS.jsonl --by date:week -o report.html")
    return Trial(folder, stands.funnel, comparison)


def _reasons(counts: Mapping[str, int]) -> str:
    found = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return ", ".join(f"{count} {reason}" for reason, count in found) or "none"
