"""After any sequence of updates, sums and picks are those of a run from scratch with what the state has frozen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unit.updating.updates import article, emptied, picks, step
from unit.updating.updates import settings as chosen
from visavis import compare
from visavis.engines.local import LocalEngine
from visavis.kernel import kernel_at
from visavis.records import Frame
from visavis.updating.sums import advance

NAMES = ("a", "b", "c")


def frame(kernel="rbf"):
    return Frame(kernel_at(kernel, 0.7), 0.7, None, np.full(3, 0.1))


def drawn(rng, before):
    """Documents after an update: some new, some with other vectors, weights or groups, some out of every group."""
    n_old = 0 if before is None else len(before.vectors)
    n = n_old + int(rng.integers(0 if n_old else 1, 6))
    vectors, weights = np.zeros((n, 3), np.float32), np.zeros((n, len(NAMES)))
    if before is not None:
        vectors[:n_old] = before.vectors
        weights[:n_old] = before.take(NAMES, n_old).weights
    for row in range(n):
        if row >= n_old or rng.random() < 0.25:
            vectors[row] = rng.normal(size=3)
        if row >= n_old or rng.random() < 0.25:
            weights[row] = rng.choice([0.0, 1.0, 2.5], len(NAMES)) * (rng.random(len(NAMES)) < 0.6)
    vectors[(weights == 0).all(axis=1)] = 0.0
    there = np.flatnonzero((weights != 0).any(axis=0))
    return tuple(NAMES[at] for at in there), vectors, weights[:, there]


@given(st.integers(0, 10**6), st.integers(1, 6), st.sampled_from(["rbf", "cosine", "linear"]))
def test_sums_after_any_sequence_are_those_from_scratch(seed, n_updates, kernel):
    rng, sums, engine = np.random.default_rng(seed), None, LocalEngine()
    for _ in range(n_updates):
        names, vectors, weights = drawn(rng, sums)
        if not names:
            continue
        sums = advance(sums, names, vectors, weights, frame(kernel), engine)
        whole = advance(None, names, vectors, weights, frame(kernel), engine)
        assert sums.names == names
        np.testing.assert_allclose(sums.values, whole.values, rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(sums.weights, weights)


@st.composite
def histories(draw):
    """Batches of articles: (number, which version of it, side); numbers return in later batches, some as copies."""
    sides = ("left", "right", "up")
    first = [(n, 0, sides[n % 2]) for n in range(14)]
    one = st.tuples(st.integers(0, 30), st.integers(0, 2), st.sampled_from(sides))
    batches = draw(
        st.lists(st.lists(one, min_size=1, max_size=6, unique_by=lambda one: one[0]), min_size=1, max_size=3)
    )
    return [first, *batches]


@given(histories())
@settings(max_examples=12)
def test_any_batching_ends_where_a_run_from_scratch_does(history):
    state, summary = None, None
    for batch in history:
        state, summary = step(state, [article(number, side, version) for number, version, side in batch])
    rows = {item.document.id: dict(item.document.fields) for item in state.items}
    again, scratch = step(emptied(state), list(rows.values()))
    assert again.sums.names == state.sums.names
    np.testing.assert_allclose(again.sums.values, state.sums.values, rtol=1e-5)  # vectors are float32
    assert picks(scratch) == picks(summary)
    for one, other in zip(scratch.groups, summary.groups, strict=True):
        assert one.value == pytest.approx(other.value, rel=1e-6)


def test_a_first_summary_is_that_of_a_comparison():
    rows = [article(n, ("left", "right")[n % 2]) for n in range(24)]
    state, summary = step(None, rows, chosen(quick=False))
    found = compare(rows, by="side", size=2, method="mmd-diff-greedy", contrast=0.4, live=False)
    assert picks(found) == picks(summary)
    assert found.parameters["gamma"] == pytest.approx(state.gamma, rel=1e-6)
    assert (found.accuracy, found.ceiling) == (summary.accuracy, summary.ceiling)
    assert [test.p_value for test in found.test] == [test.p_value for test in summary.test]
    for one, other in zip(found.groups, summary.groups, strict=True):
        assert one.picks[0].scores.coverage == pytest.approx(other.picks[0].scores.coverage, rel=1e-5)
        assert one.picks[0].stability == other.picks[0].stability
