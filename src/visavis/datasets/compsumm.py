"""The published news data: HDF5 files with vectors, groups and 51 splits."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from visavis.corpus import read_corpus
from visavis.datasets.dataset import Dataset
from visavis.errors import InvalidParameter

TARGET = "target"


def load_compsumm(path: str | Path, target: str = TARGET) -> Dataset:
    """The vectors, groups and splits of one of the authors' files (70/20/10, training and validation merged).

    `target` names the array that holds the groups ("target", "target-month" or "target-week"). The file is parsed in
    a process of its own. Raises InvalidParameter if it has no vectors or no such array, Unreadable if it is no HDF5.
    """
    corpus = read_corpus(str(path))
    if corpus.vectors is None:
        raise InvalidParameter(f"{path} holds no array 'data' with a vector for each document")
    labels = [document.fields.get(target) for document in corpus.documents]
    if any(label is None for label in labels):
        there = ", ".join(sorted({str(key) for document in corpus.documents[:1] for key in document.fields}))
        raise InvalidParameter(f"{path} holds no array {target!r} with a group for each document; there are: {there}")
    return Dataset(Path(path).stem, np.asarray(corpus.vectors, np.float64), np.asarray(labels), corpus.splits)
