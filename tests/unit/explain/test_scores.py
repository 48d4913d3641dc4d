from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import percentileofscore

from visavis.errors import OnlyOneGroup
from visavis.explain.scores import nearest_counts, nearest_picks, percentile, pick_scores, stands_for
from visavis.inputs import Grouped
from visavis.records import Compute, Points
from visavis.select import OBJECTIVES, pose
from visavis.select.methods import create_objective

NAMES = ("east", "north", "west")
GAMMA = 0.3
SIZES = (9, 7, 11)
SEQUENCE = (0, 9, 16, 4, 12, 20)  # two picks of each group, in rounds


def documents():
    rng = np.random.default_rng(5)
    codes = np.repeat(np.arange(3), SIZES)
    return (
        rng.normal(size=(len(codes), 4)) + 1.2 * rng.normal(size=(3, 4))[codes],
        codes,
        rng.uniform(0.5, 3, len(codes)),
    )


X, CODES, WEIGHTS = documents()
K = np.exp(-GAMMA * cdist(X, X, "sqeuclidean"))


def posed(codes=CODES, names=NAMES, **told):
    grouped = Grouped(np.array(names, dtype=object), codes)
    session = pose(Points.of(X, WEIGHTS), grouped, gamma=GAMMA, compute=Compute("float64"))
    return session.problem(**told)


def mean_with(row, groups):
    inside = np.isin(CODES, groups)
    return np.average(K[row, inside], weights=WEIGHTS[inside])


@pytest.fixture(scope="module")
def problem():
    return posed()


def test_coverage_discrimination_and_versus_are_differences_of_weighted_means(problem):
    for row, scores in zip(SEQUENCE, pick_scores(problem, SEQUENCE, NAMES), strict=True):
        own = CODES[row]
        others = [g for g in range(3) if g != own]
        assert scores.coverage == pytest.approx(mean_with(row, [own]), rel=1e-9)
        assert scores.discrimination == pytest.approx(mean_with(row, [own]) - mean_with(row, others), rel=1e-9)
        expected = {NAMES[g]: mean_with(row, [own]) - mean_with(row, [g]) for g in others}
        assert scores.versus == pytest.approx(expected, rel=1e-9)


def test_diversity_is_one_minus_the_mean_similarity_with_the_groups_other_picks(problem):
    sequence = [*SEQUENCE, 2]
    for row, scores in zip(sequence, pick_scores(problem, sequence, NAMES), strict=True):
        mates = [mate for mate in sequence if mate != row and CODES[mate] == CODES[row]]
        assert scores.diversity == pytest.approx(1 - K[row, mates].mean(), rel=1e-9)


def test_a_lone_pick_has_no_diversity(problem):
    assert [scores.diversity for scores in pick_scores(problem, [3, 10], NAMES)] == [None, None]


def test_every_document_belongs_to_the_nearest_pick_of_its_own_group(problem):
    nearest = nearest_picks(problem, SEQUENCE)
    for row in range(len(X)):
        own = [k for k, pick in enumerate(SEQUENCE) if CODES[pick] == CODES[row]]
        assert nearest[row] == max(own, key=lambda k: K[row, SEQUENCE[k]])


def test_documents_of_a_group_without_picks_belong_to_none(problem):
    nearest = nearest_picks(problem, [0, 9])
    assert set(nearest[CODES == 2]) == {-1}
    assert -1 not in nearest[CODES < 2]


def test_percentiles_are_mid_ranks_among_the_documents_of_the_group(problem):
    for row, scores in zip(SEQUENCE, pick_scores(problem, SEQUENCE, NAMES), strict=True):
        mates, others = np.flatnonzero(CODES[row] == CODES), [g for g in range(3) if g != CODES[row]]
        coverage = np.array([mean_with(mate, [CODES[row]]) for mate in mates])
        distinct = coverage - [mean_with(mate, others) for mate in mates]
        own = mates.tolist().index(row)
        assert scores.typical == pytest.approx(percentileofscore(coverage, coverage[own], "mean"))
        assert scores.distinct == pytest.approx(percentileofscore(distinct, distinct[own], "mean"))


def test_equal_scores_share_a_percentile_and_a_lone_document_has_none():
    values = np.array([0.5, 0.2, 0.5 + 1e-12, 0.9])
    assert percentile(values, 0) == percentile(values, 2) == 50.0
    assert percentile(values, 1) == 12.5
    assert percentile(values[:1], 0) is None


def test_without_other_groups_nothing_is_distinct_and_there_is_no_rest():
    with pytest.warns(OnlyOneGroup):
        alone = posed(np.zeros(len(X), int), ("all",))
    (scores,) = pick_scores(alone, [3], ("all",))
    assert scores.distinct is None
    assert 0 < scores.typical < 100
    inside, rest = stands_for(alone, [3])
    assert (inside.tolist(), rest) == ([1.0], None)


def test_of_all_picks_the_nearest_stands_for_a_document(problem):
    nearest = K[:, SEQUENCE].argmax(axis=1)
    inside, rest = stands_for(problem, SEQUENCE)
    for k, row in enumerate(SEQUENCE):
        assert inside[k] == pytest.approx(np.mean(nearest[CODES[row] == CODES] == k))
        assert rest[k] == pytest.approx(np.mean(nearest[CODES[row] != CODES] == k))


def test_all_picks_together_stand_for_every_document_of_every_group_once(problem):
    assert nearest_counts(problem, SEQUENCE).sum(axis=0).tolist() == list(SIZES)
    assert nearest_counts(problem, [0, 9]).sum(axis=0).tolist() == list(SIZES)  # a group without picks as well


def test_of_equally_near_picks_that_of_the_own_group_stands_for_a_document():
    vectors, codes = np.array([[0.0], [1.0], [0.0], [1.0]]), np.array([0, 0, 1, 1])
    same = pose(Points.of(vectors), Grouped(np.array(["a", "b"], dtype=object), codes), gamma=1.0).problem()
    inside, rest = stands_for(same, [0, 2])
    assert (inside.tolist(), rest.tolist()) == ([1.0, 1.0], [0.0, 0.0])


def test_owners_are_the_groups_of_the_picks(problem):
    assert problem.owners(SEQUENCE).tolist() == CODES[list(SEQUENCE)].tolist()


@pytest.mark.parametrize("name", list(OBJECTIVES))
def test_a_loss_is_the_value_less_the_value_without_the_pick(problem, name):
    objective = create_objective(name, {"contrast": 0.4, "sharpness": 8.0})
    whole = objective.trace(problem, SEQUENCE)[-1].sum()
    lost = objective.losses(problem, SEQUENCE)
    for k in range(len(SEQUENCE)):
        rest = [*SEQUENCE[:k], *SEQUENCE[k + 1 :]]
        reordered = rest[::-1]  # the value is of the set
        assert lost[k] == pytest.approx(whole - objective.trace(problem, reordered)[-1].sum(), rel=1e-9, abs=1e-12)
