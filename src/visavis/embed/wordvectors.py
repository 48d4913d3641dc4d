"""A table of word vectors, small enough to ship: int8 codes with a scale for each word."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from visavis.errors import InvalidParameter
from visavis.records import Floats, Integers

BUNDLED = Path(__file__).with_name("data") / "glove-6b-100d-50k.npz"
_BEND = 2.7  # Mandelbrot's shift of the rank, at its usual value for English


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Words with their rows: word w is codes[rows[w]] · scales[rows[w]] and the ranks[rows[w]]-th most frequent.

    `total` is how many words the list has from which these were taken.
    """

    rows: dict[str, int]
    codes: NDArray[np.int8] | NDArray[np.float32]
    scales: NDArray[np.float32]
    ranks: Integers
    total: int

    def take(self, rows: Integers) -> NDArray[np.float32]:
        """The vectors of these rows; shape (rows, d)."""
        return self.codes[rows].astype(np.float32) * self.scales[rows, None]

    def frequencies(self, rows: Integers) -> Floats:
        """How likely these words are in running text, by the law of Zipf and Mandelbrot.

        p(r) = 1 / ((r + 2.7) · H), H = Σ_{r=1..total} 1 / (r + 2.7), for the word of rank r.
        """
        harmonic = float(np.sum(1 / (np.arange(1, self.total + 1) + _BEND)))
        return np.asarray(1 / ((self.ranks[rows] + _BEND) * harmonic))


def load_vectors(path: Path) -> WordVectors:
    """The vectors of a file that scripts/make_vectors.py made. Raises InvalidParameter if it is something else."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            words = arrays["words"].tobytes().decode().split("\n")
            codes, scales = arrays["codes"], arrays["scales"]
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise InvalidParameter(f"{path} is no file of word vectors made by make_vectors.py: {error}") from error
    if codes.ndim != 2 or len(words) != len(codes) or scales.shape != (len(words),):
        raise InvalidParameter(
            f"{path} is damaged: {len(words)} words, vectors of shape {codes.shape}, scales of shape {scales.shape}"
        )
    ranks = np.arange(1, len(words) + 1)
    return WordVectors(dict(zip(words, range(len(words)), strict=True)), codes, scales, ranks, len(words))


@cache
def bundled_vectors() -> WordVectors:
    """The vectors that come with visavis: the 50,000 most frequent words of GloVe 6B, 100 numbers each."""
    return load_vectors(BUNDLED)
