"""Pictures by path: small gray images, reduced by PCA to most of their variance."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import PIL

from visavis.embed import decode_images
from visavis.embed.fitting import check_arrays
from visavis.embed.rows import check_fit_rows
from visavis.errors import InvalidParameter
from visavis.inputs import check_number
from visavis.records import Array, Embedded, Floats, Integers
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
    needs_fitting: ClassVar[bool] = True

    def fit(self, texts: Sequence[str]) -> FittedPixels:
        """The principal components of the pictures at these paths."""
        return self._fit(read_pictures(texts).images)

    def embed(self, texts: Sequence[str], fit_on: Integers | None = None) -> Embedded:
        """A vector for every picture that can be read; `texts` are paths, the components are fitted on `fit_on`."""
        rows = check_fit_rows(fit_on, len(texts))
        pictures = read_pictures(texts)
        fitted = self._fit(pictures.images[np.isin(pictures.kept, rows)])
        return fitted.place(pictures)

    def restore(self, parameters: Mapping[str, object], arrays: Mapping[str, Array]) -> FittedPixels:
        """What `fit` gave. Raises InvalidParameter for numbers that no pictures give."""
        check_arrays(arrays, {"center": (np.float64, 1), "components": (np.float64, 2)})
        own = replace(self, variance=check_number("variance", parameters.get("variance"), low=0, high=1))
        center, components = arrays["center"], arrays["components"]
        pixels = decode_images.SIDE**2
        if len(center) != pixels or len(components) != pixels or components.shape[1] not in range(1, pixels + 1):
            raise InvalidParameter(f"a center of {len(center)} pixels with components of shape {components.shape}")
        if max(np.abs(center).max(), np.abs(components).max()) > 1.001:
            raise InvalidParameter("center or components are not of a size that pictures give")
        return FittedPixels(own._describe(), center, components)

    def fingerprint(self, texts: Sequence[str]) -> str:
        """The version and the numbers of the method, Pillow's version, each picture's size and last change."""
        return f"{self._describe()} Pillow {PIL.__version__} {[_facts(path) for path in texts]}"

    def _fit(self, images: Floats) -> FittedPixels:
        return FittedPixels(self._describe(), *principal_components(images, self.variance))

    def _describe(self) -> dict[str, object]:
        return {"embedder": self.name, "side": decode_images.SIDE, "variance": self.variance, "version": VERSION}


@dataclass(frozen=True, eq=False)
class FittedPixels:
    """The mean picture `center` (d,) and the main directions `components` (d, k) around it."""

    parameters: Mapping[str, object]
    center: Floats = field(repr=False)
    components: Floats = field(repr=False)

    def embed(self, texts: Sequence[str]) -> Embedded:
        """A vector for every picture that can be read; `texts` are paths."""
        return self.place(read_pictures(texts))

    def place(self, pictures: Pictures) -> Embedded:
        """(x − center) · components, for pictures that have been read."""
        vectors = ((pictures.images - self.center) @ self.components).astype(np.float32)
        return Embedded(vectors, pictures.kept, pictures.missing, (), self.parameters, self)

    def arrays(self) -> dict[str, Array]:
        """The mean picture and the components."""
        return {"center": self.center, "components": self.components}


@dataclass(frozen=True, eq=False)
class Pictures:
    """Pictures that could be read: `images` (kept, d) between −1 and 1, their places, and why others are missing."""

    images: Floats
    kept: Integers
    missing: tuple[tuple[int, str], ...]


def read_pictures(paths: Sequence[str]) -> Pictures:
    """The gray values of every picture that can be read."""
    answers = decode(paths)
    kept = np.array([place for place, answer in enumerate(answers) if not answer.startswith("! ")], dtype=np.intp)
    missing = tuple((place, answer[2:]) for place, answer in enumerate(answers) if answer.startswith("! "))
    bytes_ = b"".join(bytes.fromhex(answers[place]) for place in kept)
    images = np.frombuffer(bytes_, dtype=np.uint8).reshape(len(kept), decode_images.SIDE**2) / 127.5 - 1
    return Pictures(images, kept, missing)


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
