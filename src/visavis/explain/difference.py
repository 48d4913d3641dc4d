"""Do the groups differ at all? By kernels and words, with blocks dealt anew; then which group stands out."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from visavis.explain.blocks import too_few
from visavis.explain.contrasts import pass_together
from visavis.explain.dealing import TIE, Dealt, DealtTests
from visavis.records import Blocks, Booleans, Floats, Integers, TwoSampleTest
from visavis.shared.statistics import ALPHA

if TYPE_CHECKING:
    from visavis.contracts import Engine
    from visavis.select.problem import Problem

PER_GROUP = 2000  # documents tested of a group
IN_ALL = 4000  # documents tested of two groups
IN_MANY = 3000  # documents tested of more groups
PERMUTATIONS = 999  # deals of a test
IN_STEPS = 199  # deals of a test of the groups left when others are taken away
WIDTHS = (1, 4, 16)  # of the kernels, times γ


@dataclass(frozen=True, eq=False)
class Difference:
    """Whether groups differ: all at once, then each against the rest, then pairs if they were asked for.

    `sampled` says whether a sample of the documents was tested. `telling` (groups, terms) are strengths of the terms
    that are shown to tell a group, 0 of all others: None where there were none to test.
    """

    tests: tuple[TwoSampleTest, ...] = ()
    sampled: bool = False
    telling: Floats | None = None


def difference_tests(
    problem: Problem,
    engine: Engine,
    names: Sequence[str],
    keys: Sequence[str],
    rng: np.random.Generator,
    *,
    blocks: Blocks | None = None,
    counted: Booleans | None = None,
    held: Any = None,
    pairs: bool = False,
) -> Difference:
    """The tests of a problem's groups, by dealing blocks anew: by their kernel, and by the terms their documents hold.

    All arrays have an entry for each document of the problem, in its order. `keys` name the documents; `blocks` are
    dealt anew, as documents are where nothing else is known; `counted` marks those that enter; `held` (documents,
    terms), sparse, says which terms each holds. p = (1 + b)/(1 + B), B = 999; `adjusted` is that of `adjust_together`
    for pairs, and for groups that of `_standing_out`. Terms can tell only groups that stand out.
    """
    if problem.n_groups < 2:
        return Difference()
    blocks = Blocks.of_documents(problem.n_documents) if blocks is None else blocks
    rows, sampled = _tested_rows(problem, keys, np.ones(problem.n_documents, np.bool_) if counted is None else counted)
    dealt = Dealt.of(
        problem.pairs.gram(rows).astype(np.float64 if len(rows) <= IN_ALL // 4 else np.float32, copy=False),
        np.searchsorted(problem.bounds, rows, side="right") - 1,
        (blocks.units[rows], blocks.strata[rows]),
        WIDTHS if problem.pairs.abilities.widths else (1,),
        engine,
        None if held is None else held[rows],
    )
    n_blocks = len(np.unique(blocks.codes[rows]))
    divided = len(dealt.groups) > n_blocks
    plain = TwoSampleTest((), 0.0, None, None, blocks.by, n_blocks, divided=divided)
    telling = None if held is None else np.zeros((problem.n_groups, held.shape[1]))
    tests = _of_groups(dealt, names, plain, rng, telling)
    if pairs and problem.n_groups > 2:
        tests += _of_pairs(dealt, names, plain, rng)
    return Difference(tuple(tests), sampled, telling)


def _of_groups(
    dealt: Dealt, names: Sequence[str], plain: TwoSampleTest, rng: np.random.Generator, telling: Floats | None
) -> list[TwoSampleTest]:
    """The test of all groups, and of each against the rest where there are more than two; strengths into `telling`."""
    everyone = tuple(range(len(names)))
    sets = [everyone, *([(group,) for group in everyone] if len(names) > 2 else [])]
    tests = [replace(plain, groups=tuple(names[group] for group in chosen)) for chosen in sets]
    why = too_few(dealt.strata, dealt.groups, len(names))
    if why:
        mmd2 = zip(tests, dealt.mmd2(), strict=False)
        return [replace(test, mmd2=float(value), why=why) for test, value in mmd2]
    dealt_tests = dealt.run(rng, PERMUTATIONS)
    p_values = dealt_tests.p_values.tolist()
    adjusted = [p_values[0], *_standing_out(dealt, dealt_tests, rng)]
    values = zip(tests, dealt_tests.mmd2.tolist(), p_values, adjusted, strict=False)
    tests = [replace(test, mmd2=value, p_value=p, adjusted=better) for test, value, p, better in values]
    if telling is not None:
        _telling(dealt, dealt_tests, np.array(adjusted[1:]) < ALPHA, telling)
    return tests


def _telling(dealt: Dealt, tests: DealtTests, stand_out: Booleans, telling: Floats) -> None:
    """Write the strengths of the terms that tell the groups that stand out."""
    strengths = tests.strengths
    if strengths is None or dealt.words is None or not stand_out.any():
        return
    telling[:, dealt.words.terms] = np.where(pass_together(strengths, stand_out), strengths.observed, 0.0)


def _standing_out(dealt: Dealt, dealt_tests: DealtTests, rng: np.random.Generator) -> list[float]:
    """For each group, how sure it is that it stands out; small for those that do.

    If the groups differ, the one furthest from the rest stands out, and is taken away; if those left differ, the next
    one does; and so on. What is left when they do not differ has nothing that stands out, so no group is blamed for
    another's being odd. How many must go is found by halving.
    """
    n_groups, p_value = dealt.n_groups, float(dealt_tests.p_values[0])
    adjusted, p_values = np.full(n_groups, p_value), {0: p_value}
    if n_groups < 3 or p_value >= ALPHA:
        return adjusted.tolist()
    order = dealt.oddest_first(dealt_tests)
    differ, alike = 0, n_groups - 1  # taken away: after so many the rest still differs, after so many it does not
    while alike - differ > 1:
        away = (differ + alike) // 2
        p_values[away] = _p_among(dealt, sorted(order[away:]), rng)
        differ, alike = (away, alike) if p_values[away] < ALPHA else (differ, away)
    for rank, group in enumerate(order):
        counted = [p for away, p in p_values.items() if away <= min(rank, alike)]
        adjusted[group] = max(counted)
    return adjusted.tolist()


def _p_among(dealt: Dealt, groups: Sequence[int], rng: np.random.Generator) -> float:
    """Whether some of the groups differ among themselves; 1 where that cannot be decided."""
    part = dealt.among(groups)
    undecided = too_few(part.strata, part.groups, len(groups))
    return 1.0 if undecided else float(part.run(rng, IN_STEPS).p_values[0])


def _of_pairs(
    dealt: Dealt, names: Sequence[str], plain: TwoSampleTest, rng: np.random.Generator
) -> list[TwoSampleTest]:
    """Every two groups by themselves."""
    tests: list[TwoSampleTest] = []
    decided: list[tuple[int, float, Floats]] = []  # the test's place, how far apart its groups are, and after each deal
    for couple in combinations(range(len(names)), 2):
        part, named = dealt.among(couple), replace(plain, groups=tuple(names[group] for group in couple))
        why = too_few(part.strata, part.groups, 2)
        if why:
            tests.append(replace(named, mmd2=float(part.mmd2()[0]), why=why))
        else:
            result = part.run(rng, PERMUTATIONS)
            decided.append((len(tests), float(result.reached[0]), result.dealt[0]))
            tests.append(replace(named, mmd2=float(result.mmd2[0]), p_value=float(result.p_values[0])))
    adjusted = adjust_together([reached for _, reached, _ in decided], [deals for _, _, deals in decided], TIE)
    for (place, _, _), better in zip(decided, adjusted, strict=True):
        tests[place] = replace(tests[place], adjusted=better)
    return tests


def adjust_together(reached: Sequence[float], dealt: Sequence[Floats], ties: float) -> list[float]:
    """p-values of tests that reached so much, each with what its own deals reached, adjusted for how many there are.

    With T_(1) ≥ T_(2) ≥ … and B deals of each: adjusted_(k) = max over j ≤ k of min(1, (1 + n_j) / (1 + B)), where n_j
    counts all deals, of the tests (j), (j + 1), …, that reach T_(j). n_j / B is how many of these tests chance alone
    would take so far, so at α one or more of those without a difference are rejected with a probability of about α or
    less, whatever they have in common; "about", since deals stand for chance (research/verdicts/pairs.py). It is Holm's
    way, with the small probabilities that a few deals cannot show for one test read off the deals of all. All tests
    must have been dealt equally often; `ties` is what counts as the same.
    """
    if not dealt:
        return []
    order = np.argsort(-np.asarray(reached), kind="stable")
    falling = -np.asarray(reached)[order]
    change = np.zeros(len(order) + 1)
    for place, test in enumerate(order.tolist()):
        first = np.searchsorted(falling, -(dealt[test] + ties))  # the largest T that each deal reaches
        first = first[first <= place]
        np.add.at(change, first, 1.0)
        change[place + 1] -= len(first)
    p_values = np.minimum(1.0, (1.0 + np.cumsum(change[:-1])) / (1.0 + len(dealt[0])))
    adjusted = np.empty(len(order))
    adjusted[order] = np.maximum.accumulate(p_values)
    return adjusted.tolist()


def _tested_rows(problem: Problem, keys: Sequence[str], counted: Booleans) -> tuple[Integers, bool]:
    """The documents that enter, or a stratified sample of them chosen by the hash of their keys.

    A group none of whose documents would enter enters whole.
    """
    groups = [problem.rows(g) for g in range(problem.n_groups)]
    parts = [np.flatnonzero(counted[rows] if counted[rows].any() else ~counted[rows]) + rows.start for rows in groups]
    total = sum(min(len(part), PER_GROUP) for part in parts)
    shrink = min(1.0, (IN_ALL if problem.n_groups == 2 else IN_MANY) / total)
    sampled = False
    for g, part in enumerate(parts):
        keep = max(2, int(min(len(part), PER_GROUP) * shrink))
        if keep < len(part):
            sampled = True
            order = sorted(part, key=lambda i: hashlib.blake2b(keys[i].encode("utf-8", "replace")).digest())
            parts[g] = np.sort(np.array(order[:keep], np.intp))
    return np.concatenate(parts), sampled
