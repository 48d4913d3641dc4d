"""Which terms tell groups apart: counted by documents, tested against chance, spread over sources, each thing once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from visavis.explain.chance import can_decide, discoveries, exceeds_by_chance, least_possible, surprise
from visavis.explain.phrases import Shared, each_thing_once
from visavis.explain.spread import Origins, Spread, measure_spread, number_origins
from visavis.explain.terms import Terms
from visavis.explain.tokens import name_words
from visavis.records import Booleans, Floats, Integers, Term

LEVEL = 0.02  # of the terms shown, the share that may be false; if nothing differs, the chance that anything is shown
SURE = 0.025  # the largest p of a term by itself, where documents of an origin that repeats it count for less
PRIOR = 0.01  # weight of the whole corpus as a prior, relative to its own counts
NOTABLE = 1.96  # standard deviations from no difference
MUCH = 1.3  # times as many documents inside: in a large corpus even "the" differs notably, but not by much
LEAST = 3  # a term in fewer documents of a group than this says little about it
OWN = 0.5  # of a term's documents: if so many come from those whose name it is, it says who writes, not what

Told = dict[int, Term]  # by the term's number, the most telling first


@dataclass(frozen=True, eq=False)
class Provenance:
    """Where documents come from, as far as known.

    `origins`: for each kind that is known (sources, authors) its name for every document, blank where there is none.
    `counted`: the documents that count, all if None. `groups`: the groups' names.
    """

    origins: tuple[tuple[str, ...], ...] = ()
    counted: Booleans | None = None
    groups: tuple[str, ...] = ()

    def take(self, rows: Integers) -> Provenance:
        """That of these documents alone."""
        origins = tuple(tuple(kind[row] for row in rows.tolist()) for kind in self.origins)
        return Provenance(origins, None if self.counted is None else self.counted[rows], self.groups)

    def rows(self, n_documents: int) -> Integers:
        """The documents that count."""
        return np.arange(n_documents) if self.counted is None else np.flatnonzero(self.counted)


@dataclass(frozen=True, eq=False)
class _Counts:
    """Documents with each term in each group and outside of it, shape (groups, terms), of (groups, 1) in all."""

    inside: Floats
    outside: Floats
    n_inside: Floats
    n_outside: Floats

    def take(self, terms: Integers) -> _Counts:
        """The counts of these terms."""
        return _Counts(self.inside[:, terms], self.outside[:, terms], self.n_inside, self.n_outside)

    def independent(self, spreads: list[Spread]) -> _Counts:
        """As many documents as would say as much if no origin repeated itself."""
        times = np.max([np.ones_like(self.inside), *(spread.repetition for spread in spreads)], axis=0)
        inside, outside = np.round(self.inside / times), np.round(self.outside / times)
        n_inside, n_outside = np.round(self.n_inside / times), np.round(self.n_outside / times)
        return _Counts(inside, outside, np.maximum(inside, n_inside), np.maximum(outside, n_outside))


@dataclass(frozen=True, eq=False)
class _Findings:
    """What was found of the terms that could tell anything: `numbers` among all terms, how they rank, which tell.

    `found` (documents, terms) has the documents that count, `codes` their groups.
    """

    numbers: Integers
    found: Any
    codes: Integers
    counts: _Counts
    spreads: list[Spread]
    worth: Floats
    tells: Booleans


def telling_terms(terms: Terms, codes: Integers, n_groups: int, about: Provenance, *, names: bool) -> list[Told]:
    """The terms that set each group apart; those that are `names` of origins or groups only if asked for."""
    rows = about.rows(len(codes))
    found, codes = terms.found[rows], codes[rows]
    counts = _count(found, codes, n_groups)
    if n_groups == 1:
        return [_most_frequent(terms, counts)]
    origins = [number_origins([kind[row] for row in rows.tolist()]) for kind in about.origins]
    findings = _test(found, codes, counts, [kind.codes for kind in origins])
    if not names:
        findings.tells[:] &= ~_own_names(terms, findings, about.groups, origins)
    return [dict(_ranked(terms, findings, group)) for group in range(n_groups)]


def _count(found: Any, codes: Integers, n_groups: int) -> _Counts:
    inside = np.array([np.asarray(found[codes == group].sum(axis=0)).ravel() for group in range(n_groups)])
    sizes = np.bincount(codes, minlength=n_groups).astype(float)[:, None]
    return _Counts(inside, inside.sum(axis=0) - inside, sizes, sizes.sum() - sizes)


def _test(found: Any, codes: Integers, counts: _Counts, origins: list[Integers]) -> _Findings:
    hits, place = np.unique(counts.inside[0] + counts.outside[0], return_inverse=True)
    least = least_possible(hits[None, :], counts.n_inside, counts.n_outside)[:, place]
    decidable = can_decide(least, LEVEL)
    passed = np.zeros(decidable.shape, np.bool_)
    much = (_ratio(counts) >= MUCH) & (counts.inside >= LEAST)
    passed[decidable] = discoveries(_p_values(counts, much & decidable)[decidable], LEVEL)
    numbers = np.flatnonzero(passed.any(axis=0))
    kept, chosen, tells = counts.take(numbers), found[:, numbers], passed[:, numbers]
    spreads = [measure_spread(chosen, codes, len(counts.inside), kind) for kind in origins]
    sure = kept.independent(spreads)
    tells &= _p_values(sure, tells) <= SURE
    for spread in spreads:
        tells &= spread.origins >= spread.enough
    return _Findings(numbers, chosen, codes, kept, spreads, _worth(kept, sure), tells)


def _p_values(counts: _Counts, where: Booleans) -> Floats:
    """p of the terms that might tell something, 1 for the others."""
    p = np.ones(where.shape)
    sizes = (np.broadcast_to(size, where.shape)[where] for size in (counts.n_inside, counts.n_outside))
    p[where] = exceeds_by_chance(counts.inside[where], counts.outside[where], *sizes)
    return p


def _worth(counts: _Counts, sure: _Counts) -> Floats:
    """How much a term tells a reader: how surprising it is, spread considered or not, and how much more there is."""
    more = counts.inside / counts.n_inside - counts.outside / np.maximum(counts.n_outside, 1)
    surprises = np.maximum(_surprise(counts), 0.0) * np.maximum(_surprise(sure), 0.0)
    return np.asarray(np.sqrt(surprises * np.maximum(more, 0.0)))


def _surprise(counts: _Counts) -> Floats:
    return surprise(counts.inside, counts.outside, counts.n_inside, counts.n_outside, PRIOR)


def _ratio(counts: _Counts) -> Floats:
    """The share of documents inside over that outside, both drawn a little toward that of all."""
    hits, n = counts.inside + counts.outside, counts.n_inside + counts.n_outside
    have, lack = PRIOR * hits + 0.5, PRIOR * (n - hits) + 0.5
    inside = (counts.inside + have) / (counts.n_inside + have + lack)
    return np.asarray(inside / ((counts.outside + have) / (counts.n_outside + have + lack)))


def _own_names(terms: Terms, findings: _Findings, groups: tuple[str, ...], origins: list[Origins]) -> Booleans:
    """Which terms are names: of the group, or of the origins of most of its documents that hold them."""
    names = np.zeros(findings.tells.shape, np.bool_)
    columns = findings.found.tocsc()
    group_words = [name_words(name) for name in groups]
    for group, place in zip(*np.nonzero(findings.tells), strict=True):
        words = terms.words(int(findings.numbers[place]))
        holders = columns.indices[columns.indptr[place] : columns.indptr[place + 1]]
        holders = holders[findings.codes[holders] == group]
        own = max((kind.count_named(holders, words) for kind in origins), default=0)
        of_group = bool(groups) and words <= group_words[group]
        names[group, place] = of_group or own >= OWN * len(holders)
    return names


def _ranked(terms: Terms, findings: _Findings, group: int) -> Iterator[tuple[int, Term]]:
    """The telling terms of a group by their number, the most telling first, each thing once."""
    worth, numbers = findings.worth[group], findings.numbers
    places = sorted(
        np.flatnonzero(findings.tells[group]).tolist(), key=lambda at: (-worth[at], terms.name(int(numbers[at])))
    )
    place_of = {int(numbers[place]): place for place in places}
    held = findings.found[findings.codes == group][:, places]
    shared = Shared({number: at for at, number in enumerate(place_of)}, (held.T @ held).toarray())

    def still_tells(part: int, phrase: int) -> bool:
        return _tells_without(findings.counts, group, place_of[part], place_of[phrase])

    words = {number: terms.words(number) for number in place_of}
    for number in each_thing_once(list(place_of), terms.parts(place_of), words, shared, still_tells):
        yield number, _term(terms.name(number), findings, group, place_of[number])


def _tells_without(counts: _Counts, group: int, part: int, phrase: int) -> bool:
    """Whether documents that hold the part, but not the phrase, are still notably more frequent in the group."""
    here = counts.inside[group, [part]] - counts.inside[group, [phrase]]
    there = counts.outside[group, [part]] - counts.outside[group, [phrase]]
    rest = _Counts(here, there, counts.n_inside[group], counts.n_outside[group])
    return bool(_surprise(rest)[0] > NOTABLE and _ratio(rest)[0] >= MUCH)


def _term(name: str, findings: _Findings, group: int, place: int) -> Term:
    counts = findings.counts
    inside, outside = counts.inside[group, place], counts.outside[group, place]
    return Term(
        term=name,
        documents=int(inside),
        share=float(inside / counts.n_inside[group, 0]),
        elsewhere=int(outside),
        share_elsewhere=float(outside / counts.n_outside[group, 0]),
        sources=int(findings.spreads[0].origins[group, place]) if findings.spreads else None,
    )


def _most_frequent(terms: Terms, counts: _Counts) -> Told:
    """The words of most documents, where there is no other group to tell them from."""
    frequent = counts.inside[0] >= LEAST
    words = [number for number in np.flatnonzero(frequent).tolist() if len(terms.runs[number]) == 1]
    words.sort(key=lambda number: (-counts.inside[0, number], terms.name(number)))
    n = float(counts.n_inside[0, 0])
    found = ((number, int(counts.inside[0, number])) for number in words)
    return {number: Term(terms.name(number), documents, documents / n, 0, None) for number, documents in found}


def least_frequent(codes: Integers, n_groups: int) -> int:
    """In how many documents a term must occur to tell anything: with fewer, even all in one group could be chance."""
    sizes = np.bincount(codes, minlength=n_groups).astype(float)[:, None]
    hits = np.arange(LEAST, 65, dtype=float)[None, :]
    possible = least_possible(hits, sizes, sizes.sum() - sizes).min(axis=0) <= LEVEL
    return LEAST if n_groups == 1 or not possible.any() else LEAST + int(possible.argmax())
