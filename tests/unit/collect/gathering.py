"""What the tests of sources share: reading some into a state file, and looking at what was kept."""

from __future__ import annotations

from visavis.collect.posts import PostOptions, gather
from visavis.collect.sources import Live, open_sources


def read(store, *names, **more):
    live = Live(**{"sleep": lambda _: None, **more})
    return gather(store, PostOptions(tuple(open_sources(list(names))), live))


def kept(store):
    return [post for _, post in store.posts()]


def written(tmp_path, *lines, name="posts.jsonl"):
    path = tmp_path / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
