"""What the caller names becomes a list of things to read, each with the suffix that says how."""

from __future__ import annotations

import glob
import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from visavis.corpus.errors import Unreadable, listed, shown
from visavis.corpus.readers import PICTURE_SUFFIXES, READERS, TEXT_SUFFIXES, ZIPPED_SUFFIXES, has_reader
from visavis.corpus.readers.base import ReadOptions, Source
from visavis.corpus.text import marked
from visavis.shared.names import nearest

_ZIP_MAGIC = b"\x1f\x8b"


def find_sources(named: Sequence[str | os.PathLike[str]], options: ReadOptions) -> list[Source]:
    """Every file, folder and stream that the names stand for, in their order; pictures are read together."""
    found: list[Source] = []
    pictures: list[Path] = []
    for item in named:
        for source in _resolve(os.fspath(item), options):
            if source.suffix in PICTURE_SUFFIXES and source.suffix not in options.readers and not source.members:
                pictures.append(source.path)
            else:
                found.append(source)
    if pictures:
        name = str(pictures[0]) if len(pictures) == 1 else f"{len(pictures)} pictures"
        found.append(Source(name, pictures[0].stem, pictures[0].suffix.lower(), members=tuple(pictures)))
    return found


def _resolve(name: str, options: ReadOptions) -> Iterator[Source]:
    if "\0" in name or not name:
        raise Unreadable(shown(name), "is not a file name")
    if name == "-":
        yield _standard_input(options)
        return
    path, part = Path(name), ""
    head, mark, table = name.rpartition("::")
    if mark and head and not exists(path):
        path, part = Path(head), table
    if exists(path):
        yield _folder(name, path) if path.is_dir() else _file(name, path, part, options)
    elif any(mark in name for mark in "*?["):
        matches = [Path(match) for match in sorted(glob.glob(name, recursive=True))]  # noqa: PTH207 (may be absolute)
        files = [match for match in matches if match.is_file()]
        if not files:
            raise Unreadable(name, "no file matches this pattern")
        yield from (_file(str(match), match, "", options) for match in files)
    else:
        raise Unreadable(name, f"there is no such file or folder{_near(path)}")


def exists(path: Path) -> bool:
    """Whether there is such a file or folder; a name no file can have does not exist."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _near(path: Path) -> str:
    try:
        beside = [file.name for file in path.parent.iterdir()]
    except OSError:
        return ""
    near = nearest(path.name, beside)
    return "" if near is None else f"; did you mean {shown(near)}?"


def _file(name: str, path: Path, part: str, options: ReadOptions) -> Source:
    if not path.is_file():
        raise Unreadable(name, "is not an ordinary file")
    zipped = path.suffix.lower() == ".gz"
    inner = Path(path.stem) if zipped else path
    suffix = inner.suffix.lower()
    if zipped and suffix not in ZIPPED_SUFFIXES and suffix not in options.readers:
        allowed = ", ".join(f"{each}.gz" for each in ZIPPED_SUFFIXES)
        raise Unreadable(name, f"compressed files can be {allowed}, not {shown(suffix + '.gz')}")
    if not has_reader(suffix, options.readers):
        known = ", ".join([*READERS, *options.readers])
        raise Unreadable(name, f"no reader for the suffix {shown(suffix)}; there are {known}")
    return Source(name, inner.stem, suffix, path, part, zipped)


def _folder(name: str, path: Path) -> Source:
    texts: list[Path] = []
    pictures: list[Path] = []
    others: set[str] = set()
    for top, folders, files in os.walk(path):
        folders[:] = sorted(folder for folder in folders if not folder.startswith("."))
        for file in sorted(file for file in files if not file.startswith(".")):
            suffix = Path(file.lower().removesuffix(".gz")).suffix
            kind = texts if suffix in TEXT_SUFFIXES else pictures if suffix in PICTURE_SUFFIXES else None
            if kind is None:
                others.add(suffix or file)
            elif (Path(top) / file).is_file():
                kind.append(Path(top) / file)
    if texts and pictures:
        asked = shown(f"{path}/*{pictures[0].suffix}")
        raise Unreadable(name, f"holds {len(texts)} texts and {len(pictures)} pictures: part them, or ask for {asked}")
    if texts or pictures:
        members = tuple(texts or pictures)
        return Source(
            name.rstrip("/"),
            path.resolve().name,
            TEXT_SUFFIXES[0] if texts else PICTURE_SUFFIXES[0],
            path,
            members=members,
        )
    expected = ", ".join((*TEXT_SUFFIXES, *PICTURE_SUFFIXES))
    if not others:
        raise Unreadable(name, f"the folder is empty; it may hold {expected}")
    table = next((suffix for suffix in sorted(others) if suffix in READERS), "")
    hint = f"; to read its tables ask for {shown(f'{path}/*{table}')}" if table else ""
    raise Unreadable(name, f"the folder holds no texts or pictures ({expected}) but {listed(sorted(others), 8)}{hint}")


def _standard_input(options: ReadOptions) -> Source:
    limit = options.limits.text_bytes
    data = sys.stdin.buffer.read(limit + 1)
    if len(data) > limit:
        raise Unreadable("standard input", f"holds more than {limit:,} bytes of text")
    zipped = data.startswith(_ZIP_MAGIC)
    return Source("standard input", "stdin", _sniff(data, zipped, options.encoding), zipped=zipped, data=data)


def _sniff(data: bytes, zipped: bool, told: str | None) -> str:
    beginning = data[:65536]
    if zipped:
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
                beginning = stream.read(65536)
        except (OSError, EOFError, zlib.error):
            beginning = b""
    encoding, length = marked(beginning)
    text = beginning[length:].decode(encoding or told or "utf-8", errors="replace").lstrip()
    if text.startswith("["):
        return ".json"
    if text.startswith("{"):
        return ".jsonl"
    first = text.partition("\n")[0]
    return ".tsv" if first.count("\t") > first.count(",") else ".csv"
