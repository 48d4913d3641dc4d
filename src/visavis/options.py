"""Everything a comparison can be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from visavis.errors import UnknownName
from visavis.records import Settings
from visavis.select.methods import DEFAULT_METHOD


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
    method: str = DEFAULT_METHOD
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
    """Options by name, lists welcome. Raises UnknownName for a name that is none."""
    known = {option.name for option in fields(CompareOptions)}
    unknown = [name for name in options if name not in known]
    if unknown:
        raise UnknownName(f"unknown option {unknown[0]!r}. There are: {', '.join(sorted(known))}")
    several = ("groups", "only", "pin", "ban")
    given: dict[str, Any] = {
        name: tuple([value] if isinstance(value, str) else value) if name in several else value
        for name, value in options.items()
    }
    return CompareOptions(**given)
