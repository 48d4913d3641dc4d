"""Plain text: one document a file, alone or in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from visavis.corpus.errors import Unreadable
from visavis.corpus.readers.base import ReadOptions, Source, Table
from visavis.corpus.text import whole

TITLE_CHARS = 120
COLUMNS = ("id", "title", "text", "folder")


def read(source: Source, options: ReadOptions) -> Table:
    """The file as one document; with `members`, one document each. The first line is the title if it is short."""
    if not source.members:
        fields = _document(source, options)
        if not fields["title"] and not fields["text"]:
            raise Unreadable(source.name, "is empty")
        return Table(source.name, source.stem, ("title", "text"), [(1, fields)], unit="file")
    rows: list[tuple[int, dict[str, Any]]] = []
    labels = tuple(str(member) for member in source.members)
    for number, member in enumerate(source.members, start=1):
        inside = member.relative_to(source.path)
        zipped = member.suffix.lower() == ".gz"
        stem = Path(member.stem).stem if zipped else member.stem
        part = Source(str(member), stem, member.suffix, member, zipped=zipped)
        rows.append((number, {"id": inside.as_posix(), **_document(part, options), "folder": folder_of(inside)}))
    return Table(source.name, source.stem, COLUMNS, rows, unit="file", labels=labels)


def folder_of(inside: Path) -> str:
    """The subfolder a file of a folder lies in, "" at the top."""
    return "" if inside.parent == Path() else inside.parent.as_posix()


def _document(source: Source, options: ReadOptions) -> dict[str, str]:
    text = whole(source, options.limits).strip()
    if "\0" in text:
        raise Unreadable(source.name, f"line {text.count(chr(10), 0, text.index(chr(0))) + 1}: holds a NUL character")
    first, _, rest = text.partition("\n")
    title = first.strip().lstrip("#").strip()
    if text and 0 < len(title) <= TITLE_CHARS:
        return {"title": title, "text": rest.strip()}
    return {"title": source.stem if text else "", "text": text}
