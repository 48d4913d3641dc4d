"""Files become documents, and documents become groups."""

from visavis.corpus.reading import ReadOptions, read_corpus

__all__ = ["ReadOptions", "read_corpus"]
