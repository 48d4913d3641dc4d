"""The table of readers: a file's suffix says which one reads it. A new format is one file here and one row below."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from visavis.registry import Registry, Row

if TYPE_CHECKING:
    from visavis.contracts import Reader

_HERE = "visavis.corpus.readers"
_CSV = Row(f"{_HERE}.delimited:read", "comma-separated values with a header")
_TSV = Row(f"{_HERE}.delimited:read", "tab-separated values with a header")
_JSONL = Row(f"{_HERE}.json_text:read", "one JSON object a line, or an array of them")
_JSON = Row(f"{_HERE}.json_text:read", "an array of JSON objects, or one a line")
_TEXT = Row(f"{_HERE}.text_files:read", "plain text, one document a file")
_SQLITE = Row(f"{_HERE}.sqlite:read", "a table or query of an SQLite database")
_PARQUET = Row(f"{_HERE}.parquet:read", "Apache Parquet", "tables")
_EXCEL = Row(f"{_HERE}.excel:read", "a sheet of a spreadsheet", "tables")
_HDF5 = Row(f"{_HERE}.hdf5:read", "vectors, titles and splits in HDF5", "tables")
_PICTURE = Row(f"{_HERE}.images:read", "pictures, one document a file")

PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff")
TEXT_SUFFIXES = (".txt", ".md")
ZIPPED_SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".txt")

READERS = Registry(
    "reader",
    {
        ".csv": _CSV,
        ".tsv": _TSV,
        ".tab": _TSV,
        ".jsonl": _JSONL,
        ".ndjson": _JSONL,
        ".json": _JSON,
        ".parquet": _PARQUET,
        ".xlsx": _EXCEL,
        ".xls": _EXCEL,
        ".ods": _EXCEL,
        ".db": _SQLITE,
        ".sqlite": _SQLITE,
        ".sqlite3": _SQLITE,
        ".h5": _HDF5,
        ".hdf5": _HDF5,
        **dict.fromkeys(TEXT_SUFFIXES, _TEXT),
        **dict.fromkeys(PICTURE_SUFFIXES, _PICTURE),
    },
)


def find_reader(suffix: str, own: Mapping[str, Reader]) -> Reader:
    """What reads files of a suffix: the caller's own reader, else that of the table. Raises UnknownName."""
    reader: Reader = own[suffix] if suffix in own else READERS.load(suffix)
    return reader


def has_reader(suffix: str, own: Mapping[str, Reader]) -> bool:
    """Whether files of that suffix can be read."""
    return suffix in own or suffix in READERS
