"""What every reader is given, and what it hands back."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from visavis.corpus.errors import Unreadable, listed

if TYPE_CHECKING:
    from visavis.contracts import Reader
    from visavis.records import Floats, Integers

ROLES = ("id", "title", "text", "date", "source", "url", "weight")
MIB = 2**20


class Refusal(Exception):
    """Raised by a parser in the child process; the message reaches the caller as Unreadable."""


@dataclass(frozen=True)
class Limits:
    """How much a file may hold before it is refused.

    `text_bytes` is text after decompression; beyond `ratio_from` bytes of it, compression better than `ratio` to 1 is
    taken for an attack. `values` are numbers of an HDF5 array, `memory_mb` and `seconds` what a binary file may use.
    """

    text_bytes: int = 2048 * MIB
    ratio: float = 200.0
    ratio_from: int = 64 * MIB
    field_chars: int = 20_000_000
    depth: int = 50
    rows: int = 5_000_000
    values: int = 400_000_000
    file_bytes: int = 4096 * MIB
    pixels: int = 50_000_000
    memory_mb: int = 2048
    seconds: float = 120.0


@dataclass(frozen=True)
class ReadOptions:
    """How to read: which column plays which role, a query for a database, and what to do with dirt.

    `strict` turns every row that would be set aside, and every date or weight that cannot be read, into an error.
    `date_order` ("mdy" or "dmy") says how 3/5/2018 is meant; by default the whole file decides. `readers` are the
    caller's own, by the suffix of the files they read (".xyz", in lower case); they come before those of the table.
    `encoding` is that of text files without a mark that says it; by default it is UTF-8, else what they look like.
    `allow_broken` goes on where more than half of a file's rows cannot be used.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    sql: str | None = None
    strict: bool = False
    date_order: str | None = None
    limits: Limits = field(default_factory=Limits)
    readers: Mapping[str, Reader] = field(default_factory=dict)
    encoding: str | None = None
    allow_broken: bool = False


@dataclass(frozen=True)
class Source:
    """One thing to read: `name` as the caller wrote it, `part` a table or sheet named after "::".

    `data` are its bytes where it is no file; `encoding` is that of its text, empty where it is not known.
    """

    name: str
    stem: str
    suffix: str
    path: Path = Path()
    part: str = ""
    zipped: bool = False
    data: bytes | None = field(default=None, repr=False)
    members: tuple[Path, ...] = ()
    encoding: str = ""

    def open(self) -> BinaryIO:
        """The bytes. Raises Unreadable if the system refuses."""
        if self.data is not None:
            return io.BytesIO(self.data)
        try:
            return self.path.open("rb")
        except OSError as error:
            raise Unreadable(self.name, f"cannot be opened ({error.strerror})") from error


@dataclass(frozen=True, eq=False)
class Table:
    """Rows as read, with the numbers they are known by, and the rows that were not worth keeping.

    `unit` is what a row is called in messages ("row", "line", "picture"); `image` names the column of picture paths;
    `labels` are the rows' own names where they have some, such as the paths of the files of a folder.
    """

    name: str
    stem: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[int, dict[str, Any]]]
    unit: str = "row"
    dropped: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()
    image: str = ""
    labels: tuple[str, ...] = ()
    vectors: Floats | None = None
    splits: tuple[tuple[Integers, Integers], ...] = ()

    def place(self, number: int) -> str:
        """A row as messages name it."""
        return self.labels[number - 1] if self.labels else f"{self.name}: {self.unit} {number}"

    def address(self, number: int) -> str:
        """A row as lists of rows name it."""
        return self.labels[number - 1] if self.labels else f"{self.name}:{number}"


class NamedRows(Sequence[tuple[int, dict[str, Any]]]):
    """Rows of cells as a table has them: numbered from 1 on, cells under their columns' names, made when read."""

    def __init__(self, columns: tuple[str, ...], rows: Sequence[list[Any]]) -> None:
        self._columns, self._rows = columns, rows

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, cells in enumerate(self._rows, start=1):
            yield number, dict(zip(self._columns, cells, strict=True))

    def __getitem__(self, index: Any) -> Any:
        return list(self)[index]


class Dropped:
    """Rows set aside while a file is read; with `strict` the first one is an error instead."""

    def __init__(self, name: str, unit: str, strict: bool, labels: Sequence[str] = ()) -> None:
        self._name, self._unit, self._strict, self._labels = name, unit, strict, labels
        self.rows: list[tuple[str, int]] = []

    def add(self, reason: str, number: int) -> None:
        """Set a row aside. Raises Unreadable under `strict`."""
        if self._strict:
            raise Unreadable(
                self._labels[number - 1] if self._labels else f"{self._name}: {self._unit} {number}", reason
            )
        self.rows.append((reason, number))


def check_header(name: str, columns: Iterable[str]) -> tuple[str, ...]:
    """Column names, the blank ones numbered. Raises Unreadable for a name that stands twice or holds a NUL."""
    header: list[str] = []
    for number, column in enumerate(columns, start=1):
        title = str(column).strip() or f"column {number}"
        if "\0" in title:
            raise Unreadable(name, f"header: column {number} holds a NUL character")
        if title in header:
            raise Unreadable(name, f"header: column {listed([title])} stands twice: rename one of them")
        header.append(title)
    if not header:
        raise Unreadable(name, "header: there are no columns")
    return tuple(header)
