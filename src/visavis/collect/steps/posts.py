"""The step that gathers posts: each batch is kept together with the position after it, so that nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from visavis.collect.records import Page, Post, Problem
from visavis.collect.sources import Batch, Live, Source
from visavis.collect.state.store import Store
from visavis.collect.web.threads import run_all


@dataclass(frozen=True)
class PostOptions:
    """Which sources to read, and how; `most` ends a source after that many new posts (0: no limit)."""

    sources: tuple[Source, ...]
    live: Live = field(default_factory=Live)
    most: int = 0
    progress: Callable[[str, int], None] | None = None


@dataclass(frozen=True)
class SourceRead:
    """What came of a source: posts seen, new ones, messages that are no posts, and what could not be read.

    `refused` says that it was read for the first time, and nothing of it could be.
    """

    source: str
    seen: int
    new: int
    notices: int
    problems: tuple[Problem, ...]
    refused: bool = False


@dataclass(frozen=True)
class PostsRead:
    """What came of all sources."""

    sources: tuple[SourceRead, ...]
    total: int


def gather(store: Store, options: PostOptions) -> PostsRead:
    """Read every source from where it was left; live ones that are followed all at once, others in turn."""
    try:
        if len(options.sources) > 1 and (options.live.follow or options.live.seconds):
            read = _at_once(store, options)
        else:
            read = tuple(_read(store, source, options) for source in options.sources)
    finally:
        options.live.reader.close()
    return PostsRead(read, store.count("posts"))


def _at_once(store: Store, options: PostOptions) -> tuple[SourceRead, ...]:
    """A thread a source, because one that is followed may never end; the first failure ends them all."""
    found: dict[int, SourceRead] = {}

    def work(place: int, source: Source) -> None:
        found[place] = _read(store, source, options)

    run_all([partial(work, *numbered) for numbered in enumerate(options.sources)], options.live.stop)
    return tuple(found[place] for place in sorted(found))


def _read(store: Store, source: Source, options: PostOptions) -> SourceRead:
    seen = new = notices = 0
    problems: list[Problem] = []
    key = options.live.position_key(source.name)
    first = store.position(key) is None
    for whole in source.batches(store.position(key), options.live):
        with store.transaction():
            placed, homeless = _placed(store, source.name, whole)
            batch = _cut(store, placed, options.most - new) if options.most else placed
            if batch.since is not None:
                store.forget_problems(source.name, batch.since)
            if batch.withdrawn:
                store.take_back_url(batch.withdrawn)
            clashes = [*homeless, *_clashes(store, source.name, batch.posts)]
            fresh = store.add_posts(batch.posts)
            store.add_pages(batch.pages)
            ends = f" {batch.unfinished.id}" if batch.unfinished and store.add_posts([batch.unfinished]) else ""
            store.add_problems([*batch.problems, *clashes])
            if batch.posts or batch.unfinished or batch.position is not None:
                store.add_source(key)
            if batch.position is not None:
                store.set_position(key, batch.position + ends)
        new += fresh + bool(ends)
        seen += len(batch.posts) + (batch.unfinished is not None)
        notices += batch.notices
        problems += [*batch.problems, *clashes]
        if options.progress is not None:
            options.progress(source.name, seen)
        if options.most and new >= options.most:
            break
    refused = first and not seen and bool(problems)
    return SourceRead(source.name, seen, new, notices, tuple(problems), refused)


def _cut(store: Store, batch: Batch, room: int) -> Batch:
    """A batch with no more new posts than there is room for; the rest comes again, as the position stays."""
    posts = batch.posts if batch.unfinished is None else (*batch.posts, batch.unfinished)
    if len(posts) <= room:
        return batch
    known = store.known_posts(posts)
    fresh = 0
    for place, post in enumerate(posts):
        fresh += (post.platform, post.id) not in known
        if fresh > room:
            linked = {url for post in posts[:place] for url in post.urls}
            pages = tuple(page for page in batch.pages if page.url in linked)
            return replace(batch, posts=posts[:place], pages=pages, position=None, unfinished=None)
        known.add((post.platform, post.id))
    return batch


def _placed(store: Store, name: str, batch: Batch) -> tuple[Batch, list[Problem]]:
    """A batch whose pages lie at their spare addresses where others are here under the first, and what has no place."""
    here: dict[str, bytes] = {}
    pages: list[Page] = []
    problems = []
    for page in batch.pages:
        free = (url for url in (page.url, page.spare) if not page.spare or _is_free(store, here, url, page.body))
        if url := next(free, ""):
            here.setdefault(url, page.body)
            pages.append(page if url == page.url else replace(page, url=url, final_url=url))
        else:
            problems.append(Problem(name, 0, f"{page.spare}: another page is here under it; this one is left out"))
    if tuple(pages) == batch.pages:
        return batch, []
    posts = tuple(Post("url", page.url, "", urls=(page.url,)) for page in pages)
    return replace(batch, posts=posts, pages=tuple(pages)), problems


def _is_free(store: Store, here: dict[str, bytes], url: str, body: bytes) -> bool:
    """Whether no page but this one is here under an address, nor in the batch before it."""
    kept = store.page(url)
    return here.get(url, kept.body if kept is not None else body) == body


def _clashes(store: Store, name: str, posts: tuple[Post, ...]) -> list[Problem]:
    """Plain posts whose id already stands for another text: they would be lost in silence."""
    found = []
    plain = [post for post in posts if post.platform == "plain"]
    texts = store.plain_texts(post.id for post in plain)
    for post in plain:
        if texts.setdefault(post.id, post.text) != post.text:
            found.append(
                Problem(name, 0, f"the id {post.id[:60]!r} already stands for another post; this one is left out")
            )
    return found
