"""Everything a comparison can be told."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from numbers import Integral
from typing import Any

from visavis.embed import check_embedder
from visavis.errors import InvalidParameter, UnknownName
from visavis.inputs import check_whole
from visavis.records import Settings
from visavis.select.methods import create_method


@dataclass(frozen=True)
class CompareOptions:
    """Everything a comparison can be told; the command's options have the same names.

    Reading: `columns` (role → column), `sql`, `strict`, `date_order`. Grouping: `by`, `groups`, `only`, `versus`,
    `min_size`, `small`, `filter`. Embedding: `embedder` ("auto", a name, a file, "column:NAME", an .npy), `lead`
    sentences (None for all), `duplicates` folded or not. Selecting: `size` (a number, "auto", or one per group),
    `budget`, `method`, `contrast`, `gamma`, `kernel`, `sharpness`, `init`, `tune`, and the ids to `pin` or `ban`.
    """

    by: str | None = None
    groups: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    versus: str | None = None
    min_size: int = 1
    small: str = "drop"
    filter: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    sql: str | None = None
    strict: bool = False
    date_order: str | None = None
    embedder: str = "auto"
    lead: int | None = 3
    duplicates: bool = True
    size: Any = 4
    budget: int | None = None
    method: str = "likelihood-exchange"
    contrast: float = 0.6
    gamma: float | str = "median"
    kernel: Any = "rbf"
    sharpness: float | str = "auto"
    init: str = "auto"
    tune: bool = False
    pin: tuple[str, ...] = ()
    ban: tuple[str, ...] = ()
    pairs: bool = False
    seed: int = 0
    jobs: int = -1
    title: str | None = None
    command: str = ""

    def settings(self) -> Settings:
        """What the engine is told."""
        return Settings(self.method, self.gamma, self.contrast, self.kernel, self.sharpness, self.init)


def make_options(**options: Any) -> CompareOptions:
    """Options by name, lists welcome. Raises UnknownName for a name that is none, InvalidParameter for a bad value."""
    known = {option.name for option in fields(CompareOptions)}
    unknown = [name for name in options if name not in known]
    if unknown:
        raise UnknownName(f"unknown option {unknown[0]!r}. There are: {', '.join(sorted(known))}")
    given = dict(options)
    for name in ("groups", "only", "pin", "ban"):
        if name in given:
            given[name] = _several(given[name])
    if isinstance(given.get("embedder"), os.PathLike):
        given["embedder"] = os.fspath(given["embedder"])
    given["columns"] = given.get("columns") or {}
    chosen = CompareOptions(**given)
    _check(chosen)
    return chosen


def _several(value: Any) -> tuple[str, ...]:
    """One or many, as text: ids may be numbers."""
    if value is None:
        return ()
    many = value if isinstance(value, Iterable) and not isinstance(value, str) else [value]
    return tuple(str(one) for one in many)


def _check(options: CompareOptions) -> None:
    """Refuse, before anything is read, what no documents could make right."""
    if not isinstance(options.embedder, str):
        check_embedder(options.embedder)
    for name in ("by", "versus", "filter", "sql", "title"):
        value = getattr(options, name)
        if value is not None and not isinstance(value, str):
            raise InvalidParameter(f"{name} must be text, got {value!r}")
    if not isinstance(options.columns, Mapping):
        raise InvalidParameter(
            f"columns must map roles to columns, such as {{'text': 'story'}}, got {options.columns!r}"
        )
    if options.lead is not None:
        check_whole("lead (a number of sentences, or all)", options.lead, low=0)
    if options.jobs is not None and (not isinstance(options.jobs, Integral) or options.jobs == 0):
        raise InvalidParameter(f"jobs must be a number of threads, or -1 for all cores, got {options.jobs!r}")
    check_whole("seed", options.seed, low=0)
    create_method(options.settings())
