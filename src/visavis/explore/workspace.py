"""The corpus at hand, and what has been made of it: bounded, and right for several tabs at once."""

from __future__ import annotations

import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from visavis.comparing import CompareOptions, group_documents, make_options, prepare
from visavis.comparing.demos import sample_articles
from visavis.comparing.moments import moments_of
from visavis.comparing.prepare import Prepared
from visavis.errors import InvalidParameter, VisavisError
from visavis.explain.views import timeline
from visavis.explore.background import GivenUp, Lane, Pending, Traffic
from visavis.explore.columns import ColumnFacts, describe_columns, suggest
from visavis.explore.exports import SAMPLE
from visavis.explore.query import State, of_other_files, read_map, read_state
from visavis.explore.scene import Picked, Scene, Whole, build_scene
from visavis.explore.sets import DrawnSet, group_sets, inside, members_of
from visavis.records import Integers, Timeline
from visavis.shared.kept import Kept
from visavis.shared.progress import Progress, silent

MOST_SCENES, MOST_READINGS, MOST_DRAWN = 4, 2, 64  # that are kept
FEW = 2_000  # documents up to which a scene is made as soon as a first look would be
TURN = 2e-4  # seconds after which what is done in the background lets others have a turn
REST = 0.3  # seconds that a first look stands before looking on makes its scene
A_MOMENT = 0.25  # seconds that an answer may take before it is said that it takes longer


@dataclass(frozen=True, eq=False)
class Loaded:
    """Documents as read, what they are called, and what their columns hold."""

    prepared: Prepared
    name: str
    source: tuple[str, ...]  # as the command line would name it
    columns: tuple[ColumnFacts, ...]
    suggested: str | None
    base: Mapping[str, Any]
    timeline: Timeline | None
    number: int  # one more for each corpus that was at hand
    is_sample: bool = False


