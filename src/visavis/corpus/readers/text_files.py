"""Plain text: one document a file, alone or in a folder; a single file may be a table with tabs, as Excel saves it."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from visavis.corpus.columns import recognize
from visavis.corpus.encodings import read_detecting
from visavis.corpus.errors import Unreadable
from visavis.corpus.readers import delimited
from visavis.corpus.readers.base import ReadOptions, Source, Table
from visavis.corpus.text import whole

TITLE_CHARS = 120
COLUMNS = ("id", "title", "text", "folder")
LOOKED_AT = 20  # lines that show whether a file is a table

_LINE = re.compile(r"[^\n]+")


def read(source: Source, options: ReadOptions) -> Table:
    """The file as one document; with `members`, one document each. The first line is the title if it is short."""
    if source.members:
        return _folder(source, options)
    text = whole(source, options.limits)
    if _is_table(text, options):
        return delimited.read(replace(source, suffix=".tsv"), options)
    fields = _document(source, text)
    if not fields["title"] and not fields["text"]:
        raise Unreadable(source.name, "is empty")
    return Table(source.name, source.stem, ("title", "text"), [(1, fields)], unit="file")


def folder_of(inside: Path) -> str:
    """The subfolder a file of a folder lies in, "" at the top."""
    return "" if inside.parent == Path() else inside.parent.as_posix()


def _folder(source: Source, options: ReadOptions) -> Table:
    rows: list[tuple[int, dict[str, Any]]] = []
    notes: dict[str, list[str]] = {}
    labels = tuple(str(member) for member in source.members)
    for number, member in enumerate(source.members, start=1):
        inside = member.relative_to(source.path)
        zipped = member.suffix.lower() == ".gz"
        stem = Path(member.stem).stem if zipped else member.stem
        part = Source(str(member), stem, member.suffix, member, zipped=zipped, encoding=source.encoding)
        text, note = read_detecting(lambda found: whole(found, options.limits), part, options.limits)
        rows.append((number, {"id": inside.as_posix(), **_document(part, text), "folder": folder_of(inside)}))
        if note:
            notes.setdefault(note.partition(",")[0], []).append(f"{inside.as_posix()} is {note}")
    told = tuple(_counted(many) for many in notes.values())
    return Table(source.name, source.stem, COLUMNS, rows, unit="file", notes=told, labels=labels)


def _counted(notes: list[str]) -> str:
    """The first of several notes that say the same of other files, and how many they are."""
    return notes[0] if len(notes) == 1 else f"{notes[0]} (likewise {len(notes) - 1:,} more)"


def _is_table(text: str, options: ReadOptions) -> bool:
    """Whether the first lines have as many tabs as the very first, and that names a title or a text.

    Where columns are told, there is a table to find them in.
    """
    looked_at = (found[0] for found in islice(_LINE.finditer(text), LOOKED_AT))
    first, *others = [line for line in looked_at if line.strip()] or [""]
    tabs = first.count("\t")
    if not tabs or not others or any(line.count("\t") != tabs for line in others):
        return False
    header = [cell.strip().strip('"') for cell in first.split("\t")]
    return bool(options.columns) or not {"title", "text"}.isdisjoint(recognize("", header, {}))


def _document(source: Source, text: str) -> dict[str, str]:
    text = text.strip()
    if "\0" in text:
        raise Unreadable(source.name, f"line {text.count(chr(10), 0, text.index(chr(0))) + 1}: holds a NUL character")
    first, _, rest = text.partition("\n")
    title = first.strip().lstrip("#").strip()
    if text and 0 < len(title) <= TITLE_CHARS:
        return {"title": title, "text": rest.strip()}
    return {"title": source.stem if text else "", "text": text}
