"""What is held out of a session: whole blocks, never a copy of what is learned from; and what is told of it."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from unit.sessions import choice_of, session_on, stories
from visavis.comparing import measure as measuring
from visavis.comparing.again import folds_within, held_out_accuracy, held_out_folds
from visavis.comparing.assess import assess
from visavis.comparing.measure import HeldOut, Picked, better_of, how_held_out, tell_by_everything, tell_by_picks
from visavis.explain.everything import Told
from visavis.records import Blocks
from visavis.select import select
from visavis.shared.progress import silent


def blocks_of(codes, by="source"):
    return Blocks(by, np.asarray(codes), np.arange(len(codes)), np.zeros(len(codes), np.intp))


def assessed(session, questions=("accuracy", "ceiling"), size=2, **told):
    return assess(session, select(session, session.request(choice_of(session, size))), questions, **told)


def scattered(seed, n_groups=2, n_blocks=8, each=6, told=True):
    """Groups that do not differ: what documents share, they share with their block."""
    rng = np.random.default_rng(seed)
    blocks = np.repeat(np.arange(n_groups * n_blocks), each)
    codes = blocks % n_groups
    vectors = 2 * rng.normal(size=(n_groups * n_blocks, 4))[blocks] + rng.normal(size=(len(blocks), 4))
    known = {"blocks": blocks_of(blocks)} if told else {}
    return session_on(vectors.astype(np.float32), codes, seed=seed, **known)


def test_whole_blocks_are_held_out_within_training_parts_too():
    session = scattered(0)
    parts, _ = held_out_folds(session)
    assert len(parts) == 3
    for train, test in [*parts, *folds_within(session, parts[0][0])]:
        assert not set(session.blocks.codes[train]) & set(session.blocks.codes[test])


def test_random_groups_are_told_by_chance_where_blocks_are_known_and_by_blocks_where_they_are_not():
    blind = [assessed(scattered(seed, told=False)) for seed in range(8)]
    assert np.mean([found.ceiling for found in blind]) > 0.7  # blocks are recognized, which says nothing of groups
    found = [assessed(scattered(seed)) for seed in range(24)]
    for name in ("accuracy", "ceiling"):
        values = np.array([getattr(one, name) for one in found])
        assert values.mean() == pytest.approx(0.5, abs=0.06)
        intervals = np.array([getattr(one, f"{name}_interval") for one in found])
        assert np.mean((intervals[:, 0] <= 0.5) & (intervals[:, 1] >= 0.5)) > 0.8
        assert np.all((intervals[:, 0] <= values) & (values <= intervals[:, 1]))


def test_a_copy_shared_by_groups_counts_for_both_and_is_held_out_with_its_copies():
    session = stories(each=12)
    families = np.arange(24)
    families[[13, 14]] = 3
    session.points = replace(session.points, families=families)
    parts, _ = held_out_folds(session)
    held = np.concatenate([test for _, test in parts])
    assert {3, 13} <= set(held)
    assert 14 not in held
    assert sum({3, 13} <= set(test) for _, test in parts) == 1


def test_a_story_that_all_outlets_print_does_not_make_one_block_of_them():
    session = scattered(1)
    families = np.arange(len(session.codes))
    families[::6] = 0  # the first document of each block
    session.points = replace(session.points, families=families)
    parts, _ = held_out_folds(session)
    assert len(parts) == 3
    for train, test in parts:
        assert not set(families[train]) & set(families[test])


@pytest.mark.parametrize(
    ("blocks", "accuracy", "told"),
    [
        ([0] * 12 + [1] * 6 + [2] * 6, None, r"'a' has fewer than 2 blocks \(by source\) to hold out"),
        ([0] * 6 + [1] * 6 + [2] * 6 + [3] * 6, 1.0, r"documents of one block \(by source\).*together, in 2 parts"),
        ([*np.repeat(np.arange(8), 3)], 1.0, r"documents of one block \(by source\) were held out together$"),
    ],
)
def test_fewer_blocks_are_held_out_in_fewer_parts_or_not_at_all_and_the_report_says_so(blocks, accuracy, told):
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1], 12)
    vectors = rng.normal(size=(24, 3)) + 20.0 * codes[:, None]
    found = assessed(session_on(vectors.astype(np.float32), codes, blocks=blocks_of(blocks)), size=1)
    assert found.accuracy == found.ceiling == accuracy
    (said,) = (*found.notes, *found.warnings)
    assert re.search(told, said)


def test_blocks_that_cannot_be_parted_are_named():
    blocks, codes = np.repeat([0, 1, 2], 4), np.array([0, 2] * 2 + [0, 1] * 2 + [1, 2] * 2)
    vectors = np.random.default_rng(0).normal(size=(12, 3)).astype(np.float32)
    found = assessed(session_on(vectors, codes, blocks=blocks_of(blocks, "days")), size=1)
    (said,) = found.warnings
    assert "blocks (by days) lie in several groups" in said
    assert (found.accuracy, found.accuracy_interval, found.ceiling, found.ceiling_interval) == (None,) * 4


def test_the_picks_own_classifier_is_one_of_those_that_make_the_ceiling(monkeypatch):
    session = stories()
    held, choice = HeldOut.of(session), choice_of(session, 3)
    picked = tell_by_picks(session, held, choice, None, session.candidates, silent)
    wrong = [Told(1 - session.codes[test], 0.1) for _, test in held.folds]
    best = better_of(session, held, wrong, picked, session.candidates)
    assert [told.tolist() for told in best] == [told.tolist() for told in picked.predicted]
    sure = [replace(told, within=1.0) for told in wrong]  # of equals, what sees everything
    best = better_of(session, held, sure, picked, session.candidates)
    assert [told.tolist() for told in best] == [told.predicted.tolist() for told in sure]
    seen = []
    monkeypatch.setattr(measuring, "held_out_accuracy", lambda _, __, parts, ___: seen.append(parts) or 0.0)
    better_of(session, held, sure, picked, session.candidates)
    for parts, (_, test) in zip(seen, held.folds, strict=True):
        assert not set(np.concatenate([np.concatenate(part) for part in parts])) & set(test)


def test_texts_are_read_for_the_ceiling_and_names_of_pictures_are_not():
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1], 20)
    session = session_on(rng.normal(size=(40, 3)).astype(np.float32), codes)
    session.texts = tuple(("red apple", "green pear")[code] for code in codes)
    assert assessed(session, ["ceiling"]).ceiling == 1.0
    session.documents = tuple(replace(document, image="a.png") for document in session.documents)
    assert assessed(session, ["ceiling"]).ceiling < 0.8


def test_nothing_is_told_where_nothing_is_held_out():
    session = stories(each=2, stories=1)
    assert tell_by_everything(session, HeldOut.of(session)) == []


def test_accuracy_without_blocks_is_what_it_always_was():
    session = stories(spread=2.0)
    alone = stories(spread=2.0, blocks=blocks_of(np.arange(48)[::-1]))
    expected = held_out_accuracy(session, choice_of(session), held_out_folds(session)[0])
    assert assessed(session).accuracy == assessed(alone).accuracy == expected


def test_sizes_that_were_chosen_anew_are_told_where_they_are_others():
    session = stories()
    held = HeldOut.of(session)
    chosen = choice_of(session, 3)

    def told(*sizes):
        picked = Picked([choice_of(session, size) for size in sizes], [])
        return how_held_out(session, held, picked, chosen)[-1]

    assert told(3, 3, 3).endswith("chosen anew without the documents held out")
    assert told(3, 1, 8).endswith("without the documents held out, with 3, 1 and 8 picks a group")
    assert not any("chosen" in note for note in how_held_out(session, held, Picked([], []), None))
