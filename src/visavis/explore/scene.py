"""One grouping of the documents, embedded and posed: everything that does not depend on what is picked, made once."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np

from visavis.comparing import (
    CompareOptions,
    Comparison,
    DocumentSession,
    Findings,
    assess,
    choose_candidates,
    decide,
    describe,
    embed,
    make_choice,
    make_shortlist,
    overview,
    place_documents,
    pose_candidates,
    select,
    summarize,
)
from visavis.comparing.again import held_out_folds
from visavis.comparing.candidates import Candidates, Placed, read_ahead, tell_stories
from visavis.comparing.choice import Choice
from visavis.comparing.copies import Copies
from visavis.comparing.describe import Description
from visavis.comparing.overview import Known, Overview
from visavis.comparing.prepare import Prepared
from visavis.comparing.run import choosing_anew
from visavis.comparing.titles import make_title
from visavis.comparing.tune import Decided
from visavis.explain.planes import plane
from visavis.explain.tokens import Tokens
from visavis.explore.background import Patient
from visavis.explore.sets import SEARCHED
from visavis.kernel.threads import limited_to
from visavis.records import Assessment, Document, Floats, Grouping, Integers, Points, Shortlist
from visavis.report.html.scatter import spread_out
from visavis.select.search import Selection
from visavis.shared.kept import Kept
from visavis.shared.progress import Progress, silent
from visavis.shared.warned import heard

MOST_ITEMS = 2_000  # documents as cards show them, that are kept
MOST_CANDIDATES, MOST_PICKED, MOST_ASSESSED = 12, 48, 12  # of a scene, that are kept


@dataclass(frozen=True, eq=False)
class Picked:
    """Picks, and what is said of them."""

    options: CompareOptions
    candidates: Candidates
    session: DocumentSession
    choice: Choice
    decided: Decided
    selection: Selection
    description: Description
    warnings: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Assessed:
    """An assessment of picks, and what can be said of them once words are tested, too."""

    assessment: Assessment
    about: Overview
    description: Description
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Scene:
    """Documents in groups, placed and posed, with their overview; picks and assessments are kept within bounds."""

    prepared: Prepared
    placed: Placed
    posed: DocumentSession
    about: Overview
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    title: str
    drawn: bool = False  # whether the groups are sets that were drawn or searched for
    first: bool = False  # whether this is a first look: vectors were fitted on all documents, not on those compared
    number: int = 0  # which corpus it is of
    made: float = field(default_factory=time.monotonic)  # when
    items: Kept = field(default_factory=lambda: Kept(MOST_ITEMS), repr=False)
    _candidates: Kept = field(default_factory=lambda: Kept(MOST_CANDIDATES), repr=False)
    _picked: Kept = field(default_factory=lambda: Kept(MOST_PICKED), repr=False)
    _assessed: Kept = field(default_factory=lambda: Kept(MOST_ASSESSED), repr=False)

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents, one for each point."""
        return self.posed.documents

    @property
    def names(self) -> tuple[str, ...]:
        """The groups."""
        return self.posed.names

    @property
    def codes(self) -> Integers:
        """The group of each point."""
        return self.posed.codes

    @cached_property
    def map(self) -> Floats:
        """Where each point lies on the map, from 0 to 1 along both axes, the second pointing up; shape (N, 2)."""
        points = np.asarray(self.about.map.points, np.float64)
        return np.round(spread_out(points)(points), 6)

    @cached_property
    def rows(self) -> dict[str, int]:
        """The first point of each document, by its id."""
        return {document.id: row for row, document in reversed(list(enumerate(self.documents)))}

    @cached_property
    def searchable(self) -> tuple[str, ...]:
        """What a search looks at of each document, case-folded."""
        return tuple("\n".join(getattr(d, role) for role in SEARCHED).casefold() for d in self.documents)

    def called(self, row: int) -> Document:
        """A document as it is shown: with a headline where it has no title, and with how its story begins."""
        return self.about.called(self.documents, row)

    def named(self, row: int) -> Document:
        """A document with a headline where it has no title."""
        return self.about.named(self.documents, row)

    def pick(self, options: CompareOptions, key: object, tell: Progress = silent) -> Picked:
        """The picks that the options ask for, made once."""
        return self._picked.recall(key, lambda: self._pick(options, tell))

    def known_picks(self, key: object) -> Picked | None:
        """The same, if they were made already."""
        found: Picked | None = self._picked.get(key)
        return found

    def _pick(self, options: CompareOptions, tell: Progress) -> Picked:
        with limited_to(1, "blas"), heard() as caught:
            wanted = (repr(options.size), options.pin, options.ban)
            candidates = self._candidates.recall(wanted, lambda: choose_candidates(self.placed, options))
            session = self.posed.allowing(candidates.allowed)
            choice = make_choice(session, candidates, options)
            decided = decide(session, choice, held_out_folds(session)[0] if choice.is_open else [], tell)
            tell("selecting")
            selection = select(session, session.request(decided.choice, candidates.pinned))
            description = describe(session, selection, self.about)
        return Picked(
            options, candidates, session, choice, decided, selection, description, caught.told, caught.technical
        )

    def shortlist(self, picked: Picked) -> Shortlist | None:
        """What a page needs to choose anew by itself; None where that would be too much."""
        return make_shortlist(picked.session, picked.selection, self.about)

    def assess(self, picked: Picked, key: object, tell: Progress = silent) -> Picked:
        """Make, or wait for, the assessment of these picks; of sets that differ by construction nothing is tested."""
        self._assessed.recall(key, lambda: self._assess(picked, tell))
        return picked

    def _assess(self, picked: Picked, tell: Progress) -> Assessed:
        if self.drawn:
            return self._unassessed(picked)
        said = [""]

        def heard_saying(stage: str) -> None:
            said[0] = stage
            tell(stage)

        one = replace(picked.session.compute, threads=1, processes=1)  # the other cores answer
        engine = Patient(one, before=lambda: tell(said[0]))
        session = replace(picked.session, compute=one, engine=engine)
        with limited_to(1, "blas"), heard() as caught:
            anew = choosing_anew(session, picked.choice, picked.selection)
            found = assess(
                session,
                picked.selection,
                about=self.about,
                pairs=picked.options.pairs,
                choose=anew,
                progress=heard_saying,
            )
            about = self.about.tested(found.telling)
            description = describe(picked.session, picked.selection, about)
        return Assessed(found, about, description, caught.told, caught.technical)

    def _unassessed(self, picked: Picked) -> Assessed:
        return Assessed(Assessment(), self.about, picked.description)

    def assessed(self, key: object) -> Assessment | None:
        """The assessment, if there is one already."""
        known: Assessed | None = self._assessed.get(key)
        return None if known is None else known.assessment

    def summary(self, picked: Picked, key: object, shortlist: Shortlist | None = None) -> Comparison:
        """The summary of these picks, with what has been assessed of them; `shortlist` makes a page live."""
        known: Assessed = self._assessed.get(key) or self._unassessed(picked)
        found = Findings(
            picked.candidates, picked.session, picked.decided, picked.selection, known.about, known.description,
            known.assessment, None, shortlist, _once(self.warnings, picked.warnings, known.warnings),
            _once(self.notes, picked.notes, known.notes),
        )  # fmt: skip
        return summarize(found, replace(picked.options, title=self.title))


