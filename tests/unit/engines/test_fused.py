"""The fused kernels: by Triton's interpreter on the CPU, and on a card where there is one."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed")
CARD = torch.cuda.is_available() and torch.cuda.get_device_capability() >= (9, 0)

CHECK = """
import numpy as np, torch
from visavis.engines.card.fused import Launch, fused_sums
from visavis.engines.card.log_sums import log_sums
from visavis.engines.card.rows import ScaledRows
from visavis.engines.card.sums import sort_columns
from visavis.kernel.operations import LogSums, Sharpened

rng = np.random.default_rng(0)
n, device = {n}, {device!r}
X = rng.normal(size=(n, 20)).astype(np.float32)
weights = np.zeros((n, 2))
weights[np.arange(n), rng.integers(0, 2, n)] = rng.random(n) + 0.1
for gamma, inside in ((0.02, False), (2.0, True)):
    center = X.mean(axis=0, dtype=np.float64)
    rows = ScaledRows(torch.as_tensor(X).to(device), center, gamma, "float32")
    exact = np.exp(-gamma * ((X[:, None].astype(float) - X[None]) ** 2).sum(axis=2)) @ weights
    for split, close in ((False, 2e-2 if inside else 1e-3), (True, 2e-5 if inside else 2e-6)):
        found = fused_sums(rows, sort_columns(weights), split=split, launch=Launch(span=1)).cpu().numpy()
        assert np.abs(found / exact - 1).max() < close, (gamma, split, np.abs(found / exact - 1).max())
powers = torch.as_tensor(np.exp(rng.random((19, 300))), device=device)
rest, own, v = (torch.as_tensor(one, device=device) for one in rng.random((3, 300)) + 0.1)
operation = LogSums(rest, own, v, Sharpened(1.0, 1.0, powers=False, single=False))
found = log_sums(operation, powers, slice(0, 300))
assert torch.allclose(found, torch.log(rest + own * powers) @ v)
"""


def run(n: int, device: str, **env: str) -> None:
    code = CHECK.format(n=n, device=device)
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **env}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_fused_sums_are_right_by_the_interpreter():
    run(200, "cpu", TRITON_INTERPRET="1")


@pytest.mark.skipif(not CARD, reason="there is no card that fused kernels are written for")
def test_fused_sums_are_right_on_a_card():
    run(1000, "cuda")


@pytest.mark.skipif(not CARD, reason="there is no card that fused kernels are written for")
def test_picks_on_a_card_are_those_of_float64():
    from visavis.engines import LocalEngine
    from visavis.engines.card import CardEngine
    from visavis.inputs import Grouped
    from visavis.records import Compute, Points
    from visavis.select import Request, pose, select

    rng = np.random.default_rng(1)
    X, codes = rng.normal(size=(20_000, 32)).astype(np.float32), np.arange(20_000) % 2
    found = []
    for engine in (CardEngine(Compute()), LocalEngine(Compute("float64"))):
        grouped = Grouped(np.array(["a", "b"], dtype=object), codes)
        session = pose(Points.of(X), grouped, gamma=0.02, engine=engine, compute=Compute("float64"))
        found.append(select(session, Request(method="mmd-diff-greedy", size=8)).sequence)
    assert found[0] == found[1]
