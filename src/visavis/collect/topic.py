"""topic.toml: what to collect, for one topic or several, in one file that `collect run` follows."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from visavis.collect.queries import matcher
from visavis.collect.windows import seconds, window
from visavis.corpus.errors import Unreadable, one_line
from visavis.errors import InvalidParameter

FORMATS = (".jsonl", ".csv", ".parquet")
_T = TypeVar("_T")
_KINDS = {"str": str, "int": int, "float": (int, float), "bool": bool, "tuple[str, ...]": list}
_NAMED = {"str": "text", "int": "a whole number", "float": "a number", "bool": "true or false"}


@dataclass(frozen=True)
class Topic:
    """One topic: its seed query, queries given besides, and how both are expanded, cleaned and written."""

    name: str
    query: str
    queries: tuple[str, ...] = ()
    expand: bool = True
    window: str = "14d"
    top: int = 10
    rounds: int = 20
    generality: float = 0.8
    places: bool = True
    keep: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    language: str = "en"
    out: str = ""

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise InvalidParameter("a topic needs a name")
        for query in (self.query, *self.queries):
            matcher(query)
        window(self.window)
        if self.out and Path(self.out).suffix.lower() not in FORMATS:
            raise InvalidParameter(f"out = {self.out!r}: end it in one of {', '.join(FORMATS)}")


@dataclass(frozen=True)
class Plan:
    """A whole file: where state is kept, where posts come from, how to fetch, and the topics.

    `contact` stands in the User-Agent; `listen` is how long live sources are read; `warc` names a folder.
    """

    topics: tuple[Topic, ...] = field(default=())
    state: str = "collection.sqlite"
    contact: str = ""
    sources: tuple[str, ...] = ()
    listen: str = ""
    workers: int = 8
    seconds_a_host: float = 1.0
    warc: str = ""
    folder: Path = field(default=Path())

    def __post_init__(self) -> None:
        if self.listen:
            seconds(self.listen)
        elif any(name.startswith("jetstream:") for name in self.sources):
            raise InvalidParameter("a jetstream never ends: say how long to listen, as listen = '10m'")
        if self.workers < 1:
            raise InvalidParameter(f"workers = {self.workers}: at least 1")
        if self.seconds_a_host < 0:
            raise InvalidParameter(f"seconds_a_host = {self.seconds_a_host}: 0 or more")
        names = [topic.name for topic in self.topics]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise InvalidParameter(f"two topics are called {twice!r}: give each its own name")

    def beside(self, name: str) -> Path:
        """A path of the file, taken from the folder the file lies in."""
        return self.folder / name

    def source(self, name: str) -> str:
        """A source of the file; one that names a path lies beside the file."""
        kind, colon, where = name.partition(":")
        if name == "-" or name.startswith(("http://", "https://", "mastodon:", "jetstream:")):
            return name
        if colon and kind in ("feed", "file"):
            return name if where.startswith(("http://", "https://")) else f"{kind}:{self.beside(where)}"
        return str(self.beside(name))


def read_plan(path: str | Path) -> Plan:
    """Read topic.toml. Raises Unreadable or InvalidParameter, which name the entry."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(str(path), getattr(error, "strerror", None) or "not UTF-8 text") from error
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(str(path), f"not TOML ({error})") from error
    listed = table.pop("topic", [])
    listed = [listed] if isinstance(listed, dict) else listed
    if not isinstance(listed, list) or not listed or not all(isinstance(one, dict) for one in listed):
        raise InvalidParameter(f"{path}: name at least one [[topic]] with a name and a query")
    topics = tuple(_made(Topic, one, f"{path}: topic {place}") for place, one in enumerate(listed, start=1))
    for reserved in ("topics", "folder"):
        if reserved in table:
            raise InvalidParameter(f"{path}: there is no entry {reserved!r}; topics are [[topic]] tables")
    return _made(Plan, {**table, "topics": topics, "folder": path.absolute().parent}, str(path))


def _made(kind: type[_T], table: Mapping[str, Any], where: str) -> _T:
    """A record of this kind from a table, its entries checked by name and type."""
    known = {entry.name: entry for entry in fields(kind)}  # type: ignore[arg-type]
    given: dict[str, Any] = {}
    for name, value in table.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise InvalidParameter(one_line(f"{where}: unknown entry {name!r}; {hint}There are: {', '.join(known)}"))
        given[name] = _checked(str(known[name].type), value, f"{where}: {name}")
    missing = [name for name, entry in known.items() if entry.default is MISSING and name not in given]
    if missing:
        raise InvalidParameter(f"{where}: {missing[0]!r} is missing")
    try:
        return kind(**given)
    except InvalidParameter as error:
        raise InvalidParameter(f"{where}: {error}") from None


def _checked(kind: str, value: Any, where: str) -> Any:
    expected = _KINDS.get(kind)
    if expected is None:
        return value
    right = isinstance(value, expected) and (kind == "bool" or not isinstance(value, bool))  # type: ignore[arg-type]
    if kind == "tuple[str, ...]" and right:
        right = all(isinstance(item, str) for item in value)
        value = tuple(value)
    if not right:
        raise InvalidParameter(
            f"{where} must be {_NAMED.get(kind, 'a list of texts')}, not {one_line(repr(value)[:60])}"
        )
    return value
