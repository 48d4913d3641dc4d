"""Makes the small file of word vectors that visavis ships from any GloVe file.

    python scripts/make_vectors.py SOURCE OUT [--words 50000]

SOURCE is a GloVe or word2vec text file (also .gz), or an .npz with the arrays `words` and `vectors`; its words stand in
order of frequency. OUT is an .npz of three arrays, each readable with allow_pickle=False:

    words    uint8     the words, most frequent first, as UTF-8 with a newline between two words
    codes    int8      (words, d)
    scales   float32   (words,): a vector is codes[i] · scales[i]

The same input gives the same bytes: nothing is compressed (a wheel is, as a whole), and the zip entries carry no date.
"""

from __future__ import annotations

import argparse
import gzip
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from visavis.shared.files import put_in_place

NO_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a zip file can hold


def main() -> None:
    """Read SOURCE, write OUT, say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--words", type=int, default=50_000, help="how many of the most frequent words to keep")
    arguments = parser.parse_args()
    words, vectors = read_source(arguments.source, arguments.words)
    write_vectors(arguments.out, words, vectors)
    print(f"{arguments.out}: {len(words)} words of {vectors.shape[1]} numbers, {arguments.out.stat().st_size} bytes")


def read_source(source: Path, n_words: int) -> tuple[list[str], NDArray[np.float32]]:
    """The first words of a file and their vectors; shape (words, d)."""
    if source.suffix == ".npz":
        with np.load(source, allow_pickle=False) as arrays:
            return [str(word) for word in arrays["words"][:n_words]], arrays["vectors"][:n_words].astype(np.float32)
    words: list[str] = []
    rows: list[NDArray[np.float32]] = []
    for word, row in _lines(source):
        if rows and len(row) != len(rows[0]):
            raise SystemExit(f"{source}: {word!r} has {len(row)} numbers, the words before it have {len(rows[0])}")
        words.append(word)
        rows.append(row)
        if len(words) == n_words:
            break
    return words, np.array(rows, dtype=np.float32)


def _lines(source: Path) -> Iterator[tuple[str, NDArray[np.float32]]]:
    with (
        gzip.open(source, "rt", encoding="utf-8") if source.suffix == ".gz" else source.open(encoding="utf-8") as lines
    ):
        for number, line in enumerate(lines):
            parts = line.rstrip().split(" ")
            if number == 0 and len(parts) == 2:
                continue  # word2vec begins with the number of words and of dimensions
            yield parts[0], np.array(parts[1:], dtype=np.float32)


def quantize(vectors: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Rows as int8 with a scale each: x ≈ codes · scale, |error| ≤ scale / 2; a row of zeros has scale 0."""
    scales = (np.abs(vectors).max(axis=1) / 127).astype(np.float32)
    steps = np.where(scales > 0, scales, 1)[:, None]
    return np.clip(np.rint(vectors / steps), -127, 127).astype(np.int8), scales


def write_vectors(out: Path, words: list[str], vectors: NDArray[np.float32]) -> None:
    """Write the file beside its place, then move it there. Stops if a word is empty, doubled or holds a newline."""
    if not words or len(set(words)) != len(words) or any(not word or "\n" in word for word in words):
        raise SystemExit("the source must hold at least one word, and its words must be distinct, not empty, one line")
    codes, scales = quantize(vectors)
    arrays = {"words": np.frombuffer("\n".join(words).encode(), dtype=np.uint8), "codes": codes, "scales": scales}
    with put_in_place(out) as beside, zipfile.ZipFile(beside, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, np.ascontiguousarray(array), allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", NO_DATE)
            entry.create_system = 3  # the same bytes on every system
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content.getvalue())


if __name__ == "__main__":
    main()
