"""A fitted embedder in one file: arrays of numbers and a header of JSON, read without trust.

The file is an .npz without compression: no array can be larger than the file itself, and none may declare more than it
holds. Word vectors and sentence models stay in their own files, known by name and digest.
"""

from __future__ import annotations

import errno
import io
import json
import math
import os
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from visavis.contracts import FittedEmbedder, Restorable
from visavis.embed import create_embedder
from visavis.errors import InvalidParameter, UnknownName, VisavisError
from visavis.records import Array
from visavis.shared.files import replace_file

FORMAT = "visavis embedder 1"
HEADER = "header"
LARGEST_HEADER = 2**20  # bytes
LONGEST_NAME = 5000  # a path may be that long
MOST_ARRAYS = 100
_NAME = re.compile(r"[a-z_]{1,50}")
_KINDS = "fiub"  # floats, integers, booleans; never objects, which would be pickles
_UNFIT = (ArithmeticError, LookupError, TypeError, ValueError, OSError)


def store_embedder(fitted: FittedEmbedder, path: str | os.PathLike[str]) -> None:
    """Write what was fitted to a file; until it is complete, an older one stays as it is.

    Raises InvalidParameter if the embedder says something that the file cannot hold, VisavisError if the file cannot be
    written.
    """
    replace_file(Path(path), lambda: pack_embedder(fitted))


def pack_embedder(fitted: FittedEmbedder) -> bytes:
    """What was fitted as the content of such a file. Raises InvalidParameter for what it cannot hold."""
    parameters = dict(fitted.parameters)
    arrays = {name: np.asarray(array) for name, array in fitted.arrays().items()}
    for name, array in arrays.items():
        if not _NAME.fullmatch(name) or name == HEADER or array.dtype.kind not in _KINDS:
            raise InvalidParameter(f"the array {name!r} of type {array.dtype} cannot be stored: it must hold numbers")
    try:
        header = {"format": FORMAT, "embedder": parameters["embedder"], "parameters": parameters}
        text = json.dumps(header, allow_nan=False)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidParameter(f"the parameters of the embedder cannot be stored: {error!r}") from error
    return _as_bytes({HEADER: np.frombuffer(text.encode(), np.uint8), **arrays})


def load_embedder(path: str | os.PathLike[str]) -> FittedEmbedder:
    """What `store_embedder` wrote, ready to embed later texts; nothing in the file can run code.

    Raises InvalidParameter for a file that is something else, is damaged, was written by another version, or rests on
    word vectors or a model that have changed; MissingExtra if a component is not installed.
    """
    name = os.fspath(path)
    try:
        return unpack_embedder(_content(Path(path)), name)
    except OSError as error:
        raise InvalidParameter(f"{name!r} is no embedder that was stored: {error.strerror or error}") from error


def unpack_embedder(content: bytes, name: str) -> FittedEmbedder:
    """The same from the content of such a file, which goes by that name. Raises as `load_embedder` does."""
    try:
        arrays = _read_arrays(content)
        header = _read_header(arrays.pop(HEADER, None))
    except Exception as error:  # a damaged file makes zipfile and NumPy raise whatever they like
        why = " ".join(str(error).split())[:200] or type(error).__name__
        raise InvalidParameter(f"{name!r} is no embedder that was stored, or a damaged one: {why}") from error
    try:
        return _restore(header["embedder"], header["parameters"], arrays)
    except (InvalidParameter, UnknownName) as error:
        raise InvalidParameter(f"the embedder in {name!r} cannot be used: {error}") from error
    except VisavisError:
        raise
    except _UNFIT as error:
        raise InvalidParameter(f"the embedder in {name!r} cannot be used: {type(error).__name__}: {error}") from error


def _as_bytes(arrays: Mapping[str, Array]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, array, version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def _content(path: Path) -> bytes:
    if not path.is_file():
        raise FileNotFoundError(errno.ENOENT, "there is no such file")
    return path.read_bytes()


def _read_arrays(content: bytes) -> dict[str, Array]:
    """All arrays of the file, once it is known that they take no more memory than the file has bytes."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        names = [member.filename.removesuffix(".npy") for member in members]
        if len(members) > MOST_ARRAYS or len(set(names)) < len(names) or not all(map(_NAME.fullmatch, names)):
            raise ValueError("its arrays are not named as they should be")
        if any(member.compress_type != zipfile.ZIP_STORED for member in members):
            raise ValueError("it is compressed")
        if sum(member.file_size for member in members) > len(content):
            raise ValueError("it declares more than it holds")
        found = {}
        for name, member in zip(names, members, strict=True):
            with archive.open(member) as stream:
                _check_declared(stream, member.file_size)
            with archive.open(member) as stream:
                found[name] = np.lib.format.read_array(stream, allow_pickle=False)
        return found


def _check_declared(stream: Any, n_bytes: int) -> None:
    """Refuse an array that declares another size than it has, before memory is asked for."""
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ValueError("its arrays are of another version of the format")
    shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    if dtype.kind not in _KINDS or any(length < 0 for length in shape):
        raise ValueError(f"an array of type {dtype} and shape {shape}")
    if math.prod(shape) * dtype.itemsize != n_bytes - stream.tell():
        raise ValueError(f"an array declares shape {shape} and type {dtype}, and holds something else")


def _read_header(blob: Array | None) -> Mapping[str, Any]:
    if blob is None or blob.dtype != np.uint8 or blob.ndim != 1 or len(blob) > LARGEST_HEADER:
        raise ValueError("it has no header")
    header = json.loads(blob.tobytes())
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        found = header.get("format") if isinstance(header, dict) else None
        raise ValueError(f"its format is {str(found)[:60]!r}, this version reads {FORMAT!r}")
    name = header.get("embedder")
    if not isinstance(header.get("parameters"), dict) or not isinstance(name, str) or len(name) > LONGEST_NAME:
        raise ValueError("its header names no embedder")
    return header


def _restore(name: str, parameters: Mapping[str, object], arrays: Mapping[str, Array]) -> FittedEmbedder:
    """Made again by the embedder of that name, and the same as it was in all it says about itself."""
    embedder = create_embedder(name)
    if not isinstance(embedder, Restorable):
        raise InvalidParameter(f"embedder {name!r} has no way to be restored")
    fitted = embedder.restore(parameters, arrays)
    now = dict(fitted.parameters)
    for key in {**parameters, **now}:
        if parameters.get(key) != now.get(key):
            before, after = (repr(facts.get(key))[:80] for facts in (parameters, now))
            raise InvalidParameter(f"{key[:80]!r} was {before} when it was stored and is {after} now: fit it again")
    return fitted
