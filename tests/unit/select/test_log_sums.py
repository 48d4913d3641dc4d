"""The fused sums of logarithms: right, and the same to the last bit however candidates are divided among threads."""

from __future__ import annotations

import numpy as np
import pytest

from visavis.kernel.fused import FusedLogSums
from visavis.kernel.operations import LogSums, Sharpened
from visavis.kernel.threads import Scratch

N_DOCUMENTS, N_CANDIDATES = 900, 67


@pytest.mark.parametrize("n_groups", [2, 70])
@pytest.mark.parametrize("single", [True, False])
def test_the_division_of_candidates_does_not_show(n_groups, single):
    rng = np.random.default_rng(n_groups)
    weights = np.repeat(rng.random(n_groups), N_DOCUMENTS // n_groups + 1)[:N_DOCUMENTS]
    operation = LogSums(np.ones(N_DOCUMENTS), 3 * rng.random(N_DOCUMENTS), weights, Sharpened(8.0, 1.0, True, single))
    powers = np.asfortranarray(rng.random((N_CANDIDATES, N_DOCUMENTS)).astype(np.float32 if single else np.float64))
    sums = FusedLogSums(operation, Scratch())
    whole = sums(powers)
    exact = np.log(1 + operation.own * powers.astype(np.float64)) @ weights
    assert whole == pytest.approx(exact, rel=1e-6 if single else 1e-12)
    for size in (1, 7, 32, 66):
        parts = [sums(powers[start : start + size]) for start in range(0, N_CANDIDATES, size)]
        assert np.array_equal(np.concatenate(parts), whole)
