"""How often a session goes over all pairs of documents: as seldom as it can."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from visavis.engines import LocalEngine
from visavis.evaluate.grid import Grid
from visavis.evaluate.plan import Plan
from visavis.evaluate.search import evaluate_everything, evaluate_method
from visavis.evaluate.sharing import Shared
from visavis.evaluate.source import Source
from visavis.evaluate.splits import make_splits
from visavis.inputs import Grouped
from visavis.kernel.pairs import ThreadedPairs
from visavis.kernel.rbf import RBFPairs
from visavis.records import Points
from visavis.select import METHODS, Request, pose, select

pytestmark = [
    pytest.mark.filterwarnings("ignore::visavis.errors.LeftTheData"),
    pytest.mark.filterwarnings("ignore::visavis.errors.MissingGroup"),
]
N = 120
CODES = np.arange(N) % 2
X = np.random.default_rng(0).normal(size=(N, 4)) + CODES[:, None]
LOCAL = LocalEngine()


@dataclass
class Counter:
    """Counts passes: sums over all pairs, and squares of a group with itself."""

    passes: list[str] = field(default_factory=list)


@pytest.fixture
def counted(monkeypatch):
    counter = Counter()
    sums, square = RBFPairs.sums, ThreadedPairs._reduce_square

    def count_sums(self, weights, gammas=None):
        if gammas is not None:  # the other form asks this one
            counter.passes.append(f"sums of {self.n_documents}")
        return sums(self, weights, gammas)

    def count_square(self, operation, documents):
        counter.passes.append(f"square of {documents.stop - documents.start}")
        return square(self, operation, documents)

    monkeypatch.setattr(RBFPairs, "sums", count_sums)
    monkeypatch.setattr(ThreadedPairs, "_reduce_square", count_square)
    return counter


def session():
    return pose(Points.of(X), Grouped(np.array(["a", "b"], dtype=object), CODES), engine=LOCAL)


def test_posing_goes_over_no_pairs(counted):
    session()
    assert counted.passes == []


def test_another_method_contrast_size_pin_or_ban_makes_no_new_pass(counted):
    asked = session()
    select(asked, Request(method="mmd-diff-greedy", parameters={"contrast": 0.1}, size=2)).trace  # noqa: B018
    assert counted.passes == [f"sums of {N}"]
    for method in [name for name in METHODS if name not in ("kmeans", "kmedoids", "nn-comp-greedy", "mmd-critic")]:
        for size in (2, 5):
            for more in ({}, {"pins": (3,)}, {"allowed": np.arange(N) > 1}):
                select(asked, Request(method=method, size=size, **more)).trace  # noqa: B018
    for contrast in (0.0, 0.3, 0.9):
        for method in ("mmd-diff-greedy", "mmd-diff-exchange", "mmd-diff-grad"):
            select(asked, Request(method=method, parameters={"contrast": contrast}, size=3)).trace  # noqa: B018
    select(asked, Request(method="mmd-critic", size=3))
    assert counted.passes == [f"sums of {N}"]


def test_the_nearest_neighbor_surveys_each_group_once(counted):
    asked = session()
    for method in ("nn-comp-greedy", "nearest+exchange"):
        for size in (2, 4):
            select(asked, Request(method=method, size=size)).trace  # noqa: B018
    assert counted.passes == [f"square of {N // 2}"] * 2


@pytest.mark.parametrize("method", ["kmeans", "random"])
def test_k_means_and_chance_make_none(counted, method):
    found = select(session(), Request(method=method, size=3))
    assert len(found.rows) == 6
    assert counted.passes == []


@pytest.mark.parametrize("methods", [("mmd-diff-greedy",), ("mmd-diff-greedy", "mmd-div-grad", "softmin-exchange")])
def test_an_evaluation_makes_one_pass_a_split_for_all_widths_and_folds(counted, methods):
    plan = Plan(
        methods=methods, sizes=(2, 3), splits=2, grid=Grid(gammas=(0.5, 1.0), contrasts=(0.1, 0.6), costs=(1.0,))
    )
    source = Source(X, CODES, ("a", "b"), make_splits(CODES, plan, None))
    for split in (0, 1):
        shared = Shared(source, plan, split)
        for method in methods:
            evaluate_method(shared, method)
        evaluate_everything(shared)
    assert counted.passes == [f"sums of {int(0.8 * N)}"] * 2


def test_an_evaluation_of_k_means_makes_none(counted):
    plan = Plan(methods=("kmeans",), sizes=(2,), splits=1)
    evaluate_method(Shared(Source(X, CODES, ("a", "b"), make_splits(CODES, plan, None)), plan, 0), "kmeans")
    assert counted.passes == []


def test_describing_makes_no_new_pass_and_picks_nothing_again(counted, monkeypatch):
    from visavis.comparing import describe, overview, pose
    from visavis.records import Document

    asked = pose(
        Points.of(X.astype(np.float32)), ("a", "b"), CODES, candidates=np.ones(N, bool), seed=0,
        documents=[Document(str(row), f"title {row}") for row in range(N)], texts=[f"words {row}" for row in range(N)],
    )  # fmt: skip
    found = select(asked, Request(method="mmd-diff-greedy", size=3))
    about = overview(asked)
    found.trace  # noqa: B018
    assert counted.passes == [f"sums of {N}"]
    monkeypatch.setattr("visavis.select.methods.row_of", lambda *_: pytest.fail("something was picked again"))
    described = describe(asked, found, about)
    assert [len(group.picks) for group in described.groups] == [3, 3]
    assert all(pick.stability is None for pick in described.order)
    assert counted.passes == [f"sums of {N}"]
