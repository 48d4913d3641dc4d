"""Words and phrases that set a group apart: what a test shows, or else the largest gaps, called so."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from visavis.explain.telling import CountedTerms, Provenance, least_frequent
from visavis.explain.terms import count_terms
from visavis.explain.tokens import Tokens
from visavis.records import Floats, Integers, Term
from visavis.shared.hashing import draw_by_key, hash_ids

MOST_READ = 60_000  # documents whose words are counted
FEWEST_READ = 5_000  # ... of each group, where there are more in all
MOST_GAPS = 5  # of a group of which no word is shown to tell


class GroupWords:
    """The words and phrases that set each group apart.

    Documents with a term are counted inside and outside of a group. As long as nothing is tested, its words are its
    largest gaps: those that would be beyond chance if documents were independent. Once `tested`, they are those that
    are shown to tell the group; where none is, a few of its largest gaps. The origins' own names and the groups' are
    left out. `tokens` are those of the texts, where they have been read already. Of very many documents only those
    drawn by hash are `read`: all, or so many of each group, by their rows.
    """

    def __init__(
        self,
        texts: Sequence[str],
        codes: Integers,
        n_groups: int,
        provenance: Provenance | None = None,
        *,
        tokens: Tokens | None = None,
    ) -> None:
        groups, about = np.asarray(codes, np.intp), provenance or Provenance()
        self.read = _drawn(texts, groups, n_groups) if tokens is None else np.arange(len(groups))
        self._texts, self._all_read = texts, len(self.read) == len(groups)
        if not self._all_read:
            texts, groups, about = [texts[row] for row in self.read.tolist()], groups[self.read], about.take(self.read)
        self._terms = count_terms(texts, least_frequent(groups, n_groups), tokens)
        self._about = about
        self._groups, self._counted = groups, about.rows(len(groups))
        self._counts = CountedTerms(self._terms, groups, n_groups, about)
        self._by_group = self._counts.gaps()

    @property
    def held(self) -> Any:
        """Which terms each document holds, sparse; shape (documents read, terms)."""
        return self._terms.found

    def tested(self, strengths: Floats) -> GroupWords:
        """The same words after a test; `strengths` (groups, terms) are positive where a term tells a group."""
        words = copy(self)
        telling = [self._counts.telling(group, own) for group, own in enumerate(strengths)]
        pairs = zip(telling, self._by_group, strict=True)
        words._by_group = [own or dict(islice(gaps.items(), MOST_GAPS)) for own, gaps in pairs]
        return words

    def of_group(self, group: int, most: int = 12) -> tuple[Term, ...]:
        """The most telling terms of a group."""
        return tuple(self._by_group[group].values())[:most]

    def of_document(self, document: int, group: int, most: int = 8) -> tuple[str, ...]:
        """The most telling terms of a group among those of one document, as they are written."""
        held = self._held(document)
        return tuple(term.term for number, term in self._by_group[group].items() if number in held)[:most]

    def _held(self, document: int) -> set[int]:
        """The terms of a document; of one that was not read, by reading it now."""
        place = document if self._all_read else int(np.searchsorted(self.read, document))
        if place == len(self.read) or self.read[place] != document:
            return self._terms.held_in(self._texts[document])
        found = self._terms.found
        return set(found.indices[found.indptr[place] : found.indptr[place + 1]].tolist())

    def of_parts(self, codes: Integers, n_parts: int, most: int = 12) -> list[dict[str, frozenset[str]]]:
        """The largest gaps of each part, with their words, where the documents read are parted in another way."""
        parts = CountedTerms(self._terms, codes, n_parts, replace(self._about, groups=())).gaps()
        return [{term.term: self._terms.words(number) for number, term in islice(part.items(), most)} for part in parts]

    def holders(self, group: int, most: int = 12) -> list[Integers]:
        """For each of the group's most telling terms, its documents that hold it; copies once."""
        inside = self._counted[self._groups[self._counted] == group]
        numbers = list(self._by_group[group])[:most]
        held = self._terms.found[inside][:, numbers].tocsc()
        return [self.read[inside[held.indices[held.indptr[at] : held.indptr[at + 1]]]] for at in range(len(numbers))]


def reads_all(n_documents: int) -> bool:
    """Whether so many documents are all read."""
    return n_documents <= MOST_READ


def _drawn(texts: Sequence[str], groups: Integers, n_groups: int) -> Integers:
    """The rows whose texts are read."""
    if reads_all(len(groups)):
        return np.arange(len(groups))
    return draw_by_key(hash_ids(texts), groups, max(FEWEST_READ, MOST_READ // n_groups))
