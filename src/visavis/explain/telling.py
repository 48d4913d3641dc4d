"""Which terms are more frequent in a group than elsewhere: counted by documents, the group's largest gaps first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import ndtr

from visavis.explain.contrasts import signed_roots
from visavis.explain.phrases import Shared, each_thing_once
from visavis.explain.terms import Terms
from visavis.explain.tokens import name_words
from visavis.records import Booleans, Floats, Integers, Term

LEVEL = 0.02  # of the gaps, the share that chance would make if documents were independent
PRIOR = 0.01  # weight of the whole corpus as a prior, relative to its own counts
NOTABLE = 1.96  # standard deviations from no difference
MUCH = 1.3  # times as many documents inside: in a large corpus even "the" differs notably, but not by much
LEAST_DOCUMENTS = 3  # a term in fewer documents of a group than this says little about it
MOST_SOUGHT = 64  # hits up to which the least telling frequency is sought
LEAST_ORIGINS = 3  # sources or authors that must have a term for it to be a gap ...
SHARE_OF_ORIGINS = 0.5  # ... or this share of a group's, where it has fewer
OWN_SHARE = 0.5  # of a term's documents: if so many come from those whose name it is, it says who writes, not what


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
class Origins:
    """The origins of documents of one kind (sources, say): their `names`, and for each document the code of its own."""

    names: tuple[str, ...]
    codes: Integers

    @classmethod
    def of(cls, names: Sequence[str]) -> Origins:
        """A code for every name, −1 for a blank one."""
        codes = {name: code for code, name in enumerate(dict.fromkeys(name for name in names if name))}
        return cls(tuple(codes), np.array([codes.get(name, -1) for name in names], np.intp))

    def count(self, documents: Integers) -> int:
        """How many origins these documents have; those of unknown origin do not count."""
        return len(np.unique(self.codes[documents][self.codes[documents] >= 0]))

    def count_named(self, documents: Integers, words: frozenset[str]) -> int:
        """How many of these documents come from origins whose name has all these words."""
        named = set.intersection(*(self._with_word.get(word, set()) for word in words)) if words else set()
        return int(np.isin(self.codes[documents], list(named)).sum()) if named else 0

    @cached_property
    def _with_word(self) -> dict[str, set[int]]:
        places: dict[str, set[int]] = {}
        for code, name in enumerate(self.names):
            for word in name_words(name):
                places.setdefault(word, set()).add(code)
        return places


@dataclass(frozen=True, eq=False)
class _Counts:
    """Documents with each term in each group and outside of it, shape (groups, terms), of (groups, 1) in all."""

    inside: Floats
    outside: Floats
    n_inside: Floats
    n_outside: Floats

    @cached_property
    def strengths(self) -> Floats:
        """By how many standard deviations each term is more frequent than if documents were dealt one by one."""
        hits, n = self.inside + self.outside, self.n_inside + self.n_outside
        return signed_roots(self.inside, hits * self.n_inside / n, hits, np.maximum(1.0 - hits / n, 1e-9))

    @cached_property
    def ratios(self) -> Floats:
        """The share of documents inside over that outside, both drawn a little toward that of all."""
        hits, n = self.inside + self.outside, self.n_inside + self.n_outside
        have, lack = PRIOR * hits + 0.5, PRIOR * (n - hits) + 0.5
        inside = (self.inside + have) / (self.n_inside + have + lack)
        return np.asarray(inside / ((self.outside + have) / (self.n_outside + have + lack)))


class CountedTerms:
    """Documents that hold each term, by group. Of `about`, only the documents that count are looked at."""

    def __init__(self, terms: Terms, codes: Integers, n_groups: int, about: Provenance) -> None:
        rows = about.rows(len(codes))
        self._terms, self._held, self._codes = terms, terms.found[rows], codes[rows]
        self._origins = [Origins.of([kind[row] for row in rows.tolist()]) for kind in about.origins]
        self._names = [name_words(name) for name in about.groups]
        inside = np.array([np.asarray(self._held[self._codes == g].sum(axis=0)).ravel() for g in range(n_groups)])
        sizes = np.bincount(self._codes, minlength=n_groups).astype(float)[:, None]
        self._counts = _Counts(inside, inside.sum(axis=0) - inside, sizes, sizes.sum() - sizes)

    def gaps(self) -> list[dict[int, Term]]:
        """The terms of each group, by number, that are notably more frequent there, the largest gap first.

        Whole stories, days or outlets could make such a gap by chance: a gap is no finding.
        """
        if len(self._counts.inside) == 1:
            return [self._most_frequent()]
        strengths = self._counts.strengths
        usable = (self._counts.ratios >= MUCH) & (self._counts.inside >= LEAST_DOCUMENTS)
        passed = usable & _discoveries(ndtr(-strengths))
        chosen = [
            [term for term in np.flatnonzero(row).tolist() if self._is_spread(group, term)]
            for group, row in enumerate(passed)
        ]
        return [self._ranked(group, terms, strengths[group], telling=False) for group, terms in enumerate(chosen)]

    def telling(self, group: int, strengths: Floats) -> dict[int, Term]:
        """The terms with a positive strength that tell a group, by number, the most telling first."""
        usable = (
            (strengths > 0) & (self._counts.ratios[group] >= MUCH) & (self._counts.inside[group] >= LEAST_DOCUMENTS)
        )
        return self._ranked(group, np.flatnonzero(usable).tolist(), strengths, telling=True)

    def _ranked(self, group: int, numbers: list[int], strengths: Floats, *, telling: bool) -> dict[int, Term]:
        """These terms by how much they say to a reader, each thing once; names of origins and groups say nothing."""
        counts, terms = self._counts, self._terms
        more = counts.inside[group] / counts.n_inside[group] - counts.outside[group] / np.maximum(
            counts.n_outside[group], 1
        )
        worth = strengths * np.sqrt(np.maximum(more, 0.0))
        numbers = [number for number in numbers if not self._is_name(group, number)]
        numbers.sort(key=lambda number: (-worth[number], terms.name(number)))
        inside = self._held[self._codes == group][:, numbers]
        shared = Shared({number: at for at, number in enumerate(numbers)}, (inside.T @ inside).toarray())
        words = {number: terms.words(number) for number in numbers}

        def still_tells(part: int, phrase: int) -> bool:
            return self._tells_without(group, part, phrase)

        once = each_thing_once(numbers, terms.parts(numbers), words, shared, still_tells)
        return {number: self._term(group, number, telling) for number in once}

    def _tells_without(self, group: int, part: int, phrase: int) -> bool:
        """Whether documents that hold the part, but not the phrase, are still notably more frequent in the group."""
        counts = self._counts
        inside = counts.inside[group, [part]] - counts.inside[group, [phrase]]
        outside = counts.outside[group, [part]] - counts.outside[group, [phrase]]
        rest = _Counts(inside, outside, counts.n_inside[group], counts.n_outside[group])
        return bool(rest.strengths[0] > NOTABLE and rest.ratios[0] >= MUCH)

    def _holders(self, group: int, term: int) -> Integers:
        """The group's documents that hold a term."""
        columns = self._columns
        rows = columns.indices[columns.indptr[term] : columns.indptr[term + 1]]
        return np.asarray(rows[self._codes[rows] == group])

    @cached_property
    def _columns(self) -> Any:
        return self._held.tocsc()

    def _is_spread(self, group: int, term: int) -> bool:
        """Whether enough origins have a term: what one of them repeats says little about its group."""
        members = np.flatnonzero(self._codes == group)
        holders = self._holders(group, term)
        return all(
            kind.count(holders) >= min(LEAST_ORIGINS, np.ceil(SHARE_OF_ORIGINS * kind.count(members)))
            for kind in self._origins
        )

    def _is_name(self, group: int, term: int) -> bool:
        """Whether a term is the group's name, or that of the origins of most of its documents that hold it."""
        words, holders = self._terms.words(term), self._holders(group, term)
        named = max((kind.count_named(holders, words) for kind in self._origins), default=0)
        return named >= OWN_SHARE * len(holders) or (bool(self._names) and words <= self._names[group])

    def _term(self, group: int, number: int, telling: bool) -> Term:
        counts = self._counts
        inside, outside = counts.inside[group, number], counts.outside[group, number]
        return Term(
            term=self._terms.name(number),
            documents=int(inside),
            share=float(inside / counts.n_inside[group, 0]),
            elsewhere=int(outside),
            share_elsewhere=float(outside / counts.n_outside[group, 0]),
            sources=self._origins[0].count(self._holders(group, number)) if self._origins else None,
            telling=telling,
        )

    def _most_frequent(self) -> dict[int, Term]:
        """The words of most documents, where there is no other group to tell them from."""
        inside, n = self._counts.inside[0], float(self._counts.n_inside[0, 0])
        words = [at for at in np.flatnonzero(inside >= LEAST_DOCUMENTS).tolist() if len(self._terms.runs[at]) == 1]
        words.sort(key=lambda number: (-inside[number], self._terms.name(number)))
        return {at: Term(self._terms.name(at), int(inside[at]), float(inside[at]) / n, 0, None) for at in words}


def _discoveries(p_values: Floats) -> Booleans:
    """Which tests are passed so that on average at most LEVEL of those passed are false (Benjamini and Hochberg)."""
    from scipy.stats import false_discovery_control  # slow to import

    if p_values.size == 0:
        return np.zeros(p_values.shape, np.bool_)
    return np.asarray(false_discovery_control(p_values.ravel()).reshape(p_values.shape) <= LEVEL)


def least_frequent(codes: Integers, n_groups: int) -> int:
    """In how many documents a term must occur to tell anything: with fewer, even all in one group could be chance."""
    from scipy.stats import hypergeom  # slow to import

    sizes = np.bincount(codes, minlength=n_groups)
    hits = np.arange(LEAST_DOCUMENTS, MOST_SOUGHT + 1)
    most = np.minimum(hits, sizes[:, None])
    possible = hypergeom.sf(most - 1, sizes.sum(), hits, sizes[:, None]).min(axis=0) <= LEVEL
    return LEAST_DOCUMENTS if n_groups == 1 or not possible.any() else LEAST_DOCUMENTS + int(possible.argmax())
