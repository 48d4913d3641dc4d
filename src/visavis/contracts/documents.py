"""What turns sources into documents, documents into vectors, and summaries into reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from visavis.records import Array, Embedded, Floats, Integers, Summary

if TYPE_CHECKING:
    from visavis.corpus.readers.base import ReadOptions, Source, Table


@runtime_checkable
class Embedder(Protocol):
    """A way to turn texts (or pictures, by path) into vectors."""

    @property
    def name(self) -> str:
        """What it is asked for by."""

    @property
    def needs_fitting(self) -> bool:
        """Whether the vectors depend on the texts it is fitted on."""

    def fit(self, texts: Sequence[str]) -> FittedEmbedder:
        """The embedder once it has seen these texts; they are not read where nothing depends on them."""

    def embed(self, texts: Sequence[str], fit_on: Integers | None = None) -> Embedded:
        """A vector for every text that can have one, in one call, with what was fitted.

        `fit_on` are the texts on which whatever must be fitted is fitted; None means all of them.
        """


class FittedEmbedder(Protocol):
    """An embedder that has seen its texts: it embeds later ones the same way, and can be kept in a file."""

    @property
    def parameters(self) -> Mapping[str, object]:
        """All that must be the same for it to be made again, in JSON's types; `embedder` is the name it goes by."""

    def embed(self, texts: Sequence[str]) -> Embedded:
        """A vector for every text that can have one; nothing is fitted."""

    def arrays(self) -> Mapping[str, Array]:
        """All that was fitted, as arrays of numbers (text is its bytes): with `parameters`, enough to make it again."""


@runtime_checkable
class Covering(FittedEmbedder, Protocol):
    """A fitted embedder that can say how much of a text it sees."""

    def coverage(self, texts: Sequence[str], *, fitted_on: bool = False) -> Floats:
        """The share of the distinct words of each text that it knows, NaN for one without words; shape (texts,).

        Of texts that it was `fitted_on`, the share that it would know had it been fitted on the others alone.
        """


@runtime_checkable
class Restorable(Embedder, Protocol):
    """An embedder that can be made again as it was fitted; every one that is found by name should be."""

    def restore(self, parameters: Mapping[str, object], arrays: Mapping[str, Array]) -> FittedEmbedder:
        """What was fitted, from its own `parameters` and `arrays`, which may come from a stranger's file.

        Raises InvalidParameter for what no fitting gives, or if something it rests on has changed.
        """


@runtime_checkable
class Cacheable(Embedder, Protocol):
    """An embedder that gives the same vectors for the same texts, and can say what else they depend on."""

    def fingerprint(self, texts: Sequence[str]) -> str:
        """All that decides the vectors apart from the texts and the rows it is fitted on."""


@runtime_checkable
class Spreadable(Embedder, Protocol):
    """An embedder that can work in several threads, with the same vectors."""

    def with_threads(self, threads: int) -> Embedder:
        """The same embedder, in so many threads."""


@runtime_checkable
class Telling(Embedder, Protocol):
    """An embedder that can tell how far it is."""

    def with_progress(self, tell: Callable[[str], None]) -> Embedder:
        """The same embedder, which tells `tell`."""


class Reader(Protocol):
    """A file format that documents are read from."""

    def __call__(self, source: Source, options: ReadOptions, /) -> Table:
        """The rows of the file. Raises Unreadable, naming the file, if it holds something else."""


class Renderer(Protocol):
    """A report format."""

    def __call__(self, summary: Summary, /) -> str | bytes:
        """The whole report."""
