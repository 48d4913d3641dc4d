"""The engine of a card, on the CPU: what it answers is what this machine's threads answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from visavis.engines import LocalEngine
from visavis.errors import Incompatible
from visavis.inputs import Grouped
from visavis.kernel import kernel_at
from visavis.records import Compute, Frame, Points
from visavis.select import Request, pose, select

torch = pytest.importorskip("torch")

from visavis.engines.card import CardEngine, climbing, rbf  # noqa: E402
from visavis.engines.card.keeping import KeptTensors  # noqa: E402
from visavis.engines.card.sums import TILE, Columns, RowSums, sort_columns  # noqa: E402

N, GAMMA = 150, 0.2
RNG = np.random.default_rng(2)
X = (RNG.normal(size=(N, 6)) + 2.0 * RNG.normal(size=(5, 6))[RNG.integers(0, 5, N)]).astype(np.float32)
CODES = np.sort(RNG.integers(0, 2, N))
ORDER = RNG.permutation(N)


def bound(engine, dtype="float32", gamma=GAMMA):
    frame = Frame(kernel_at("rbf", gamma), gamma, precision=dtype)
    return engine.bind(frame.kernel, engine.place(X, ORDER), frame)


@pytest.fixture(params=["float32", "float64"])
def both(request):
    """Pairs on the card's engine, pairs of threads, and how far they may differ."""
    compute = Compute(request.param)
    tolerance = 2e-6 if request.param == "float32" else 1e-12
    return bound(CardEngine(compute, "cpu"), request.param), bound(LocalEngine(compute), request.param), tolerance


@pytest.fixture
def small_tiles(monkeypatch):
    monkeypatch.setattr(rbf.CardPairs, "__init__", _with_small_tiles(rbf.CardPairs.__init__))


def _with_small_tiles(init):
    def made(self, *given):
        init(self, *given)
        self.at_once = 1000

    return made


@pytest.mark.parametrize("several", [False, True], ids=["one column each", "several"])
@pytest.mark.usefixtures("small_tiles")
def test_sums_are_those_of_threads(both, several):
    card, local, tolerance = both
    weights = np.zeros((N, 3))
    weights[np.arange(N), RNG.integers(0, 3, N)] = RNG.random(N)
    weights += 0.1 * several
    assert card.sums(weights) == pytest.approx(local.sums(weights), rel=tolerance)
    gammas = [0.1, 0.2, 0.4]
    assert card.sums(weights, gammas) == pytest.approx(local.sums(weights, gammas), rel=tolerance)


@pytest.mark.usefixtures("small_tiles")
def test_blocks_columns_and_distances_are_those_of_threads(both):
    card, local, tolerance = both
    some = np.array([5, 3, 140])
    for exact in (False, True):
        close = 1e-12 if exact else tolerance
        assert card.columns(some, exact=exact) == pytest.approx(local.columns(some, exact=exact), abs=close)
        assert card.gram(some, exact=exact) == pytest.approx(local.gram(some, exact=exact), abs=close)
        near = card.proximity(slice(0, 50), some, exact=exact)
        assert near == pytest.approx(local.proximity(slice(0, 50), some, exact=exact), abs=300 * close)
    points = RNG.normal(size=(4, 6))
    assert card.squared_distances(some, points) == pytest.approx(local.squared_distances(some, points))


def test_fields_are_those_of_threads(both):
    card, local, tolerance = both
    points, owner, weights = RNG.normal(size=(4, 6)), np.array([0, 0, 1, 1]), RNG.normal(size=(2, N))
    for found, expected in zip(card.field(points, owner, weights), local.field(points, owner, weights), strict=True):
        assert found == pytest.approx(expected, rel=100 * tolerance, abs=100 * tolerance)
    assert card.beyond(100 + points) == 4
    assert card.unit == local.unit


def test_vectors_are_sent_once():
    engine = CardEngine(Compute(), "cpu")
    first = engine.place(X, np.arange(N))
    again = engine.place(X, np.array([3, 1]))
    assert first.rows is engine._sent["rows"]
    assert again.rows.numpy() == pytest.approx(X[[3, 1]])
    other = X.copy()
    assert engine.place(other, np.arange(N)).rows is not first.rows


def test_what_a_card_cannot_do_is_refused():
    engine = CardEngine(Compute(), "cpu")
    with pytest.raises(Incompatible, match="sparse vectors stay on the CPU"):
        engine.place(csr_array(X), ORDER)
    session = pose(Points.of(X), grouped(), kernel=lambda left, right: left @ right.T, engine=engine)
    with pytest.raises(Incompatible, match="device='cpu'"):
        select(session, Request(method="mmd-diff-greedy", size=2))


def grouped():
    return Grouped(np.array(["a", "b"], dtype=object), CODES)


