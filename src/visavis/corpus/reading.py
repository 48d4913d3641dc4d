"""Anything that holds documents becomes a corpus: files, folders, globs, standard input, data frames, lists."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from visavis.corpus.columns import check_roles
from visavis.corpus.documents import Batch, make_documents
from visavis.corpus.encodings import check_encoding, read_detecting
from visavis.corpus.errors import Unreadable, one_line
from visavis.corpus.readers import find_reader, has_reader
from visavis.corpus.readers.base import Limits, ReadOptions, Source, Table
from visavis.corpus.sources import exists, find_sources
from visavis.errors import InvalidParameter
from visavis.records import Corpus, Floats, Integers, SetAside
from visavis.records.stored import rename
from visavis.shared.processes import spread_out

__all__ = ["Limits", "ReadOptions", "read_corpus"]

MOST_BROKEN = 0.5  # of the rows of a file: beyond it the rest may be no fair part of it


def read_corpus(source: Any, options: ReadOptions | None = None, *, by_id: bool = False) -> Corpus:
    """The documents of a source: a path, a glob, "-" for standard input, several paths, a data frame, or a list.

    A list may hold paths, dictionaries (one a document) or texts; strings are taken for paths if one of them looks
    like a file or all of them exist (a `Path` always is one). With `by_id`, a document whose id stands in an earlier
    file takes the place of that one, and documents do not tell which file they are from. Raises Unreadable,
    UnknownName (a column or a role), InvalidParameter (options) and MissingExtra.
    """
    options = options or ReadOptions()
    _check_options(options)
    tables = _tables(source, options)
    if len(tables) > 1:
        tables = _told_apart(tables, tell_file=not by_id)
    batches = [make_documents(table, options) for table in tables]
    if len(tables) > 1:
        if by_id:
            _keep_last(batches)
        _tell_ids_apart(tables, batches)
    _check_ids(tables, batches)
    origin = one_line(", ".join(table.name for table in tables[:3]) + (", …" if len(tables) > 3 else ""))
    documents = tuple(document for batch in batches for document in batch.documents)
    if not documents:
        raise Unreadable(origin, _why_empty(tables, batches))
    if not options.allow_broken:
        for table, batch in zip(tables, batches, strict=True):
            _check_broken(table, batch)
    vectors, splits, remarks = _join_vectors(tables, batches)
    prefix = len(tables) > 1
    notes = [f"{t.name}: {n}" if prefix else n for t, b in zip(tables, batches, strict=True) for n in b.notes]
    return Corpus(
        documents=documents,
        origin=origin,
        columns={role: column for batch in reversed(batches) for role, column in batch.roles.items()},
        set_aside=_set_aside(batches),
        notes=(*map(one_line, notes), *remarks),
        vectors=vectors,
        splits=splits,
    )


def _check_options(options: ReadOptions) -> None:
    check_roles(options.columns)
    check_encoding(options.encoding)
    if options.date_order not in (None, "mdy", "dmy"):
        raise InvalidParameter(f"date_order must be 'mdy', 'dmy' or None, got {options.date_order!r}")
    for suffix, reader in options.readers.items():
        if not callable(reader) or not str(suffix).startswith(".") or suffix != suffix.lower():
            raise InvalidParameter(f"readers maps suffixes such as '.xyz' to functions, got {suffix!r}: {reader!r}")


def _tables(source: Any, options: ReadOptions) -> list[Table]:
    if isinstance(source, str | os.PathLike):
        return _read_all(find_sources([source], options), options)
    if isinstance(source, list | tuple):
        if not source:
            raise Unreadable("the list", "is empty: there are no documents")
        if all(isinstance(item, Mapping) for item in source):
            rows = [(n, {str(key): value for key, value in item.items()}) for n, item in enumerate(source, start=1)]
            columns = dict.fromkeys(key for _, row in rows for key in row)
            return [Table("the list", "item", tuple(columns), rows, unit="item")]
        if all(isinstance(item, str | os.PathLike) for item in source):
            if not _are_paths(source, options):
                texts = [(number, {"text": str(item)}) for number, item in enumerate(source, start=1)]
                return [Table("the list", "item", ("text",), texts, unit="item")]
            return _read_all(find_sources(source, options), options)
        raise InvalidParameter("a list must hold paths, dictionaries or texts, and only one of these")
    from visavis.corpus.readers.frames import read_frame

    return [read_frame(source)]


def _read_all(sources: Sequence[Source], options: ReadOptions) -> list[Table]:
    """Each source's table; a cluster reads them where they lie."""
    return list(spread_out(partial(_read, options=options), sources, len(sources)))


