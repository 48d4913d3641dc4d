"""Small corpora and the steps of a state, without files."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from visavis.corpus.reading import read_corpus
from visavis.updating.options import Settings
from visavis.updating.run import advance_state
from visavis.updating.state import State
from visavis.updating.sums import Sums

THEMES = {
    "left": "union strike wages factory workers harbor crane welder picket contract overtime",
    "right": "border tariff customs import truck bridge quota export ship barrier duty",
    "up": "glacier orbit comet telescope dust lens satellite crater moon signal dish",
}
COMMON = "the town council heard on a cold morning that nobody had asked for this before"
MONDAY = datetime(2026, 11, 16, 6, 0, tzinfo=UTC)


def article(number: int, side: str, seed: int = 0) -> dict[str, str]:
    """A row about a side's theme; the same number and seed give the same words."""
    rng = np.random.default_rng([number, seed])
    words = THEMES[side].split()
    common = COMMON.split()
    told = [*rng.choice(words, 9), *rng.permutation(common)[:6], f"place{number % 7}", f"name{rng.integers(5)}"]
    text = " ".join(rng.permutation(told).tolist())
    return {"id": f"n{number}", "title": f"{side} story {number}", "text": f"{text}.", "side": side}


def articles(numbers, sides=("left", "right"), seed=0):
    return [article(number, sides[number % len(sides)], seed) for number in numbers]


def settings(**told) -> Settings:
    usual = {"by": "side", "size": 2, "method": "mmd-diff-greedy", "contrast": 0.4, "quick": True, "live": False}
    return Settings.first({**usual, **told})


def step(before, rows, told=None, **more):
    """The state after these rows, and its summary."""
    told = told or (settings() if before is None else Settings.later(before.settings, more.pop("given", {})))
    return advance_state(before, None if rows is None else read_corpus(rows, told.compare.reading), told, **more)


def emptied(state: State) -> State:
    """What the state has frozen, without any documents: where a run from scratch begins."""
    width = len(state.center)
    nothing = Sums(state.sums.names, np.zeros((0, width), np.float32), *(np.zeros((0, len(state.sums.names))),) * 2)
    return replace(state, items=(), sums=nothing, entries=(), learned=replace(state.learned))


def picks(summary):
    return {group.name: [pick.document.id for pick in group.picks] for group in summary.groups}