class Workspace:
    """Everything that one server knows. `base` are the options that the command was given."""

    def __init__(self, base: Mapping[str, Any] | None = None) -> None:
        self.base = dict(base or {})
        self.traffic = Traffic()
        self._turns = sys.getswitchinterval()
        sys.setswitchinterval(TURN)
        self.folder = Path(tempfile.mkdtemp(prefix="visavis-explore-"))  # for nobody else to read
        self.error = ""
        self._loaded: Loaded | None = None
        self._number = self._asked = 0
        self._readings, self._scenes = Kept(MOST_READINGS), Kept(MOST_SCENES)
        self._glances, self._wholes = Kept(MOST_SCENES), Kept(MOST_READINGS)
        self._drawn = Kept(MOST_DRAWN)
        self._glancing = Lane("first looks", self.traffic)
        self._reading, self._building = Lane("reading", self.traffic), Lane("scenes", self.traffic)
        self._refining, self._assessing = Lane("picks", self.traffic), Lane("assessments", self.traffic)

    def close(self) -> None:
        """Give up all work and leave nothing behind."""
        for lane in (self._reading, self._glancing, self._building, self._refining, self._assessing):
            lane.close()
        sys.setswitchinterval(self._turns)
        shutil.rmtree(self.folder, ignore_errors=True)

    # --- documents
    def load(self, source: Any, name: str, called: Sequence[str], tell: Progress = silent) -> None:
        """Read the documents of a source, which take the place of those at hand.

        `name` is what they are called on the page, `called` how a command line would name them.
        """
        tell("reading")
        self._put(prepare(source, make_options(**self.base).reading), name, called, self.base)

    def load_later(self, path: Path, name: str, called: Sequence[str], *, is_sample: bool = False) -> None:
        """The same in the background, of a file that is then gone; `stage` and `error` tell how it goes.

        What the command was told about its own files does not hold for it. Of several that wait the last is read.
        """
        self.error, self._asked = "", self._asked + 1
        asked = self._asked
        base = of_other_files(self.base)

        def work(tell: Progress) -> None:
            try:
                tell("reading")
                if asked != self._asked:
                    return
                prepared = prepare(path, make_options(**base).reading)
                named = replace(prepared.corpus, origin=name)
                self._put(Prepared(named, prepared.reading), name, called, base, is_sample=is_sample)
            except VisavisError as error:
                self.error = str(error).replace(str(path), name)
            except GivenUp:
                raise
            except Exception as error:  # whatever a file holds, the page goes on
                self.error = f"{name} cannot be read: a fault of visavis ({type(error).__name__})"
            finally:
                path.unlink(missing_ok=True)

        self._reading.start(("reading", secrets.token_hex(4)), work)

    def load_sample(self) -> None:
        """The bundled articles."""
        path = self.folder / f"{secrets.token_hex(8)}.csv"
        path.write_text(sample_articles(), encoding="utf-8", newline="")
        self.load_later(path, SAMPLE, (SAMPLE,), is_sample=True)

    def _put(
        self, prepared: Prepared, name: str, called: Sequence[str], base: Mapping[str, Any], *, is_sample: bool = False
    ) -> None:
        everyone = prepared.corpus.documents
        columns = describe_columns(prepared.corpus)
        whole = timeline(moments_of(everyone), np.zeros(len(everyone), np.intp), 1)
        found = Loaded(
            prepared, name, tuple(called), columns, suggest(columns), base, whole, self._number + 1, is_sample
        )
        for lane in (self._glancing, self._building, self._refining, self._assessing):
            lane.forget()
        for kept in (self._scenes, self._readings, self._glances, self._wholes, self._drawn):
            kept.clear()
        self._loaded, self.error, self._number = found, "", found.number
        if len(everyone) > FEW:  # so that there is something to take a first look at
            usual = make_options(**base)
            self._building.start(
                ("whole", found.number, usual.lead, usual.embedder), lambda tell: self._whole(found, usual, tell)
            )

    @property
    def stage(self) -> str:
        """What is being read, if anything is."""
        return self._reading.stage

    @property
    def loaded(self) -> Loaded | None:
        """The documents at hand, if there are any."""
        return self._loaded

    def documents(self) -> Loaded:
        """The documents at hand. Raises InvalidParameter where there are none."""
        if self._loaded is None:
            raise InvalidParameter("there are no documents yet: name a file, drop one on the page, or take the sample")
        return self._loaded

    def state(self, items: Sequence[tuple[str, str]], more: Sequence[str] = ()) -> State:
        """What a query asks of the documents at hand."""
        loaded = self.documents()
        return read_state(items, loaded.base, loaded.suggested, more)

    # --- scenes
    def scene(self, state: State, wait: float | None = A_MOMENT) -> Scene:
        """The scene of a state. Raises Pending where it takes longer than `wait` seconds (None: as long as need be)."""
        loaded = self.documents()
        key = (loaded.number, state.scene_key)
        known: Scene | None = self._scenes.get(key)
        if known is not None:
            return known

        def work(tell: Progress) -> Scene:
            return self._scenes.recall(key, lambda: self._build(loaded, state, tell))

        found: Scene = self._building.result(key, work, wait)
        return found

    def look(self, state: State, wait: float | None = A_MOMENT) -> Scene:
        """The scene of a state, or a first look at it while it is being made. Raises Pending as `scene` does.

        A first look takes vectors that were fitted on all documents; a scene fits them on what is compared. It is begun
        when somebody asks again after a moment's rest: who brushes on has asked for another look by then.
        """
        loaded = self.documents()
        key = (loaded.number, state.scene_key)
        whole = self._wholes.get((loaded.number, state.options.lead, state.options.embedder))
        if self._scenes.get(key) is not None or whole is None or state.options.given or state.compared:
            return self.scene(state, wait)

        def work(_tell: Progress) -> Scene:
            with self.traffic.passing():
                return self._glances.recall(key, lambda: self._build(loaded, state, silent, whole))

        found: Scene = self._glances.get(key) or self._glancing.result(key, work, wait)
        if time.monotonic() - found.made < REST:
            return found
        try:
            return self.scene(state, 0.0)
        except Pending:
            return found

    def _whole(self, loaded: Loaded, options: CompareOptions, tell: Progress = silent) -> Whole:
        prepared = self._prepared(loaded, options.lead)
        key = (loaded.number, options.lead, options.embedder)
        found: Whole = self._wholes.recall(key, lambda: Whole.of(prepared, options, tell))
        return found

    def _build(self, loaded: Loaded, state: State, tell: Progress, whole: Whole | None = None) -> Scene:
        tell("grouping")
        prepared, options = self._prepared(loaded, state.options.lead), state.options
        if not state.compared:
            grouping = group_documents(prepared, options.grouping)
            found = build_scene(prepared, grouping, options, tell, whole=whole, number=loaded.number)
            if len(prepared.corpus.documents) > FEW and whole is None:  # behind it, for the next first look
                key = ("whole", loaded.number, options.lead, options.embedder)
                self._building.start(key, lambda tell: self._whole(loaded, options, tell))
            return found
        below = self._below(loaded, state, tell)
        members = {}
        for drawn in state.sets:
            ids = partial(self._lassoed, loaded, drawn, tell)
            rows = members_of(drawn, below.documents, below.searchable, ids)
            members[drawn.name] = [below.documents[row] for row in rows]
        grouping = group_sets(members, below.placed.grouping)
        options = replace(options, by=None, groups=())
        return build_scene(prepared, grouping, options, tell, drawn=True, number=loaded.number)

    def _below(self, loaded: Loaded, state: State, tell: Progress) -> Scene:
        bare = state.without_sets
        return self._scenes.recall((loaded.number, bare.scene_key), lambda: self._build(loaded, bare, tell))

    def _prepared(self, loaded: Loaded, lead: int | str | None) -> Prepared:
        """The documents with so much of their texts: another lead makes other texts."""
        reading = replace(loaded.prepared.reading, lead=lead)
        if reading == loaded.prepared.reading:
            return loaded.prepared
        found: Prepared = self._readings.recall(
            (loaded.number, lead), lambda: Prepared(loaded.prepared.corpus, reading)
        )
        return found

    def ground(self, state: State, wait: float | None = A_MOMENT) -> Scene:
        """The scene whose map is shown: sets that are compared stay where they were drawn."""
        return self.scene(state.without_sets, wait) if state.compared or state.sets else self.look(state, wait)

    def members(self, scene: Scene, drawn: DrawnSet, wait: float | None = A_MOMENT) -> Integers:
        """The points of a scene that are in a set. Raises Pending while the map it was drawn on is made again."""
        loaded = self.documents()

        def ids() -> frozenset[str]:
            known: frozenset[str] | None = self._drawn.get((loaded.number, drawn))
            key, work = ("drawn", loaded.number, drawn), partial(self._lassoed, loaded, drawn)
            found: frozenset[str] = self._building.result(key, work, wait) if known is None else known
            return found

        return members_of(drawn, scene.documents, scene.searchable, ids)

    def _lassoed(self, loaded: Loaded, drawn: DrawnSet, tell: Progress) -> frozenset[str]:
        """The ids of what lies within a set's outline, on the map that it was drawn on."""

        def compute() -> frozenset[str]:
            on = self._below(loaded, read_map(drawn, loaded.base, loaded.suggested), tell)
            return frozenset(on.documents[row].id for row in inside(on.map, drawn.corners).nonzero()[0])

        return self._drawn.recall((loaded.number, drawn), compute)

    def set_ids(self, state: State) -> dict[str, list[str]] | None:
        """The ids of the sets that are compared, by name; None where groups are."""
        if not state.compared:
            return None
        ground = self.ground(state, None)
        return {
            drawn.name: list(dict.fromkeys(ground.documents[row].id for row in self.members(ground, drawn, None)))
            for drawn in state.sets
        }

    # --- picks
    def pick(self, scene: Scene, state: State, wait: float | None = A_MOMENT) -> Picked:
        """The picks by the method that was asked for. Raises Pending while it is searching."""
        known = scene.known_picks(state.pick_key)
        if known is not None:
            return known
        work = partial(scene.pick, state.options, state.pick_key)
        found: Picked = self._refining.result((id(scene), state.pick_key), work, wait)
        return found

    def assess(self, scene: Scene, state: State, wait: float | None = 0.0) -> Picked:
        """The picks, assessed. Raises Pending while they are being."""
        picked = self.pick(scene, state, wait)
        if scene.assessed(state.pick_key) is not None:
            return picked
        work = partial(scene.assess, picked, state.pick_key)
        found: Picked = self._assessing.result((id(scene), state.pick_key), work, wait)
        return found
