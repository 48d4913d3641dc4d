"""All steps for all topics of a plan; each resumes where it stopped, so that running again continues."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from visavis.collect.clean import CleanOptions, CleanResult, clean_documents
from visavis.collect.expand import Expanded, ExpandOptions, expand
from visavis.collect.export import ExportOptions, TableRow, corpus_table, export_corpus
from visavis.collect.extract import ExtractOptions, extract_pages
from visavis.collect.fetch import FetchOptions, FetchResult, fetch_pages
from visavis.collect.guard import Allowance, Resolve, system_resolve
from visavis.collect.links import Linked, LinkOptions, collect_links
from visavis.collect.match import Matched, MatchOptions, match
from visavis.collect.net import Client
from visavis.collect.pace import Manners
from visavis.collect.posts import PostOptions, PostsRead, gather
from visavis.collect.shorteners import ShortLinkOptions
from visavis.collect.sources import Live, open_sources
from visavis.collect.store import Store
from visavis.collect.topic import Plan, Topic
from visavis.collect.windows import seconds

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class RunOptions:
    """What a run is told besides its plan. `progress` hears (step, done, total), total 0 where it is not known.

    `allowance` lets named loopback servers through: for tests, never a default.
    """

    progress: Progress | None = None
    allowance: Allowance = field(default_factory=Allowance)
    resolve: Resolve = system_resolve

    def counter(self, step: str) -> Callable[[int, int], None]:
        """A counter for one step."""
        return lambda done, total: self.progress(step, done, total) if self.progress is not None else None


@dataclass(frozen=True)
class TopicRun:
    """What became of one topic, step by step; `written` is where its corpus lies, "" if nowhere."""

    topic: str
    expanded: Expanded | None
    matched: Matched
    linked: Linked
    fetched: FetchResult
    cleaned: CleanResult
    row: TableRow
    written: str


@dataclass(frozen=True)
class Ran:
    """What came of the sources and of every topic."""

    posts: PostsRead
    topics: tuple[TopicRun, ...]


def run_plan(store: Store, plan: Plan, options: RunOptions | None = None) -> Ran:
    """Posts, then for every topic queries, matches, links, pages, documents and the corpus."""
    options = options or RunOptions()
    client = Client(plan.contact, allowance=options.allowance, resolve=options.resolve)
    sources = tuple(open_sources([plan.source(name) for name in plan.sources]))
    live = Live(client, seconds=seconds(plan.listen) if plan.listen else 0.0, follow=bool(plan.listen))
    read = gather(store, PostOptions(sources, live, progress=lambda name, seen: options.counter(name)(seen, 0)))
    return Ran(read, tuple(_run_topic(store, plan, topic, client, options) for topic in plan.topics))


def expand_options(topic: Topic) -> ExpandOptions:
    """How a topic wants its query expanded."""
    named = ("query", "queries", "window", "top", "rounds", "generality", "places", "keep", "exclude")
    return ExpandOptions(topic.name, **{name: getattr(topic, name) for name in named})


def _run_topic(store: Store, plan: Plan, topic: Topic, client: Client, options: RunOptions) -> TopicRun:
    manners = Manners(seconds_a_host=plan.seconds_a_host)
    expanded = expand(store, expand_options(topic)) if topic.expand else None
    given = () if topic.expand else (topic.query, *topic.queries)
    matched = match(store, MatchOptions(topic.name, given, lambda seen: options.counter("match")(seen, 0)))
    short = ShortLinkOptions(client, manners, plan.workers, progress=options.counter("links"))
    linked = collect_links(store, LinkOptions(topic.name, short=short))
    fetched = fetch_pages(
        store,
        FetchOptions(
            topic.name,
            plan.contact,
            plan.workers,
            manners,
            allowance=options.allowance,
            resolve=options.resolve,
            warc=plan.beside(plan.warc) if plan.warc else None,
            progress=options.counter("fetch"),
        ),
    )
    extract_pages(store, ExtractOptions(progress=options.counter("extract")))
    cleaned = clean_documents(store, CleanOptions(topic.name, languages=(topic.language,) if topic.language else ()))
    written = ""
    if topic.out and cleaned.kept:
        path = plan.beside(topic.out)
        export_corpus(store, ExportOptions(path, (topic.name,)))
        written = str(path)
    row = corpus_table(store, (topic.name,))[0]
    return TopicRun(topic.name, expanded, matched, linked, fetched, cleaned, row, written)
