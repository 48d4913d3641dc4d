"""Vectors kept on disk under a hash of all they depend on, so that the same texts are embedded once."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from visavis.contracts import Cacheable, Embedder
from visavis.embed.rows import check_fit_rows
from visavis.records import Embedded, Integers
from visavis.shared.files import PART, private_file
from visavis.shared.folders import cache_root

LIMIT = 2**30  # bytes
_FORMAT = "visavis vectors 1"
_SUFFIX = ".vectors.npz"


def embed_cached(embedder: Embedder, texts: Sequence[str], fit_on: Integers | None = None) -> Embedded:
    """`embedder.embed(texts, fit_on)`, taken from the cache where it has been computed before, then without `fitted`.

    The environment variable VISAVIS_CACHE names another folder, or says "off". A cache that cannot be read or written
    is passed over.
    """
    folder = cache_folder()
    if folder is None or not isinstance(embedder, Cacheable):
        return embedder.embed(texts, fit_on)
    place = folder / (_key(embedder, texts, fit_on) + _SUFFIX)
    found = _read(place, len(texts))
    if found is None:
        found = embedder.embed(texts, fit_on)
        with contextlib.suppress(OSError):
            _write(place, found)
            _make_room(folder)
    return found


def cache_folder() -> Path | None:
    """Where vectors are kept; None if nowhere."""
    root = cache_root()
    return None if root is None else root / "vectors"


def _key(embedder: Cacheable, texts: Sequence[str], fit_on: Integers | None) -> str:
    rows = check_fit_rows(fit_on, len(texts))
    digest = hashlib.sha256()
    everything = len(rows) == len(texts)
    for part in (_FORMAT, embedder.name, embedder.fingerprint(texts), "all" if everything else str(rows.tolist())):
        _feed(digest, part)
    for text in texts:
        _feed(digest, text)
    return digest.hexdigest()


def _feed(digest: hashlib._Hash, text: str) -> None:
    """Add a text with its length before it, so that no two lists of texts look alike."""
    content = text.encode("utf-8", "surrogatepass")
    digest.update(b"%d:" % len(content))
    digest.update(content)


def _read(place: Path, n_texts: int) -> Embedded | None:
    """What is kept there; None if there is nothing, or nothing whole."""
    try:
        with np.load(place, allow_pickle=False) as arrays:
            vectors, kept = arrays["vectors"], arrays["kept"].astype(np.intp)
            words = json.loads(arrays["words"].tobytes())
        missing = tuple((int(index), str(reason)) for index, reason in words["missing"])
        whole = vectors.dtype == np.float32 and vectors.ndim == 2 and len(vectors) == len(kept)
        if not whole or sorted([*kept.tolist(), *(index for index, _ in missing)]) != list(range(n_texts)):
            return None
        found = Embedded(vectors, kept, missing, tuple(words["notes"]), words["parameters"])
        os.utime(place)  # what is used stays
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error):
        return None
    return found


def _write(place: Path, found: Embedded) -> None:
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    words = {"missing": found.missing, "notes": found.notes, "parameters": dict(found.parameters)}
    blob = np.frombuffer(json.dumps(words).encode(), dtype=np.uint8)
    with private_file(place) as descriptor, os.fdopen(descriptor, "wb", closefd=False) as file:
        np.savez(file, vectors=found.vectors, kept=found.kept.astype(np.int64), words=blob)


def _make_room(folder: Path) -> None:
    """Delete the entries that were not used for longest until the rest fits."""
    entries = []
    for entry in folder.iterdir():
        if entry.name.endswith((_SUFFIX, PART)):
            with contextlib.suppress(OSError):  # another process may have deleted it
                facts = entry.stat()
                entries.append((facts.st_mtime_ns, facts.st_size, entry))
    total = sum(size for _, size, _ in entries)
    for _, size, entry in sorted(entries):
        if total <= LIMIT:
            break
        entry.unlink(missing_ok=True)
        total -= size
