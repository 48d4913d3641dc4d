"""The records of the second task: which of two summaries serves a reader better."""

from __future__ import annotations

from dataclasses import dataclass

from visavis.study.records import Pair

REASONS = {
    "represents": "It represents the groups",
    "difference": "It shows how the groups differ",
    "variety": "It does not repeat itself",
    "worth": "It is worth reading",
}
CLEARNESS = {1: "hardly", 2: "clearly", 3: "by far"}

PREFERENCE_COLUMNS = (
    "comparison", "material", "group_a", "group_b", "method_a", "method_b", "worker", "machine", "chosen", "clearness",
    "reasons", "left", "seconds", "gold", "excluded", "comment",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Preference:
    """One answer of one worker: which of the summaries by two methods serves a reader better.

    `material` names the documents both methods picked from; a comparison is a material and a pair of `methods` (of a
    gold, the right one first). `chosen` is the method whose summary stood where the worker clicked, `left` the one
    whose summary was called X. `clearness` is a key of CLEARNESS, `reasons` are keys of REASONS. `machine` is the name
    of a machine, blank for a person. Gold and excluded answers are kept and not counted. `flags` are the kinds of flags
    the worker carries.
    """

    comparison: str
    material: str
    pair: Pair
    methods: tuple[str, str]
    worker: str
    chosen: str
    clearness: int | None = None
    reasons: tuple[str, ...] = ()
    left: str = ""
    seconds: float | None = None
    machine: str = ""
    gold: bool = False
    excluded: bool = False
    comment: str = ""
    flags: tuple[str, ...] = ()

    def row(self) -> dict[str, object]:
        """The answer under the names of PREFERENCE_COLUMNS, as files of preferences hold it."""
        named: dict[str, object] = {"group_a": self.pair[0], "group_b": self.pair[1], "method_a": self.methods[0]}
        named |= {"method_b": self.methods[1], "reasons": " ".join(self.reasons)}
        return {name: named[name] if name in named else getattr(self, name) for name in PREFERENCE_COLUMNS}