@dataclass(frozen=True, eq=False)
class Whole:
    """All documents as points with their stories, places on a plane and tokens: for a first look at a part of them."""

    points: Points
    places: Floats
    tokens: Tokens

    @classmethod
    def of(cls, prepared: Prepared, options: CompareOptions, tell: Progress = silent) -> Whole:
        """Embed all documents, telling how far that is. Raises as `embed` does."""
        copies = Copies.FOLD.unless_kept(options.duplicates)
        with limited_to(1, "blas"), heard():
            everyone = np.arange(len(prepared.corpus.documents))
            ahead = partial(read_ahead, prepared, everyone, options)
            points = embed(prepared, options.embedder, everyone, copies=copies, beside=ahead, tell=tell)
            points = replace(points, stories=tell_stories(prepared, points))
        return cls(points, plane(points.vectors), prepared.tokens(points.rows))

    def known(self, rows: Integers) -> Known:
        """What is known of these documents."""
        place = np.zeros(int(self.points.rows.max()) + 1, np.intp)
        place[self.points.rows] = np.arange(len(self.points.rows))
        return Known(self.tokens.of_texts(place[rows]), self.places[place[rows]])


def _once(*parts: tuple[str, ...]) -> tuple[str, ...]:
    """What is said in any of these, each thing once."""
    return tuple(dict.fromkeys(said for part in parts for said in part))


def build_scene(
    prepared: Prepared,
    grouping: Grouping,
    options: CompareOptions,
    tell: Progress,
    *,
    drawn: bool = False,
    whole: Whole | None = None,
    number: int = 0,
) -> Scene:
    """Everything about a grouping that does not depend on what is picked. Raises VisavisError as `compare` does.

    With `whole` it is a first look: vectors and places of all documents are taken as they are. `number` tells corpora
    apart.
    """
    free = replace(options, pin=(), ban=(), size=1)
    with limited_to(1, "blas"), heard() as caught:
        placed = place_documents(prepared, grouping, free, None if whole is None else whole.points, tell)
        tell("measuring similarities")
        posed = pose_candidates(choose_candidates(placed, free), free, free.chosen_kernel, free.gamma)
        posed.problem().similarity_sums()
        tell("finding words and places")
        about = overview(posed, None if whole is None else whole.known(placed.points.rows))
    title = options.title or make_title(placed.grouping, options)
    first = whole is not None
    return Scene(prepared, placed, posed, about, caught.told, caught.technical, title, drawn, first, number)
