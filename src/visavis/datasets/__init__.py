"""Bundled data for demonstrations, documentation and tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from visavis.corpus.reading import read_corpus
from visavis.datasets.compsumm import load_compsumm
from visavis.datasets.dataset import Dataset
from visavis.datasets.digits import load_digits
from visavis.datasets.usps import fetch_usps
from visavis.errors import UnknownName
from visavis.records import Corpus

__all__ = [
    "Dataset",
    "fetch_usps",
    "load_compsumm",
    "load_dataset",
    "load_digits",
    "load_sample",
    "sample_key",
    "sample_path",
]

_DATA = Path(__file__).parent / "data"


def sample_path() -> Path:
    """The bundled sample: 256 fictional news articles on climate, four months, four outlets, as JSON Lines."""
    return _DATA / "sample.jsonl"


def sample_key() -> dict[str, dict[str, Any]]:
    """What was planted in the sample, by article id: its theme, its kind, and whether it copies another article.

    Kinds: "major" and "minor" events belong to one month, "common" themes to all, "emphasis" to one outlet.
    """
    rows = (json.loads(line) for line in (_DATA / "sample-key.jsonl").read_text(encoding="utf-8").splitlines())
    return {row["id"]: row for row in rows}


def load_sample() -> Corpus:
    """The bundled sample as a corpus."""
    return read_corpus(sample_path())


def load_dataset(name: str) -> Dataset:
    """The data set of that name: "usps", "digits", or the path of an .npz (USPS) or .h5 file. Raises UnknownName."""
    suffix = Path(name).suffix.lower()
    if name == "usps":
        return fetch_usps()
    if name == "digits":
        return load_digits()
    if suffix == ".npz":
        return fetch_usps(name)
    if suffix in (".h5", ".hdf5"):
        return load_compsumm(name)
    raise UnknownName(f"unknown data set {name!r}. There are: usps, digits, sample, and files ending in .h5 or .npz")
