"""Why not this one, what a ban costs, and the contrast path: held against trying everything."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from unit.explore.exploring import sample_rows
from visavis.explore import paths
from visavis.explore.live import live_record
from visavis.explore.moves import cost, picks_in_force, quick_picks, whynot
from visavis.explore.paths import HIGHEST, group_path, intervals_of
from visavis.explore.workspace import Workspace

ROWS = sample_rows(12)


@pytest.fixture(scope="module")
def shown():
    found = Workspace({})
    found.load(ROWS, "corpus", ("own.csv",))
    yield found
    found.close()


def scene_of(shown, **query):
    state = shown.state([(name, str(value)) for name, value in query.items()])
    return shown.scene(state, None), state


def value(selection, sequence):
    return float(selection.objective.trace(selection.problem, sequence)[-1].sum())


@pytest.mark.parametrize("method", ["mmd-diff-greedy", "softmin-exchange", "nn-comp-greedy", "kmedoids"])
def test_what_is_lost_is_what_the_best_swap_loses(shown, method):
    scene, state = scene_of(shown, method=method, size=2)
    shown.pick(scene, state, None)
    selection = picks_in_force(scene, state).selection
    assert selection.request.method == method
    problem, before = selection.problem, value(selection, selection.sequence)
    rows = np.setdiff1d(np.arange(len(scene.documents)), selection.rows)[::7]
    for row in rows.tolist():
        document = int(np.flatnonzero(selection.order == row)[0])
        own = [p for p in selection.sequence if problem.group_of(p) == problem.group_of(document)]
        swapped = [tuple(document if p == leaving else p for p in selection.sequence) for leaving in own]
        found = whynot(scene, state, scene.documents[row].id)
        losses = {scene.documents[int(selection.order[leaving])].id: before - value(selection, other)
                  for leaving, other in zip(own, swapped, strict=True)}  # fmt: skip
        assert found["loss"] == pytest.approx(losses[found["instead_of"]], abs=2e-5)
        if found["reason"] is None:
            assert found["loss"] == pytest.approx(min(losses.values()), abs=2e-5)


def test_a_ban_costs_what_the_next_best_document_is_worth_less(shown):
    scene, state = scene_of(shown, size=3)
    picked = quick_picks(scene, state)
    selection, problem = picked.selection, picked.selection.problem
    before = value(selection, selection.sequence)
    for place in range(len(selection.sequence)):
        leaving, group = selection.sequence[place], int(selection.owner[place])
        rows = problem.rows(group)
        others = [p for p in selection.sequence if problem.group_of(p) == group and p != leaving]
        open_ = np.flatnonzero(problem.open_beside(group, others)) + rows.start
        tried = [value(selection, tuple(int(d) if p == leaving else p for p in selection.sequence))
                 for d in open_ if d != leaving]  # fmt: skip
        found = cost(scene, state, scene.documents[int(selection.order[leaving])].id)
        assert found["loss"] == pytest.approx(before - max(tried), abs=2e-5)
        assert found["next"] is not None


def test_why_a_document_may_not_be_picked_is_said(shown):
    scene, state = scene_of(shown, ban=ROWS[0]["id"])
    assert whynot(scene, state, ROWS[0]["id"])["reason"] == "It is banned."
    away = quick_picks(scene, state).candidates.not_shown[0]
    other = next(name for name in away.where if name != ROWS[0]["id"])
    assert away.reason in whynot(scene, state, other)["reason"]
    pick = quick_picks(scene, state).description.order[0].document.id
    assert whynot(scene, state, pick)["picked"] is True


@pytest.mark.parametrize("query", [{}, {"size": 6, "candidates": "all"}, {"pin": ROWS[3]["id"]}, {"spread": "outlet"}])
def test_the_path_says_what_is_picked_at_any_contrast(shown, query):
    scene, state = scene_of(shown, **query)
    selection = quick_picks(scene, state).selection
    sizes = np.bincount(selection.owner)
    paths = [group_path(selection.problem, group, int(size)) for group, size in enumerate(sizes)]
    for pieces in paths:
        assert [piece.low for piece in pieces[1:]] == [piece.high for piece in pieces[:-1]]
        assert (pieces[0].low, pieces[-1].high) == (0, HIGHEST)
    for contrast in np.random.default_rng(0).uniform(0, 0.98, 25).tolist():
        _, asked = scene_of(shown, **query, contrast=contrast)
        found = quick_picks(scene, asked).selection
        for group, pieces in enumerate(paths):
            (piece,) = [one for one in pieces if one.low <= contrast < one.high]
            assert piece.picks == tuple(p for p in found.sequence if found.problem.group_of(p) == group)


def test_intervals_join_where_a_document_stays(shown):
    scene, state = scene_of(shown)
    selection = quick_picks(scene, state).selection
    pieces = group_path(selection.problem, 0, 4)
    for document, spans in intervals_of(pieces).items():
        assert all(one[1] < other[0] for one, other in pairwise(spans))
        inside = sum(high - low for low, high in spans)
        assert inside == pytest.approx(sum(p.high - p.low for p in pieces if document in p.picks))


def test_what_a_page_may_choose_from_is_asked_again_where_it_was_too_much(shown, monkeypatch):
    scene, state = scene_of(shown, seed=9)
    with monkeypatch.context() as patched:
        patched.setattr(type(scene), "shortlist", lambda *_: None)
        assert live_record(scene, scene, state) is None
    found = live_record(scene, scene, state)
    assert found["candidates"]
    assert live_record(scene, scene, state) is found


def test_lines_of_the_same_picks_are_made_once(shown, monkeypatch):
    scene, state = scene_of(shown)
    made, make = [], paths._Lines.of
    monkeypatch.setattr(paths._Lines, "of", lambda *given: made.append(given[2]) or make(*given))
    group_path(quick_picks(scene, state).selection.problem, 0, 4)
    assert len(made) == len(set(made)) > 1
