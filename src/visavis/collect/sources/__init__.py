"""Where posts come from: one file a kind of source, one row of this table each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from visavis.collect.sources.base import Batch, Live, Source
from visavis.errors import InvalidParameter
from visavis.registry import Registry, Row

__all__ = ["SOURCES", "Batch", "Live", "Source", "open_source", "open_sources"]

SOURCES = Registry(
    "source",
    {
        "file": Row(
            "visavis.collect.sources.lines:Lines", "JSON lines or URLs, a file (.gz, .bz2, .xz) or - for stdin"
        ),
        "feed": Row("visavis.collect.sources.feeds:Feed", "RSS or Atom, by address or file", "collect"),
        "mastodon": Row("visavis.collect.sources.mastodon:HashtagTimeline", "mastodon:SERVER/TAG", "collect"),
        "jetstream": Row(
            "visavis.collect.sources.jetstream:Jetstream", "Bluesky's posts, jetstream:[SERVER]", "collect"
        ),
    },
)


def open_source(name: str) -> Source:
    """The source behind a name: KIND:WHERE, the address of a feed, a path, or "-".

    Raises InvalidParameter for a file that is not there, UnknownName for an unknown kind.
    """
    kind, colon, where = name.partition(":")
    if name.startswith(("http://", "https://")):
        kind, where = "feed", name
    elif not colon or (kind not in SOURCES and Path(name).exists()):
        kind, where = "file", name
    source: Source = SOURCES.create(kind, where)
    if kind == "file" and where != "-" and not Path(where).is_file():
        raise InvalidParameter(f"there is no file {where!r}; a source is {', '.join(_forms())}")
    return source


def open_sources(names: Iterable[str], state: str = "") -> list[Source]:
    """Several sources; a folder stands for the files in it, without the state file and what lies beside that."""
    found: list[Source] = []
    ours = {Path(state + ending).resolve() for ending in ("", ".lock", "-wal", "-shm", "-journal") if state}
    for name in names:
        if name != "-" and Path(name).is_dir():
            inside = sorted(path for path in Path(name).iterdir() if path.is_file() and not path.name.startswith("."))
            found.extend(open_source(str(path)) for path in inside if path.resolve() not in ours)
        else:
            found.append(open_source(name))
    return found


def _forms() -> tuple[str, ...]:
    return ("a path", "-", "the address of a feed", "feed:FILE", "mastodon:SERVER/TAG", "jetstream:[SERVER]")
