"""The script that chooses anew, held equal to the engine restricted to the same candidates."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from typing import Any

import numpy as np
import pytest

from unit.report.shortlists import Untold
from visavis.comparing import shortlist
from visavis.comparing.session import DocumentSession, pose
from visavis.comparing.shortlist import make_shortlist
from visavis.records import Compute, Document, Points
from visavis.report.html.live import as_record
from visavis.select.methods import create_objective
from visavis.select.search import Request, Selection, select

CONTRASTS = (0.0, 0.3, 0.6, 0.95)
KERNELS = ("rbf", "rbf", "rbf", "cosine", "linear")
ASK = """(asked) => asked.map(([live, settings]) =>
    settings.map((one) => visavisReselect.reselect(visavisReselect.decode(live), one)))"""


def random_session(rng: np.random.Generator) -> DocumentSession:
    """Groups of few or many documents; some with copies and ties, stories, origins, weights, and some forbidden."""
    n_groups = int(rng.integers(1, 5))
    codes = np.sort(rng.permutation(np.arange(int(rng.integers(20, 90)) * n_groups) % n_groups))
    n = len(codes)
    coarse = rng.random() < 0.4
    vectors = rng.normal(size=(n, 3)) + 0.7 * rng.normal(size=(n_groups, 3))[codes]
    points = Points.of(np.round(vectors) if coarse else vectors, rng.choice([1.0, 2.0, 3.5], n))
    stories = rng.integers(0, n // 2, n) if rng.random() < 0.5 else np.arange(n)
    points = replace(points, stories=stories, origins=rng.integers(0, 6, n) if rng.random() < 0.3 else None)
    return pose(
        points, tuple("abcd"[:n_groups]), codes,
        documents=[Document(id=str(k)) for k in range(n)], texts=[""] * n, candidates=rng.random(n) < 0.9,
        kernel=str(rng.choice(KERNELS)), compute=Compute("float32", 1),
    )  # fmt: skip


def ask_engine(
    session: DocumentSession, contrast: float, size: int, pins: list[int], bans: list[int], allowed: Any = None
) -> list[list[int]]:
    """Rows picked of each group by mmd-diff-greedy, as many as there are."""
    may = session.candidates if allowed is None else allowed & session.candidates
    may = may.copy()
    may[bans] = False
    room = session.problem(allowed=may, pinned=pins).room()
    counts = np.bincount(session.codes[pins], minlength=len(room))
    sizes = tuple(int(max(min(size, most), pinned)) for most, pinned in zip(room, counts, strict=True))
    request = Request("mmd-diff-greedy", {"contrast": contrast}, size=sizes, pins=tuple(pins), allowed=may)
    found = select(session, request)
    return [found.rows[found.owner == group].tolist() for group in range(len(room))]


def make_problem(seed: int) -> tuple[DocumentSession, Any, list[dict[str, Any]]]:
    """A session, its shortlist, and settings to ask for."""
    rng = np.random.default_rng(seed)
    session = random_session(rng)
    picks: Selection = select(session, Request("mmd-diff-greedy", {"contrast": 0.37}, size=2))
    short = make_shortlist(session, picks, Untold())
    assert short is not None
    groups = [candidate.group for candidate in short.candidates]
    settings = []
    for _ in range(5):
        odd = rng.permutation(len(groups))[: int(rng.integers(0, 7))].tolist()
        keep = int(rng.integers(0, len(odd) + 1))
        contrast = float(rng.choice(CONTRASTS) if rng.random() < 0.6 else rng.uniform(0, 0.95))
        settings.append(
            {"contrast": contrast, "sizes": int(rng.integers(1, 17)), "pins": odd[:keep], "bans": odd[keep:]}
        )
    settings += [{"contrast": c, "sizes": 5, "pins": [], "bans": []} for c in (0.0, 0.37, 0.95)]
    return session, short, settings


@pytest.fixture(scope="module")
def answers(browser: Any) -> list[tuple[DocumentSession, Any, dict[str, Any], dict[str, Any]]]:
    """Session, shortlist, setting and what the script found, for many random problems asked on one page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shortlist, "_count", lambda *_: 24)
        patch.setattr(shortlist, "CONTRASTS", CONTRASTS)
        problems = [make_problem(seed) for seed in range(24)]
    page = browser.new_page()
    script = resources.files("visavis.report.html").joinpath("reselect.js").read_text()
    page.add_script_tag(content=script)
    found = page.evaluate(ASK, [[as_record(short), settings] for _, short, settings in problems])
    page.close()
    return [
        (session, short, setting, answer)
        for (session, short, settings), answered in zip(problems, found, strict=True)
        for setting, answer in zip(settings, answered, strict=True)
    ]


def rows(short: Any, numbers: list[int]) -> list[int]:
    return [short.candidates[number].row for number in numbers]


def test_it_picks_what_the_engine_picks_among_the_same_candidates(answers: list[Any]) -> None:
    for session, short, setting, answer in answers:
        allowed = np.zeros(len(session.codes), np.bool_)
        allowed[[candidate.row for candidate in short.candidates]] = True
        pins, bans = rows(short, setting["pins"]), rows(short, setting["bans"])
        expected = ask_engine(session, setting["contrast"], setting["sizes"], pins, bans, allowed)
        assert [rows(short, picks) for picks in answer["picks"]] == expected, setting


def test_what_may_not_lie_outside_is_what_the_engine_picks_among_all_documents(answers: list[Any]) -> None:
    sure = unsure = away = 0
    for session, short, setting, answer in answers:
        pins, bans = rows(short, setting["pins"]), rows(short, setting["bans"])
        expected = ask_engine(session, setting["contrast"], setting["sizes"], pins, bans)
        for picks, doubts, right in zip(answer["picks"], answer["mayLieOutside"], expected, strict=True):
            certain = doubts.index(True) if True in doubts else len(doubts)
            assert rows(short, picks)[:certain] == right[:certain], setting
            sure, unsure = sure + certain, unsure + len(doubts) - certain
            away += rows(short, picks) != right
    assert away > 20
    assert sure > unsure


def test_at_the_stored_contrasts_nothing_lies_outside_while_nothing_is_pinned_or_banned(answers: list[Any]) -> None:
    walked = 0
    for _, short, setting, answer in answers:
        if setting["contrast"] in short.contrasts and not setting["pins"] and not setting["bans"]:
            for group, doubts in zip(short.groups, answer["mayLieOutside"], strict=True):
                known = group.paths[short.contrasts.index(setting["contrast"])] >= 0 if group.n_outside else []
                assert not any(doubts[: sum(known)])
                walked += sum(known)
    assert walked > 100


def test_gains_add_up_to_the_value_of_the_picks(answers: list[Any]) -> None:
    for session, short, setting, answer in answers[::9]:
        picks, problem = answer["picks"], session.problem()
        place = {int(row): at for at, row in enumerate(session.part_order())}
        sequence = [place[row] for numbers in picks for row in rows(short, numbers)]
        value = create_objective("mmd-diff", {"contrast": setting["contrast"]}).trace(problem, sequence)[-1]
        assert [sum(gains) for gains in answer["gains"]] == pytest.approx(value.tolist(), abs=1e-5)
