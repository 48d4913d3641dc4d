"""TF-IDF of words and pairs of words, reduced by SVD: needs no vectors made elsewhere, so it serves any language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.utils.extmath import randomized_svd

from visavis.embed.rows import check_fit_rows, set_missing
from visavis.records import Booleans, Embedded, Integers

VERSION = 1  # one more whenever the same texts would get other vectors
LARGE = 100  # from this many texts on, a term must occur in two of them
SMALLEST_REST = 1e-5  # shorter is rounding
NO_TERM = "no word that the other texts use"
NOTHING_LEFT = "nothing in common with the main themes of the texts"

# Written without spaces: Thai, Lao, Burmese, Khmer, kana and Han. Their single signs are the words.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"


@dataclass(frozen=True)
class Tfidf:
    """TF-IDF (1 + log tf) of one and two words, cut to its main directions and scaled to length 1."""

    name: str = "tfidf"
    dimensions: int = 100

    def embed(self, texts: Sequence[str], fit_on: Integers | None = None) -> Embedded:
        """A vector for every text; vocabulary, idf and directions are fitted on `fit_on`."""
        fit_rows = check_fit_rows(fit_on, len(texts))
        min_df = 2 if len(fit_rows) >= LARGE else 1
        parameters = {**self._describe(), "min_df": min_df}
        counter = TfidfVectorizer(
            tokenizer=split_words,
            token_pattern=None,
            ngram_range=(1, 2),
            sublinear_tf=True,
            min_df=min_df,
            dtype=np.float32,
        )
        try:
            fitted = counter.fit_transform([texts[int(row)] for row in fit_rows])
        except ValueError:  # no term at all: scikit-learn has no other way to say so
            none = np.zeros(len(texts), dtype=bool)
            empty = np.zeros((0, 1), dtype=np.float32)
            return Embedded(empty, np.flatnonzero(none), set_missing(none, NO_TERM), (), parameters)
        terms = fitted if len(fit_rows) == len(texts) else counter.transform(texts)
        _, _, directions = randomized_svd(fitted, min(self.dimensions, *fitted.shape), n_iter=5, random_state=0)
        return _scaled(terms @ directions.T, np.diff(terms.indptr) > 0, parameters)

    def fingerprint(self, texts: Sequence[str]) -> str:  # noqa: ARG002 (the texts are hashed elsewhere)
        """The version and the numbers of the method, and scikit-learn's version."""
        return f"{self._describe()} scikit-learn {sklearn.__version__}"

    def _describe(self) -> dict[str, object]:
        return {"embedder": self.name, "dimensions": self.dimensions, "version": VERSION}


def _scaled(vectors: NDArray[np.float32], has_term: Booleans, parameters: dict[str, object]) -> Embedded:
    """Vectors of length 1, without those that have none; a text is a unit vector before it is cut."""
    lengths = np.linalg.norm(vectors, axis=1)
    has_vector = has_term & (lengths > SMALLEST_REST)
    missing = set_missing(has_term, NO_TERM) + set_missing(has_vector | ~has_term, NOTHING_LEFT)
    unit = (vectors[has_vector] / lengths[has_vector, None]).astype(np.float32)
    return Embedded(unit, np.flatnonzero(has_vector), tuple(sorted(missing)), (), parameters)


def split_words(text: str) -> list[str]:
    """The lower-case words of a text in any script; single signs where words are not set apart by spaces."""
    found: list[str] = _word_pattern().findall(unicodedata.normalize("NFKC", text).lower())
    return found


@cache
def _word_pattern() -> re.Pattern[str]:
    """Letters and digits with the marks that belong to them: `\\w` alone would cut words at the vowels of Hindi."""
    marks = "".join(sign for sign in map(chr, range(0x300, 0x10000)) if unicodedata.category(sign)[0] == "M")
    marks = re.sub(f"[{_UNSPACED}]", "", marks)
    body = rf"[^\W_{_UNSPACED}]"
    return re.compile(rf"[{_UNSPACED}]|{body}(?:{body}|[{re.escape(marks)}])+")
