"""Words that set a group apart: log-odds with an informative prior."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from visavis.records import Integers

WORD = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?")
PRIOR = 0.01  # weight of the whole corpus as a prior, relative to its own counts
NOTABLE = 1.96  # standard deviations from no difference
MUCH = 1.3  # times as many documents inside: in a large corpus even "the" differs notably, but not by much
LEAST = 3  # a word in fewer documents of a group than this says little about it

# Words that hold English sentences together: they may differ between groups, but they tell a reader nothing.
FUNCTION_WORDS = frozenset(  # a block of words reads better than a list of strings
    """
    about above across after again against ago all almost along already also although always am among an and
    another any anyone anything are around as at away back be became because become been before behind being
    below between both but by came can cannot could did do does doing done down during each either else enough
    even ever every everyone few for from get gets getting give given go goes going gone got had has have having
    he her here hers herself him himself his how however if in into is isn't it its itself just keep kept knew
    know last least less let like made make makes making many may me might mine more most much must my myself
    near nearly neither never next no nobody none nor not nothing now of off often on once one ones only onto or
    other others our ours out over own per perhaps put quite rather really said same saw say says see seen
    several shall she should since so some someone something soon still such take taken takes than that the
    their theirs them themselves then there these they thing things this those though through thus to together
    too took toward towards two under until up upon us use used very was wasn't way we well went were what when
    where whether which while who whole whom whose why will with within without won't would yet you your yours
    """.split()  # noqa: SIM905
)


class GroupWords:
    """How telling each word is for each group.

    z = (log-odds of the word in the group − in the rest) / its standard deviation, both with the corpus as a prior.
    """

    def __init__(self, texts: Sequence[str], codes: Integers, n_groups: int) -> None:
        self._found = [frozenset(words_of(text)) for text in texts]
        counts: list[Counter[str]] = [Counter() for _ in range(n_groups)]
        for words, code in zip(self._found, codes, strict=True):
            counts[code].update(words)
        self._z = [_z_scores(counts[g], counts[:g] + counts[g + 1 :], self._n(codes, g)) for g in range(n_groups)]

    def of_group(self, group: int, most: int = 12) -> tuple[str, ...]:
        """The most telling words of a group."""
        return _top(self._z[group], most)

    def of_document(self, document: int, group: int, most: int = 8) -> tuple[str, ...]:
        """The most telling words of a group among those of one document."""
        telling = self._z[group]
        return _top({word: telling[word] for word in self._found[document] if word in telling}, most)

    @staticmethod
    def _n(codes: Integers, group: int) -> tuple[int, int]:
        inside = int(np.sum(codes == group))
        return inside, len(codes) - inside


def words_of(text: str) -> list[str]:
    """The telling words of a text: case-folded, possessives stripped, function words left out."""
    found = WORD.findall(text.casefold().replace("’", "'"))
    words = (word.removesuffix("'s") for word in found)
    return [word for word in words if len(word) > 1 and word not in FUNCTION_WORDS]


def _z_scores(inside: Counter[str], others: Sequence[Counter[str]], sizes: tuple[int, int]) -> dict[str, float]:
    """z of every word that notably more documents inside have; counts are documents with the word, not its uses."""
    words = [word for word, count in inside.items() if count >= min(LEAST, sizes[0])]
    here = np.array([inside[word] for word in words], float)
    there = np.array([sum(counts[word] for counts in others) for word in words], float)
    n_here, n_there = sizes
    if not words or n_there == 0:
        return dict(zip(words, here.tolist(), strict=True))
    have = PRIOR * (here + there) + 0.5
    lack = PRIOR * (n_here + n_there - here - there) + 0.5
    cells = [here + have, n_here - here + lack, there + have, n_there - there + lack]
    log_odds = np.log(cells[0] / cells[1]) - np.log(cells[2] / cells[3])
    z = log_odds / np.sqrt(sum(1.0 / cell for cell in cells))
    ratio = (cells[0] / (cells[0] + cells[1])) / (cells[2] / (cells[2] + cells[3]))
    telling = (z > NOTABLE) & (ratio >= MUCH)
    return {word: float(score) for word, score, tells in zip(words, z, telling, strict=True) if tells}


def _top(scores: dict[str, float], most: int) -> tuple[str, ...]:
    return tuple(sorted(scores, key=lambda word: (-scores[word], word))[:most])
