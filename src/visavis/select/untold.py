"""What each document tells of its group that the other picks leave untold, by the words it holds and by its theme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from visavis.records import Booleans, Floats
from visavis.select.problem import Problem
from visavis.select.scored import judged_of
from visavis.shared.ranks import mid_ranks, up_to, with_beside

DIRECTIONS = 20  # main directions of the documents, in which those on one theme lie together
ONE_THEME = 0.3  # cosine in these directions from which two documents are on one theme
SAME_WORDS = 0.1  # cosine of their words from which they are, too
FARTHEST, FEWEST_FARTHEST = 0.1, 4  # of the documents that may be picked, where all are on a theme that is told
WORTH_ENOUGH = 0.85  # the rank of worth from which on documents are worth showing alike
STRIP = 4096  # documents whose directions are looked at in one go


@dataclass(frozen=True, eq=False)
class Untold:
    """How telling the documents of a group are beside some of its picks S.

    What is left to tell of a group are the words ω = √(Σ_{i∈g} r_i u_i / N_g − ½(1 + λ) Σ_{i∉g} r_i u_i / N_¬g), 0
    where the others have more: by the root, several words tell more than the foremost one. u_i are the words of
    document i, a row of length 1, and every document counts by its weight. How far it is from the themes of S is
    r_i = Π_{s∈S} (1 − √c_is), c being the cosine of themes, 0 where it is negative. λ is the contrast. Beside no picks
    a document tells u·ω; beside some, u·ω·(1 − max_{s∈S} c_s), times the root of what it tells beside none as a share
    of the most: what is left is told by documents that tell much of the group. The documents i are those that a
    likelihood is judged on: all, or a few thousand.
    """

    problem: Problem
    contrast: float
    _near: dict[int, _Near] = field(default_factory=dict, repr=False)  # what is near to each pick so far
    _first: dict[int, Floats] = field(default_factory=dict, repr=False)  # by group
    _worth: dict[int, Floats] = field(default_factory=dict, repr=False)  # likewise
    _counts: dict[tuple[int, float], Floats] = field(default_factory=dict, repr=False)  # by group and what others count

    def first(self, group: int) -> Floats:
        """How telling each document of the group is where nothing is picked; shape (N_g,)."""
        if group not in self._first:
            self._first[group] = self._left(group, ())
        return self._first[group]

    def told(self, group: int, picks: Sequence[int]) -> Floats:
        """How telling each document of the group is beside these picks of it; shape (N_g,)."""
        first = self.first(group)
        most = float(first.max(initial=0.0))
        if not picks or most <= 0.0:
            return first
        return self._left(group, picks) * np.sqrt(np.maximum(first, 0.0) / most)

    def worth(self, group: int) -> Floats | None:
        """How much each document of the group is worth showing, from 0 to 1; None where none was weighed.

        It is their rank by the words of the group, less λ times those of the others, and by what counts beside them, as
        a share of 0.85: the best 15 % are worth showing alike. Shape (N_g,).
        """
        if self.problem.beside_words is None:
            return None
        if group not in self._worth:
            words = self._more_in_group(self._signed(group, self.contrast))
            told = np.asarray(views_of(self.problem).words_of[group] @ words).ravel()
            ranks = mid_ranks(with_beside(told, self.problem.beside_words[self.problem.rows(group)]))
            self._worth[group] = up_to(WORTH_ENOUGH, ranks)
        return self._worth[group]

    def _left(self, group: int, picks: Sequence[int]) -> Floats:
        """u·ω·(1 − max c)."""
        weights = self._signed(group, 0.5 * (1.0 + self.contrast))
        for pick in picks:
            weights = weights * self._beside(pick).untold
        words = np.sqrt(self._more_in_group(weights))
        told = np.asarray(views_of(self.problem).words_of[group] @ words).ravel()
        return told * (1.0 - self._nearest(group, picks))

    def _more_in_group(self, weights: Floats) -> Floats:
        """How much more of each word the documents that count for a group have, 0 where others have more; (T,)."""
        return np.asarray(np.maximum(weights @ views_of(self.problem).judged_words, 0.0)).ravel()

    def apart(self, picks: Sequence[int], open_: Booleans) -> Booleans:
        """Those of the open documents of a group that are on none of the picks' themes; else the farthest from them."""
        if not picks:
            return open_
        near = np.max([self._on_theme(pick) for pick in picks], axis=0)
        found = open_ & (near < 1.0)
        return np.asarray(found if found.any() else open_ & (near <= _farthest(near[open_])))

    def same_theme(self, picks: Sequence[int], document: int) -> int | None:
        """The pick of its group with which a document is most on one theme; None where it is with none."""
        at = document - self.problem.rows(self.problem.group_of(document)).start
        found = max(picks, key=lambda pick: self._on_theme(pick)[at], default=None)
        return None if found is None or self._on_theme(found)[at] < 1.0 else found

    def _on_theme(self, pick: int) -> Floats:
        """How much the documents of a pick's group are on its theme: from 1 on they are; shape (N_g,)."""
        return self._beside(pick).on_theme

    def _nearest(self, group: int, picks: Sequence[int]) -> Floats:
        """The cosine of each document's theme with that of the nearest pick, 0 where there is none; shape (N_g,)."""
        rows = self.problem.rows(group)
        found = np.zeros(rows.stop - rows.start)
        for pick in picks:
            np.maximum(found, self._beside(pick).theme, out=found)
        return found

    def _beside(self, pick: int) -> _Near:
        if pick not in self._near:
            self._near[pick] = views_of(self.problem).near(pick, self.problem)
        return self._near[pick]

    def _signed(self, group: int, others_count: float) -> Floats:
        """What each document that is judged by counts: those of the group for it, all others so much against it."""
        if (group, others_count) not in self._counts:
            self._counts[group, others_count] = self._weighed(group, others_count)
        return self._counts[group, others_count]

    def _weighed(self, group: int, others_count: float) -> Floats:
        judged, totals = judged_of(self.problem), self.problem.totals()
        own, others = totals[group], totals.sum() - totals[group]
        inside = self.problem.owners(judged.rows.tolist()) == group
        against = others_count * judged.weights / others if others > 0 else 0.0
        return np.where(inside, judged.weights / own, -against)


