"""What a report tells beside accuracy: chance, usefulness and difficulty, flags, and no simulated people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scipy.stats import binomtest

from visavis.corpus.errors import Unreadable
from visavis.errors import InvalidParameter
from visavis.study.analysis import Options, analyze
from visavis.study.analysis.files import read_judgements
from visavis.study.analysis.output import as_markdown, as_record
from visavis.study.records import COLUMNS, Judgement

PAIR = ("a", "b")


def judged(question: int, method: str, worker: int, right: bool = True, **more: object) -> Judgement:
    base = Judgement(
        f"q{question}", method, PAIR, f"w{worker}", "a" if right else "b", "a", 9.0, questionnaire=f"s{question // 3}"
    )
    return replace(base, **more)  # type: ignore[arg-type]


def study(good: int = 12, **more: object) -> list[Judgement]:
    """Twelve questions: most judges are right about all of them with x, about `good` of them with y."""
    return [
        judged(question, method, worker, worker < (2 if method == "x" or question < good else 1), **more)
        for question in range(12)
        for method in "xy"
        for worker in range(3)
    ]


def test_methods_are_compared_with_chance_question_by_question() -> None:
    found = analyze(study(good=6))
    x, y = found.readings[0].chance
    assert (x.method, x.wins, x.losses, x.ties) == ("x", 12, 0, 0)
    assert x.p == pytest.approx(binomtest(12, 12, alternative="greater").pvalue)
    assert (y.wins, y.losses, x.adjusted) == (6, 6, 2 * x.p)
    assert "answers are better than a coin with x (" in as_markdown(found)
    assert "; not clearly better than a coin with y." in as_markdown(found)
    assert as_record(found)["readings"][0]["chance"][1]["losses"] == 6


def test_usefulness_and_difficulty_are_analyzed_once_a_questionnaire_and_worker() -> None:
    records = [replace(one, usefulness=5 if one.method == "x" else 2 + (one.worker == "w0")) for one in study()]
    found = analyze(records)
    x, y = found.readings[0].ratings
    assert (x.scale, x.answers, x.mean, x.counts) == ("usefulness", 12, 5.0, (0, 0, 0, 0, 12))
    assert (y.answers, y.mean, y.counts) == (12, pytest.approx(7 / 3), (0, 8, 4, 0, 0))
    better, worse = found.readings[0].rating_tests
    assert (better.higher, better.wins, better.losses, better.adjusted) == ("x", 4, 0, pytest.approx(2 * 0.5**4))
    assert worse.p == 1
    assert "Usefulness, from 1 to 5, is on average x 5.00 and y 2.33." in as_markdown(found)
    assert "difficulty" not in as_markdown(found).lower()
    assert len(as_record(found)["readings"][0]["ratings"]) == 2


def test_ratings_and_flags_come_from_an_export(tmp_path: Path) -> None:
    table = tmp_path / "j.csv"
    row = {name: str(value) for name, value in judged(1, "x", 1).row().items()} | {"gold": "", "excluded": ""}
    head = [*COLUMNS, "usefulness", "difficulty", "flags"]
    table.write_text(
        "\n".join([",".join(head), ",".join([*(row[name] for name in COLUMNS), "4", "", "speed duplicate"])])
    )
    [one] = read_judgements(table)
    assert (one.usefulness, one.difficulty, one.flags) == (4, None, ("speed", "duplicate"))
    table.write_text(table.read_text().replace(",4,", ",6,"))
    with pytest.raises(Unreadable, match="usefulness must be a whole number from 1 to 5"):
        read_judgements(table)


def test_flags_are_counted_and_can_be_left_out() -> None:
    records = [replace(one, flags=("speed",)) if one.worker == "w2" else one for one in study()]
    found = analyze(records)
    [flag] = found.flags
    assert (flag.kind, flag.workers, flag.judgements, flag.correct) == ("speed", 1, 24, 0)
    assert flag.without == (("x", 1.0), ("y", 1.0))
    assert found.readings[0].methods[0].accuracy == pytest.approx(2 / 3)
    assert "Workers with a flag, who are counted above" in as_markdown(found)
    left = analyze(records, Options(leave_out=("speed",)))
    assert (left.readings[0].methods[0].accuracy, left.excluded, left.flags) == (1.0, 24, ())
    with pytest.raises(InvalidParameter, match="no flag 'sped' to leave out: flags are speed, duplicate"):
        analyze(records, Options(leave_out=("sped",)))


@pytest.mark.parametrize("how", [{"machine": "rehearsal"}, {"flags": ("rehearsal",)}])
def test_simulated_workers_never_become_people(how: dict[str, object]) -> None:
    simulated = [replace(one, worker=f"sim {one.worker}", **how) for one in study(good=0)]
    alone, mixed, people = analyze(simulated), analyze([*simulated, *study()]), analyze(study())
    assert mixed.readings == people.readings
    assert mixed.machines == ()
    assert "72 answers of simulated workers are left out: they are no people" in mixed.notes
    assert alone.machine == "rehearsal"
    assert "Simulated workers, who are no people, gave 72 judgements" in as_markdown(alone)
    assert "3 people" not in as_markdown(alone)


def test_a_study_of_two_groups_gets_intervals_that_hold_for_them_alone() -> None:
    found = analyze(study())
    assert all(method.interval is not None for method in found.readings[0].methods)
    assert "nothing can be said about other pairs" in as_markdown(found)
