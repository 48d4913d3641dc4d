"""From a corpus to a study of preferences: sets of documents, summaries by every method, comparisons, golds."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from visavis._version import __version__
from visavis.errors import InvalidParameter
from visavis.records import Integers
from visavis.shared.progress import Progress, silent
from visavis.study.assignment import Sheet
from visavis.study.comparison_gold import ComparisonLook, GoldComparison
from visavis.study.design.articles import Articles, prepare_articles
from visavis.study.design.checks import make_checks
from visavis.study.design.experiment import PairExperiment
from visavis.study.design.materials import DocumentSet, document_sets
from visavis.study.design.plan import StudyPlan
from visavis.study.design.preference_power import EXPECTED, MOST, preference_power
from visavis.study.design.workload import workload
from visavis.study.gold import BadGold, leads_of
from visavis.study.masking import masks_of
from visavis.study.tasks import PREFER, RULES

Picks = Mapping[int, tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class PreferenceDesign:
    """A whole study of preferences before it is stored.

    `picks` holds for each set of documents what each method picked of each group, `drawn` the documents that say what
    a group is; `comparisons` are the place of a set and two methods. `alike` counts, by methods, the comparisons that
    need not be asked.
    """

    plan: StudyPlan
    id: str
    articles: Articles
    sets: tuple[DocumentSet, ...]
    picks: tuple[Mapping[str, Picks], ...]
    drawn: tuple[Picks, ...]
    comparisons: tuple[tuple[int, str, str], ...]
    alike: Mapping[tuple[str, str], int]
    golds: tuple[GoldComparison, ...]
    report: dict[str, Any]

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The comparisons, numbered from 1."""
        return tuple(Sheet(number, place + 1, ()) for number, (place, _, _) in enumerate(self.comparisons, 1))


def design_preferences(
    source: Any, plan: StudyPlan, golds: Sequence[GoldComparison] = (), *, progress: Progress | None = None
) -> PreferenceDesign:
    """Design a study of preferences. Raises VisavisError for anything the caller can put right.

    Without `golds` of one's own, they are made from documents that are held out for them.
    """
    tell = progress or silent
    versus = method_pairs(plan)
    _check_golds(len(golds), plan)
    articles = prepare_articles(source, plan, tell)
    codes = articles.parts.codes
    rng = np.random.default_rng([plan.seed, 31])
    fewest = plan.size + plan.documents
    sets = document_sets(codes, articles.parts.train, plan.comparisons, fewest, articles.names, rng)
    picks = tuple(_picks(articles, each, plan, tell, f"{number} of {len(sets)}") for number, each in enumerate(sets, 1))
    drawn = tuple(_drawn(codes, each, found, plan.documents, rng) for each, found in zip(sets, picks, strict=True))
    asked, alike = _comparisons(picks, versus)
    if not asked:
        raise InvalidParameter(f"{', '.join(plan.methods)} pick the same documents everywhere: there is nothing to ask")
    found = PreferenceDesign(plan, uuid.uuid4().hex, articles, sets, picks, drawn, asked, alike, (), {})
    look = _look(found)
    checks, notes = (_as_shown(golds, look, found), ()) if golds else make_checks(articles, plan, look.leads, rng)
    found = replace(found, golds=checks)
    return replace(found, report=_report(found, versus, (*articles.notes, *notes)))


def method_pairs(plan: StudyPlan) -> tuple[tuple[str, str], ...]:
    """Which methods are compared: all with all, or one with every other. Raises InvalidParameter."""
    if len(plan.methods) < 2:
        raise InvalidParameter(f"two methods at least are needed to prefer one, got {', '.join(plan.methods)}")
    if not plan.against:
        return tuple(combinations(plan.methods, 2))
    if plan.against not in plan.methods:
        raise InvalidParameter(f"against names {plan.against!r}, which is none of {', '.join(plan.methods)}")
    return tuple((method, plan.against) for method in plan.methods if method != plan.against)


def _check_golds(count: int, plan: StudyPlan) -> None:
    fewest = RULES[PREFER].fewest_golds
    if count and count < fewest and not plan.few_golds:
        raise InvalidParameter(
            f"{count} gold comparisons are too few to judge a worker by: write at least {fewest}, or say --few-golds"
        )