@dataclass(frozen=True, eq=False)
class _Near:
    """How near documents are to a pick: those of its group by theme and by words, cosines of at least 0, and those that
    are judged by, as what it leaves of them untold."""

    theme: Floats
    words: Floats
    untold: Floats

    @cached_property
    def on_theme(self) -> Floats:
        """How much documents are on the theme of the pick: from 1 on they are."""
        return np.maximum(self.theme / ONE_THEME, self.words / SAME_WORDS)


@dataclass(frozen=True, eq=False)
class Views:
    """The documents by their words, rows of length 1, and by their themes (N, t), likewise.

    The words are held as they are asked for: those of each group, and those of the documents that are judged by.
    """

    words_of: tuple[Any, ...]
    judged_words: Any
    themes: Floats

    def near(self, pick: int, problem: Problem) -> _Near:
        """What is near to a pick."""
        group = problem.group_of(pick)
        rows = problem.rows(group)
        theme = _positive(self.themes[rows] @ self.themes[pick])
        untold = 1.0 - np.sqrt(_positive(self.themes[judged_of(problem).rows] @ self.themes[pick]))
        own = self.words_of[group][[pick - rows.start]].toarray()[0]
        return _Near(theme, np.asarray(self.words_of[group] @ own).ravel(), untold)


def _farthest(near: Floats) -> float:
    """How near those are at most that are looked at where all are near."""
    count = min(len(near), max(FEWEST_FARTHEST, int(FARTHEST * len(near))))
    return float(np.partition(near, count - 1)[count - 1]) if count else 0.0


def _positive(cosines: Floats) -> Floats:
    return np.clip(cosines, 0.0, 1.0)


def views_of(problem: Problem) -> Views:
    """The two views of a problem's documents, made once."""

    def make() -> Views:
        groups = tuple(problem.words[problem.rows(group)] for group in range(problem.n_groups))
        themes = _of_length_one(_directions(problem)[:, :DIRECTIONS])
        return Views(groups, problem.words[judged_of(problem).rows], themes)

    return problem.facts.remember("words and themes", make)


def _directions(problem: Problem) -> Floats:
    """The vectors less their mean, turned into their main directions; shape (N, d)."""
    vectors = problem.vectors
    rows = [vectors.take(slice(begin, begin + STRIP)) for begin in range(0, problem.n_documents, STRIP)]
    centered = np.concatenate(rows)
    centered -= centered.mean(axis=0)
    centered /= max(float(np.abs(centered).max(initial=0.0)), np.finfo(np.float64).tiny)  # squares stay within bounds
    _, turned = np.linalg.eigh(centered.T @ centered)
    return np.asarray(centered @ turned[:, ::-1])


def _of_length_one(rows: Floats) -> Floats:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12))
