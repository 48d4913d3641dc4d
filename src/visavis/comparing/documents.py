"""Which documents take part: how they are read, grouped and embedded, said alike by compare, evaluate and study."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from visavis.contracts import Embedder
from visavis.corpus.encodings import check_encoding
from visavis.corpus.grouping import GroupOptions
from visavis.corpus.lead import AUTO, settle_lead
from visavis.corpus.reading import ReadOptions
from visavis.embed import check_embedder
from visavis.errors import InvalidParameter
from visavis.inputs import check_whole

BOILERPLATE = ("drop", "keep")


@dataclass(frozen=True)
class Reading(ReadOptions):
    """How documents are read, and what of each: `lead` sentences after the title, None for the whole text.

    "auto" reads the more of each the fewer documents there are (`corpus.lead.usual_lead`).

    `boilerplate` says whether letterheads, notices and whatever else recurs are left out ("drop") or not ("keep").
    `processes` is over how many of them the work on very many texts is spread; it changes nothing else.
    """

    lead: int | str | None = AUTO
    boilerplate: str = "drop"
    processes: int = 1


@dataclass(frozen=True)
class DocumentOptions:
    """Which documents take part; the commands' options have the same names.

    Grouping: `by`, `groups`, `only`, `versus`, `min_size`, `small`, `filter`. Reading: `columns` (role → column),
    `sql`, `strict`, `date_order`, `encoding` of text files, `allow_broken` files. Embedding: `embedder` ("auto", a
    name, a file, "column:NAME", an .npy, or an object that keeps the contract), `lead` sentences (None for
    all, "auto" for the more the fewer documents there are),
    `boilerplate` ("drop" or "keep"), and whether `duplicates` are known for what they are.
    Raises InvalidParameter for what no documents could make right.
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
    embedder: str | Embedder = "auto"
    lead: int | str | None = AUTO
    duplicates: bool = True
    boilerplate: str = "drop"
    encoding: str | None = None
    allow_broken: bool = False

    def __post_init__(self) -> None:
        for name in ("groups", "only"):
            object.__setattr__(self, name, as_texts(getattr(self, name)))
        if isinstance(self.embedder, os.PathLike):
            object.__setattr__(self, "embedder", os.fspath(self.embedder))
        if self.columns is None:
            object.__setattr__(self, "columns", {})
        _check(self)

    @property
    def reading(self) -> Reading:
        """What decides what is read."""
        return Reading(
            self.columns, self.sql, self.strict, self.date_order, encoding=self.encoding,
            allow_broken=self.allow_broken, lead=self.lead, boilerplate=self.boilerplate,
        )  # fmt: skip

    @property
    def grouping(self) -> GroupOptions:
        """What decides the groups. Raises InvalidParameter if nothing does."""
        if self.by is None and not self.groups:
            raise InvalidParameter("say what to compare by: --by published:month or --by source (by=... in Python)")
        return GroupOptions(
            self.by, self.groups, self.only, self.versus, self.min_size, self.small, self.filter, self.date_order
        )


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Raise InvalidParameter for what is none of the choices."""
    if value not in choices:
        raise InvalidParameter(f"{name} must be {' or '.join(map(repr, choices))}, got {value!r}")


def embedder_name(embedder: str | Embedder) -> str:
    """What an embedder goes by."""
    return embedder if isinstance(embedder, str) else embedder.name


def as_texts(value: Any) -> tuple[str, ...]:
    """One or many, as text: ids may be numbers."""
    if value is None:
        return ()
    many = value if isinstance(value, Iterable) and not isinstance(value, str) else [value]
    return tuple(str(one) for one in many)


def _check(options: DocumentOptions) -> None:
    """Refuse, before anything is read, what no documents could make right."""
    if not isinstance(options.embedder, str):
        check_embedder(options.embedder)
    for name in ("by", "versus", "filter", "sql"):
        value = getattr(options, name)
        if value is not None and not isinstance(value, str):
            raise InvalidParameter(f"{name} must be text, got {value!r}")
    if not isinstance(options.columns, Mapping):
        raise InvalidParameter(
            f"columns must map roles to columns, such as {{'text': 'story'}}, got {options.columns!r}"
        )
    check_choice("boilerplate", options.boilerplate, BOILERPLATE)
    check_encoding(options.encoding)
    if (sentences := settle_lead(options.lead, 0)) is not None:
        check_whole("lead (a number of sentences)", sentences, low=0)
