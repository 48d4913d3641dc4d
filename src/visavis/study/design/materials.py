"""Which documents are summarized twice: pairs of groups, whole where there are enough of them, else random halves."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from visavis.errors import TooFewDocuments
from visavis.records import Integers

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class DocumentSet:
    """The documents that all methods pick from in one comparison: two groups, and the rows of theirs that take part."""

    pair: Pair
    rows: Integers


def document_sets(
    codes: Integers, rows: Integers, wanted: int, fewest: int, names: tuple[str, ...], rng: np.random.Generator
) -> tuple[DocumentSet, ...]:
    """`wanted` sets of documents, over the pairs of groups as evenly as can be.

    Where there are more pairs than `wanted`, those whose groups were taken least go first and each is taken whole;
    otherwise every set is a random half of its groups. A group takes part if `fewest` documents are left of it. Raises
    TooFewDocuments.
    """
    sizes = np.bincount(codes[rows], minlength=len(names))
    groups = [code for code in range(len(names)) if sizes[code] >= fewest]
    pairs = list(combinations(groups, 2))
    halves = len(pairs) < wanted
    if halves:
        pairs = [pair for pair in pairs if all(sizes[code] // 2 >= fewest for code in pair)]
    if not pairs:
        raise TooFewDocuments(
            f"no two groups have {fewest * (2 if halves else 1)} documents each to summarize and to draw from: make "
            f"groups larger, or lower size, documents or comparisons"
        )
    chosen = _evenly(pairs, wanted, rng)
    return tuple(DocumentSet(pair, _rows(codes, rows, pair, halves=halves, rng=rng)) for pair in chosen)


def _evenly(pairs: list[Pair], wanted: int, rng: np.random.Generator) -> list[Pair]:
    """Pairs in an order in which groups, and then pairs, are taken as evenly as can be; chance decides the rest."""
    taken = dict.fromkeys(pairs, 0)
    met: dict[int, int] = dict.fromkeys((code for pair in pairs for code in pair), 0)
    chosen: list[Pair] = []
    for _ in range(wanted):
        order = [pairs[place] for place in rng.permutation(len(pairs)).tolist()]
        pair = min(order, key=lambda one: (taken[one], met[one[0]] + met[one[1]]))
        taken[pair] += 1
        for code in pair:
            met[code] += 1
        chosen.append(pair)
    return chosen


def _rows(codes: Integers, rows: Integers, pair: Pair, *, halves: bool, rng: np.random.Generator) -> Integers:
    found = []
    for code in pair:
        own = rows[codes[rows] == code]
        found.append(np.sort(rng.permutation(own)[: len(own) // 2]) if halves else own)
    return np.concatenate(found)
