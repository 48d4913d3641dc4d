"""Pictures by path: small gray images, reduced by PCA to most of their variance."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import PIL

from visavis.embed import decode_images
from visavis.embed.rows import check_fit_rows
from visavis.records import Embedded, Floats, Integers
from visavis.shared.child import Child, Death

VERSION = 1  # one more whenever the same pictures would get other vectors
VARIANCE = 0.85
BATCH = 200
SECONDS = 60.0  # for a batch
DIED = "the decoder ran out of time or memory, or crashed"


@dataclass(frozen=True)
class Pixels:
    """32 × 32 gray values between −1 and 1, their principal components up to 85 % of the variance."""

    name: str = "pixels"
    variance: float = VARIANCE

    def embed(self, texts: Sequence[str], fit_on: Integers | None = None) -> Embedded:
        """A vector for every picture that can be read; `texts` are paths, the components are fitted on `fit_on`."""
        fit_rows = check_fit_rows(fit_on, len(texts))
        answers = decode(texts)
        kept = np.array([place for place, answer in enumerate(answers) if not answer.startswith("! ")], dtype=np.intp)
        missing = tuple((place, answer[2:]) for place, answer in enumerate(answers) if answer.startswith("! "))
        bytes_ = b"".join(bytes.fromhex(answers[place]) for place in kept)
        images = np.frombuffer(bytes_, dtype=np.uint8).reshape(len(kept), decode_images.SIDE**2) / 127.5 - 1
        fit = np.flatnonzero(np.isin(kept, fit_rows))
        center, components = principal_components(images[fit], self.variance)
        vectors = ((images - center) @ components).astype(np.float32)
        return Embedded(vectors, kept, missing, (), self._describe())

    def fingerprint(self, texts: Sequence[str]) -> str:
        """The version and the numbers of the method, Pillow's version, each picture's size and last change."""
        return f"{self._describe()} Pillow {PIL.__version__} {[_facts(path) for path in texts]}"

    def _describe(self) -> dict[str, object]:
        return {"embedder": self.name, "side": decode_images.SIDE, "variance": self.variance, "version": VERSION}


def _facts(path: str) -> tuple[str, int, int]:
    try:
        facts = Path(path).stat()
    except (OSError, ValueError):
        return str(path), -1, -1
    return str(Path(path).resolve()), facts.st_size, facts.st_mtime_ns


def principal_components(images: Floats, variance: float) -> tuple[Floats, Floats]:
    """The mean, and the fewest main directions that hold this share of the variance; shapes (d,) and (d, k), k ≥ 1."""
    if len(images) == 0:
        return np.zeros(images.shape[1]), np.eye(images.shape[1])[:, :1]
    center = images.mean(axis=0)
    centered = images - center
    energies, directions = np.linalg.eigh(centered.T @ centered)
    energies, directions = np.clip(energies[::-1], 0, None), directions[:, ::-1]
    k = int(np.searchsorted(np.cumsum(energies), variance * energies.sum() * (1 - 1e-12))) + 1
    components = directions[:, :k]
    largest = np.abs(components).argmax(axis=0)
    return center, components * np.where(components[largest, range(k)] < 0, -1.0, 1.0)


def decode(paths: Sequence[str]) -> list[str]:
    """Each picture's pixels in hexadecimal, or "! reason"; a picture that kills the decoder costs only itself."""
    answers: list[str] = []
    while len(answers) < len(paths):
        batch = paths[len(answers) : len(answers) + BATCH]
        found = _decode_batch(batch)
        answers += found if len(found) == len(batch) else [*found, f"! {DIED}"]
    return answers


def _decode_batch(paths: Sequence[str]) -> list[str]:
    """The answers of one child process, fewer than there are paths if it died."""
    child, answers = Child([decode_images.__file__]), []
    try:
        if not child.starts():
            raise RuntimeError(f"the process that decodes pictures did not start: {sys.executable}")
        until = time.monotonic() + SECONDS
        for path in paths:
            said = child.ask(json.dumps(str(path)).encode() + b"\n", max(0.0, until - time.monotonic()))
            if isinstance(said, Death):
                break
            answers.append(said.decode())
    finally:
        child.close()
    return answers
