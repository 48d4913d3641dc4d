"""scikit-learn's checks of an estimator, walked in one test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.utils.estimator_checks import check_estimator

from walking import tell


def assert_passes_checks(estimator: Any, expected_failures: Mapping[str, str]) -> None:
    """Every check passes or does not apply; those that are expected to fail do fail."""
    results = check_estimator(estimator, expected_failed_checks=dict(expected_failures), on_skip=None, on_fail=None)
    tell(
        [(result["check_name"], result["exception"]) for result in results if result["status"] == "failed"],
        len(results),
    )
    expected = [result for result in results if result["expected_to_fail"]]
    assert {result["check_name"] for result in expected} == set(expected_failures)
    others = {result["check_name"]: result["status"] for result in expected if result["status"] != "xfail"}
    assert others == {}, "these no longer fail"
