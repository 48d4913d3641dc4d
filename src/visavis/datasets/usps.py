"""USPS: handwritten digits from envelopes, 16 × 16 pixels, the standard benchmark of prototype selection."""

from __future__ import annotations

import contextlib
import hashlib
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from visavis.datasets.dataset import Dataset
from visavis.errors import InvalidParameter, VisavisError
from visavis.records import Array
from visavis.shared.files import private_file

OPENML_ID = 41082
N_TRAIN, N_TEST, N_PIXELS = 7291, 2007, 256
DIGESTS = (  # of the rows of the training and the test part, whatever their order inside
    "07e5bc142f5e42bb22370ebdc7be62c2c31c3752de86aac7260e8445facab5c9",
    "554e6e40cfa8c896ecb593fe15a50057750346a2cf51afad4820d0c9605b6db7",
)
_NAME = "usps_u16.npz"


def fetch_usps(path: str | Path | None = None) -> Dataset:
    """9,298 digits in ten groups, pixels from −1 to 1; the first 7,291 rows are the standard training part.

    They come from `path` (an .npz file with x_train, y_train, x_test and y_test, pixels stored as 1000·(x + 1)), else
    from usps/usps_u16.npz in the folder that VISAVIS_DATA names, else from the cache, else from OpenML, and are checked
    against a digest wherever they come from. Raises VisavisError if they cannot be had or are not the same.
    """
    data = os.environ.get("VISAVIS_DATA")
    beside = Path(data) / "usps" / _NAME if data else None
    cached = _cache_folder() / _NAME
    if path is not None:
        pixels, labels = _read(Path(path))
    elif beside is not None and beside.is_file():
        pixels, labels = _read(beside)
    elif cached.is_file():
        pixels, labels = _read(cached)
    else:
        pixels, labels = _download()
        _check(pixels, labels, "OpenML")
        with contextlib.suppress(OSError):
            _keep(cached, pixels, labels)
    _check(pixels, labels, str(path or "the copy on disk"))
    vectors = pixels.astype(np.float64) / 1000.0 - 1.0
    return Dataset("USPS", vectors, labels.astype(np.intp), n_train=N_TRAIN, grid="usps", init="kmeans", variance=0.85)


def _read(path: Path) -> tuple[Array, Array]:
    """Pixels as whole numbers and labels, training part first."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            parts = [np.asarray(stored[key]) for key in ("x_train", "x_test", "y_train", "y_test")]
        return np.concatenate(parts[:2]), np.concatenate(parts[2:])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise InvalidParameter(f"{path} is no .npz file with x_train, y_train, x_test and y_test: {error}") from error


def _download() -> tuple[Array, Array]:
    from sklearn.datasets import fetch_openml

    try:
        found: Any = fetch_openml(data_id=OPENML_ID, as_frame=False, parser="liac-arff", data_home=None)
    except Exception as error:  # whatever the network, the server or the parser says
        raise VisavisError(
            f"USPS cannot be fetched from OpenML ({error}): name a copy, or the folder that holds it in VISAVIS_DATA"
        ) from error
    pixels = np.round((np.asarray(found.data, np.float64) + 1.0) * 1000.0).astype(np.uint16)
    return pixels, (np.asarray(found.target).astype(np.float64).astype(np.int64) - 1).astype(np.uint8)


def _check(pixels: Array, labels: Array, origin: str) -> None:
    same = pixels.shape == (N_TRAIN + N_TEST, N_PIXELS) and labels.shape == (N_TRAIN + N_TEST,)
    for part, digest in zip((slice(0, N_TRAIN), slice(N_TRAIN, None)), DIGESTS, strict=True):
        same = same and _digest(pixels[part], labels[part]) == digest
    if not same:
        raise VisavisError(f"what {origin} holds is not the USPS data known here (its digest differs)")


def _digest(pixels: Array, labels: Array) -> str:
    rows = np.ascontiguousarray(pixels, "<u2")
    digests = sorted(
        hashlib.sha256(row.tobytes() + bytes([int(label) % 256])).digest()
        for row, label in zip(rows, labels, strict=True)
    )
    return hashlib.sha256(b"".join(digests)).hexdigest()


def _cache_folder() -> Path:
    chosen = os.environ.get("VISAVIS_CACHE", "")
    base = Path(chosen).expanduser() if chosen and chosen.lower() != "off" else platformdirs.user_cache_path("visavis")
    return base / "datasets"


def _keep(path: Path, pixels: Array, labels: Array) -> None:
    if os.environ.get("VISAVIS_CACHE", "").lower() == "off":
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with private_file(path) as descriptor, os.fdopen(descriptor, "wb", closefd=False) as file:
        np.savez_compressed(
            file, x_train=pixels[:N_TRAIN], x_test=pixels[N_TRAIN:], y_train=labels[:N_TRAIN], y_test=labels[N_TRAIN:]
        )
