from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from unit.study.comparing import METHODS, make_comparisons
from visavis.errors import InvalidParameter
from visavis.study.app.options import ServeOptions
from visavis.study.app.server import check_asked
from visavis.study.rehearsal.crowd import Crowd
from visavis.study.rehearsal.run import rehearse
from visavis.study.store import open_store
from visavis.study.store.comparisons import preferences


def test_a_rehearsed_study_of_preferences_is_complete_and_says_what_its_workers_were_told(tmp_path: Path) -> None:
    store = make_comparisons(tmp_path / "s.db", sets=2)
    crowd = Crowd(workers=20, accuracy=1.0, concurrency=4, double_click=0.3)
    found = rehearse(store, crowd, out=tmp_path / "r.db")
    assert (found.counted, found.needed, found.log.failures) == (18, 18, [])
    assert preferences(store) == []  # the study itself is left alone
    rehearsed = open_store(tmp_path / "r.db")
    answers = [one for one in preferences(rehearsed) if not one.gold and not one.excluded]
    assert set(Counter(one.comparison for one in answers).values()) == {3}
    assert all(METHODS.index(one.chosen) == min(map(METHODS.index, one.methods)) for one in answers)
    rehearsed.close()


def test_scales_of_questionnaires_are_refused_where_there_are_none(tmp_path: Path) -> None:
    store = make_comparisons(tmp_path / "s.db", sets=1)
    check_asked(store, ServeOptions())
    with pytest.raises(InvalidParameter, match="this study compares summaries"):
        check_asked(store, ServeOptions(ask=("usefulness",)))
