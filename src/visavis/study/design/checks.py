"""Gold comparisons made from the corpus: in one summary the groups stand as they are, in the other they are swapped.

They look like all other pages. Whether people can tell depends on how far the groups differ, so pairs of groups that a
classifier tells apart best are taken, and the documents are held out for golds alone where there are enough.
"""

from __future__ import annotations

from itertools import combinations, cycle, islice

import numpy as np

from visavis.records import Integers
from visavis.study.comparison_gold import GoldComparison, GoldGroup
from visavis.study.design.articles import Articles
from visavis.study.design.experiment import PairExperiment
from visavis.study.design.plan import StudyPlan
from visavis.study.gold import Leads, fits

CLEAR = 0.75  # accuracy of a classifier below which people may fail the golds
MOST_PAIRS = 6  # of groups, so that golds are not all alike
MOST_TRIED, MOST_DOCUMENTS = 60, 200  # pairs, and documents of a pair, by which a classifier is tried

Pair = tuple[int, int]


def make_checks(
    articles: Articles, plan: StudyPlan, leads: Leads, rng: np.random.Generator
) -> tuple[tuple[GoldComparison, ...], tuple[str, ...]]:
    """`plan.checks` golds of texts that have `leads` as all others do, and remarks on them."""
    codes, parts = articles.parts.codes, articles.parts
    need = 2 * plan.size + plan.documents
    groups = range(len(articles.names))
    fit = np.array([fits(text) and leads.allow(text) for text in articles.texts])
    test, everything = (rows[fit[rows]] for rows in (parts.test, np.arange(len(codes))))
    held_out = all(np.count_nonzero(codes[test] == code) >= need for code in groups)
    rows = test if held_out else everything
    able = [g for g in groups if np.count_nonzero(codes[rows] == g) >= max(plan.size, plan.documents)]
    every = list(combinations(able, 2))
    pairs = [every[place] for place in rng.permutation(len(every))[:MOST_TRIED].tolist()]
    if not pairs:
        return (), ("no golds could be made, as the groups are too small: write them (--gold)",)
    experiment = PairExperiment(parts, plan)
    clear = {pair: _how_clear(experiment, pair, rng) for pair in pairs}
    best = sorted(pairs, key=lambda pair: (-clear[pair], pair))[:MOST_PAIRS]
    made = tuple(_check(articles, pair, rows, plan, rng) for pair in islice(cycle(best), plan.checks))
    notes = []
    worst = min(clear[pair] for pair in best)
    if worst < CLEAR:
        notes.append(
            f"a classifier tells the groups of some golds apart in {100 * worst:.0f} % of cases only, so that people "
            "may fail them: look at the golds, or write your own (--gold)"
        )
    if not held_out:
        notes.append("the golds made from the corpus share documents with the comparisons, as the groups are small")
    return made, tuple(notes)


def _how_clear(experiment: PairExperiment, pair: Pair, rng: np.random.Generator) -> float:
    """How well a classifier that learned from some of the training part tells the groups apart."""
    parts = (experiment.parts.train, experiment.parts.test)
    learned, asked = (rng.permutation(experiment.rows(part, pair))[:MOST_DOCUMENTS] for part in parts)
    return experiment.accuracy("svm", learned, asked, pair)


def _check(articles: Articles, pair: Pair, rows: Integers, plan: StudyPlan, rng: np.random.Generator) -> GoldComparison:
    """A gold on two groups; its documents are drawn at random."""
    codes = articles.parts.codes
    order = {code: rng.permutation(rows[codes[rows] == code]).tolist() for code in pair}
    groups = []
    for code, other in (pair, pair[::-1]):
        parts = (
            _take(order[code], plan.size, plan.documents),
            _take(order[code], 0, plan.size),
            _take(order[other], plan.size + plan.documents, plan.size),
        )
        texts = (tuple(articles.texts[row] for row in part) for part in parts)
        groups.append(GoldGroup(articles.names[code], *texts))
    return GoldComparison(tuple(groups))


def _take(rows: list[int], start: int, count: int) -> list[int]:
    """`count` rows from a place on, beginning anew where there are no more."""
    return [rows[(start + step) % len(rows)] for step in range(count)]
