"""From a corpus to a study: one split, the pairs people can tell apart, summaries, questions, questionnaires."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from visavis._version import __version__
from visavis.errors import InvalidParameter, TooFewDocuments
from visavis.records import Integers
from visavis.shared.progress import Progress, silent
from visavis.study.assignment import Sheet
from visavis.study.classifiers import CLASSIFIERS
from visavis.study.design.articles import Articles, prepare_articles
from visavis.study.design.experiment import PairExperiment, Picks, best_pairs
from visavis.study.design.giveaways import HOW, count_giveaways
from visavis.study.design.plan import StudyPlan
from visavis.study.design.power import EXPECTED, MOST, power
from visavis.study.design.workload import workload
from visavis.study.gold import Gold, Look, Text, leads_of
from visavis.study.masking import masks_of
from visavis.study.names import GroupNames
from visavis.study.shape import FEWEST_GOLDS, PER_SHEET

Pair = tuple[int, int]
OF_EACH = 2  # test articles that each group of a pair has at least, in a balanced study


@dataclass(frozen=True, eq=False)
class StudyDesign:
    """A whole study before it is stored. `asked` holds the rows of each pair's test articles, a tuple per sheet."""

    plan: StudyPlan
    id: str
    articles: Articles
    picks: dict[tuple[Pair, str], Picks]
    asked: dict[Pair, tuple[tuple[int, ...], ...]]
    automatic: tuple[tuple[Pair, str, str, str, float], ...]
    golds: tuple[Gold, ...]
    report: dict[str, Any]

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The questionnaires, numbered from 1, with the rows of their articles."""
        numbered = [(place, rows) for place, pair in enumerate(self.asked, 1) for rows in self.asked[pair]]
        return tuple(Sheet(number, pair, rows) for number, (pair, rows) in enumerate(numbered, 1))


def design_study(
    source: Any, plan: StudyPlan, golds: Sequence[Gold] = (), *, progress: Progress | None = None
) -> StudyDesign:
    """Design a study from a corpus. Raises VisavisError for anything the caller can put right."""
    tell = progress or silent
    if golds and len(golds) < FEWEST_GOLDS and not plan.few_golds:
        raise InvalidParameter(
            f"{len(golds)} gold questionnaires are too few to judge a worker by: write at least {FEWEST_GOLDS}, "
            "or say --few-golds"
        )
    articles = prepare_articles(source, plan, tell)
    if len(articles.names) < 2:
        raise InvalidParameter(f"there is one group only, {articles.names[0]!r}: a study needs two to tell apart")
    experiment = PairExperiment(articles.parts, plan)
    tell("picking for every pair")
    picks = _all_picks(experiment, articles, plan, tell)
    pairs = _pairs(picks, articles, plan)
    tell("choosing questions")
    asked = all_questions(experiment, pairs, plan)
    automatic = _automatic(experiment, pairs, picks, asked, plan)
    kept = {key: value for key, value in picks.items() if key[0] in asked}
    found = StudyDesign(plan, uuid.uuid4().hex, articles, kept, asked, automatic, (), {})
    found = replace(found, golds=_as_shown(golds, found))
    return replace(found, report=_report(found, len(picks) // len(plan.methods)))


def _all_picks(
    experiment: PairExperiment, articles: Articles, plan: StudyPlan, tell: Progress
) -> dict[tuple[Pair, str], Picks]:
    codes, parts = articles.parts.codes, articles.parts
    trained = np.bincount(codes[parts.train], minlength=len(articles.names))
    tested = np.bincount(codes[parts.test], minlength=len(articles.names))
    able = [g for g in range(len(articles.names)) if trained[g] >= plan.size and tested[g] >= _least(plan)]
    pairs = [p for p in combinations(able, 2) if tested[list(p)].sum() >= plan.questions]
    if not pairs:
        raise TooFewDocuments(
            f"no pair of groups has {plan.size} training and {_least(plan)} test articles in each group and "
            f"{plan.questions} test articles in all: make groups larger, or lower size or questions"
        )
    found = {}
    for number, pair in enumerate(pairs, 1):
        tell(f"picking for pair {number} of {len(pairs)}")
        for method in plan.methods:
            found[pair, method] = experiment.picks(method, pair)
    return found


def _least(plan: StudyPlan) -> int:
    return min(OF_EACH, plan.questions // 2) if plan.sampling == "balanced" else 1


def _pairs(picks: dict[tuple[Pair, str], Picks], articles: Articles, plan: StudyPlan) -> tuple[Pair, ...]:
    """The union of each method's best pairs; a pair for which a method missed a group cannot be asked about."""
    whole = {pair for pair, _ in picks} - {
        pair for (pair, _), found in picks.items() if not all(len(rows) for rows in found.rows.values())
    }
    scores = {method: {pair: picks[pair, method].accuracy["svm"] for pair in sorted(whole)} for method in plan.methods}
    pairs = best_pairs(scores, plan.top, plan.min_accuracy)
    if not pairs:
        best = max((score for of in scores.values() for score in of.values()), default=0.0)
        raise InvalidParameter(
            f"no pair of the {len(articles.names)} groups reaches an automatic accuracy of {plan.min_accuracy:g}; the "
            f"best has {best:.3f}: people could not do the task; lower --min-accuracy to ask all the same"
        )
    return pairs


