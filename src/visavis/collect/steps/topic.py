"""topic.toml: what to collect, for one topic or several, in one file that `collect run` follows."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from visavis.collect.steps.clean import CleanOptions
from visavis.collect.steps.expand import ExpandOptions
from visavis.collect.steps.export import ExportOptions
from visavis.collect.text.windows import seconds
from visavis.collect.web.net import agent
from visavis.collect.web.pace import Manners
from visavis.corpus.errors import Unreadable, one_line
from visavis.errors import Incompatible, InvalidParameter
from visavis.shared.names import did_you_mean

_KINDS = {"str": str, "int": int, "float": (int, float), "bool": bool, "tuple[str, ...]": list}
_NAMED = {"str": "text", "int": "a whole number", "float": "a number", "bool": "true or false"}
_Entries = Mapping[str, Field[Any]]


@dataclass(frozen=True)
class Topic:
    """One topic: its queries and how they are expanded (if they are), the language of its texts, its corpus."""

    options: ExpandOptions
    expand: bool = True
    language: str = "en"
    out: str = ""

    def __post_init__(self) -> None:
        self.cleaning()
        if self.out:
            ExportOptions(Path(self.out))

    @property
    def name(self) -> str:
        """What the topic is called."""
        return self.options.topic

    def cleaning(self) -> CleanOptions:
        """How its documents are cleaned; no language means any."""
        return CleanOptions(self.name, languages=(self.language,) if self.language else ())


@dataclass(frozen=True)
class Plan:
    """A whole file: where state is kept, where posts come from, how to fetch, and the topics.

    `contact` stands in the User-Agent; `listen` is how long live sources are read; `warc` names a folder;
    `wayback` asks an archive for pages that are gone.
    """

    topics: tuple[Topic, ...] = field(default=())
    state: str = "collection.sqlite"
    contact: str = ""
    sources: tuple[str, ...] = ()
    listen: str = ""
    workers: int = 8
    seconds_a_host: float = 1.0
    warc: str = ""
    wayback: bool = False
    folder: Path = field(default=Path())

    def __post_init__(self) -> None:
        if self.listen:
            seconds(self.listen)
        elif any(name.startswith("jetstream:") for name in self.sources):
            raise InvalidParameter("a jetstream never ends: say how long to listen, as listen = '10m'")
        if self.workers < 1:
            raise InvalidParameter(f"workers = {self.workers}: at least 1")
        agent(self.contact)
        Manners(self.seconds_a_host)
        twice = _twice([topic.name for topic in self.topics])
        if twice is not None:
            raise InvalidParameter(f"two topics are called {twice!r}: give each its own name")
        self._check_corpora()

    def _check_corpora(self) -> None:
        paths = [self.beside(topic.out).resolve() for topic in self.topics if topic.out]
        twice = _twice(paths)
        if twice is not None:
            raise InvalidParameter(f"two topics are written to {str(twice)!r}: give each its own `out`")
        lost = next((path for path in paths if not path.parent.is_dir()), None)
        if lost is not None:
            raise InvalidParameter(f"out = {str(lost)!r}: there is no folder {str(lost.parent)!r}")

    def beside(self, name: str) -> Path:
        """A path of the file, taken from the folder the file lies in."""
        return self.folder / name

    def source(self, name: str) -> str:
        """A source of the file; one that names a path lies beside the file."""
        kind, colon, where = name.partition(":")
        if name == "-" or name.startswith(("http://", "https://", "mastodon:", "jetstream:", "site:")):
            return name
        if colon and kind in ("feed", "file", "html", "warc"):
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
    topics = tuple(_topic(one, f"{path}: topic {place}") for place, one in enumerate(listed, start=1))
    for reserved in ("topics", "folder"):
        if reserved in table:
            raise InvalidParameter(f"{path}: there is no entry {reserved!r}; topics are [[topic]] tables")
    known = {entry.name: entry for entry in fields(Plan) if entry.name not in ("topics", "folder")}
    given = _given(table, known, str(path))
    with _at(str(path)):
        return Plan(topics, **given, folder=path.absolute().parent)


def _topic(table: Mapping[str, Any], where: str) -> Topic:
    asked = {"name" if entry.name == "topic" else entry.name: entry for entry in fields(ExpandOptions)}
    del asked["review"]
    own = {entry.name: entry for entry in fields(Topic) if entry.name != "options"}
    given = _given(table, {**asked, **own}, where)
    with _at(where):
        options = {name: given.pop(name) for name in asked if name in given}
        return Topic(ExpandOptions(options.pop("name"), **options), **given)


@contextmanager
def _at(where: str) -> Iterator[None]:
    """Say where in the file it is that something is refused."""
    try:
        yield
    except (InvalidParameter, Incompatible) as error:
        raise InvalidParameter(f"{where}: {error}") from None


def _twice(values: list[Any]) -> Any:
    return next((value for place, value in enumerate(values) if value in values[:place]), None)


def _given(table: Mapping[str, Any], known: _Entries, where: str) -> dict[str, Any]:
    """The entries of a table, checked by name and type."""
    given: dict[str, Any] = {}
    for name, value in table.items():
        if name not in known:
            question = did_you_mean(name, known)
            raise InvalidParameter(
                one_line(f"{where}: unknown entry {name!r}; {question}There are: {', '.join(known)}")
            )
        given[name] = _checked(str(known[name].type), value, f"{where}: {name}")
    missing = [name for name, entry in known.items() if entry.default is MISSING and name not in given]
    if missing:
        raise InvalidParameter(f"{where}: {missing[0]!r} is missing")
    return given


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
