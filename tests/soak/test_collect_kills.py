"""Part of `make soak`, which sets VISAVIS_SOAK=1: too long for every day."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unit" / "collect"))

from killing import killed, uninterrupted

pytestmark = pytest.mark.skipif(os.environ.get("VISAVIS_SOAK") != "1", reason="a soak test: run `make soak`")


def test_a_collection_that_is_killed_thirty_times_ends_as_if_it_were_not(tmp_path):
    calm, steps = uninterrupted(tmp_path, n=500, workers=8)
    corpus, struck, again = killed(tmp_path, n=500, workers=8, kills=30, steps=steps, seed=30)
    print(f"{struck} kills, {again} pages asked for again")
    assert struck == 30
    assert corpus == calm
    assert again <= struck * 8
