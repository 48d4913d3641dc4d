from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from visavis.explain.holdout import Bonds
from visavis.explain.planes import group_plane, plane


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


def overlap(points: np.ndarray, codes: np.ndarray) -> float:
    """How often the nearest other document on the plane is of another group, relative to chance."""
    gaps = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(gaps, np.inf)
    shares = np.bincount(codes) / len(codes)
    return float(np.mean(codes[gaps.argmin(axis=1)] != codes) / (1 - (shares**2).sum()))


def two_groups(shift: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Documents that differ most along directions that have nothing to do with their group."""
    rng = np.random.default_rng(seed)
    codes = np.repeat([0, 1], 150)
    vectors = rng.normal(size=(300, 30)) * np.r_[6, 4, np.ones(28)]
    vectors[:, 7] += shift * codes
    return vectors, codes


def test_groups_that_can_be_told_apart_lie_apart_where_the_largest_variance_would_mix_them() -> None:
    vectors, codes = two_groups(4.0)
    found = group_plane(vectors, codes, 2, Bonds.of_documents(300), 0)
    assert found.axes == "groups"
    assert overlap(plane(vectors), codes) > 0.8
    assert overlap(found.points, codes) < 0.25
    assert found.points[codes == 0, 0].mean() < found.points[codes == 1, 0].mean()
    assert abs(np.corrcoef(found.points.T)[0, 1]) < 0.2


@pytest.mark.parametrize("n_groups", [2, 6])
def test_groups_that_do_not_differ_are_not_parted(n_groups: int) -> None:
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(240, 60))
    draws = [rng.permutation(np.arange(240) % n_groups) for _ in range(12)]
    found = [group_plane(vectors, codes, n_groups, Bonds.of_documents(240), 0) for codes in draws]
    apart = [overlap(one.points, codes) for one, codes in zip(found, draws, strict=True)]
    assert sum(one.axes == "groups" for one in found) <= 3
    assert min(apart) > 0.8
    assert np.mean(apart) > 0.95


def test_what_is_held_together_does_not_vouch_for_itself() -> None:
    """Sources with a direction of their own, dealt to groups at random: within a source one could tell the group."""
    rng = np.random.default_rng(2)
    sources = np.repeat(np.arange(12), 20)
    codes = rng.permutation(np.arange(12) % 2)[sources]
    vectors = rng.normal(size=(240, 40)) + 3 * rng.normal(size=(12, 40))[sources]
    alone = group_plane(vectors, codes, 2, Bonds.of_documents(240), 0)
    together = group_plane(vectors, codes, 2, Bonds(sources, np.arange(240)), 0)
    assert alone.points[codes == 1, 0].mean() - alone.points[codes == 0, 0].mean() > 0.5
    assert (
        together.axes == "content"
        or abs(together.points[codes == 1, 0].mean() - together.points[codes == 0, 0].mean()) < 0.5
    )


def test_several_groups_lie_apart_on_one_plane() -> None:
    rng = np.random.default_rng(3)
    codes = np.arange(300) % 3
    vectors = rng.normal(size=(300, 40)) + 3 * np.eye(3, 40)[codes]
    vectors[:, 20:22] *= 12
    found = group_plane(vectors, codes, 3, Bonds.of_documents(300), 0)
    assert found.axes == "groups"
    assert overlap(found.points, codes) < 0.3
    assert overlap(plane(vectors), codes) > 0.8


@pytest.mark.parametrize("codes", [[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 2, 3]])
def test_a_plane_of_a_few_documents_is_finite(codes: list[int]) -> None:
    vectors = np.arange(12.0).reshape(4, 3)
    found = group_plane(vectors, np.array(codes), max(codes) + 1, Bonds.of_documents(4), 0)
    assert found.points.shape == (4, 2)
    assert np.isfinite(found.points).all()
    same = group_plane(np.ones((4, 3)), np.array(codes), max(codes) + 1, Bonds(np.zeros(4, np.intp), np.arange(4)), 0)
    assert np.isfinite(same.points).all()


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csr_matrix])
def test_the_plane_of_sparse_vectors_is_that_of_dense_ones(kind):
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(30, 6)) * (rng.random((30, 6)) < 0.4)
    assert plane(kind(vectors)) == pytest.approx(plane(vectors), abs=1e-9)


def test_who_knows_what_is_held_constant_parts_nobody() -> None:
    """Groups that cover the years in another mix and do not differ within one."""
    found = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        year = np.repeat(np.arange(4), 50)
        codes = (rng.random(200) < np.array([0.2, 0.4, 0.6, 0.8])[year]).astype(np.intp)
        vectors = 2 * rng.normal(size=(4, 10))[year] + rng.normal(size=(200, 10))
        bonds = Bonds.of_documents(200)
        found.append([group_plane(vectors, codes, 2, bonds, 0, strata).axes == "groups" for strata in (None, year)])
    plain, equal = np.sum(found, axis=0)
    assert plain >= 10
    assert equal <= 2


def test_copies_elsewhere_do_not_vouch_for_a_document() -> None:
    """Stories printed by three outlets each, all in one group; outlets are held out together."""
    parted = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        stories = np.repeat(np.arange(40), 3)
        codes = rng.integers(0, 2, 40)[stories]
        vectors = rng.normal(size=(40, 20))[stories]
        bonds = Bonds(np.arange(120) % 9, stories * 3)
        parted += group_plane(vectors, codes, 2, bonds, 0).axes == "groups"
    assert parted <= 2


def test_small_groups_that_do_not_differ_are_seldom_parted() -> None:
    rng = np.random.default_rng(5)
    found = [
        group_plane(rng.normal(size=(12, 8)), rng.permutation(np.arange(12) % 2), 2, Bonds.of_documents(12), 0).axes
        for _ in range(60)
    ]
    assert found.count("groups") <= 6


def test_the_plane_of_many_sparse_columns_is_found_quickly() -> None:
    vectors = sparse.random(60, 20_000, 0.002, "csr", random_state=0)
    found = group_plane(vectors, np.arange(60) % 2, 2, Bonds.of_documents(60), 0)
    assert found.points.shape == (60, 2)
