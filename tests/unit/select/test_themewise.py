"""Picks that tell theme after theme, by words; where there are none, picks are exchanged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from visavis.errors import InvalidParameter
from visavis.inputs import check_groups
from visavis.records import Points
from visavis.select import Request, pose, select
from visavis.select.methods import METHODS
from visavis.select.optimizers import themes
from visavis.select.untold import FARTHEST, FEWEST_FARTHEST, ONE_THEME, SAME_WORDS, Untold, views_of
from visavis.shared.ranks import mid_ranks, with_beside

THEMES = ("flood", "harbor", "school", "strike")
SHARED = ("city", "council")


def corpus(each=12, seed=3):
    """Two groups, each of four themes, the first twice as large; every theme has words and a direction of its own."""
    rng = np.random.default_rng(seed)
    vectors, words, groups, told = [], [], [], []
    for group in range(2):
        for number, theme in enumerate(THEMES):
            for n in range(each * (2 if number == 0 else 1)):
                direction = np.zeros(9)
                direction[4 * group + number] = 1.0
                vectors.append(direction + rng.normal(0, 0.15, 9))
                own = {f"{theme}{group}{k}": 1.0 for k in rng.choice(6, 4, replace=False)}
                words.append({**own, SHARED[n % 2]: 0.5})
                groups.append(group)
                told.append((group, theme))
    return np.array(vectors), matrix(words), np.array(groups), told


def matrix(rows):
    known = sorted({word for row in rows for word in row})
    dense = np.array([[row.get(word, 0.0) for word in known] for row in rows])
    return sparse.csr_matrix(dense / np.linalg.norm(dense, axis=1, keepdims=True))


def session_of(vectors, groups, words=None, worth=None):
    return pose(replace(Points.of(vectors), words=words, beside_words=worth), check_groups(groups, len(groups)))


def picks(session, size=4, method="softmin-themes", **options):
    return select(session, Request(method=method, size=size, **options)).rows.tolist()


def are_exchanged(session, size):
    """Whether picks are those of the same objective, from the same start, by swaps alone."""
    exchange, contrast = replace(METHODS["softmin-themes"], optimizer="exchange"), {"contrast": 0.6}
    return picks(session, size, parameters=contrast) == picks(session, size, exchange, parameters=contrast)


def test_every_theme_is_told_once_though_one_is_larger():
    vectors, words, groups, told = corpus()
    found = picks(session_of(vectors, groups, words))
    assert sorted(told[row] for row in found) == sorted({*told})


def test_where_all_are_on_a_theme_that_is_told_the_farthest_are_looked_at():
    vectors, words, groups, told = corpus()
    problem = session_of(vectors, groups, words).problem()
    untold, own = Untold(problem, 0.6), np.flatnonzero(groups == 0)
    pick = int(own[0])
    same = np.array([told[row] == told[pick] for row in own])
    found = untold.apart([pick], same)  # nobody else may be picked
    near = views_of(problem).near(pick, problem)
    nearness = np.maximum(near.theme / ONE_THEME, near.words / SAME_WORDS)
    at_most = np.sort(nearness[same])[max(FEWEST_FARTHEST, int(FARTHEST * same.sum())) - 1]
    assert not np.any(found & ~same)
    assert np.array_equal(found, same & (nearness <= at_most))
    few = np.zeros_like(same)
    few[np.flatnonzero(same)[:5]] = True
    assert untold.apart([pick], few).sum() == FEWEST_FARTHEST


def test_of_documents_that_tell_as_much_the_more_typical_is_picked():
    vectors, words, groups, _ = corpus()
    problem = session_of(vectors, groups, words).problem()
    middle = [problem.similarity_sums()[row, groups[row]] for row in range(len(groups))]
    plain, typical = (picks(session_of(vectors, groups, words), method=m) for m in ("softmin+themes", "softmin-themes"))
    assert sum(middle[row] for row in typical) > sum(middle[row] for row in plain)


def test_where_there_are_no_words_picks_are_exchanged():
    vectors, words, groups, _ = corpus()
    session = session_of(vectors, groups)
    assert are_exchanged(session, size=3)
    assert not are_exchanged(session_of(vectors, groups, words), size=3)


def test_a_document_with_few_of_its_groups_words_is_not_picked_wherever_its_vector_lies():
    vectors, words, groups, _ = corpus()
    odd = np.zeros(words.shape[1] + 1)
    odd[-1] = 1.0  # a word that nobody else has
    wide = sparse.hstack([words, sparse.csr_matrix((len(groups), 1))]).tolil()
    middle = int(np.argmin(np.linalg.norm(vectors - vectors[groups == 0][:24].mean(axis=0), axis=1)))
    wide[middle] = odd
    assert middle not in picks(session_of(vectors, groups, wide.tocsr()))


def test_what_is_told_is_the_formula():
    vectors, words, groups, _ = corpus()
    problem = session_of(vectors, groups, words).problem()
    untold, pick = Untold(problem, 0.6), 5
    dense, themes_ = words.toarray(), views_of(problem).themes
    alike = np.clip(themes_ @ themes_[pick], 0, 1)
    inside = groups == 0  # the session keeps rows that are sorted by group already
    signed = np.where(inside, 1 / inside.sum(), -0.8 / (~inside).sum()) * (1 - np.sqrt(alike))
    plain = np.where(inside, 1 / inside.sum(), -0.8 / (~inside).sum())
    first = dense[inside] @ np.sqrt(np.maximum(plain @ dense, 0))
    left = dense[inside] @ np.sqrt(np.maximum(signed @ dense, 0)) * (1 - alike[inside])
    assert untold.told(0, []) == pytest.approx(first)
    assert untold.told(0, [pick]) == pytest.approx(left * np.sqrt(first / first.max()))


def test_picks_are_on_themes_of_their_own_where_there_are_enough():
    vectors, words, groups, _ = corpus()
    session = session_of(vectors, groups, words)
    found, problem = picks(session), session.problem()
    for group in (0, 1):
        own = [row for row in found if groups[row] == group]
        cosines = views_of(problem).themes[own] @ views_of(problem).themes[own].T
        shared = (words[own] @ words[own].T).toarray()
        apart = ~np.eye(len(own), dtype=bool)
        assert cosines[apart].max() < ONE_THEME
        assert shared[apart].max() < SAME_WORDS
    assert len(set(picks(session, size=8))) == 16  # more than there are themes


def test_without_emphasis_the_objective_decides():
    vectors, words, groups, _ = corpus()
    session = session_of(vectors, groups, words)
    told, alone = (
        select(session, Request(method="softmin-themes", size=4, parameters={"emphasis": weight, "sharpness": 8.0}))
        for weight in (5.0, 0.0)
    )
    assert alone.values.sum() >= told.values.sum()


def test_where_documents_were_weighed_those_worth_more_are_picked_on_the_same_themes():
    vectors, words, groups, told = corpus()
    rng = np.random.default_rng(8)
    worth = rng.permutation(len(groups)) / len(groups)
    unweighed, weighed = picks(session_of(vectors, groups, words)), picks(session_of(vectors, groups, words, worth))
    assert worth[weighed].mean() > worth[unweighed].mean() + 0.1
    assert sorted(told[row] for row in weighed) == sorted({*told})
    nothing = picks(session_of(vectors, groups, words, worth), parameters={"worth": 0.0})
    assert worth[nothing].mean() < worth[weighed].mean()


def test_worth_is_a_rank_by_words_less_those_of_the_others_and_by_what_counts_beside_alike_for_the_best():
    vectors, words, groups, _ = corpus()
    rng = np.random.default_rng(5)
    beside, mixed = rng.uniform(0, 0.8, len(groups)), rng.permutation(len(groups))  # groups do not lie together
    vectors, words, groups, beside = vectors[mixed], words[mixed], groups[mixed], beside[mixed]
    problem = session_of(vectors, groups, words, beside).problem()
    for contrast in (0.0, 0.6):
        mean, others = (np.asarray(words[groups == group].mean(axis=0)).ravel() for group in (0, 1))
        told = words[groups == 0] @ np.maximum(mean - contrast * others, 0.0)
        expected = np.minimum(mid_ranks(with_beside(told, beside[groups == 0])) / 0.85, 1.0)
        assert Untold(problem, contrast).worth(0) == pytest.approx(expected)
        assert np.mean(expected == 1.0) == pytest.approx(0.15, abs=0.05)
    assert Untold(session_of(vectors, groups, words).problem(), 0.6).worth(0) is None


def test_what_counts_beside_words_stays_with_its_document():
    vectors, words, groups, _ = corpus()
    points = replace(Points.of(vectors), words=words, beside_words=np.arange(len(groups)) / len(groups))
    some = np.array([7, 3, 50, 12])
    assert points.take(some).beside_words == pytest.approx(some / len(groups))
    assert points.of_rows(some).beside_words == pytest.approx(some / len(groups))
    cells = np.arange(len(groups)) % 3
    session = pose(points, check_groups(groups, len(groups)), cells=cells)
    assert session.problem(part=(1,)).beside_words == pytest.approx(np.flatnonzero(cells == 1) / len(groups))


def test_without_worth_picks_are_what_they_are_where_nothing_was_weighed():
    vectors, words, groups, _ = corpus(each=20, seed=9)
    noisy = vectors + np.random.default_rng(2).normal(0, 0.4, vectors.shape)  # so that emphasis and objective disagree
    worth = np.random.default_rng(8).uniform(0, 0.8, len(groups))
    unweighed, weighed = session_of(noisy, groups, words), session_of(noisy, groups, words, worth)
    assert picks(weighed, parameters={"worth": 0.0}) == picks(unweighed)
    assert picks(weighed) != picks(unweighed)


def test_pins_stay_bans_are_kept_and_a_budget_is_divided():
    vectors, words, groups, _ = corpus()
    session = session_of(vectors, groups, words)
    usual = picks(session)
    assert usual[0] not in picks(session, bans=(usual[0],))
    assert {7, 30} <= set(picks(session, pins=(7, 30)))
    assert len(select(session, Request(method="softmin-themes", budget=5)).rows) == 5


def test_only_the_most_telling_are_tried_where_documents_are_many(monkeypatch):
    vectors, words, groups, _ = corpus(each=40)
    monkeypatch.setattr(themes, "LEADING", 60)
    session = session_of(vectors, groups, words)
    problem = session.problem()
    tried = themes.leading(Untold(problem, 0.6), problem, 4)
    assert [int(tried[groups == group].sum()) for group in (0, 1)] == [60, 60]
    found = picks(session)
    assert set(found) <= set(np.flatnonzero(tried).tolist())


@pytest.mark.parametrize("parameter", [{"emphasis": -1}, {"contrast": -0.5}, {"emphasis": "much"}, {"worth": -1}])
def test_parameters_are_checked(parameter):
    vectors, words, groups, _ = corpus()
    with pytest.raises(InvalidParameter, match=next(iter(parameter))):
        picks(session_of(vectors, groups, words), parameters=parameter)


def test_among_very_many_documents_picks_are_exchanged(monkeypatch):
    vectors, words, groups, _ = corpus()
    monkeypatch.setattr(themes, "MANY", 50)
    session = session_of(vectors, groups, words)
    assert are_exchanged(session, size=4)


def test_a_large_story_leaves_room_for_others_among_the_leading(monkeypatch):
    vectors, words, groups, _ = corpus()
    monkeypatch.setattr(themes, "LEADING", 12)
    stories = np.arange(len(groups))
    most = np.argsort(-Untold(session_of(vectors, groups, words).problem(), 0.6).first(0))[:40]
    stories[most] = most.min()
    points = replace(Points.of(vectors), words=words, stories=stories)
    found = select(pose(points, check_groups(groups, len(groups))), Request(method="softmin-themes", size=3))
    assert len({stories[row] for row in found.rows if groups[row] == 0}) == 3


def test_very_wide_vectors_are_exchanged():
    vectors, words, groups, _ = corpus()
    wide = np.hstack([vectors, np.zeros((len(vectors), themes.WIDE))])
    session = session_of(wide, groups, words)
    assert are_exchanged(session, size=2)
