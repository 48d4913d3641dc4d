from __future__ import annotations

from pathlib import Path

from unit.study import databases, studies
from unit.study.papers_design import N_PAIRS, play


def test_a_third_of_the_papers_design_fills_exactly_on_sqlite(tmp_path: Path) -> None:
    play(studies.make_study(tmp_path / "s.db", n_pairs=N_PAIRS // 3), N_PAIRS // 3)  # the soak plays it whole


def test_a_seventh_of_it_fills_exactly_on_postgresql() -> None:
    with databases.postgres() as url:
        store = studies.make_study(url, n_pairs=N_PAIRS // 7)
        play(store, N_PAIRS // 7)
        store.close()
