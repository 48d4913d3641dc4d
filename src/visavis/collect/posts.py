"""The step that gathers posts: each batch is kept together with the position after it, so that nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from visavis.collect.records import Post, Problem
from visavis.collect.sources import Live, Source
from visavis.collect.store import Store


@dataclass(frozen=True)
class PostOptions:
    """Which sources to read, and how; `most` ends a source after that many new posts (0: no limit)."""

    sources: tuple[Source, ...]
    live: Live = field(default_factory=Live)
    most: int = 0
    progress: Callable[[str, int], None] | None = None


@dataclass(frozen=True)
class SourceRead:
    """What came of a source: posts seen, new ones, messages that are no posts, and what could not be read."""

    source: str
    seen: int
    new: int
    notices: int
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class PostsRead:
    """What came of all sources."""

    sources: tuple[SourceRead, ...]
    total: int


def gather(store: Store, options: PostOptions) -> PostsRead:
    """Read every source from where it was left; live ones that are followed all at once, others in turn."""
    if len(options.sources) > 1 and (options.live.follow or options.live.seconds):
        read = _at_once(store, options)
    else:
        read = tuple(_read(store, source, options) for source in options.sources)
    return PostsRead(read, store.count("posts"))


def _at_once(store: Store, options: PostOptions) -> tuple[SourceRead, ...]:
    """A thread a source, because one that is followed may never end; the first failure ends them all."""
    found: dict[int, SourceRead] = {}
    failures: list[BaseException] = []

    def work(place: int, source: Source) -> None:
        try:
            found[place] = _read(store, source, options)
        except BaseException as error:
            failures.append(error)
            options.live.stop.set()

    workers = [threading.Thread(target=work, args=numbered, daemon=True) for numbered in enumerate(options.sources)]
    for worker in workers:
        worker.start()
    try:
        for worker in workers:
            while worker.is_alive() and not failures:
                worker.join(0.2)  # in short turns, so that an interrupt is heard
    finally:
        options.live.stop.set()
        for worker in workers:
            worker.join(2.0)
    if failures:
        raise failures[0]
    return tuple(found[place] for place in sorted(found))


def _read(store: Store, source: Source, options: PostOptions) -> SourceRead:
    seen = new = notices = 0
    problems: list[Problem] = []
    for batch in source.batches(store.position(source.name), options.live):
        with store.transaction():
            if batch.since is not None:
                store.execute("DELETE FROM problems WHERE source = ? AND line > ?", (source.name, batch.since))
            clashes = _clashes(store, source.name, batch.posts)
            new += store.add_posts(batch.posts)
            store.add_problems([*batch.problems, *clashes])
            if batch.position is not None:
                store.set_position(source.name, batch.position)
        seen += len(batch.posts)
        notices += batch.notices
        problems += [*batch.problems, *clashes]
        if options.progress is not None:
            options.progress(source.name, seen)
        if options.most and new >= options.most:
            break
    return SourceRead(source.name, seen, new, notices, tuple(problems))


def _clashes(store: Store, name: str, posts: tuple[Post, ...]) -> list[Problem]:
    """Plain posts whose id already stands for another text: they would be lost in silence."""
    texts: dict[str, str] = {}
    found = []
    plain = [post for post in posts if post.platform == "plain"]
    for start in range(0, len(plain), 500):
        ids = [post.id for post in plain[start : start + 500]]
        marks = ", ".join("?" * len(ids))
        texts.update(store.execute(f"SELECT id, text FROM posts WHERE platform = 'plain' AND id IN ({marks})", ids))
    for post in plain:
        if texts.setdefault(post.id, post.text) != post.text:
            found.append(
                Problem(name, 0, f"the id {post.id[:60]!r} already stands for another post; this one is left out")
            )
    return found