def _picks(articles: Articles, each: DocumentSet, plan: StudyPlan, tell: Progress, place: str) -> dict[str, Picks]:
    """What every method picks from a set of documents; none is held out of it."""
    tell(f"picking for set {place}")
    parts = replace(articles.parts, train=each.rows, test=each.rows)
    experiment = PairExperiment(parts, plan)
    return {method: experiment.picks(method, each.pair).rows for method in plan.methods}


def _drawn(
    codes: Integers, each: DocumentSet, picks: Mapping[str, Picks], count: int, rng: np.random.Generator
) -> dict[int, tuple[int, ...]]:
    """Documents of each group at random, none that a method picked unless too few are left."""
    picked = {row for found in picks.values() for rows in found.values() for row in rows}
    found = {}
    for code in each.pair:
        own = rng.permutation(each.rows[codes[each.rows] == code]).tolist()
        order = sorted(own, key=picked.__contains__)  # stable: the order drawn, those picked last
        found[code] = tuple(order[:count])
    return found


def _comparisons(
    picks: Sequence[Mapping[str, Picks]], versus: Sequence[tuple[str, str]]
) -> tuple[tuple[tuple[int, str, str], ...], dict[tuple[str, str], int]]:
    """What is asked; where two methods picked the same documents, they are alike by construction and only counted."""
    asked, alike = [], dict.fromkeys(versus, 0)
    for place, found in enumerate(picks):
        for first, second in versus:
            same = all(set(found[first][code]) == set(found[second][code]) for code in found[first])
            lacking = not all(found[method][code] for method in (first, second) for code in found[first])
            if same:
                alike[first, second] += 1
            elif not lacking:
                asked.append((place, first, second))
    return tuple(asked), alike


def _look(found: PreferenceDesign) -> ComparisonLook:
    """How the comparisons of the study look."""
    picked = [rows for methods in found.picks for by_group in methods.values() for rows in by_group.values()]
    drawn = [rows for by_group in found.drawn for rows in by_group.values()]
    leads = leads_of(found.articles.texts[row].lead for rows in (*picked, *drawn) for row in rows)
    return ComparisonLook(max(map(len, picked)), max(map(len, drawn)), leads)


def _as_shown(
    golds: Sequence[GoldComparison], look: ComparisonLook, found: PreferenceDesign
) -> tuple[GoldComparison, ...]:
    """Golds masked as the documents are. Raises BadGold for one that does not look like a comparison of the study."""
    masks = masks_of(found.plan.describe(), found.articles.names)
    shown = []
    for number, gold in enumerate(golds, 1):
        look.check(gold, f"gold comparison {number}")
        try:
            shown.append(masks.hide_comparison(gold))
        except BadGold as error:
            raise BadGold(f"gold comparison {number}, once names and dates are hidden: {error}") from error
    return tuple(shown)


def _report(design: PreferenceDesign, versus: Sequence[tuple[str, str]], notes: Sequence[str]) -> dict[str, Any]:
    """What `design` prints: sets of documents, comparisons, workers, power."""
    plan, articles = design.plan, design.articles
    fewest = min(sum((first, second) == pair for _, first, second in design.comparisons) for pair in versus)
    power = preference_power(max(1, fewest), plan.judgements, len(versus), plan.seed)
    golds = max(len(design.golds), RULES[PREFER].fewest_golds)
    load = workload(design.sheets, ("",), plan.judgements, golds, plan.seed, RULES[PREFER].quiz_golds)
    pairs = dict.fromkeys(each.pair for each in design.sets)
    return {
        "version": __version__, "task": PREFER, "groups": len(articles.names), "documents": len(articles.documents),
        "pairs": [[articles.names[code] for code in pair] for pair in pairs], "sets": len(design.sets),
        "halves": len(pairs) < len(design.sets), "methods": [list(pair) for pair in versus],
        "comparisons": len(design.comparisons), "fewest_comparisons": fewest,
        "alike": [[*pair, count] for pair, count in design.alike.items() if count],
        "judgements": len(design.comparisons) * plan.judgements, "golds": len(design.golds), "workload": asdict(load),
        "power": [list(one) for one in power.power], "little_power": power.is_little, "wanted": power.wanted,
        "expected": EXPECTED, "most": MOST, "notes": list(notes),
    }  # fmt: skip