def _are_paths(items: Sequence[str | os.PathLike[str]], options: ReadOptions) -> bool:
    """Whether a list names files rather than holding texts: one is a path or looks like one, or all of them exist."""
    return any(_looks_like_a_path(item, options) for item in items) or all(
        item and exists(Path(item)) for item in items
    )


def _looks_like_a_path(item: str | os.PathLike[str], options: ReadOptions) -> bool:
    if not isinstance(item, str) or item == "-":
        return True
    if len(item) > 1000 or any(mark in item for mark in "\n\0"):
        return False
    path, _, part = item.partition("::")
    if has_reader(Path(path.lower().removesuffix(".gz")).suffix, options.readers):
        return bool(part) or " " not in path or exists(Path(path))
    return "/" in item and (exists(Path(item)) or (" " not in item and any(mark in item for mark in "*?")))


def _read(source: Source, options: ReadOptions) -> Table:
    if options.sql is not None and source.suffix not in (".db", ".sqlite", ".sqlite3"):
        raise InvalidParameter(one_line(f"{source.name}: sql is for SQLite databases (.db, .sqlite, .sqlite3) only"))
    reader = find_reader(source.suffix, options.readers)
    told = replace(source, encoding=options.encoding or "")
    table, note = read_detecting(lambda found: reader(found, options), told, options.limits)
    table = replace(table, notes=(*table.notes, note)) if note else table
    if not table.rows and not table.dropped:
        raise Unreadable(source.name, f"holds no {table.unit}s" + (" under its header" if table.columns else ""))
    return table


def _told_apart(tables: Sequence[Table], *, tell_file: bool) -> list[Table]:
    """Tables whose stems differ, each row with the field `file`; where two share a stem, it is the path instead."""
    shared = {stem for stem, count in Counter(table.stem for table in tables).items() if count > 1}
    found = []
    for table in tables:
        stem = Path(table.name).with_suffix("").as_posix() if table.stem in shared else table.stem
        rows = table.rows
        if tell_file and "file" not in table.columns:
            rows = [(number, {**fields, "file": stem}) for number, fields in table.rows]
        found.append(replace(table, stem=stem, rows=rows))
    return found


def _keep_last(batches: Sequence[Batch]) -> None:
    """Of documents of one id in several files, which have ids of their own, leave the last file's alone."""
    later: set[str] = set()
    for batch in reversed([batch for batch in batches if "id" in batch.roles]):
        kept = [at for at, document in enumerate(batch.documents) if document.id not in later]
        later.update(document.id for document in batch.documents)
        batch.documents = [batch.documents[at] for at in kept]
        batch.positions = [batch.positions[at] for at in kept]
        batch.numbers = [batch.numbers[at] for at in kept]


def _tell_ids_apart(tables: Sequence[Table], batches: Sequence[Batch]) -> None:
    """Put the file's name before an id that several files have, as where each numbers its rows from 1."""
    files = Counter(name for batch in batches for name in {document.id for document in batch.documents})
    for table, batch in zip(tables, batches, strict=True):
        shared = sum(files[document.id] > 1 for document in batch.documents)
        batch.documents = [
            rename(document, f"{table.stem}:{document.id}") if files[document.id] > 1 else document
            for document in batch.documents
        ]
        if shared:
            batch.notes.append(f"{shared:,} ids stand in another file, too: {table.stem + ':'!r} is put before them")


