"""Do sentences on groups tell documents apart that their writer has not seen? The rule of the nearest sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from visavis.explain.blocks import too_few
from visavis.explain.dealing import deal_units
from visavis.records import Array, Booleans, Floats, Integers

ROUNDS = 499
TIE = 1e-12


@dataclass(frozen=True, eq=False)
class HeldAgainst:
    """The documents that sentences are held against: `vectors` (N, d) of length 1 and each one's group.

    `shown` marks those that the writer of the sentences has seen, `n_shown` says of how many of each group. `units` are
    what a test deals anew, within `strata`.
    """

    vectors: Array
    codes: Integers
    shown: Booleans
    n_shown: Integers
    units: Integers
    strata: Integers

    def undecided(self, n_groups: int) -> str:
        """Why nothing can be told of any sentence, as the end of a sentence; blank where it can."""
        first = np.unique(self.units, return_index=True)[1]
        groups, unseen = self.codes[first], np.bincount(self.codes[~self.shown], minlength=n_groups)
        if unseen.min() == 0:
            return "a group has no document that the model was not shown"
        return too_few(self.strata[first], groups, n_groups)


@dataclass(frozen=True)
class SentenceScore:
    """How well a sentence tells its group from the rest: balanced accuracy, and how often chance does as well.

    `p_alone` is that of the sentence by itself: what it has from the others' telling the rest is not its own.
    """

    accuracy: float
    p_value: float
    p_alone: float


def tell_by_sentences(
    held: HeldAgainst, sentences: Array, about: Integers, rng: np.random.Generator, rounds: int = ROUNDS
) -> list[SentenceScore]:
    """What each sentence tells; `sentences` (S, d) are vectors of length 1, `about` (S,) their groups, all different.

    An unseen document is said to be of the group whose sentence is nearest. The p-value is not that of dealing the
    documents anew among the groups: picks are chosen to tell these very documents apart, so that sentences on picks do
    so even where labels were drawn from a hat. Each deal therefore has writers of its own: its
    sentences are the documents that are most of their group and least of the others by that deal's labels, as many as
    were shown, and a sentence must do better than theirs. By itself it need only do better than when documents are
    dealt anew: that is no test, but tells who contributes. p = (1 + b)/(1 + B).
    """
    similar, unseen = held.vectors @ sentences.T, ~held.shown
    near, codes = _is_near(similar[unseen]), held.codes[unseen]
    found, alone = balanced_accuracy(similar, held.codes, unseen, about), _balanced(near, codes[:, None] == about)
    reached, reached_alone = np.zeros(len(about)), np.zeros(len(about))
    for dealt in deals(held, rng, rounds):
        by_chance, others = _best_by_chance(held.vectors, dealt, about, held.n_shown[about])
        reached += balanced_accuracy(by_chance, dealt, others, about) >= found - TIE
        reached_alone += _balanced(near, dealt[unseen][:, None] == about) >= alone - TIE
    p_values, p_alone = (1 + reached) / (1 + rounds), (1 + reached_alone) / (1 + rounds)
    return [SentenceScore(*map(float, one)) for one in zip(found, p_values, p_alone, strict=True)]


def balanced_accuracy(similar: Floats, codes: Integers, unseen: Booleans, about: Integers) -> Floats:
    """Balanced accuracy of each sentence's answer to "is this document of your group?"; shape (S,)."""
    own = codes[unseen][:, None] == about
    return _balanced(claimed(similar[unseen], every_group=len(about) > codes.max()), own)


def claimed(similar: Floats, *, every_group: bool) -> Booleans:
    """To which sentence each document is nearest, by how much nearer it is than documents are on average; (N, S).

    Without the average, a sentence of general words would be nearest to everything. Where not `every_group` has a
    sentence, some documents belong to none: those that are near to none.
    """
    scaled = _scaled(similar)
    nearest = scaled.argmax(axis=1)[:, None] == np.arange(similar.shape[1])
    return np.asarray(nearest if every_group else nearest & (scaled > 0))


def _is_near(similar: Floats) -> Booleans:
    """Which documents are nearer to each sentence than documents are on average; shape (N, S)."""
    return np.asarray(_scaled(similar) > 0)


def _scaled(similar: Floats) -> Floats:
    spread = similar.std(axis=0)
    return np.asarray((similar - similar.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


def _balanced(says: Booleans, own: Booleans) -> Floats:
    """The mean of two shares: of the group's documents that are said to be its own, and of the others that are not."""
    right = np.sum(says & own, axis=0) / np.maximum(own.sum(axis=0), 1)
    left = np.sum(~says & ~own, axis=0) / np.maximum((~own).sum(axis=0), 1)
    return np.asarray(0.5 * (right + left))


def deals(held: HeldAgainst, rng: np.random.Generator, rounds: int) -> Iterator[Integers]:
    """The documents' groups after each deal."""
    _, first, place = np.unique(held.units, return_index=True, return_inverse=True)
    for dealt in deal_units(held.codes[first], held.strata[first], rng, rounds).T:
        yield dealt[place]


def _best_by_chance(vectors: Array, codes: Integers, about: Integers, counts: Integers) -> tuple[Floats, Booleans]:
    """How near every document is to the most telling documents of each group, and which are not among these.

    Telling is a_i − b_i: mean similarity with the own group less that with the others.
    """
    member = codes == about[:, None]
    sizes = member.sum(axis=1, keepdims=True)
    sums, total = member.astype(vectors.dtype) @ vectors, vectors.sum(axis=0)
    telling = (sums / sizes - (total - sums) / (len(codes) - sizes)).astype(vectors.dtype) @ vectors.T
    unseen, written = np.ones(len(codes), np.bool_), []
    for values, own, count in zip(telling, member, counts.tolist(), strict=True):
        inside = np.flatnonzero(own)
        count = min(count, len(inside))
        most = inside[np.argpartition(-values[inside], count - 1)[:count]]
        unseen[most] = False
        written.append(vectors[most].sum(axis=0))
    return np.asarray(vectors @ np.stack(written, axis=1)), unseen
