"""Sentence-transformers models, by name or folder; the package is loaded when the first text is embedded."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from visavis.embed.rows import check_fit_rows, set_missing
from visavis.errors import InvalidParameter
from visavis.records import Embedded, Integers

PACKAGE = "sentence_transformers"
if PACKAGE not in sys.modules and importlib.util.find_spec(PACKAGE) is None:
    raise ModuleNotFoundError(f"No module named {PACKAGE!r}", name=PACKAGE)

VERSION = 1  # one more whenever the same texts would get other vectors
DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"


@dataclass(frozen=True)
class SentenceModel:
    """The vectors of a sentence-transformers model; nothing is fitted."""

    name: str = DEFAULT_MODEL

    def embed(self, texts: Sequence[str], fit_on: Integers | None = None) -> Embedded:
        """A vector for every text that is not blank. Raises InvalidParameter if the model cannot be loaded."""
        check_fit_rows(fit_on, len(texts))
        has_words = np.array([bool(text.strip()) for text in texts], dtype=bool)
        kept = np.flatnonzero(has_words)
        vectors = np.zeros((0, 1), dtype=np.float32)
        if len(kept):
            model = self._load()
            found = model.encode([texts[int(place)] for place in kept], show_progress_bar=False, convert_to_numpy=True)
            vectors = np.ascontiguousarray(found, dtype=np.float32)
        return Embedded(vectors, kept, set_missing(has_words, "the text is empty"), (), self._describe())

    def fingerprint(self, texts: Sequence[str]) -> str:  # noqa: ARG002 (the texts are hashed elsewhere)
        """The model, the package's version, and for a folder the sizes and dates of its files."""
        folder = Path(self.name)
        files = sorted(folder.rglob("*")) if folder.is_dir() else []
        facts = [(str(file.relative_to(folder)), file.stat().st_size, file.stat().st_mtime_ns) for file in files]
        return f"{self._describe()} {facts}"

    def _load(self) -> Any:
        try:
            return importlib.import_module(PACKAGE).SentenceTransformer(self.name)
        except (OSError, ValueError) as error:
            raise InvalidParameter(
                f"model {self.name!r} could not be loaded ({str(error).splitlines()[0]}): "
                "download it where there is a network, and give its folder instead of its name"
            ) from error

    def _describe(self) -> dict[str, object]:
        try:
            package = importlib.metadata.version("sentence-transformers")
        except importlib.metadata.PackageNotFoundError:
            package = "unknown"
        return {"embedder": self.name, "sentence-transformers": package, "version": VERSION}
