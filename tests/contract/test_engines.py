"""Any engine that keeps the contract picks what this machine's threads pick."""

from __future__ import annotations

import importlib.util
import pickle

import numpy as np
import pytest

from conftest import require
from engines.child import ChildEngine
from visavis.comparing.again import PickAgain
from visavis.engines import LocalEngine
from visavis.errors import Incompatible, InvalidParameter
from visavis.explain.difference import difference_tests
from visavis.inputs import Grouped
from visavis.kernel import KERNELS
from visavis.kernel.operations import LogSums, Proximity, Rise, Sharpened, Similarity, Survey, Swaps
from visavis.records import Compute, Points
from visavis.select import METHODS, Request, pose, select
from walking import walk

pytestmark = [
    pytest.mark.filterwarnings("ignore::visavis.errors.LeftTheData"),
    pytest.mark.filterwarnings("ignore::visavis.errors.MissingGroup"),
]
N = 90
BY_NUMBER = ("precomputed",)  # a matrix knows documents by number, which no tensor of rows tells


@pytest.fixture(scope="module")
def child():
    with ChildEngine() as engine:
        yield engine


@pytest.fixture(scope="module")
def tensors():
    """The engine of a card, on the CPU."""
    try:
        from visavis.engines.card import CardEngine
    except ImportError:
        require(False, "torch")
        raise
    return CardEngine(Compute("float64"), "cpu")


@pytest.fixture(scope="module")
def cluster():
    require(importlib.util.find_spec("distributed") is not None, "dask")
    from engines.rounds import HereRounds
    from visavis.engines.cluster import ClusterEngine

    return ClusterEngine(Compute("float64"), HereRounds(), chunk=32)


@pytest.fixture(params=["child", "tensors", "cluster"])
def engine(request):
    return request.getfixturevalue(request.param)


def documents():
    rng = np.random.default_rng(5)
    codes = np.arange(N) % 3
    return rng.normal(size=(N, 4)) + 0.8 * rng.normal(size=(3, 4))[codes], codes


X, CODES = documents()
GROUPED = Grouped(np.array(["a", "b", "c"], dtype=object), CODES)


def picks(engine, method, kernel="rbf", gamma=0.3):
    session = pose(Points.of(X), GROUPED, kernel=kernel, gamma=gamma, engine=engine, compute=Compute("float64"))
    found = select(session, Request(method=method, size=3))
    return found, session


@pytest.mark.parametrize("method", [*METHODS, "nearest+exchange", "between-prototypes+gradient", "softmin+greedy"])
def test_every_method_picks_the_same_on_every_engine(engine, method):
    found, _ = picks(engine, method)
    expected, _ = picks(LocalEngine(Compute("float64")), method)
    assert found.rows.tolist() == expected.rows.tolist()
    assert found.trace == pytest.approx(expected.trace, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("method", ["mmd-diff-exchange", "nn-comp-greedy", "softmin-exchange"])
@walk("kernel", [name for name in KERNELS if name not in BY_NUMBER])
def test_every_kernel_runs_from_its_own_tiles(engine, method, kernel):
    found, _ = picks(engine, method, kernel)
    expected, _ = picks(LocalEngine(Compute("float64")), method, kernel)
    assert found.rows.tolist() == expected.rows.tolist()


def test_a_matrix_of_similarities_is_refused_where_documents_have_no_number(tensors):
    square = X @ X.T
    session = pose(Points.of(square), GROUPED, kernel="precomputed", gamma=1.0, engine=tensors)
    with pytest.raises(Incompatible, match="threads"):
        select(session, Request(method="mmd-diff-greedy", size=2))


def operations():
    rng = np.random.default_rng(0)
    weights, rest, own = rng.random(N), rng.random(N) + 0.1, rng.random(N) + 0.1
    low = np.sort(-rng.random((2, N)) * 3, axis=0)
    sharpened = Sharpened(3.0, 1.1, powers=False, single=False)
    owned = (np.arange(4)[:, None] == np.arange(N) % 4) * weights
    return {
        "survey": Survey(weights),
        "survey kept": Survey(weights, keeps=N * N),
        "rise": Rise(low[1], weights),
        "swaps": Swaps(low[1], low[0], weights, owned),
        "log sums": LogSums(rest, own, weights, sharpened),
        "log sums of equal weights": LogSums(rest, own, np.full(N, 0.2), sharpened),
        "log sums kept": LogSums(rest, own, weights, sharpened, keeps=N * N),
    }


@walk("name", operations())
@walk("candidates", [slice(0, N), slice(10, 40), np.array([3, 50, 7])])
def test_an_operation_says_the_same_on_every_engine_and_in_one_piece(engine, name, candidates):
    operation = operations()[name]
    _, session = picks(engine, "random")
    _, local = picks(LocalEngine(Compute("float64")), "random")
    pairs, ours = session.problem().pairs, local.problem().pairs
    content = ours.proximity if operation.reads.of == "proximity" else ours.block
    everyone = slice(0, N)
    whole = operation.tile(np, operation.reads.apply(np, content(candidates, everyone)), everyone)
    for found, here, expected in zip(
        pairs.reduce(operation, candidates, everyone), ours.reduce(operation, candidates, everyone), whole, strict=True
    ):
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-6)  # a tensor's row is not exactly at itself
        assert here == pytest.approx(expected, rel=1e-9, abs=1e-9)
    for found, again in zip(
        ours.reduce(operation, candidates, everyone), ours.reduce(operation, candidates, everyone), strict=True
    ):
        assert np.array_equal(found, again)  # whatever was kept


