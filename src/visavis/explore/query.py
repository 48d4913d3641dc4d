"""A query string becomes the options of a comparison: what is asked, and nothing that could open a file."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import parse_qsl

from visavis.comparing import CompareOptions, make_options
from visavis.corpus.lead import read_lead
from visavis.corpus.ranges import lists_ids
from visavis.embed import EMBEDDERS
from visavis.errors import InvalidParameter, UnknownName
from visavis.explore.sets import DrawnSet, read_set
from visavis.shared.names import unknown

ONE = ("by", "versus", "filter", "method", "size", "contrast", "seed", "lead", "embedder", "spread", "candidates",
       "gamma", "compare_sets")  # fmt: skip
MANY = {"group": "groups", "only": "only", "pin": "pin", "ban": "ban", "given": "given", "blocks": "blocks"}
SETS = "set"
OF_A_MAP = ("by", "group", "only", "versus", "filter", "lead", "embedder", "given", "candidates", "seed")
MOST = 300  # values of one parameter
LONGEST, LONGEST_SET = 4_000, 20_000  # characters of a value
GROUPING = ("by", "groups", "only", "versus", "filter")  # of the command these are where the page begins, and no more
OF_FILES = ("columns", "sql", "encoding", "strict", "date_order", "allow_broken")  # of those that the command named
QUICK, QUICK_BEYOND = "mmd-diff-greedy", "mmd-div-greedy"  # the second where the contrast is 1 or more
PICKING = ("method", "size", "contrast", "pin", "ban")  # what another scene is not needed for


@dataclass(frozen=True)
class State:
    """What the page asks to see; `compared` says whether the sets take the place of the groups."""

    options: CompareOptions
    sets: tuple[DrawnSet, ...] = ()
    compared: bool = False

    @property
    def scene_key(self) -> tuple[Any, ...]:
        """All that decides groups, vectors, words and map."""
        return (*_values(self.options, picking=False), self.sets if self.compared else ())

    @property
    def pick_key(self) -> tuple[Any, ...]:
        """All that decides what is picked in a scene."""
        return _values(self.options, picking=True)

    @property
    def without_sets(self) -> State:
        """The same with nothing drawn: the map that sets are drawn on."""
        return State(self.options)

    @property
    def named(self) -> str:
        """A short name for the scene."""
        return hashlib.sha256(repr(self.scene_key).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def read_state(
    items: Sequence[tuple[str, str]], base: Mapping[str, Any], suggested: str | None = None, more: Sequence[str] = ()
) -> State:
    """The state that a query names; `base` is what the command was told, `suggested` the grouping where none is named.

    `more` are parameters of the route's own. Raises InvalidParameter and UnknownName.
    """
    given = _gather(items, more)
    sets = tuple(read_set(written) for written in given.pop(SETS, []))
    _check_names([drawn.name for drawn in sets])
    for drawn in sets:
        read_map(drawn, base, suggested)
    compared = given.pop("compare_sets", ["0"])[0] not in ("", "0", "false")
    if compared and len(sets) < 2:
        raise InvalidParameter("to compare sets, draw or find two of them at least")
    chosen: dict[str, Any] = {name: value for name, value in base.items() if name not in GROUPING}
    for name, option in MANY.items():
        if name in given:
            chosen[option] = tuple(value for value in given[name] if value)
    for name in ONE:
        if name in given and given[name][0] != "":
            chosen[name] = _read(name, given[name][0], base)
    if not chosen.get("by") and not chosen.get("groups"):
        chosen["by"] = base.get("by") or suggested
    _refuse_files(chosen, base)
    return State(make_options(**chosen), sets, compared)


def read_map(drawn: DrawnSet, base: Mapping[str, Any], suggested: str | None = None) -> State:
    """The state whose map a set was drawn on. Raises as `read_state` does."""
    items = parse_qsl(drawn.drawn_on, keep_blank_values=True)
    for name, _ in items:
        if name not in OF_A_MAP:
            raise unknown("parameter of a map", name[:80], OF_A_MAP)
    return read_state(items, base, suggested)


def of_other_files(base: Mapping[str, Any]) -> dict[str, Any]:
    """What holds of files that the command did not name: an embedder too, unless it is a file itself."""
    held = {name: value for name, value in base.items() if name not in (*OF_FILES, *GROUPING)}
    if held.get("embedder", "auto") not in ("auto", *EMBEDDERS):
        del held["embedder"]
    return held


def _gather(items: Sequence[tuple[str, str]], more: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in items:
        if name in more:
            continue
        if name not in ONE and name not in MANY and name != SETS:
            raise unknown("parameter", name[:80], [*ONE, *MANY, SETS, *more])
        longest = LONGEST_SET if name == SETS else LONGEST
        if len(value) > longest:
            raise InvalidParameter(f"{name} has {len(value):,} characters: at most {longest:,} are read")
        if "\0" in value:
            raise InvalidParameter(f"{name} holds a character that no text has")
        found.setdefault(name, []).append(value)
        if len(found[name]) > (1 if name in ONE else MOST):
            raise InvalidParameter(f"{name} is given {'twice' if name in ONE else 'too often'}")
    return found


def _check_names(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InvalidParameter(f"two sets are called {name!r}: give each a name of its own")


def _read(name: str, written: str, base: Mapping[str, Any]) -> Any:
    """A value as the library takes it. Raises InvalidParameter for what is no number where one is needed."""
    if name == "size":
        return _size(written)
    if name == "seed":
        return _number(name, written, int)
    if name == "contrast":
        return _number(name, written, float)
    if name == "lead":
        return read_lead(written) if written in ("auto", "all") else _number(name, written, int)
    if name == "gamma":
        return written if written in ("median", "scale") else _number(name, written, float)
    if name == "embedder":
        _check_embedder(written, base)
    return written


def _size(written: str) -> Any:
    if written == "auto":
        return written
    if "=" not in written:
        return _number("size", written, int)
    parts = [part.rpartition("=") for part in written.split(",")]
    return {name.strip(): _number("size", count, int) for name, _, count in parts}


def _number(name: str, written: str, kind: type[int] | type[float]) -> Any:
    try:
        value = kind(written) if len(written) <= 40 else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidParameter(f"{name} must be a number, got {written[:40]!r}")
    return value


def _check_embedder(written: str, base: Mapping[str, Any]) -> None:
    """Only what is known by name, the documents' own vectors, or what the command itself was told."""
    if written in (*EMBEDDERS, "auto", base.get("embedder")) or written.startswith("column:"):
        return
    raise UnknownName(
        f"no embedder {written[:80]!r} can be asked for here: there are {', '.join(['auto', *EMBEDDERS])} and "
        "column:NAME; a file is named when the command is called"
    )


def _refuse_files(chosen: Mapping[str, Any], base: Mapping[str, Any]) -> None:
    for written in chosen.get("groups", ()):
        if written not in base.get("groups", ()) and lists_ids(written):
            raise InvalidParameter(f"group {written[:80]!r} names a file: here a group is NAME=FROM..TO")


def _values(options: CompareOptions, *, picking: bool) -> tuple[Any, ...]:
    """What the options say of picking, or of everything else, so that it can be compared."""
    names = [field.name for field in fields(options) if (field.name in PICKING) is picking]
    return tuple(_still(getattr(options, name)) for name in names)


def _still(value: Any) -> Any:
    return tuple(sorted(value.items())) if isinstance(value, Mapping) else value


def quickly(options: CompareOptions, usual_size: int) -> CompareOptions:
    """The same asked of the quick method; from a contrast of 1 on, of the one that takes any."""
    method = QUICK if options.contrast < 1 else QUICK_BEYOND
    size = usual_size if options.size == "auto" else options.size
    return replace(options, method=method, size=size)
