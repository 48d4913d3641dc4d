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
            "visavis.collect.sources.lines:Lines",
            "JSON lines, CSV or URLs, a file (.gz, .bz2, .xz) or - for stdin",
        ),
        "html": Row(
            "visavis.collect.sources.saved:SavedPages", "html:PATH, saved pages, a file or a folder", "collect"
        ),
        "warc": Row("visavis.collect.sources.warc:WarcFile", "warc:FILE, also those of CC-NEWS", "collect"),
        "feed": Row("visavis.collect.sources.feeds:Feed", "RSS or Atom, by address or file", "collect"),
        "site": Row("visavis.collect.sources.site:Site", "site:ADDRESS, its feeds and news sitemaps", "collect"),
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
        kind, where = _kind_of(name), name
    source: Source = SOURCES.create(kind, where)
    if kind == "file" and where != "-" and not Path(where).is_file():
        raise InvalidParameter(f"there is no file {where!r}; a source is {', '.join(_forms())}")
    return source


def _kind_of(path: str) -> str:
    """What a file is read as, by how its name ends."""
    name = path.lower()
    if name.endswith((".warc", ".warc.gz", ".arc", ".arc.gz")):
        return "warc"
    return "html" if name.endswith((".html", ".htm", ".xhtml", ".shtml")) else "file"


def open_sources(names: Iterable[str], state: str = "") -> list[Source]:
    """Several sources; a folder stands for the files in it, without the state file and what lies beside that."""
    found: list[Source] = []
    ours = {Path(state + ending).resolve() for ending in ("", ".lock", "-wal", "-shm", "-journal") if state}
    for name in names:
        if name != "-" and Path(name).is_dir():
            inside = sorted(path for path in Path(name).iterdir() if path.is_file() and not path.name.startswith("."))
            found.extend(
                open_source(str(path))
                for path in inside
                if path.resolve() not in ours and _kind_of(path.name) != "html"
            )
            if any(_kind_of(path.name) == "html" for path in Path(name).rglob("*")):
                found.append(open_source(f"html:{name}"))
        else:
            found.append(open_source(name))
    return found


def _forms() -> tuple[str, ...]:
    return (
        "a path", "-", "the address of a feed or a site", "feed:FILE", "html:PATH", "warc:FILE", "site:ADDRESS",
        "mastodon:SERVER/TAG", "jetstream:[SERVER]",
    )  # fmt: skip
