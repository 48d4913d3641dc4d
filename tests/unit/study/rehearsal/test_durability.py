from __future__ import annotations

from pathlib import Path

from unit.study.crashes import check_nothing_lost, play_through_kills

KILLS, JUDGEMENTS = 2, 12  # the soak kills a hundred times


def test_kills_under_load_lose_no_acknowledged_judgement_and_double_none(tmp_path: Path) -> None:
    database, played = play_through_kills(tmp_path, KILLS, JUDGEMENTS, think=(0.02, 0.2), up=(0.3, 2.0))
    assert len(played.acknowledged) > 4 * KILLS
    assert check_nothing_lost(database, played.acknowledged, JUDGEMENTS) >= len(set(played.acknowledged))
