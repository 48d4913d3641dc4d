"""All steps for all topics of a plan; each resumes where it stopped, so that running again continues."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from visavis.collect.sources import Live, open_sources
from visavis.collect.state.store import Store
from visavis.collect.steps.clean import CleanResult, clean_documents
from visavis.collect.steps.expand import Expanded, NoMatch, expand
from visavis.collect.steps.export import ExportOptions, TableRow, corpus_table, export_corpus
from visavis.collect.steps.extract import ExtractOptions, ExtractResult, extract_pages
from visavis.collect.steps.fetch import FetchOptions, FetchResult, fetch_pages
from visavis.collect.steps.links import Linked, LinkOptions, collect_links
from visavis.collect.steps.match import Matched, MatchOptions, match
from visavis.collect.steps.posts import PostOptions, PostsRead, gather
from visavis.collect.steps.shorteners import ShortLinkOptions
from visavis.collect.steps.topic import Plan, Topic
from visavis.collect.text.windows import seconds
from visavis.collect.web.guard import Allowance, Resolve, system_resolve
from visavis.collect.web.net import Client
from visavis.collect.web.pace import Manners
from visavis.collect.web.wayback import Wayback

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class RunOptions:
    """What a run is told besides its plan. `progress` hears (step, done, total), total 0 where it is not known.

    `allowance` lets named loopback servers through: for tests, never a default.
    """

    progress: Progress | None = None
    allowance: Allowance = field(default_factory=Allowance)
    resolve: Resolve = system_resolve
    wayback: Wayback = field(default_factory=Wayback)

    def counter(self, step: str) -> Callable[[int, int], None]:
        """A counter for one step."""
        return lambda done, total: self.progress(step, done, total) if self.progress is not None else None


@dataclass(frozen=True)
class TopicRun:
    """What became of one topic, step by step; `written` is where its corpus lies, "" if nowhere.

    `extracted` counts all pages that were new to this run, of whatever topic.
    """

    topic: str
    expanded: Expanded | None
    matched: Matched
    linked: Linked
    fetched: FetchResult
    extracted: ExtractResult
    cleaned: CleanResult
    row: TableRow
    written: str


@dataclass(frozen=True)
class Ran:
    """What came of the sources and of every topic; `unmatched` are those without a post, and why."""

    posts: PostsRead
    topics: tuple[TopicRun, ...]
    unmatched: Mapping[str, str] = field(default_factory=dict)


def run_plan(store: Store, plan: Plan, options: RunOptions | None = None) -> Ran:
    """Posts, then for every topic queries, matches, links, pages, documents and the corpus.

    A topic that no post matches does not keep the others from theirs. Raises NoMatch if there is no other.
    """
    options = options or RunOptions()
    client = Client(plan.contact, allowance=options.allowance, resolve=options.resolve)
    sources = tuple(open_sources([plan.source(name) for name in plan.sources], store.path))
    live = Live(client, seconds=seconds(plan.listen) if plan.listen else 0.0, follow=bool(plan.listen))
    read = gather(store, PostOptions(sources, live, progress=lambda name, seen: options.counter(name)(seen, 0)))
    ran: list[TopicRun] = []
    unmatched: dict[str, NoMatch] = {}
    for topic in plan.topics:
        try:
            ran.append(_run_topic(store, plan, topic, client, options))
        except NoMatch as error:
            unmatched[topic.name] = error
    if not ran and unmatched:
        raise next(iter(unmatched.values()))
    return Ran(read, tuple(ran), {name: str(error) for name, error in unmatched.items()})


def _run_topic(store: Store, plan: Plan, topic: Topic, client: Client, options: RunOptions) -> TopicRun:
    manners = Manners(seconds_a_host=plan.seconds_a_host)
    expanded = expand(store, topic.options, options.counter("expand")) if topic.expand else None
    given = () if topic.expand else (topic.options.query, *topic.options.queries)
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
            wayback=options.wayback if plan.wayback else None,
            progress=options.counter("fetch"),
        ),
    )
    extracted = extract_pages(store, ExtractOptions(progress=options.counter("extract")))
    cleaned = clean_documents(store, topic.cleaning(), options.counter("clean"))
    written = ""
    if topic.out and cleaned.kept:
        path = plan.beside(topic.out)
        export_corpus(store, ExportOptions(path, (topic.name,)))
        written = str(path)
    row = corpus_table(store, (topic.name,))[0]
    return TopicRun(topic.name, expanded, matched, linked, fetched, extracted, cleaned, row, written)
