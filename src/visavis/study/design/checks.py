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
from visavis.study.gold import fits

CLEAR = 0.75  # accuracy of a classifier below which people may fail the golds
MOST_PAIRS = 6  # of groups, so that golds are not all alike

Pair = tuple[int, int]


def make_checks(
    articles: Articles, plan: StudyPlan, rng: np.random.Generator
) -> tuple[tuple[GoldComparison, ...], tuple[str, ...]]:
    """`plan.checks` golds, and remarks on them."""
    codes, parts = articles.parts.codes, articles.parts
    need = 2 * plan.size + plan.documents
    groups = range(len(articles.names))
    fit = np.array([fits(text) for text in articles.texts])
    test, everything = (rows[fit[rows]] for rows in (parts.test, np.arange(len(codes))))
    held_out = all(np.count_nonzero(codes[test] == code) >= need for code in groups)
    rows = test if held_out else everything
    able = [code for code in groups if np.count_nonzero(codes[rows] == code) >= plan.size]
    pairs = list(combinations(able, 2))
    if not pairs:
        return (), ("no golds could be made, as the groups are too small: write them (--gold)",)
    experiment = PairExperiment(parts, plan)
    clear = {pair: experiment.ceiling(pair) for pair in pairs}
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


def _check(articles: Articles, pair: Pair, rows: Integers, plan: StudyPlan, rng: np.random.Generator) -> GoldComparison:
    """A gold on two groups; its documents are drawn at random."""
    codes = articles.parts.codes
    order = {code: rng.permutation(rows[codes[rows] == code]).tolist() for code in pair}
    groups = []
    for code, other in (pair, pair[::-1]):
        own, theirs = order[code], order[other]
        parts = (
            own[plan.size : plan.size + plan.documents] or own[: plan.documents],
            own[: plan.size],
            theirs[plan.size + plan.documents :][: plan.size] or theirs[: plan.size],
        )
        texts = (tuple(articles.texts[row] for row in part) for part in parts)
        groups.append(GoldGroup(articles.names[code], *texts))
    return GoldComparison(tuple(groups))
