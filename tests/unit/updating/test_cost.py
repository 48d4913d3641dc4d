"""New documents cost their own kernel values alone."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from unit.sessions import stories
from unit.updating.updates import articles, settings, step
from visavis.engines.local import LocalEngine
from visavis.errors import InvalidParameter
from visavis.kernel.tiling import count


@dataclass
class CountingPairs:
    """Pairs that note how many kernel values each question takes."""

    pairs: Any
    asked: list[tuple[str, int]]

    def __getattr__(self, name):
        return getattr(self.pairs, name)

    def sums(self, weights, gammas=None):
        self.asked.append(("sums", self.pairs.n_documents**2))
        return self.pairs.sums(weights, gammas)

    def block(self, rows, columns, *, exact=False):
        self.asked.append(("block", count(rows) * count(columns)))
        return self.pairs.block(rows, columns, exact=exact)

    def columns(self, documents, *, exact=False):
        self.asked.append(("columns", self.pairs.n_documents * len(documents)))
        return self.pairs.columns(documents, exact=exact)

    def gram(self, rows, *, exact=False):
        self.asked.append(("gram", len(rows) ** 2))
        return self.pairs.gram(rows, exact=exact)

    def proximity(self, rows, columns, *, exact=False):
        self.asked.append(("proximity", count(rows) * count(columns)))
        return self.pairs.proximity(rows, columns, exact=exact)

    def reduce(self, operation, candidates, documents):
        self.asked.append(("reduce", count(candidates) * count(documents)))
        return self.pairs.reduce(operation, candidates, documents)


@dataclass(frozen=True)
class CountingEngine:
    """The local engine with every question counted."""

    local: LocalEngine = field(default_factory=LocalEngine)
    asked: list[tuple[str, int]] = field(default_factory=list)
    name: str = "counting"
    device: str = "cpu"
    reach: float = float("inf")

    def place(self, vectors, order):
        return self.local.place(vectors, order)

    def bind(self, kernel, placed, frame):
        return CountingPairs(self.local.bind(kernel, placed, frame), self.asked)

    def each(self, task, items, *, long=False):
        return self.local.each(task, items, long=long)

    @property
    def total(self):
        return sum(values for _, values in self.asked)


def test_an_update_looks_at_new_documents_and_picks_only():
    n, new, per_group = 300, 10, 2
    state, _ = step(None, articles(range(n)), settings(size=per_group))
    engine = CountingEngine()
    state, summary = step(state, articles(range(n, n + new)), engine=engine)
    whole = n + new
    picks = {
        pick.id
        for pick in (*summary.changes.kept, *(one.pick for one in (*summary.changes.added, *summary.changes.dropped)))
    }
    asked = [values for what, values in engine.asked if what != "block"]
    assert ("sums", whole**2) not in engine.asked
    assert engine.asked[0] == ("block", whole * new)  # the sums: each pair of a new document once
    assert engine.total < whole * new + whole * 4 * (len(picks) + 2)  # the rest: columns of picks, old and new
    assert max(asked, default=0) < whole * 20
    assert engine.total < whole**2 / 4


def test_replacing_costs_a_column_for_what_goes_and_one_for_what_comes():
    n = 120
    state, _ = step(None, articles(range(n)))
    engine = CountingEngine()
    step(state, articles([3, 4], seed=1), engine=engine)
    assert engine.asked[0] == ("block", n * 4)


def test_nothing_new_costs_no_sums():
    state, _ = step(None, articles(range(60)))
    engine = CountingEngine()
    after, _ = step(state, articles(range(10)), engine=engine)
    assert ("sums", 3600) not in engine.asked
    assert all(values <= 60 * 8 for _, values in engine.asked)
    np.testing.assert_array_equal(after.sums.values, state.sums.values)


def test_the_first_run_takes_one_pass():
    engine = CountingEngine()
    step(None, articles(range(40)), engine=engine)
    assert [what for what, _ in engine.asked].count("sums") == 1


@pytest.mark.parametrize("kernel", ["cosine", "linear"])
def test_other_kernels_are_kept_up_to_date_too(kernel):
    state, _ = step(None, articles(range(20)), settings(kernel=kernel))
    after, _ = step(state, articles(range(18, 26), seed=2))
    from unit.updating.updates import emptied

    again, _ = step(emptied(after), [dict(item.document.fields) for item in after.items])
    np.testing.assert_allclose(after.sums.values, again.sums.values, rtol=1e-4, atol=1e-6)


def test_sums_of_another_shape_are_refused():
    session = stories(seed=0)
    with pytest.raises(InvalidParameter, match="sums have shape"):
        session.tell_sums(np.zeros((3, 2)))


def test_a_session_believes_the_sums_that_it_is_told():
    session = stories(seed=0)
    sums = np.random.default_rng(0).random((len(session.codes), 2))
    session.tell_sums(sums)
    np.testing.assert_array_equal(session.problem().similarity_sums(), sums[session.order])