def picks(engine, method="mmd-diff-greedy", size=5, stories=None, weights=None, **request):
    points = Points.of(X, weights)
    if stories is not None:
        points = replace(points, stories=stories)
    session = pose(points, grouped(), gamma=GAMMA, engine=engine, compute=Compute("float64"))
    return select(session, Request(method=method, size=size, **request)).sequence


def in_half_precision(monkeypatch, error=1e-3):
    """Sums as coarse as vectors in half precision make them, and coarser."""
    rng = np.random.default_rng(0)

    def rough(self):
        found = self._tiled()
        return found * torch.as_tensor(1.0 + error * (2.0 * rng.random(found.shape) - 1.0))

    monkeypatch.setattr(RowSums, "rough", rough)


@pytest.mark.parametrize("error", [1e-5, 1e-3, 0.05])
@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"pins": (3, 120, 7)},
        {"stories": np.arange(N) // 4},
        {"weights": np.arange(N) % 5 + 0.5},
        {"size": (2, 7)},
        {"allowed": np.arange(N) % 3 > 0},
        {"parameters": {"contrast": 0.9}},
    ],
    ids=["plain", "pins", "stories", "weights", "sizes", "allowed", "contrast"],
)
def test_picks_sought_on_a_card_are_those_of_float64_however_coarse_the_sums(monkeypatch, request_, error):
    expected = picks(LocalEngine(Compute("float64")), **request_)
    in_half_precision(monkeypatch, error)
    assert picks(CardEngine(Compute("float64"), "cpu"), **request_) == expected
    assert picks(CardEngine(Compute("float32"), "cpu"), **request_) == expected


def test_of_copies_the_first_is_picked_on_a_card_too(monkeypatch):
    doubled = np.repeat(X[:40], 3, axis=0)
    codes = np.repeat(CODES[np.linspace(0, N - 1, 40).astype(int)], 3)
    found = []
    for engine in (LocalEngine(Compute("float64")), CardEngine(Compute("float64"), "cpu")):
        session = pose(
            Points.of(doubled), Grouped(np.array(["a", "b"], dtype=object), codes), gamma=GAMMA, engine=engine,
            compute=Compute("float64"),
        )  # fmt: skip
        found.append(select(session, Request(method="mmd-diff-greedy", size=4)).sequence)
        in_half_precision(monkeypatch)
    assert found[0] == found[1]


def test_a_bound_that_was_too_small_grows():
    pairs = bound(CardEngine(Compute("float64"), "cpu"), "float64")
    columns = Columns.of_groups(np.array([0, N]), np.ones(N))
    sums = pairs._row_sums(columns, GAMMA)
    steps = climbing.Climb(
        np.array([0, N]), np.ones(N), np.ones((1, 1)), 1.0, (1,), np.ones(N, bool), np.arange(N), ((),)
    )
    merits = climbing.Merits(steps, sums)
    merits.values[7] += 1.0  # what no sample told
    merits.errors[:] = 1e-3
    merits._rough[:] = 1e-3
    merits.make_sure(np.array([7]))
    assert float(merits.errors[7]) == 0.0
    assert float(merits.errors[8]) > 1.0


def test_a_comparison_names_the_card_it_ran_on(monkeypatch):
    from visavis import compare
    from visavis.comparing import posing
    from visavis.datasets import sample_path

    class Named(CardEngine):
        device = "cuda (a card)"

    monkeypatch.setattr(posing, "choose_engine", lambda _, __, compute, **___: Named(compute, "cpu"))
    by = {"by": "date:month"}
    found = compare(sample_path(), **by, method="mmd-diff-greedy", size=2)
    monkeypatch.undo()
    expected = compare(sample_path(), **by, method="mmd-diff-greedy", size=2)
    assert found.parameters["device"] == "cuda (a card)"
    assert "device" not in expected.parameters
    assert [p.document.id for g in found.groups for p in g.picks] == [
        p.document.id for g in expected.groups for p in g.picks
    ]


def test_columns_begin_tiles_of_their_own():
    weights = np.zeros((300, 3))
    codes = np.repeat([2, 0, 1], [130, 100, 70])
    weights[np.arange(300), codes] = 2.0
    columns = sort_columns(weights)
    places, of_tiles = columns.tiles()
    assert columns.padded_rows() == 4 * TILE == TILE * len(of_tiles)
    assert of_tiles.tolist() == [0, 1, 2, 2]
    assert np.array_equal(of_tiles[places // TILE], codes[columns.order])
    assert len(np.unique(places)) == 300


def test_weights_in_several_columns_or_below_zero_are_not_sorted():
    assert sort_columns(np.ones((4, 2))) is None
    assert sort_columns(np.array([[1.0, 0.0], [0.0, -1.0]])) is None


def test_tiles_are_kept_only_where_all_of_them_have_room():
    kept = KeptTensors(torch.device("cpu"))
    made = []

    def compute():
        made.append(1)
        return torch.zeros(10)

    for in_all in (10**12, 10**12, 40, 40):
        kept.recall("tile", compute, in_all)
    assert len(made) == 3
