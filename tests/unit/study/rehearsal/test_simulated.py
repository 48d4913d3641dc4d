from __future__ import annotations

from dataclasses import replace

from unit.study import studies
from unit.study.papers_design import CROWD, play

pytest_plugins = ("unit.study.fixtures",)


def test_a_pair_of_the_papers_design_fills_exactly(where: str) -> None:
    crowd = replace(CROWD, workers=80, concurrency=12, double_click=0.2, late=0.2, think=(0.0, 0.2))
    store = studies.make_study(where, n_pairs=1)  # the soak plays all 21
    play(store, 1, crowd)
    store.close()