def all_questions(
    experiment: PairExperiment, pairs: Sequence[Pair], plan: StudyPlan
) -> dict[Pair, tuple[tuple[int, ...], ...]]:
    """The rows of each pair's test articles, in questionnaires of three.

    In a balanced study an article is asked about in a second pair only where there is no other: who has met an article
    meets no questionnaire with it again, so that repeated ones cost workers. Pairs choose in an order drawn by chance:
    of those that choose late, most questions are about the group of which more is left, and that should be any.
    """
    asked: dict[Pair, tuple[tuple[int, ...], ...]] = {}
    times = np.zeros(len(experiment.parts.codes), np.intp)
    for place in np.random.default_rng([plan.seed, 3]).permutation(len(pairs)):
        pair = pairs[place]
        rng = np.random.default_rng([plan.seed, 2, *pair])
        rows = rng.permutation(experiment.rows(experiment.parts.test, pair))
        if plan.sampling == "balanced":
            rows = _spread(rows[np.argsort(times[rows], kind="stable")], experiment.parts.codes, pair, plan)
        order = rng.permutation(rows[: plan.questions]).tolist()
        times[order] += 1
        asked[pair] = tuple(tuple(order[start : start + PER_SHEET]) for start in range(0, len(order), PER_SHEET))
    return {pair: asked[pair] for pair in pairs}


def _spread(rows: Integers, codes: Integers, pair: Pair, plan: StudyPlan) -> Integers:
    """The rows in their order, but for those that each group has at least, which come first."""
    first = np.concatenate([rows[codes[rows] == code][: _least(plan)] for code in pair])
    return np.concatenate([first, rows[~np.isin(rows, first)]])


def _automatic(
    experiment: PairExperiment,
    pairs: tuple[Pair, ...],
    picks: dict[tuple[Pair, str], Picks],
    asked: dict[Pair, tuple[tuple[int, ...], ...]],
    plan: StudyPlan,
) -> tuple[tuple[Pair, str, str, str, float], ...]:
    """Accuracy of classifiers: pair, method, classifier, scope, value."""
    found: list[tuple[Pair, str, str, str, float]] = []
    for pair in pairs:
        rows = np.array([row for sheet in asked[pair] for row in sheet], np.intp)
        found.append((pair, "", "svm", "test", experiment.ceiling(pair)))
        for method in plan.methods:
            learned = np.array([row for of in picks[pair, method].rows.values() for row in of], np.intp)
            for classifier in CLASSIFIERS:
                found.append((pair, method, classifier, "test", picks[pair, method].accuracy[classifier]))
                on_questions = experiment.accuracy(classifier, learned, rows, pair)
                found.append((pair, method, classifier, "questions", on_questions))
    return tuple(found)


def _report(design: StudyDesign, n_pairs: int) -> dict[str, Any]:
    """What `design` prints: pairs, accuracy, give-aways, workers, power."""
    plan, articles = design.plan, design.articles
    sheets = design.sheets
    golds = max(len(design.golds), FEWEST_GOLDS)
    load = workload(sheets, plan.methods, plan.judgements, golds, plan.seed)
    asked = Counter(row for sheet in sheets for row in sheet.articles)
    n_questions = asked.total()
    shown = power(n_questions, plan.judgements, len(plan.methods), plan.seed)
    accuracy = {
        method: float(
            np.mean([value for _, m, c, s, value in design.automatic if (m, c, s) == (method, "svm", "test")])
        )
        for method in plan.methods
    }
    return {
        "version": __version__, "groups": len(articles.names), "documents": len(articles.documents),
        "train": len(articles.parts.train), "test": len(articles.parts.test), "pairs_possible": n_pairs,
        "pairs": [[articles.names[code] for code in pair] for pair in design.asked], "questions": n_questions,
        "questionnaires": len(sheets), "judgements": n_questions * len(plan.methods) * plan.judgements,
        "automatic_accuracy": accuracy, "gives_away": _giveaways(design), "golds": len(design.golds),
        "workload": asdict(load), "asked_again": sum(times > 1 for times in asked.values()),
        "power": [[lead, one] for lead, one, _ in shown.rows],
        "power_over_all": [[lead, every] for lead, _, every in shown.rows], "little_power": shown.is_little,
        "wanted": shown.wanted, "expected": EXPECTED, "most": MOST,
        "notes": list(articles.notes),
    }  # fmt: skip


def _giveaways(design: StudyDesign) -> dict[str, Any]:
    """Of the texts that workers read, how many tell their group, and by what; and how many did before masking."""
    shown = {row for sheets in design.asked.values() for sheet in sheets for row in sheet}
    shown |= {row for found in design.picks.values() for of in found.rows.values() for row in of}
    articles, plan = design.articles, design.plan
    names = GroupNames(articles.names, plan.also_mask)

    def count(texts: Sequence[Text], golds: Sequence[Gold]) -> dict[str, Any]:
        groups = {row: articles.names[articles.parts.codes[row]] for row in shown}
        read = [(texts[row], groups[row], articles.documents[row].date) for row in sorted(shown)]
        return count_giveaways(read, golds, names)

    found = count(articles.texts, design.golds)
    if plan.mask_dates or plan.mask_names:
        written = count(articles.written, ())
        found["before_masking"] = {how: written[how] for how in (*HOW, "another")}
    return found


def _as_shown(golds: Sequence[Gold], found: StudyDesign) -> tuple[Gold, ...]:
    """Golds masked as the articles are. Raises BadGold for one that does not look like a question of the study."""
    texts = found.articles.texts
    rows = [row for sheet in found.sheets for row in sheet.articles]
    most = max(len(of) for picks in found.picks.values() for of in picks.rows.values())
    look = Look(most, leads_of(texts[row].lead for row in rows))
    masks = masks_of(found.plan.describe(), found.articles.names)
    for number, gold in enumerate(golds, 1):
        look.check(gold, f"gold questionnaire {number}")
    return tuple(map(masks.hide_gold, golds))
