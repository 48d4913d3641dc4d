"""Words as numbers, in the order in which they are first met."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Text = TypeVar("Text")


@dataclass(frozen=True, eq=False)
class Numbered:
    """Words as places in `known`, in the order in which they are first met, and how many each text has."""

    flat: NDArray[Any]
    lengths: NDArray[Any]
    known: list[str]


def number_words(texts: Iterable[Text], cut: Callable[[Text], Sequence[str]]) -> Numbered:
    """The words of all texts, as `cut` finds them in each."""
    numbers: defaultdict[str, int] = defaultdict(lambda: len(numbers))
    flat, lengths = array("i"), array("i")
    for text in texts:
        words = cut(text)
        flat.extend(map(numbers.__getitem__, words))
        lengths.append(len(words))
    return Numbered(np.array(flat, np.int32), np.array(lengths, np.int32), list(numbers))
