"""Documents in, vectors out: one file an embedder, a cache, and a table of names."""

from __future__ import annotations

import re
from pathlib import Path

from visavis.contracts import Embedder
from visavis.errors import InvalidParameter
from visavis.registry import Registry, Row
from visavis.shared.names import nearest

__all__ = ["DEFAULT_EMBEDDER", "EMBEDDERS", "check_embedder", "create_embedder"]

DEFAULT_EMBEDDER = "tfidf"  # for texts, of whatever language

EMBEDDERS = Registry(
    "embedder",
    {
        "glove": Row("visavis.embed.glove:glove", "average of GloVe vectors, SIF-weighted (English)"),
        "glove-mean": Row(
            "visavis.embed.glove:glove_mean", "plain average of GloVe vectors, as in the paper (English)"
        ),
        "tfidf": Row("visavis.embed.tfidf:Tfidf", "TF-IDF of words and pairs, reduced by SVD (any language)"),
        "neural": Row("visavis.embed.neural:SentenceModel", "a sentence-transformers model", extra="neural"),
        "pixels": Row("visavis.embed.pixels:Pixels", "pictures: small gray images, reduced by PCA"),
    },
)

_FILE = re.compile(r".*\.(txt|vec|gz|npz)(:mean)?", re.IGNORECASE)
_MODEL = re.compile(r"[\w.-]+/[\w.-]+|[A-Za-z][\w.]*(-[\w.]+)+")


def create_embedder(name: str | Embedder) -> Embedder:
    """The embedder of that name: one of the table, a file of word vectors, or a sentence-transformers model.

    A file of word vectors ends in .txt, .vec, .gz or .npz, with ":mean" after it for the plain mean; a model is a
    folder, or a name like "all-MiniLM-L6-v2" or "intfloat/e5-small". An object that keeps the contract of an embedder
    is given back as it is. Raises UnknownName, MissingExtra or InvalidParameter.
    """
    if not isinstance(name, str):
        return check_embedder(name)
    embedder: Embedder
    if name in EMBEDDERS:
        embedder = EMBEDDERS.create(name)
    elif _FILE.fullmatch(name) or Path(name.removesuffix(":mean")).is_file():
        from visavis.embed.textfile import FileVectors

        embedder = FileVectors.named(name)
    elif Path(name).is_dir() or (_MODEL.fullmatch(name) and nearest(name, EMBEDDERS, cutoff=0.7) is None):
        embedder = EMBEDDERS.create("neural", name)
    else:
        embedder = EMBEDDERS.create(name)
    return embedder


def check_embedder(embedder: object) -> Embedder:
    """The object itself, if it keeps the contract of an embedder. Raises InvalidParameter if it does not."""
    if isinstance(embedder, type) or not isinstance(embedder, Embedder):
        kind = embedder.__name__ if isinstance(embedder, type) else type(embedder).__name__
        raise InvalidParameter(
            f"embedder must be a name or a file, got {kind}: save vectors with numpy.save, "
            "or give an object with name, needs_fitting, fit and embed"
        )
    return embedder
