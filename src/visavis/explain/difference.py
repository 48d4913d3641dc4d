"""Do the groups differ at all? MMD² with permutations of blocks; then which group stands out."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from visavis.explain.blocks import too_few
from visavis.explain.dealing import Dealt, Found
from visavis.explain.several import adjust_together
from visavis.records import Blocks, Booleans, Integers, TwoSampleTest
from visavis.shared.statistics import ALPHA

if TYPE_CHECKING:
    from visavis.contracts import Engine
    from visavis.select.problem import Problem

PER_GROUP, IN_ALL, IN_MANY = 2000, 4000, 3000  # documents tested: of a group, of two, of more than two
PERMUTATIONS, IN_STEPS = 999, 199
WIDTHS = (1, 4, 16)  # times γ


def difference_tests(
    problem: Problem,
    engine: Engine,
    names: Sequence[str],
    keys: Sequence[str],
    rng: np.random.Generator,
    *,
    blocks: Blocks | None = None,
    counted: Booleans | None = None,
    pairs: bool = False,
) -> tuple[tuple[TwoSampleTest, ...], bool]:
    """One test of all groups at once, then each against the rest, pairs on request; and whether a sample was tested.

    All arrays have an entry for each document of the problem, in its order. `keys` name the documents; `blocks` are
    dealt anew, as documents are where nothing else is known; `counted` marks those that enter. p = (1 + b)/(1 + B),
    B = 999; `adjusted` is that of `adjust_together` for pairs, and for groups that of `_standing_out`.
    """
    if problem.n_groups < 2:
        return (), False
    blocks = Blocks.of_documents(problem.n_documents) if blocks is None else blocks
    rows, sampled = _tested_rows(problem, keys, np.ones(problem.n_documents, np.bool_) if counted is None else counted)
    dealt = Dealt.of(
        problem.pairs.gram(rows).astype(np.float64 if len(rows) <= IN_ALL // 4 else np.float32, copy=False),
        np.searchsorted(problem.bounds, rows, side="right") - 1,
        (blocks.units[rows], blocks.strata[rows]),
        WIDTHS if problem.pairs.abilities.widths else (1,),
        engine,
    )
    n_blocks = len(np.unique(blocks.codes[rows]))
    divided = len(dealt.groups) > n_blocks
    plain = TwoSampleTest((), 0.0, None, None, blocks.by, n_blocks, divided=divided)
    tests = _of_groups(dealt, names, plain, rng)
    if pairs and problem.n_groups > 2:
        tests += _of_pairs(dealt, names, plain, rng)
    return tuple(tests), sampled


def _of_groups(
    dealt: Dealt, names: Sequence[str], plain: TwoSampleTest, rng: np.random.Generator
) -> list[TwoSampleTest]:
    """The test of all groups, and of each against the rest where there are more than two."""
    everyone = tuple(range(len(names)))
    sets = [everyone, *([(group,) for group in everyone] if len(names) > 2 else [])]
    why = too_few(dealt.strata, dealt.groups, len(names))
    if why:
        values = dealt.mmd2()
        return [
            replace(plain, groups=tuple(names[g] for g in one), mmd2=float(value), why=why)
            for one, value in zip(sets, values, strict=False)
        ]
    found = dealt.run(rng, PERMUTATIONS)
    adjusted = [found[0].p_value, *_standing_out(dealt, found, rng)]
    return [
        replace(plain, groups=tuple(names[g] for g in one), mmd2=test.mmd2, p_value=test.p_value, adjusted=better)
        for one, test, better in zip(sets, found, adjusted, strict=False)
    ]


def _standing_out(dealt: Dealt, found: Sequence[Found], rng: np.random.Generator) -> list[float]:
    """For each group, how sure it is that it stands out; small for those that do.

    If the groups differ, the one furthest from the rest stands out, and is taken away; if those left differ, the next
    one does; and so on. What is left when they do not differ has nothing that stands out, so no group is blamed for
    another's being odd. How many must go is found by halving.
    """
    n_groups = len(found) - 1
    adjusted, p_values = np.full(n_groups, found[0].p_value), {0: found[0].p_value}
    if n_groups < 3 or found[0].p_value >= ALPHA:
        return adjusted.tolist()
    order = dealt.oddest_first(np.stack([test.spreads for test in found[1:]], axis=1))
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
    return 1.0 if undecided else part.run(rng, IN_STEPS)[0].p_value


def _of_pairs(
    dealt: Dealt, names: Sequence[str], plain: TwoSampleTest, rng: np.random.Generator
) -> list[TwoSampleTest]:
    """Every two groups by themselves."""
    tests, decided = [], []
    for couple in combinations(range(len(names)), 2):
        part, named = dealt.among(couple), replace(plain, groups=tuple(names[g] for g in couple))
        why = too_few(part.strata, part.groups, 2)
        if why:
            tests.append(replace(named, mmd2=float(part.mmd2()[0]), why=why))
        else:
            found = part.run(rng, PERMUTATIONS)[0]
            decided.append((len(tests), found))
            tests.append(replace(named, mmd2=found.mmd2, p_value=found.p_value))
    adjusted = adjust_together([one.reached for _, one in decided], [one.dealt for _, one in decided], dealt.ties)
    for (place, _), better in zip(decided, adjusted, strict=True):
        tests[place] = replace(tests[place], adjusted=better)
    return tests


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
