from __future__ import annotations

import json

from killing import killed, uninterrupted


def test_a_collection_that_is_killed_five_times_ends_as_if_it_were_not(tmp_path):
    calm, steps = uninterrupted(tmp_path, n=100, workers=4)
    corpus, struck, again = killed(tmp_path, n=100, workers=4, kills=5, steps=steps, seed=5)
    assert struck == 5
    assert corpus == calm
    assert again <= struck * 4
    assert len([json.loads(line) for line in corpus.splitlines()]) == 92  # 4 of 100 are gone, 4 are copies