@pytest.mark.parametrize("name", operations())
def test_an_operation_can_be_pickled(name):
    operation = operations()[name]
    again = pickle.loads(pickle.dumps(operation))  # noqa: S301 (our own)
    assert type(again) is type(operation)
    assert again.reads == operation.reads


def test_a_tile_of_an_operation_leaves_its_values_alone():
    for operation in operations().values():
        values = -np.random.default_rng(1).random((5, N)) if isinstance(operation.reads, Proximity) else np.ones((5, N))
        before = values.copy()
        operation.tile(np, values, slice(0, N))
        assert np.array_equal(values, before)


def test_the_test_of_difference_runs_on_any_engine(engine):
    _, session = picks(engine, "random")
    _, local = picks(LocalEngine(Compute("float64")), "random")
    keys = [str(row) for row in range(N)]
    found, expected = (
        difference_tests(s.problem(), s.engine, ("a", "b", "c"), keys, np.random.default_rng(0)).tests
        for s in (session, local)
    )
    assert [(t.groups, t.p_value) for t in found] == [(t.groups, t.p_value) for t in expected]


def test_tasks_reach_the_child_as_they_are(child):
    from visavis.comparing.choice import Choice

    choice = Choice("mmd-diff-greedy", {"contrast": 0.3}, "rbf", 0.3, (2, 2, 2))
    task = PickAgain(Points.of(X), CODES, np.ones(N, bool), choice, Compute(), 0)
    samples = [np.arange(0, N, 2), np.arange(0, 60)]
    for there, here in zip(child.each(task, samples), map(task, samples), strict=True):
        assert there[0].tolist() == here[0].tolist()
    assert child.asked["task"] >= 2


def test_a_fault_in_the_child_is_told_here(child):
    _, session = picks(child, "random")
    operation = LogSums(np.ones(N), np.ones(N), np.ones(N), Sharpened(1.0, 0.01, powers=False, single=False))
    with pytest.raises(InvalidParameter, match="exceed its diagonal"):
        session.problem().pairs.reduce(operation, slice(0, N), slice(0, N))


def test_what_a_tile_holds_is_a_function_of_similarity_or_proximity():
    values = np.array([[0.5, 1.0]])
    assert np.array_equal(Similarity().apply(np, values), values)
    assert Sharpened(2.0, 1.0, powers=False, single=True).apply(np, values).dtype == np.float32
    assert Sharpened(2.0, 1.0, powers=False, single=False).apply(np, values) == pytest.approx(
        np.exp(2.0 * (values - 1.0))
    )
