"""Where little is worth showing: fewer picks, groups without any in a fold, and never another size unsaid."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from visavis.comparing.documents import DocumentOptions
from visavis.evaluate import Grid, evaluate
from visavis.evaluate.grid import Setting
from visavis.evaluate.material import load_material
from visavis.evaluate.picking import picks_of
from visavis.evaluate.run import _source
from visavis.evaluate.sharing import Shared
from visavis.evaluate.worthy import SplitCandidates
from visavis.inputs import check_groups
from visavis.records import Points
from visavis.select import Request, pose, select
from visavis.select.methods import METHODS

GRID = Grid(gammas=(0.5, 1.0), contrasts=(0.1, 0.6), sharpness=("auto",), costs=(0.1, 10.0), declared=False)
STORY = "the ferry Aurelia ran aground off Skagen reef with forty passengers aboard early on"


def rows():
    """Twelve documents of the left, nine of which tell one story, and 88 of the right."""
    rng = np.random.default_rng(4)
    words = np.array([f"{a}{b}" for a in ("har", "mel", "tor", "vin", "quo") for b in ("bor", "ton", "den", "lak")])
    made = []
    for n in range(100):
        side = "left" if n < 12 else "right"
        own = " ".join(rng.choice(words, 14))
        text = f"{STORY} {own[:24]}" if n < 9 else own
        vector = [*rng.normal(size=3), 2.0 * (n < 12)]
        made.append({"id": f"d{n}", "text": text, "side": side, "date": "2024-03-02", "vector": vector})
    return made


@pytest.fixture(scope="module")
def material():
    return load_material(rows(), DocumentOptions(by="side", embedder="column:vector", duplicates=False))


def plan_of(material, **told):
    usual = {"methods": tuple(METHODS), "sizes": (2, 6), "splits": 2, "grid": GRID, "dataset": "few"}
    return material.plan(**{**usual, "candidates": "worthy", **told})


def tells_no_story_twice(material, split, plan, picks):
    """Whether no group shows one story twice, as stories are told apart in the training part alone."""
    train = _source(material.vectors, material.groups, plan, None).splits[split].train
    stories = material.vectors.rules.prepared.stories(train)
    told = {(stories[np.searchsorted(train, row)], row >= 12) for row in picks}
    return len(told) == len(picks)


def test_a_group_of_few_stories_gives_fewer_picks_and_it_is_told(material, tmp_path):
    plan = plan_of(material, classifiers=("1-nn",))
    found = evaluate(material.vectors, material.groups, plan, folder=tmp_path, notes=material.notes)
    lines = [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text().splitlines()[1:]]
    room = {line["split"]: line["candidates"]["room"] for line in lines}
    assert all(2 <= left <= 4 and right >= 8 for left, right in room.values())
    for line in lines:
        for row in (row for row in line["rows"] if row["size"]):
            wanted = [min(row["size"], most) for most in room[line["split"]]]
            picked = np.bincount(np.array(row["picks"]) >= 12, minlength=2)
            assert picked.sum() == sum(wanted)
            assert line["method"] == "mmd-critic" or picked.tolist() == wanted, line["method"]
            assert tells_no_story_twice(material, line["split"], plan, row["picks"]), line["method"]
    (note,) = [note for note in found.notes if note.startswith("group 'left' had no more than")]
    assert note.endswith("documents to pick in 2 of 2 splits: larger sizes gave no more of it there")
    by_size = {(r.split, r.size): r.picks for r in found.results if r.method == "kmeans"}
    assert by_size == {(s, size): sum(min(size, most) for most in room[s]) for s in room for size in (2, 6)}


class Few:
    """Rules by which these documents may be picked, each a story of its own."""

    def __init__(self, *allowed):
        self.allowed = allowed

    def digest(self):
        return str(self.allowed)

    def candidates(self, train, codes, *_):
        marks = np.isin(np.arange(len(codes)), self.allowed)
        assert np.isin(self.allowed, train).all()
        return SplitCandidates(marks, np.arange(len(codes)))


SPLIT = [(np.r_[0:9, 12:80], np.r_[9:12, 80:100])]


def shared_with(material, *allowed):
    plan = plan_of(material, splits=1)
    source = _source(replace(material.vectors, rules=Few(*allowed)), material.groups, plan, SPLIT)
    return Shared(source, plan, 0)


@pytest.mark.parametrize("method", ["mmd-diff-greedy", "kmeans", "mmd-critic", "softmin-exchange"])
def test_a_group_without_candidates_in_a_fold_drops_out_of_it(material, method):
    shared = shared_with(material, 0, 13, 15, 17, 19, 21, 23)
    (fold,) = [part for part in shared.parts if not shared.room(part).all()]
    (found,) = picks_of(shared, method, fold, [Setting()], (2, 6))
    assert found[6].min() >= 12
    assert len(found[2]) == 2
    assert len(found[6]) == shared.room(fold)[1] == len(set(found[6].tolist()))
    (whole,) = picks_of(shared, method, shared.whole, [Setting()], (2, 6))
    assert sorted(whole[6].tolist()) == [0, 13, 15, 17, 19, 21, 23]
    assert shared.about_candidates() == {"candidates": {"count": 7, "room": [1, 6], "without": 1}}


def test_picks_in_a_fold_are_those_among_the_same_candidates_less_the_fold(material):
    allowed = np.r_[0:5, 12:30]
    shared = shared_with(material, *allowed.tolist())
    for part in shared.parts:
        (found,) = picks_of(shared, "mmd-diff-greedy", part, [Setting(0, (("contrast", 0.6),))], (1,))
        rows = np.sort(shared.train[shared.places(part)])
        session = pose(Points.of(shared.vectors[rows]), check_groups(material.groups[rows], len(rows)),
                       gamma=shared.gammas[0])  # fmt: skip
        request = Request("mmd-diff-greedy", {"contrast": 0.6}, 1, allowed=np.isin(rows, allowed))
        assert sorted(found[1].tolist()) == sorted(rows[select(session, request).rows].tolist())


def test_a_fold_without_any_candidate_chooses_nothing_and_nothing_breaks(material):
    shared = shared_with(material, 0, 13)
    folds = dict(zip(shared.train.tolist(), shared.folds.tolist(), strict=True))
    other = next(row for row in range(12, 80) if folds[row] == folds[0])
    vectors = replace(material.vectors, rules=Few(0, other))
    found = evaluate(vectors, material.groups, plan_of(material, splits=1), splits=SPLIT)
    picked = [r for r in found.results if r.method not in ("everything", "mmd-critic")]
    assert {(r.picks, r.missing_groups) for r in picked} == {(2, 0)}
    assert any(note.startswith("in 1 of 3 folds a group had no document to pick") for note in found.notes)
