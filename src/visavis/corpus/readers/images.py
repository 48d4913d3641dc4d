"""Pictures: one document a file, each checked in a child process."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from visavis.corpus.errors import one_line
from visavis.corpus.readers.base import Dropped, Limits, ReadOptions, Source, Table
from visavis.corpus.readers.text_files import folder_of

if TYPE_CHECKING:
    from visavis.corpus.parsing import Sink

MODULES = ("PIL", "PIL.Image")
CALLED = "pictures"
COLUMNS = ("id", "title", "image", "folder")
_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF")


def read(source: Source, options: ReadOptions) -> Table:
    """One document a picture; a picture that cannot be read is set aside. Raises MissingExtra without pillow."""
    from visavis.corpus.sandbox import parse_apart

    parsed = parse_apart("images", source, options.limits)
    inside = [member.relative_to(source.path) if source.path != Path() else member for member in source.members]
    labels = tuple(str(member) for member in source.members)
    dropped = Dropped(source.name, "picture", options.strict, labels)
    for reason, number in parsed.dropped:
        dropped.add(reason, number)
    damaged = {number for _, number in parsed.dropped}
    rows: list[tuple[int, dict[str, Any]]] = []
    for number, (member, place) in enumerate(zip(source.members, inside, strict=True), start=1):
        if number not in damaged:
            fields = {"id": place.as_posix(), "title": member.stem, "image": str(member), "folder": folder_of(place)}
            rows.append((number, fields))
    return Table(
        source.name,
        source.stem,
        COLUMNS,
        rows,
        unit="picture",
        dropped=tuple(dropped.rows),
        image="image",
        labels=labels,
    )


def parse(source: Source, limits: Limits, sink: Sink) -> None:
    """In the child: the size each picture declares, then its structure."""
    pillow: Any = importlib.import_module("PIL.Image")
    pillow.MAX_IMAGE_PIXELS = None  # our own limit is checked below, before anything is decoded
    for number, member in enumerate(source.members, start=1):
        try:
            with pillow.open(member, formats=_FORMATS) as picture:
                width, height = picture.size
                if width * height > limits.pixels:
                    sink.dropped.append((f"has {width * height:,} pixels; the limit is {limits.pixels:,}", number))
                    continue
                picture.verify()
        except (OSError, ValueError, SyntaxError, EOFError, KeyError, IndexError, TypeError) as error:
            told = one_line(str(error)).replace(str(member), member.name)[:120]
            sink.dropped.append((f"the picture cannot be read ({told})", number))