def _check_ids(tables: Sequence[Table], batches: Sequence[Batch]) -> None:
    seen: set[str] = set()
    for table, batch in zip(tables, batches, strict=True):
        for document, number in zip(batch.documents, batch.numbers, strict=True):
            if document.id in seen:
                told = f"the id {document.id!r} stands already in {_first_place(document.id, tables, batches)}"
                raise Unreadable(
                    table.place(number), f"{told}: name another column with --id (columns={{'id': ...}} in Python)"
                )
            seen.add(document.id)


def _first_place(name: str, tables: Sequence[Table], batches: Sequence[Batch]) -> str:
    """Where the first document of that id stands."""
    found = (
        table.place(number)
        for table, batch in zip(tables, batches, strict=True)
        for document, number in zip(batch.documents, batch.numbers, strict=True)
        if document.id == name
    )
    return next(found)


def _why_empty(tables: Sequence[Table], batches: Sequence[Batch]) -> str:
    count = sum(len(table.rows) + len(table.dropped) for table in tables)
    reason, where = next((item for batch in batches for item in batch.set_aside), ("no rows", tables[0].name))
    return f"no {tables[0].unit} can be used ({count:,} read), e.g. {where}: {reason}"


def _check_broken(table: Table, batch: Batch) -> None:
    """Raise Unreadable if more than half of the rows cannot be used: then the rest may be no fair part of the file."""
    count, broken = len(table.rows) + len(table.dropped), len(batch.set_aside)
    if broken <= MOST_BROKEN * count:
        return
    reasons = Counter(reason for reason, _ in batch.set_aside).most_common(2)
    told = []
    for reason, times in reasons:
        where = [place.removeprefix(f"{table.name}:") for found, place in batch.set_aside if found == reason][:3]
        more = f" and {times - len(where):,} more" if times > len(where) else ""
        told.append(f"{reason}: {table.unit} {', '.join(where)}{more}")
    raise Unreadable(
        table.name,
        f"{broken:,} of {count:,} {table.unit}s cannot be used ({'; '.join(told)}): mend the file, or go on with the "
        "others by --allow-broken (allow_broken=True in Python)",
    )


def _set_aside(batches: Sequence[Batch]) -> tuple[SetAside, ...]:
    found: dict[str, list[str]] = {}
    for batch in batches:
        for reason, where in batch.set_aside:
            found.setdefault(reason, []).append(where)
    return tuple(SetAside(reason, tuple(where)) for reason, where in found.items())


def _join_vectors(
    tables: Sequence[Table], batches: Sequence[Batch]
) -> tuple[Floats | None, tuple[tuple[Integers, Integers], ...], tuple[str, ...]]:
    """The files' own vectors, where every file brings some; splits only of a single file."""
    own = [(table, batch) for table, batch in zip(tables, batches, strict=True) if table.vectors is not None]
    if not own:
        return None, (), ()
    if len(own) < len(tables):
        return None, (), ("some files bring vectors and some do not: the vectors are not used",)
    widths = {table.name: table.vectors.shape[1] for table, _ in own if table.vectors is not None}
    if len(set(widths.values())) > 1:
        told = ", ".join(f"{name} has {width}" for name, width in widths.items())
        raise Unreadable(own[0][0].name, f"'data' of all files must have the same number of columns: {told}")
    vectors = np.vstack([table.vectors[batch.positions] for table, batch in own if table.vectors is not None])
    if len(own) > 1:
        has = any(table.splits for table, _ in own)
        return vectors, (), ("the splits of several files are not used",) if has else ()
    (table, batch) = own[0]
    new = np.full(len(table.rows), -1, dtype=np.intp)
    new[batch.positions] = np.arange(len(batch.positions))
    splits = tuple((_kept(new, train), _kept(new, test)) for train, test in table.splits)
    return vectors, splits, ()


def _kept(new: Integers, rows: Integers) -> Integers:
    found: Integers = new[rows]
    return found[found >= 0]
