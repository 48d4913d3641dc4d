"""Who is asked what: designs of any shape, played through."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from visavis.study.assignment import Cell, Sheet, choose_cells, met_by
from visavis.study.design.workload import second_methods, workload

METHODS = ("a", "b", "c", "d")


def papers_sheets() -> list[Sheet]:
    return [Sheet(n, n // 2, (3 * n, 3 * n + 1, 3 * n + 2)) for n in range(42)]


def test_no_worker_is_given_an_article_twice_even_across_pairs_and_under_one_method() -> None:
    sheets = {1: Sheet(1, 1, (1, 2, 3)), 2: Sheet(2, 2, (3, 4, 5)), 3: Sheet(3, 3, (6, 7, 8))}
    room = {Cell(1, "a"): 1, Cell(2, "a"): 1, Cell(3, "b"): 1}
    for seed in range(20):
        chosen = choose_cells(room, sheets, (), 3, random.Random(seed))
        assert len(chosen) == 2
        assert Cell(3, "b") in chosen
    assert choose_cells(room, sheets, [Cell(1, "a")], 3, random.Random(0)) == [Cell(3, "b")]


def test_a_second_method_on_a_pair_comes_only_where_nothing_else_is_left() -> None:
    sheets = {1: Sheet(1, 1, (1,)), 2: Sheet(2, 1, (2,)), 3: Sheet(3, 2, (3,))}
    room = {Cell(2, "a"): 1, Cell(2, "b"): 5, Cell(3, "b"): 1}
    before = [Cell(1, "a")]
    assert set(choose_cells(room, sheets, before, 2, random.Random(0))) == {Cell(2, "a"), Cell(3, "b")}
    assert choose_cells({Cell(2, "b"): 1}, sheets, before, 2, random.Random(0)) == [Cell(2, "b")]
    assert second_methods([*before, Cell(2, "b"), Cell(3, "b")], sheets) == 1


@st.composite
def designs(draw: st.DrawFn) -> tuple[dict[int, Sheet], int]:
    """Questionnaires whose articles are drawn from a small pool of each pair's groups, so that they repeat."""
    groups = draw(st.integers(2, 5))
    pairs = [(one, other) for one in range(groups) for other in range(one)]
    sheets = {}
    for place, pair in enumerate(pairs):
        pool = [100 * group + k for group in pair for k in range(draw(st.integers(3, 6)))]
        asked = draw(st.permutations(pool))[: 3 * draw(st.integers(1, 2))]
        for start in range(0, len(asked), 3):
            sheets[len(sheets)] = Sheet(len(sheets), place, tuple(asked[start : start + 3]))
    return sheets, draw(st.integers(1, 3))


@settings(max_examples=60, deadline=None)
@given(designs(), st.integers(0, 5))
def test_of_any_design_every_cell_fills_and_nobody_meets_an_article_twice(
    design: tuple[dict[int, Sheet], int], seed: int
) -> None:
    sheets, judgements = design
    rng = random.Random(seed)
    room = {Cell(number, method): judgements for number in sheets for method in METHODS}
    for _ in range(4 * sum(room.values())):
        given: list[Cell] = []
        for _ in range(rng.randint(1, 4)):
            chosen = choose_cells(room, sheets, given, 3, rng)
            for cell in chosen:
                clean = any(
                    left > 0 and met_by(given, sheets).allows(sheets[other.sheet])
                    and not met_by(given, sheets).clashes(sheets[other.sheet], other.method)
                    for other, left in room.items()
                )  # fmt: skip
                assert not (clean and met_by(given, sheets).clashes(sheets[cell.sheet], cell.method))
                room[cell] -= 1
                given.append(cell)
        met = [article for cell in given for article in sheets[cell.sheet].articles]
        assert len(met) == len(set(met))
        if not any(room.values()):
            break
    assert set(room.values()) == {0}


def test_the_workload_of_the_papers_design_is_played_through() -> None:
    found = workload(papers_sheets(), METHODS, 3, 8, 0)
    assert (found.questionnaires, found.least) == (504, 12)
    assert found.workers == 28  # 504 questionnaires, at most 6 units of 3 for each worker with 8 golds
    assert 0 < found.second_method <= 5
