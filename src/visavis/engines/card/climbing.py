"""Greedy picks sought on the card: rough merits for everyone, exact ones for whoever may win, again until it is sure.

A document's score is known to within the error of its merit. Only documents whose score may reach the best that is
certain can be picked; as soon as all of these have exact merits, the pick is that of a search in float64.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from visavis.engines.card.rows import ScaledRows
from visavis.engines.card.sums import RowSums
from visavis.kernel.ties import tie_width
from visavis.records import Climb, Floats, Integers

SAMPLED = 96  # documents of each group on which the error of rough sums is measured
SAFETY = 5.0  # times the largest error that was measured
SINGLE, DOUBLE = 4e-6, 1e-12  # how far a similarity at the precision of the search may be off
FLOAT64 = 1e-13  # what differs by less, relative to the largest gain, is a tie


def climb(steps: Climb, rows: ScaledRows, sums: RowSums) -> tuple[int, ...]:
    """The picks, in the order they were made."""
    merits = Merits(steps, sums)
    search = _Search(steps, rows, merits)
    while True:
        picks, doubtful = search.run()
        if len(doubtful) == 0:
            return picks
        merits.make_sure(doubtful)


class Merits:
    """Σ_h mix_gh Σ_{j∈h} w_j k(i, j) of every document i of group g, and how far each may be off."""

    def __init__(self, steps: Climb, sums: RowSums) -> None:
        self._steps, self._sums = steps, sums
        spans = _spans(steps.bounds)
        rough = sums.rough()
        self._mix = torch.as_tensor(steps.mix).to(rough.device)
        self.values = torch.cat([rough[a:b] @ mix for (a, b), mix in zip(spans, self._mix, strict=True)])
        self.errors = torch.zeros_like(self.values)
        samples = [np.unique(np.linspace(a, b - 1, min(SAMPLED, b - a)).astype(np.intp)) for a, b in spans]
        sample = np.concatenate(samples)
        off = (self._mixed(sample, sums.checked(sample)) - self._at(sample)).abs().cpu().numpy()
        ends = np.cumsum([len(one) for one in samples])
        for (start, stop), part in zip(spans, np.split(off, ends[:-1]), strict=True):
            self.errors[start:stop] = SAFETY * float(part.max())
        self._rough = self.errors.clone()

    def make_sure(self, documents: Integers) -> None:
        """Exact merits for these; should one be further off than the bound said, the bound grows for everyone."""
        at = torch.as_tensor(documents).to(self.values.device)
        exact = self._mixed(documents, self._sums.exact(documents))
        beyond = float(((exact - self._at(documents)).abs() / self._rough[at].clamp(min=1e-300)).max())
        if beyond > 1.0:
            self.errors *= 2.0 * beyond
            self._rough *= 2.0 * beyond
        self.values[at], self.errors[at] = exact, 0.0

    def _mixed(self, documents: Integers, sums: Any) -> Any:
        """Merits of these documents from their sums."""
        groups = np.searchsorted(self._steps.bounds, documents, side="right") - 1
        return (sums * self._mix[torch.as_tensor(groups).to(sums.device)]).sum(dim=1)

    def _at(self, documents: Integers) -> Any:
        return self.values[torch.as_tensor(documents).to(self.values.device)]


@dataclass
class _Group:
    """What a search knows of one group: which documents are open, and their similarity with its picks."""

    rows: slice
    open: Any
    similarity: Any
    picks: list[int] = field(default_factory=list)
    merit: float = 0.0  # Σ over its picks
    pairs: float = 0.0  # Σ k over pairs of its picks


class _Search:
    def __init__(self, steps: Climb, rows: ScaledRows, merits: Merits) -> None:
        self._steps, self._rows, self._merits = steps, rows, merits
        device = merits.values.device
        self._allowed = torch.as_tensor(steps.allowed).to(device)
        self._stories = torch.as_tensor(steps.stories).to(device)
        self._noise = SINGLE if rows.is_single else DOUBLE
        self._columns: dict[int, Any] = {}

    def run(self) -> tuple[tuple[int, ...], Integers]:
        """Picks from what is known now, and the documents that might take the place of one and are not sure."""
        groups = [self._start(slice(int(a), int(b))) for a, b in _spans(self._steps.bounds)]
        sequence: list[int] = []
        doubtful: list[Integers] = []
        for group, pins in zip(groups, self._steps.pinned, strict=True):
            for document in pins:
                self._take(group, document)
                sequence.append(document)
        for place in self._turns([len(group.picks) for group in groups]):
            document, unsure = self._best(groups[place])
            self._take(groups[place], document)
            sequence.append(document)
            doubtful.append(unsure)
        return tuple(sequence), np.unique(np.concatenate(doubtful)) if doubtful else np.zeros(0, np.intp)

    def _turns(self, counts: list[int]) -> list[int]:
        """Whose turn it is, pick by pick: the groups with the fewest picks among those that lack some."""
        found = []
        sizes = self._steps.sizes
        while lacking := [place for place, size in enumerate(sizes) if counts[place] < size]:
            lowest = min(counts[place] for place in lacking)
            for place in [place for place in lacking if counts[place] == lowest]:
                found.append(place)
                counts[place] += 1
        return found

    def _start(self, rows: slice) -> _Group:
        return _Group(rows, self._allowed[rows].clone(), torch.zeros_like(self._merits.values[rows]))

    def _best(self, group: _Group) -> tuple[int, Integers]:
        """The document to pick next, and those that may turn out better."""
        size, rho = len(group.picks) + 1, self._steps.repulsion
        merits, errors = self._merits.values[group.rows], self._merits.errors[group.rows]
        closed = ~group.open
        score = 2.0 * merits / size - (2.0 * rho / size**2) * group.similarity
        slack = 2.0 * errors / size + 2.0 * abs(rho) * self._noise * (size - 1) / size**2
        certain = (score - slack).masked_fill(closed, -torch.inf).max()
        rivals = torch.nonzero(((score + slack) >= certain) & group.open).ravel()
        unsure = rivals[errors[rivals] > 0]
        if len(unsure):
            best = int(score.masked_fill(closed, -torch.inf).argmax())
            return best + group.rows.start, unsure.cpu().numpy() + group.rows.start
        shift = 2.0 * group.merit / size - rho * (group.pairs + 1.0) / size**2 - self._value(group)
        scale = float((score + shift).masked_fill(closed, 0.0).abs().max())
        return self._winner(group, rivals.cpu().numpy() + group.rows.start, scale), np.zeros(0, np.intp)

    def _winner(self, group: _Group, rivals: Integers, scale: float) -> int:
        """The best of documents whose merits are exact, in float64; the first of those that tie."""
        size, rho = len(group.picks) + 1, self._steps.repulsion
        at = torch.as_tensor(rivals).to(self._merits.values.device)
        merits: Floats = self._merits.values[at].cpu().numpy()
        near = self._exact_similarity(rivals, group.picks)
        score = 2.0 * merits / size - (2.0 * rho / size**2) * near
        width = tie_width(scale, FLOAT64)
        return int(rivals[np.argmax(score >= score.max() - width)])

    def _exact_similarity(self, documents: Integers, picks: list[int]) -> Floats:
        """Σ_{s∈S} k(·, s) in float64."""
        if not picks:
            return np.zeros(len(documents))
        tile = self._rows.exponents(self._rows.exact(documents), self._rows.exact(np.array(picks))).exp_()
        found: Floats = tile.sum(dim=1).cpu().numpy()
        return found

    def _value(self, group: _Group) -> float:
        size = len(group.picks)
        return 2.0 * group.merit / size - self._steps.repulsion * group.pairs / size**2 if size else 0.0

    def _take(self, group: _Group, document: int) -> None:
        at = document - group.rows.start
        column = self._column(group.rows, document)
        group.merit += float(self._merits.values[document])
        group.pairs += 2.0 * float(group.similarity[at]) + 1.0
        group.similarity = group.similarity + column
        group.open &= self._stories[group.rows] != self._stories[document]
        group.picks.append(document)

    def _column(self, rows: slice, document: int) -> Any:
        """k of a group's documents with one; kept, since a search that runs again mostly asks for the same."""
        if document not in self._columns:
            right = self._rows.take(np.array([document]))
            self._columns[document] = self._rows.exponents(self._rows.take(rows), right).exp_()[:, 0].double()
        return self._columns[document]


def _spans(bounds: Integers) -> list[tuple[int, int]]:
    return list(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
