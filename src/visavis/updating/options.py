"""What an update can be told: what the state has frozen, what may differ each time, and what no state can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from visavis.comparing.options import CompareOptions, make_options
from visavis.corpus.lead import AUTO, settle_lead
from visavis.errors import InvalidParameter
from visavis.inputs import check_number
from visavis.select.sampling import check_exact

FROZEN = (  # what documents, vectors and sums rest on
    "by", "groups", "only", "versus", "min_size", "small", "filter", "columns", "date_order", "lead", "boilerplate",
    "duplicates", "embedder", "kernel", "gamma",
)  # fmt: skip
CHOOSING = (  # what decides picks; another value makes another summary
    "method", "contrast", "size", "budget", "sharpness", "parameters", "candidates", "spread", "seed",
)  # fmt: skip
TELLING = ("pin", "ban", "blocks", "pairs", "title", "colors", "live")
READING = ("sql", "strict", "encoding", "allow_broken")  # how these files are read; kept as the usual way
NOT_KEPT = ("headline", "editor", "jobs", "memory", "command", "given", "tune", "exact", "engine", "device")
KEPT = (*FROZEN, *CHOOSING, *TELLING, *READING, "stickiness", "quick")


@dataclass(frozen=True)
class Settings:
    """How an update goes: the options of a comparison, how firmly picks are held, and whether they are assessed.

    With a `stickiness` above 0, a pick of the last summary stays unless the one that would take its place raises the
    objective by more than that share of what all picks are worth. `quick` leaves the assessment out.
    """

    compare: CompareOptions = field(default_factory=CompareOptions)
    stickiness: float = 0.0
    quick: bool = False

    @classmethod
    def first(cls, given: Mapping[str, Any]) -> Settings:
        """What makes a state. Raises InvalidParameter for what no state can do, and as `compare` does."""
        told = dict(given)
        stickiness = check_stickiness(told.pop("stickiness", 0.0))
        quick = bool(told.pop("quick", False))
        return cls(_possible(make_options(**told)), stickiness, quick)

    @classmethod
    def later(cls, kept: Mapping[str, Any], given: Mapping[str, Any]) -> Settings:
        """The settings of a state, with what was given this time. Raises InvalidParameter for what contradicts it."""
        strange = sorted(set(kept) - set(KEPT))
        if strange:
            raise InvalidParameter(f"the state holds {strange[0]!r}, which no update keeps: make another state")
        usual = cls.first(kept)
        given = {name: value for name, value in given.items() if (name, value) != ("lead", AUTO)}  # settled long ago
        found = cls.first({**kept, **given})
        for name in FROZEN:
            before, now = getattr(usual.compare, name), getattr(found.compare, name)
            if name in given and before != now:
                raise InvalidParameter(
                    f"{name}={now!r} contradicts the state, which was made with {name}={before!r}: leave it out, or "
                    "make another state"
                )
        if usual.compare.chosen_kernel != found.compare.chosen_kernel:
            raise InvalidParameter("the parameters of the kernel contradict the state: leave them out")
        return found

    def settled(self, n_documents: int) -> Settings:
        """The same with nothing left open that more documents would change: as much is read of later ones."""
        return replace(self, compare=replace(self.compare, lead=settle_lead(self.compare.lead, n_documents)))

    def kept(self) -> dict[str, Any]:
        """What a state keeps of them, in JSON's types."""
        names = (*FROZEN, *CHOOSING, *TELLING, *READING)
        values = {name: _plain(getattr(self.compare, name)) for name in names}
        return {**values, "stickiness": self.stickiness, "quick": self.quick}

    def choosing(self) -> dict[str, Any]:
        """Those that decide picks, by name, in JSON's types."""
        return {name: _plain(getattr(self.compare, name)) for name in (*CHOOSING, "pin", "ban")}


def check_stickiness(value: object) -> float:
    """A number of at least 0. Raises InvalidParameter."""
    return check_number("stickiness", value, low=0.0)


def _possible(options: CompareOptions) -> CompareOptions:
    """The options, if a state can be kept with them."""
    refused = {
        "given": (bool(options.given), "every document's weight would change with each update"),
        "tune": (options.tune, "it chooses the kernel's width anew, which a state freezes"),
        "exact": (check_exact(options.exact) == "no", "a state keeps exact sums"),
        "editor": (options.editor is not None, "what it refused would come back with the next update"),
        "size": (options.size == "auto", "the size must stay what it is from week to week"),
    }
    for name, (asked, why) in refused.items():
        if asked:
            shown = "size='auto'" if name == "size" else name
            raise InvalidParameter(f"an update cannot do {shown}: {why}; use `visavis compare`, or leave it out")
    for name in ("method", "kernel", "embedder"):
        if not isinstance(getattr(options, name), str):
            raise InvalidParameter(f"a state keeps the {name} by name: give a name, got {getattr(options, name)!r}")
    if options.embedder == "pixels":
        raise InvalidParameter("a state keeps texts, not pictures: use `visavis compare` for pictures")
    if str(options.embedder).endswith(".npy"):
        raise InvalidParameter(
            f"embedder {options.embedder!r} has rows for one file only: keep the vectors in a column, column:NAME"
        )
    return replace(options, exact="yes")


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


def check_fields() -> set[str]:
    """The options of a comparison that have no place above; a test holds this to be empty."""
    known = {*FROZEN, *CHOOSING, *TELLING, *READING, *NOT_KEPT}
    return {option.name for option in fields(CompareOptions)} ^ known
