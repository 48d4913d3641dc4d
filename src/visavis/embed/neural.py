"""Sentence-transformers models, by name or folder; the package is loaded when the first text is embedded."""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from visavis.embed.files import file_digest
from visavis.embed.fitting import check_arrays
from visavis.embed.rows import check_fit_rows, set_missing
from visavis.errors import InvalidParameter
from visavis.records import Array, Embedded, Integers
from visavis.shared.progress import Progress, counted, silent

PACKAGE = "sentence_transformers"
if PACKAGE not in sys.modules and importlib.util.find_spec(PACKAGE) is None:
    raise ModuleNotFoundError(f"No module named {PACKAGE!r}", name=PACKAGE)

VERSION = 1  # one more whenever the same texts would get other vectors, last digits aside
MOST_FILES = 1000  # a model has a few dozen
PART = 2048  # texts after which it tells how far it is; a model sorts them by length, so they should be many
DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"


@dataclass(frozen=True)
class SentenceModel:
    """The vectors of a sentence-transformers model; nothing is fitted. With `offline`, nothing is downloaded either."""

    name: str = DEFAULT_MODEL
    offline: bool = False
    tell: Progress = field(default=silent, compare=False, repr=False)
    needs_fitting: ClassVar[bool] = False

    def with_progress(self, tell: Progress) -> SentenceModel:
        """The same, telling how far it is."""
        return replace(self, tell=tell)

    def fit(self, texts: Sequence[str]) -> FittedModel:  # noqa: ARG002 (nothing depends on them)
        """The model as it is."""
        return FittedModel(replace(self, tell=silent))  # it outlives whoever listens now

    def embed(self, texts: Sequence[str], fit_on: Integers | None = None) -> Embedded:
        """A vector for every text that is not blank; nothing is fitted, but the rows to fit on must be there."""
        check_fit_rows(fit_on, len(texts))
        return replace(FittedModel(self).embed(texts), fitted=self.fit(()))

    def restore(self, parameters: Mapping[str, object], arrays: Mapping[str, Array]) -> FittedModel:
        """The model by its name or folder, never downloaded. Raises InvalidParameter if its files have changed."""
        check_arrays(arrays, {})
        fitted = FittedModel(replace(self, offline=True))
        if parameters.get("files") != fitted.parameters["files"]:
            raise InvalidParameter(f"the files of the model {self.name!r} have changed since then: fit it again")
        return fitted

    def fingerprint(self, texts: Sequence[str]) -> str:  # noqa: ARG002 (the texts are hashed elsewhere)
        """The model, the package's version, and for a folder the sizes and dates of its files."""
        folder = Path(self.name)
        files = sorted(folder.rglob("*")) if folder.is_dir() else []
        facts = [(str(file.relative_to(folder)), file.stat().st_size, file.stat().st_mtime_ns) for file in files]
        return f"{self.describe()} {facts}"

    def load(self) -> Any:
        """The model itself. Raises InvalidParameter if it cannot be loaded."""
        options = {"local_files_only": True} if self.offline else {}
        try:
            return importlib.import_module(PACKAGE).SentenceTransformer(self.name, **options)
        except (OSError, ValueError) as error:
            why = next(iter(str(error).splitlines()), type(error).__name__)
            raise InvalidParameter(
                f"model {self.name!r} could not be loaded ({why}): "
                "download it where there is a network, and give its folder instead of its name"
            ) from error

    def describe(self) -> dict[str, object]:
        """What made the vectors: the model and the package's version."""
        try:
            package = importlib.metadata.version("sentence-transformers")
        except importlib.metadata.PackageNotFoundError:
            package = "unknown"
        return {"embedder": self.name, "sentence-transformers": package, "version": VERSION}


@dataclass(frozen=True, eq=False)
class FittedModel:
    """A model, ready to embed any texts."""

    model: SentenceModel

    @property
    def parameters(self) -> dict[str, object]:
        """The model's name, or its whole path with a digest of its files."""
        folder = Path(self.model.name)
        if not folder.is_dir():
            return {"embedder": self.model.name, "files": "", "version": VERSION}
        whole = folder.resolve()
        files = {str(file.relative_to(whole)): file_digest(file, _stamp(file)) for file in _files(whole)}
        digest = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()
        return {"embedder": str(whole), "files": digest, "version": VERSION}

    def embed(self, texts: Sequence[str]) -> Embedded:
        """A vector for every text that is not blank. Raises InvalidParameter if the model cannot be loaded."""
        has_words = np.array([bool(text.strip()) for text in texts], dtype=bool)
        kept = np.flatnonzero(has_words)
        vectors = np.zeros((0, 1), dtype=np.float32)
        if len(kept):
            model = self.model.load()
            parts = np.array_split(kept, -(-len(kept) // PART))
            made = (
                model.encode([texts[place] for place in part.tolist()], show_progress_bar=False, convert_to_numpy=True)
                for part in parts
            )
            told = counted(self.model.tell, "embedding: parts of the texts", made, len(parts))
            vectors = np.ascontiguousarray(np.concatenate(list(told)), dtype=np.float32)
        missing = set_missing(has_words, "the text is empty")
        return Embedded(vectors, kept, missing, (), self.model.describe(), self)

    def arrays(self) -> dict[str, Array]:
        """None: the model stays in its own files."""
        return {}


def _files(folder: Path) -> list[Path]:
    """The files of a model. Raises InvalidParameter for a folder with so many that it holds something else."""
    found = list(islice(folder.rglob("*"), MOST_FILES + 1))
    if len(found) > MOST_FILES:
        raise InvalidParameter(f"the folder {str(folder)!r} holds more than {MOST_FILES} files: it is no model")
    return sorted(file for file in found if file.is_file())


def _stamp(file: Path) -> str:
    facts = file.stat()
    return f"{facts.st_size} {facts.st_mtime_ns}"
