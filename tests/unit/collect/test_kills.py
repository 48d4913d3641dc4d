from __future__ import annotations

import json

from killing import killed, uninterrupted


def test_a_collection_that_is_killed_three_times_ends_as_if_it_were_not(tmp_path):
    calm, steps = uninterrupted(tmp_path, n=75, workers=4)
    corpus, struck, again = killed(tmp_path, n=75, workers=4, kills=3, steps=steps, seed=3)
    assert struck == 3
    assert corpus == calm
    assert again <= struck * 4
    assert len([json.loads(line) for line in corpus.splitlines()]) == 69  # 3 of 75 are gone, 3 are copies
