from __future__ import annotations

from threadpoolctl import threadpool_info

from visavis.kernel.threads import limited_to


def blas_threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_limits_that_overlap_hold_until_the_last_is_gone_and_no_longer():
    before = blas_threads()
    first, second = limited_to(1, "blas"), limited_to(1)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert blas_threads() == {1}
    second.__exit__(None, None, None)
    assert blas_threads() == before


def test_the_lowest_of_several_limits_holds():
    before = blas_threads()
    with limited_to(1, "blas"), limited_to(2, "blas"):
        assert blas_threads() == {1}
    assert blas_threads() == before
