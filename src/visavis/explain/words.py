"""Words and phrases that set a group apart, chosen so that chance would show none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from visavis.explain.telling import Provenance, least_frequent, telling_terms
from visavis.explain.terms import count_terms
from visavis.explain.tokens import Tokens
from visavis.records import Integers, Term
from visavis.shared.hashing import draw_by_key, hash_ids

MOST_READ, FEWEST_READ = 60_000, 5_000  # documents whose words are counted: of all groups together, and of each


class GroupWords:
    """The words and phrases that set each group apart.

    Documents with a term are counted inside and outside of a group and compared by Fisher's exact test, their numbers
    lowered where few origins repeat it; of all terms and groups those pass that Benjamini and Hochberg let pass at 1 %.
    The origins' own names and the groups' are left out, unless `names` asks for them. `tokens` are those of the texts,
    where they have been read already. Of very many documents only those drawn by hash are `read`: all, or so many of
    each group, by their rows.
    """

    def __init__(
        self,
        texts: Sequence[str],
        codes: Integers,
        n_groups: int,
        provenance: Provenance | None = None,
        *,
        names: bool = False,
        tokens: Tokens | None = None,
    ) -> None:
        groups, about = np.asarray(codes, np.intp), provenance or Provenance()
        self.read = _drawn(texts, groups, n_groups) if tokens is None else np.arange(len(groups))
        self._texts, self._all_read = texts, len(self.read) == len(groups)
        if not self._all_read:
            texts, groups, about = [texts[row] for row in self.read.tolist()], groups[self.read], about.take(self.read)
        self._terms = count_terms(texts, least_frequent(groups, n_groups), tokens)
        self._about, self._names = about, names
        self._groups, self._counted = groups, about.rows(len(groups))
        self._told = telling_terms(self._terms, groups, n_groups, about, names=names)

    def of_group(self, group: int, most: int = 12) -> tuple[Term, ...]:
        """The most telling terms of a group."""
        return tuple(self._told[group].values())[:most]

    def of_document(self, document: int, group: int, most: int = 8) -> tuple[str, ...]:
        """The most telling terms of a group among those of one document, as they are written."""
        held = self._held(document)
        return tuple(term.term for number, term in self._told[group].items() if number in held)[:most]

    def _held(self, document: int) -> set[int]:
        """The terms of a document; of one that was not read, by reading it now."""
        place = document if self._all_read else int(np.searchsorted(self.read, document))
        if place == len(self.read) or self.read[place] != document:
            return self._terms.held_in(self._texts[document])
        found = self._terms.found
        return set(found.indices[found.indptr[place] : found.indptr[place + 1]].tolist())

    def of_parts(self, codes: Integers, n_parts: int, most: int = 12) -> list[dict[str, frozenset[str]]]:
        """The most telling terms of each part, with their words, where the documents read are parted in another way."""
        told = telling_terms(self._terms, codes, n_parts, replace(self._about, groups=()), names=self._names)
        return [{term.term: self._terms.words(number) for number, term in islice(part.items(), most)} for part in told]

    def holders(self, group: int, most: int = 12) -> list[Integers]:
        """For each of the group's most telling terms, its documents that hold it; copies once."""
        inside = self._counted[self._groups[self._counted] == group]
        numbers = list(self._told[group])[:most]
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
