"""Where a split's vectors come from: an array, or an embedding fitted anew on every training part."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.decomposition import PCA

from visavis.errors import InvalidParameter
from visavis.evaluate.plan import Plan
from visavis.evaluate.splits import Split
from visavis.records import Array, Floats, Integers

Embedding = Callable[[Integers], Any]  # rows to fit on → vectors of all documents


@dataclass(frozen=True, eq=False)
class Source:
    """Documents as an array (N, d), or as an embedding; their groups' codes and names; and the splits."""

    vectors: Array | Embedding
    codes: Integers
    names: tuple[str, ...]
    splits: tuple[Split, ...]

    def of_split(self, number: int, plan: Plan) -> Floats:
        """Vectors of all documents, whatever is fitted being fitted on the training part; shape (N, d)."""
        train = self.splits[number].train
        vectors = self._vectors(train)
        if plan.variance is None:
            return vectors
        reduce = PCA(plan.variance if plan.variance < 1.0 else None, svd_solver="full").fit(vectors[train])
        return np.asarray(reduce.transform(vectors), np.float64)

    def _vectors(self, train: Integers) -> Floats:
        given = self.vectors(train) if callable(self.vectors) else self.vectors
        vectors = np.asarray(given, np.float64)
        if vectors.ndim != 2 or len(vectors) != len(self.codes):
            raise InvalidParameter(
                f"there are {len(self.codes)} groups' labels but vectors of shape {vectors.shape}: one row each"
            )
        if not np.all(np.isfinite(vectors)):
            raise InvalidParameter("the vectors hold NaN or infinite values")
        return vectors

    def digest(self, plan: Plan, version: str) -> str:
        """A fingerprint of all that decides the results: plan, version, groups, splits and vectors."""
        digest = hashlib.sha256(json.dumps([version, plan.describe(), self.names], sort_keys=True).encode())
        for rows in (self.codes, *_rows(self.splits)):
            digest.update(f"{len(rows)}:".encode() + np.ascontiguousarray(rows, "<i8").tobytes())
        vectors = self._vectors(self.splits[0].train)
        digest.update(f"{vectors.shape}:".encode() + np.ascontiguousarray(vectors, "<f8").tobytes())
        return digest.hexdigest()

    def splits_digest(self, plan: Plan) -> str:
        """A fingerprint of documents, groups and splits: runs that share it can be compared split by split.

        Documents are known by their texts, so that embedders can be compared; bare vectors by the data set's name.
        """
        texts = getattr(self.vectors, "texts", None)
        what = [self.names, plan.dataset if texts is None else list(texts)]
        digest = hashlib.sha256(json.dumps(what).encode())
        for rows in (self.codes, *_rows(self.splits)):
            digest.update(f"{len(rows)}:".encode() + np.ascontiguousarray(rows, "<i8").tobytes())
        return digest.hexdigest()


def _rows(splits: Sequence[Split]) -> list[Integers]:
    return [rows for split in splits for rows in (split.train, split.test)]
