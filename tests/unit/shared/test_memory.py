"""Sizes as people write them, and what a budget leaves."""

import pytest

from visavis.errors import InvalidParameter
from visavis.records import Compute
from visavis.select.budget import needed, within
from visavis.shared.memory import check_memory, in_use, written


@pytest.mark.parametrize(
    ("told", "found"),
    [("4GB", 4 * 10**9), ("500 mb", 5 * 10**8), ("1.5GB", 15 * 10**8), (2 * 10**9, 2 * 10**9), (None, None)],
)
def test_sizes_are_read(told, found):
    assert check_memory(told) == found


@pytest.mark.parametrize("told", ["4", "4 G", "lots", "-1GB", True, 1.5, "10MB", 1000])
def test_what_is_no_size_is_refused_by_name(told):
    with pytest.raises(InvalidParameter, match="memory"):
        check_memory(told)


def test_sizes_are_written_as_people_write_them():
    assert [written(1_340_000_000), written(640_000_000)] == ["1.3 GB", "640 MB"]


def test_without_a_budget_nothing_changes():
    assert within(Compute(), None, 10**15, 10) == Compute()


def test_what_a_budget_leaves_may_be_kept():
    found = within(Compute(), in_use() + 10**9, 0, 10)
    assert found.memory_mb in (256, 512)  # a power of two, of the 953 that are left


def test_what_cannot_fit_is_refused_with_both_numbers():
    with pytest.raises(
        InvalidParameter, match=r"memory=100 MB does not hold 7 documents: .* [MG]B are in use .* 2\.0 GB"
    ):
        within(Compute(), 10**8, 2 * 10**9, 7)


def test_a_million_documents_fit_two_gigabytes():
    vectors = 1_000_000 * 100 * 4
    assert vectors + needed(1_000_000, 100, 2, 8) < 2 * 10**9
