"""How firmly picks are held, and why they change."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from unit.sessions import stories
from unit.updating.updates import article, articles, picks, settings, step
from visavis.select import Request, select
from visavis.select.parameters import applicable
from visavis.updating.moves import decide
from visavis.updating.options import Settings

LEVELS = (0.0, 1e-6, 0.001, 0.01, 0.05, 0.2, 1.0, 1e9)


def request(method="mmd-diff-greedy", size=3):
    return Request(method=method, parameters=applicable(method, {"contrast": 0.3}), size=size)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("method", ["mmd-diff-greedy", "softmin-exchange"])
def test_the_stickier_the_more_is_kept(seed, method):
    session = stories(seed=seed)
    scratch = select(session, request(method))
    rng = np.random.default_rng(seed)
    old = [row for group in (0, 1) for row in rng.permutation(np.flatnonzero(session.codes == group))[:3].tolist()]
    last = dict.fromkeys(old)
    found = [decide(session, scratch, last, level, ()) for level in LEVELS]
    kept = [set(old) & set(decision.selection.rows.tolist()) for decision in found]
    assert all(fewer <= more for fewer, more in pairwise(kept))
    assert found[0].selection is scratch
    assert kept[-1] == set(old)
    assert len(kept[0]) < len(kept[-1])
    for decision in found:
        assert len(set(decision.selection.sequence)) == 6
        assert np.bincount(decision.selection.owner).tolist() == [3, 3]


def test_a_pick_of_the_same_story_can_only_replace_its_own():
    session = stories(seed=1)
    scratch = select(session, request())
    pick = int(scratch.rows[0])
    other = next(
        row for row in np.flatnonzero(session.codes == session.codes[pick]).tolist() if row not in scratch.rows
    )
    told = session.points.stories.copy()
    told[max(pick, other)] = told[min(pick, other)]
    session = replace(session, points=replace(session.points, stories=told), _bound={}, _orders={})
    scratch = select(session, request())
    (taken,) = {pick, other} & set(scratch.rows.tolist())
    (rival,) = {pick, other} - {taken}
    rows = decide(session, scratch, {rival: None}, 1e9, ()).selection.rows.tolist()
    assert rival in rows
    assert taken not in rows


def test_what_is_pinned_comes_in_however_sticky():
    state, first = step(None, articles(range(20)))
    other = next(f"n{n}" for n in range(0, 20, 2) if f"n{n}" not in picks(first)["left"])
    told = Settings.later(state.settings, {"stickiness": 1e9, "pin": [other], "size": 1})
    _, summary = step(state, None, told)
    assert picks(summary)["left"] == [other]
    assert picks(summary)["right"][0] in picks(first)["right"]


def test_gains_are_those_of_the_objective():
    session = stories(seed=3)
    scratch = select(session, request())
    rng = np.random.default_rng(0)
    old = rng.permutation(np.flatnonzero(session.codes == 0))[:3].tolist() + scratch.rows[scratch.owner == 1].tolist()
    (place,) = [{int(row): at for at, row in enumerate(scratch.order)}]
    decision = decide(session, scratch, dict.fromkeys(old), 0.0, ())

    def value(rows):
        trace = scratch.objective.trace(scratch.problem, [place[row] for row in rows])
        return trace[-1].sum(), trace[0].sum()

    at, nothing = value(old)
    assert decision.made_way
    for rivals in decision.made_way:
        gone, come = (int(scratch.order[document]) for document in (rivals.old, rivals.new))
        changed, _ = value([come if row == gone else row for row in old])
        assert rivals.gain == pytest.approx((changed - at) / abs(at - nothing), rel=1e-9)


# --- why ----------------------------------------------------------------------------------------------------------
def dropped(summary):
    return {one.pick.id: one.why for one in summary.changes.dropped}


def test_a_banned_pick_is_dropped_for_it():
    state, first = step(None, articles(range(20)))
    gone = picks(first)["left"][0]
    _, summary = step(state, None, given={"ban": [gone]})
    assert dropped(summary)[gone] == "it was banned"
    assert summary.changes.nothing == ""


def test_a_pick_whose_group_changed_is_dropped_for_it():
    state, first = step(None, articles(range(20)))
    gone = picks(first)["left"][0]
    number = int(gone[1:])
    _, summary = step(state, [{**article(number, "left"), "side": "right"}])
    assert "it is now in right" in dropped(summary)[gone]
    assert summary.changes.arrivals.replaced == 1


def test_a_pick_that_says_something_else_now_is_told_so():
    state, first = step(None, articles(range(20)))
    gone = picks(first)["left"][0]
    _, summary = step(state, [{**article(int(gone[1:]), "up"), "side": "left"}])
    assert "its document says something else now" in dropped(summary)[gone]


def test_a_pick_that_is_beaten_names_its_successor_and_the_gain():
    state, first = step(None, articles(range(6)))
    _, summary = step(state, articles(range(6, 60)))
    beaten = [one for one in summary.changes.dropped if one.instead]
    assert beaten
    for one in beaten:
        assert "takes its place" in one.why
        added = next(new for new in summary.changes.added if new.pick.id == one.instead)
        assert (added.instead_of, added.gain) == (one.pick.id, one.gain)
    for new in summary.changes.added:
        assert 0 <= new.of_new <= new.n_new == 27
    assert {one.pick.id for one in summary.changes.dropped} == {
        name for group in ("left", "right") for name in picks(first)[group]
    } - {pick.id for pick in summary.changes.kept}


def test_a_new_group_joins():
    state, _ = step(None, articles(range(12)))
    state, summary = step(state, [article(n, "up") for n in range(100, 106)])
    assert summary.changes.new_groups == ("up",)
    assert [group.name for group in summary.groups] == ["left", "right", "up"]
    assert state.sums.names == ("left", "right", "up")


# --- nothing new --------------------------------------------------------------------------------------------------
def test_nothing_new_because_nothing_came():
    state, first = step(None, articles(range(12)))
    state, summary = step(state, None)
    assert summary.changes.nothing == "Nothing new, because no documents came."
    assert picks(summary) == picks(first)
    _, summary = step(state, articles(range(4)))
    assert summary.changes.nothing == "Nothing new, because all 4 documents are known as they are."


def test_nothing_new_because_all_are_copies():
    state, _ = step(None, articles(range(12)))
    copies = [{**article(n, ("left", "right")[n % 2]), "id": f"copy{n}"} for n in range(12)]
    _, summary = step(state, copies[:2], given={"stickiness": 1e9})
    assert summary.changes.arrivals.copies == 2
    assert summary.changes.nothing == "Nothing new, because all 2 new documents nearly repeat known ones."


def test_nothing_new_because_picks_are_held():
    state, _ = step(None, articles(range(12)))
    _, summary = step(state, articles(range(12, 40)), given={"stickiness": 1e9})
    assert summary.changes.nothing.startswith("Nothing new, because no change is worth more than the stickiness")
    assert summary.changes.held
    assert not summary.changes.added


def test_nothing_new_because_none_is_in_a_group():
    state, _ = step(None, articles(range(12)))
    _, summary = step(state, [{**article(50, "left"), "side": ""}])
    assert summary.changes.nothing == "Nothing new, because none of the 1 new documents is in a group and has a vector."


def test_other_options_are_held_against_their_own_last_summary():
    state, _ = step(None, articles(range(20)))
    state, other = step(state, None, given={"size": 1})
    assert other.changes.since == 1
    state, _ = step(state, articles(range(20, 24)))
    _, again = step(state, None, given={"size": 1})
    assert again.changes.since == 2
    assert again.number == 4


def test_settings_of_one_call_do_not_outlive_it():
    state, _ = step(None, articles(range(20)), settings(size=2))
    state, one = step(state, None, given={"size": 1})
    assert len(one.groups[0].picks) == 1
    _, two = step(state, None)
    assert len(two.groups[0].picks) == 2
