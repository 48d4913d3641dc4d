"""What was found: picks, tests, views, and the summary that holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from visavis.records.arrays import Floats, Integers
from visavis.records.changes import Changes
from visavis.records.documents import Document, SetAside
from visavis.records.gap import Gap
from visavis.records.headline import Headline
from visavis.records.picks_read import PicksRead
from visavis.records.shortlist import Shortlist


@dataclass(frozen=True)
class Scores:
    """How a pick does: `coverage` a_i, `discrimination` a_i − b_i, `versus` a_i − (mean with each other group).

    `diversity` is 1 − its mean similarity with the group's other picks, None where it is the only one. `typical` and
    `distinct` are the percentiles (0 to 100) of coverage and discrimination among the documents of its group, None
    where there are no others to be held against.
    """

    coverage: float
    discrimination: float
    diversity: float | None
    versus: Mapping[str, float]
    typical: float | None = None
    distinct: float | None = None


@dataclass(frozen=True)
class Pick:
    """One document picked for a group, and why.

    `share` of the group's objective (shares add up to its value less that of no picks), `gain` when it was picked,
    `loss` if it were left out, `words` that set its group apart and occur in it, `covers` the ids of the group's
    documents to which it is the nearest of the group's picks. Of all picks of all groups it is the nearest to the
    fraction `stands_for` of its group's documents and to `stands_for_rest` of all others (None if there are none).
    `stability` is the fraction picking it or a near neighbor of the `resamples` that hold one of them, and
    `stability_by_chance` that of picks drawn at random.
    """

    document: Document
    rank: int
    scores: Scores
    share: float
    gain: float
    loss: float
    stability: float | None
    words: tuple[str, ...]
    covers: tuple[str, ...]
    stands_for: float = 0.0
    stands_for_rest: float | None = None
    resamples: int | None = None
    stability_by_chance: float | None = None


@dataclass(frozen=True)
class Term:
    """A word or phrase that sets a group apart.

    So many `documents` of the group hold it, which is that `share` of them, from so many `sources` (authors, where no
    sources are known; None where neither are); so many `elsewhere`, that share of the others (None if there are none).
    Copies within a group count once. `holders` are a few of the group's documents that hold it, the most typical
    first, without their texts. `telling`: the test shows that it tells the group; otherwise it is a large gap, which
    could be chance.
    """

    term: str
    documents: int
    share: float
    elsewhere: int
    share_elsewhere: float | None
    sources: int | None = None
    holders: tuple[Document, ...] = ()
    telling: bool = False


@dataclass(frozen=True)
class GroupSummary:
    """A group and its picks; `value` and `stages` are the objective's; `terms` tell it, or are its largest gaps."""

    name: str
    n_documents: int
    picks: tuple[Pick, ...]
    value: float
    stages: Mapping[str, float | None]
    terms: tuple[Term, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The terms as they are written."""
        return tuple(term.term for term in self.terms)


@dataclass(frozen=True)
class TwoSampleTest:
    """Do these groups differ? MMD² with permutations of blocks; one group named means it against the rest, several all.

    `p_value` and `adjusted` are None where there are too few blocks to decide, and `why` says so in a sentence;
    `n_blocks` of them, told apart by `blocks_by`, were dealt anew, so often as `permutations` says; where some lie in
    several groups they were `divided`, and their parts changed places within each.
    """

    groups: tuple[str, ...]
    mmd2: float
    p_value: float | None
    adjusted: float | None
    blocks_by: str = "documents"
    n_blocks: int = 0
    permutations: int = 999
    why: str = ""
    divided: bool = False


@dataclass(frozen=True, eq=False)
class Assessment:
    """How far picks can be trusted; None for what was not asked, or cannot be known.

    `telling` (groups, terms of the overview's words) are strengths of the terms that are shown to tell a group, else 0.
    `stability`, `resamples` and `stability_by_chance` are those of each pick, in pick order. Intervals hold 95 %.
    """

    tests: tuple[TwoSampleTest, ...] | None = None
    telling: Floats | None = None
    accuracy: float | None = None
    accuracy_interval: tuple[float, float] | None = None
    ceiling: float | None = None
    ceiling_interval: tuple[float, float] | None = None
    stability: tuple[float | None, ...] | None = None
    resamples: tuple[int, ...] | None = None
    stability_by_chance: tuple[float | None, ...] | None = None
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Theme:
    """The `words` that set a region of the map apart from the rest, and the middle of its documents.

    Of very many documents a sample is read, and `documents` counts those of it.
    """

    words: tuple[str, ...]
    x: float
    y: float
    documents: int


@dataclass(frozen=True, eq=False)
class DocumentMap:
    """Where every document of the comparison lies on a plane, and its group: `points` (N, 2), `codes` index groups.

    `axes` are those of "content", the two directions of largest variance; or of "groups", along which documents lie by
    how much they read like each group, judged by others than themselves: for two groups from left to right, the largest
    variance that is left from bottom to top; for more, the two directions that part them best.
    """

    points: Floats
    codes: Integers
    ids: tuple[str, ...]
    titles: Sequence[str]
    axes: str = "content"
    themes: tuple[Theme, ...] = ()


@dataclass(frozen=True)
class Timeline:
    """Documents per period and group: counts[period][group]; empty where documents have no dates.

    `first` and `last` are dates of documents in the first and the last period. The few that lie so far off that they
    would stretch the whole are counted by group as `earlier` or `later`; both are empty where there are none.
    """

    unit: str
    periods: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    first: date | None = None
    last: date | None = None
    earlier: tuple[int, ...] = ()
    later: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Summary:
    """A whole comparison: everything a report tells.

    `not_candidates` are documents that count but may not be shown; `boilerplate` is the share of their words that
    was left out before they were compared. `colors` are those of groups, by name, that the caller chose; `headline` is
    a model's, and `picks_read` what one that read the picks said of them, both None where none was asked; `shortlist`
    is what a page needs to choose anew, None where it does not; `changes` is what is new since an earlier summary, None
    where there was none; `gap` is what it may have cost to look at samples, None where all documents were looked at.
    """

    title: str
    by: str
    groups: tuple[GroupSummary, ...]
    test: tuple[TwoSampleTest, ...]
    accuracy: float | None
    ceiling: float | None
    common: tuple[Document, ...]
    set_aside: tuple[SetAside, ...]
    folded: int
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    method: str
    parameters: Mapping[str, Any]
    seed: int
    version: str
    command: str = ""
    size_curve: tuple[tuple[int, float], ...] = ()
    timeline: Timeline | None = None
    map: DocumentMap | None = None
    not_candidates: tuple[SetAside, ...] = ()
    boilerplate: float = 0.0
    accuracy_interval: tuple[float, float] | None = None
    ceiling_interval: tuple[float, float] | None = None
    colors: Mapping[str, str] = field(default_factory=dict)
    headline: Headline | None = None
    picks_read: PicksRead | None = None
    shortlist: Shortlist | None = None
    changes: Changes | None = None
    gap: Gap | None = None

    @property
    def n_documents(self) -> int:
        """How many documents are compared: one that is in several groups counts once."""
        again = 0 if self.map is None else len(self.map.ids) - len(set(self.map.ids))
        return sum(group.n_documents for group in self.groups) - again

    def __getitem__(self, group: str) -> tuple[Pick, ...]:
        """The picks of a group, by its name."""
        for summary in self.groups:
            if summary.name == group:
                return summary.picks
        raise KeyError(f"no group {group!r}; there are {', '.join(repr(g.name) for g in self.groups)}")
