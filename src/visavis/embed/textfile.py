"""Word vectors from a file of the user's: GloVe or word2vec in text form, or a cut made by make_vectors.py."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from visavis.embed.averaging import Average, describe
from visavis.embed.files import file_digest
from visavis.embed.tokens import Tokens, wanted_words
from visavis.embed.wordvectors import WordVectors, load_vectors
from visavis.errors import InvalidParameter


@dataclass(frozen=True)
class FileVectors(Average):
    """Average of the word vectors of a file, most frequent word first; `path:mean` asks for the plain mean."""

    path: Path
    sif: bool = True

    @classmethod
    def named(cls, name: str) -> FileVectors:
        """From what a user types. Raises InvalidParameter if there is no such file."""
        bare = name.removesuffix(":mean")
        path = Path(bare).expanduser()
        if not path.is_file():
            raise InvalidParameter(
                f"there is no file of word vectors at {bare!r}: give the path of a .txt, .vec or .gz"
            )
        return cls(path, sif=bare == name)

    @property
    def name(self) -> str:
        """The path, as it was given, and how its vectors are averaged."""
        return str(self.path) + ("" if self.sif else ":mean")

    def table(self, tokens: Tokens) -> WordVectors:
        """The vectors of all words that these tokens may stand for."""
        if self.path.suffix.lower() == ".npz":
            return load_vectors(self.path)
        return read_vectors(self.path, wanted_words(tokens.distinct))

    def stamp(self) -> str:
        """The file's size and last change."""
        try:
            facts = self.path.stat()
        except OSError as error:
            raise InvalidParameter(f"{self.path} could not be read: {error.strerror}") from error
        return f"{facts.st_size} {facts.st_mtime_ns}"

    def identity(self) -> tuple[str, str]:
        """Its name with the whole path, and a digest of the file."""
        whole = self.path.resolve()
        return replace(self, path=whole).name, file_digest(whole, self.stamp())

    def fingerprint(self, texts: Sequence[str]) -> str:  # noqa: ARG002 (the texts are hashed elsewhere)
        """The version and the numbers of the method, and which file it was, by its size and its last change."""
        return f"{describe(str(self.path.resolve()), sif=self.sif)} {self.stamp()}"


def read_vectors(path: Path, wanted: set[str]) -> WordVectors:
    """The vectors of those words of a text file that are wanted, the file read once, line by line.

    Where a word is written in capitals only, its most frequent form serves. Raises InvalidParameter for a file that
    holds something else.
    """
    rows: dict[str, int] = {}
    exact: set[str] = set()
    found: list[NDArray[np.float32]] = []
    ranks: list[int] = []
    rank, width = 0, 0
    for number, line in _lines(path):
        if number == 1 and _is_header(line):
            width = int(line.split()[1])
            continue
        rank += 1
        width = width or line.count(b" ")
        written = _decode(path, number, line[: max(line.find(b" "), 0)])
        word = written if written in wanted else written.lower()
        if word not in wanted or word in exact or (word in rows and word != written) or line.count(b" ") > width:
            continue  # more numbers than usual: a word with a space in it
        row = rows.setdefault(word, len(found))
        values = _numbers(path, number, line, width)
        found[row : row + 1], ranks[row : row + 1] = [values], [rank]
        if word == written:
            exact.add(word)
    if width < 1:
        raise InvalidParameter(f"{path} holds no word vectors: each line must be a word and its numbers")
    vectors = np.array(found, dtype=np.float32).reshape(len(found), width)
    return WordVectors(rows, vectors, np.ones(len(found), dtype=np.float32), np.array(ranks, dtype=np.intp), rank)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with cast(BinaryIO, gzip.open(path)) if path.suffix.lower() == ".gz" else path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if stripped := line.rstrip():
                    yield number, stripped.replace(b"\t", b" ")
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidParameter(f"{path} could not be read: {error}") from error


def _is_header(line: bytes) -> bool:
    """Whether this is word2vec's first line: the number of words and of dimensions."""
    parts = line.split()
    return len(parts) == 2 and all(part.isdigit() for part in parts)


def _decode(path: Path, number: int, word: bytes) -> str:
    try:
        return word.decode()
    except UnicodeDecodeError as error:
        raise InvalidParameter(
            f"{path}, line {number} is not UTF-8 text: word vectors in binary form must be converted to text first"
        ) from error


def _numbers(path: Path, number: int, line: bytes, width: int) -> NDArray[np.float32]:
    try:
        values = np.array(line.split(b" ")[1:], dtype=np.float32)
    except ValueError as error:
        raise InvalidParameter(f"{path}, line {number} is not a word and its numbers: {error}") from error
    if len(values) != width or not np.all(np.isfinite(values)):
        raise InvalidParameter(f"{path}, line {number} has {len(values)} numbers, {width} finite ones were expected")
    return values
