from __future__ import annotations

from dataclasses import replace

from unit.study import studies
from unit.study.papers_design import CROWD, play

pytest_plugins = ("unit.study.fixtures",)


def test_two_pairs_of_the_papers_design_fill_exactly(where: str) -> None:
    crowd = replace(CROWD, workers=150, concurrency=12, double_click=0.2, late=0.2, think=(0.0, 0.1), away=2.8)
    store = studies.make_study(where, n_pairs=2)  # the soak plays all 21
    play(store, 2, crowd, speed=300.0)  # a lease passes in two seconds, and those who are late come after that
    store.close()
