from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from scipy import sparse

from visavis.explain.views import MOST_PERIODS, plane, timeline

START = datetime(2018, 1, 1, tzinfo=UTC)


def dated(*days):
    return [None if day is None else START + timedelta(days=day) for day in days]


@pytest.mark.parametrize(
    ("span", "unit"),
    [(1, "day"), (59, "day"), (60, "week"), (410, "week"), (500, "month"), (1800, "month"), (1900, "year")],
)
def test_the_finest_unit_with_at_most_sixty_periods_is_taken(span, unit):
    found = timeline(dated(0, span), np.array([0, 1]), 2)
    assert found.unit == unit
    assert 2 <= len(found.periods) <= MOST_PERIODS


def test_counts_are_documents_per_period_and_group_without_gaps():
    found = timeline(dated(0, 0, 2, 2, 2, None), np.array([0, 1, 1, 1, 0, 0]), 2)
    assert found.periods == ("2018-01-01", "2018-01-02", "2018-01-03")
    assert found.counts == ((1, 1), (0, 0), (1, 2))


def test_weeks_are_named_as_iso_names_them():
    found = timeline(dated(-1, 100), np.array([0, 0]), 1)
    assert found.periods[:2] == ("2017-W52", "2018-W01")
    assert len(set(found.periods)) == len(found.periods)


@pytest.mark.parametrize("days", [(None, None), (3, None, None, None, None, None), (3, 3), (3,)])
def test_without_two_periods_or_enough_dates_there_is_no_timeline(days):
    assert timeline(dated(*days), np.zeros(len(days), np.intp), 1) is None


def test_the_plane_keeps_the_two_directions_of_largest_variance_within_one():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(200, 6)) * [0.1, 9.0, 0.1, 3.0, 0.1, 0.1]
    points = plane(vectors.astype(np.float32))
    assert points.shape == (200, 2)
    assert np.abs(points).max() == pytest.approx(1.0)
    assert abs(np.corrcoef(points[:, 0], vectors[:, 1])[0, 1]) > 0.999
    assert abs(np.corrcoef(points[:, 1], vectors[:, 3])[0, 1]) > 0.99


def test_the_plane_does_not_depend_on_where_the_documents_lie_or_in_which_order():
    vectors = np.random.default_rng(1).normal(size=(40, 5)) * [5, 3, 1, 1, 1]
    order = np.random.default_rng(2).permutation(40)
    assert plane(vectors + 7.0) == pytest.approx(plane(vectors), abs=1e-6)
    assert plane(vectors[order]) == pytest.approx(plane(vectors)[order], abs=1e-9)


@pytest.mark.parametrize("vectors", [np.ones((4, 3)), np.arange(4.0)[:, None], np.ones((1, 5))])
def test_the_plane_of_few_directions_is_finite(vectors):
    points = plane(vectors)
    assert points.shape == (len(vectors), 2)
    assert np.isfinite(points).all()


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csr_matrix])
def test_the_plane_of_sparse_vectors_is_that_of_dense_ones(kind):
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(30, 6)) * (rng.random((30, 6)) < 0.4)
    assert plane(kind(vectors)) == pytest.approx(plane(vectors), abs=1e-9)
