"""TF-IDF of words and pairs of words, reduced by SVD: needs no vectors made elsewhere, so it serves any language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import Any, ClassVar

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.preprocessing import normalize

from visavis.embed.counting import Vocabulary, count_terms
from visavis.embed.directions import main_directions, project
from visavis.embed.fitting import check_arrays
from visavis.embed.rows import check_fit_rows, set_missing
from visavis.errors import InvalidParameter
from visavis.inputs import check_whole
from visavis.kernel.threads import ordered_map
from visavis.records import Array, Booleans, Embedded, Floats, Integers
from visavis.shared.extras import command
from visavis.shared.plain import PlainWords
from visavis.shared.progress import Progress, counted, silent
from visavis.shared.unspaced import UNSPACED, has_unspaced, part, segmenter

VERSION = 2  # one more whenever the same texts would get other vectors
LARGE = 100  # from this many texts on, a term must occur in two of them
LARGEST_IDF = 100.0  # 1 + ln(texts) stays far below for any number of texts
STRIP = 8192  # texts whose terms are held at once
SMALLEST_REST = 1e-5  # shorter is rounding
SEGMENTER = "segmenter"  # the parameter: what cuts words in scripts without spaces, "" where they are read by signs
NO_TERM = "no word that the other texts use"
NOTHING_LEFT = "nothing in common with the main themes of the texts"

_PLAIN = PlainWords()


@dataclass(frozen=True)
class Tfidf:
    """TF-IDF (1 + log tf) of one and two words, cut to its main directions and scaled to length 1."""

    name: str = "tfidf"
    dimensions: int = 50
    threads: int = field(default=1, compare=False)
    tell: Progress = field(default=silent, compare=False, repr=False)
    needs_fitting: ClassVar[bool] = True

    def with_threads(self, threads: int) -> Tfidf:
        """The same, working in several threads."""
        return replace(self, threads=threads)

    def with_progress(self, tell: Progress) -> Tfidf:
        """The same, telling how far it is."""
        return replace(self, tell=tell)

    def fit(self, texts: Sequence[str]) -> FittedTfidf:
        """Vocabulary, idf and main directions of these texts."""
        return self._fit(texts)[0]

    def embed(self, texts: Sequence[str], fit_on: Integers | None = None) -> Embedded:
        """A vector for every text; vocabulary, idf and directions are fitted on `fit_on`."""
        rows = check_fit_rows(fit_on, len(texts))
        if len(rows) < len(texts):
            return self.fit([texts[row] for row in rows.tolist()]).embed(texts, self.tell)
        fitted, terms = self._fit(texts)
        return fitted.embed(texts, self.tell) if terms is None else fitted.place(terms)

    def restore(self, parameters: Mapping[str, object], arrays: Mapping[str, Array]) -> FittedTfidf:
        """What `fit` gave. Raises InvalidParameter for numbers that no texts give."""
        check_arrays(arrays, {"terms": (np.uint8, 1), "idf": (np.float32, 1), "directions": (np.float32, 2)})
        own = replace(self, dimensions=check_whole("dimensions", parameters.get("dimensions"), low=1))
        facts = {**own._describe(), "min_df": check_whole("min_df", parameters.get("min_df"), low=1)}
        facts |= _check_cut(parameters)
        idf, directions = arrays["idf"], arrays["directions"]
        terms = tuple(arrays["terms"].tobytes().decode().split("\n")) if len(arrays["terms"]) else ()
        if len(set(terms)) != len(idf) or len(terms) != len(idf) or not all(terms):
            raise InvalidParameter(f"{len(terms)} terms, {len(set(terms))} of them distinct, but {len(idf)} weights")
        if directions.shape[1] != len(idf) or directions.shape[0] not in range(bool(terms), own.dimensions + 1):
            raise InvalidParameter(f"directions of shape {directions.shape} for {len(terms)} terms")
        if np.any(idf < 1) or np.any(idf > LARGEST_IDF) or np.abs(directions).max(initial=0) > 1.001:
            raise InvalidParameter("weights of terms or directions are not of a size that texts give")
        return FittedTfidf(facts, terms, idf, directions, self.threads)

    def fingerprint(self, texts: Sequence[str]) -> str:
        """The version and the numbers of the method, scikit-learn's version, and what cuts words that need it."""
        return f"{self._describe()} scikit-learn {sklearn.__version__}{''.join(_cut_by(texts).values())}"

    def _fit(self, texts: Sequence[str]) -> tuple[FittedTfidf, Any]:
        """What is fitted, and the texts' own terms, which fitting has weighted already; None where they have none."""
        min_df = 2 if len(texts) >= LARGE else 1
        parameters = {**self._describe(), "min_df": min_df, **_cut_by(texts)}
        self.tell(f"embedding: counting the words of {len(texts):,} texts")
        names, counts = count_terms(texts, _cut(parameters), min_df, self.threads)
        if not names:
            return FittedTfidf(parameters, (), np.zeros(0, np.float32), np.zeros((0, 0), np.float32)), None
        idf = _rarity(counts)
        terms = _weighted(counts, idf)
        directions = main_directions(terms, min(self.dimensions, *terms.shape), self.threads, self.tell)
        return FittedTfidf(parameters, names, idf, directions, self.threads), terms

    def _describe(self) -> dict[str, object]:
        return {"embedder": self.name, "dimensions": self.dimensions, "version": VERSION}


@dataclass(frozen=True, eq=False)
class FittedTfidf:
    """The `terms` of some texts, the `idf` of each (T,), and the texts' main `directions` (k, T), both float32."""

    parameters: Mapping[str, object]
    terms: tuple[str, ...] = field(repr=False)
    idf: NDArray[np.float32] = field(repr=False)
    directions: NDArray[np.float32] = field(repr=False)
    threads: int = 1

    def embed(self, texts: Sequence[str], tell: Progress = silent) -> Embedded:
        """A vector for every text that shares a term with those it was fitted on; `tell` hears how far it is."""
        if self.terms and len(texts):
            strips = (texts[begin : begin + STRIP] for begin in range(0, len(texts), STRIP))
            place = partial(self._place, self._vocabulary, np.ascontiguousarray(self.directions.T))
            in_order = ordered_map(place, strips, self.threads)
            parts = counted(tell, "embedding: parts of the texts", in_order, -(-len(texts) // STRIP))
            placed, known = zip(*parts, strict=True)
            found = _scaled(np.concatenate(placed), np.concatenate(known))
            return replace(found, parameters=self.parameters, fitted=self)
        none = np.zeros(len(texts), dtype=bool)
        empty = np.zeros((0, max(1, len(self.directions))), dtype=np.float32)
        return Embedded(empty, np.flatnonzero(none), set_missing(none, NO_TERM), (), self.parameters, self)

    def place(self, weighted: Any) -> Embedded:
        """The vectors of texts whose terms are weighted already; CSR of shape (texts, T)."""
        found = _scaled(project(weighted, self.directions, self.threads), np.diff(weighted.indptr) > 0)
        return replace(found, parameters=self.parameters, fitted=self)

    def _place(
        self, vocabulary: Vocabulary, turned: NDArray[np.float32], texts: Sequence[str]
    ) -> tuple[NDArray[np.float32], Booleans]:
        """The vectors of some texts, not yet scaled, and which of them have a term at all."""
        weighted = _weighted(vocabulary.count(texts, _cut(self.parameters)), self.idf)
        return weighted @ turned, np.diff(weighted.indptr) > 0

    def coverage(self, texts: Sequence[str], *, fitted_on: bool = False) -> Floats:
        """The share of each text's distinct words that are terms; NaN for a text without words.

        A term that only so few texts have as it takes to be one (those of the largest idf) would be none without one
        of them: of texts that it was `fitted_on`, such terms are not counted.
        """
        rare = float(self.idf.max(initial=0.0)) if fitted_on else np.inf
        known = {term for term, idf in zip(self.terms, self.idf.tolist(), strict=True) if idf < rare}
        by = str(self.parameters.get(SEGMENTER, ""))
        words = (set(split_words(text, by)) for text in texts)
        return np.array([len(own & known) / len(own) if own else np.nan for own in words])

    def arrays(self) -> dict[str, Array]:
        """Terms as UTF-8 with a line each, their idf, and the directions."""
        terms = np.frombuffer("\n".join(self.terms).encode(), dtype=np.uint8)
        return {"terms": terms, "idf": self.idf, "directions": self.directions}

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary.of(self.terms)


def _cut(parameters: Mapping[str, object]) -> Callable[[str], list[str]]:
    return partial(_all_words, by=str(parameters.get(SEGMENTER, "")))


def _rarity(counts: Any) -> NDArray[np.float32]:
    """1 + ln((1 + texts) / (1 + texts that have the term)); shape (terms,)."""
    n_texts, n_terms = counts.shape
    having = np.bincount(counts.indices, minlength=n_terms).astype(np.float32) + np.float32(1)
    return np.asarray(np.log(np.float32(n_texts + 1) / having) + np.float32(1), np.float32)


def _weighted(counts: Any, idf: NDArray[np.float32]) -> Any:
    """(1 + ln count) · idf, every row of length 1; the counts themselves are overwritten."""
    np.log(counts.data, counts.data)
    counts.data += 1.0
    counts.data *= idf[counts.indices]
    return normalize(counts, copy=False)


def _cut_by(texts: Sequence[str]) -> dict[str, str]:
    """What cuts words in scripts without spaces, as a parameter; nothing where no text has any."""
    return {SEGMENTER: segmenter()} if any(map(has_unspaced, texts)) else {}


def _check_cut(parameters: Mapping[str, object]) -> dict[str, object]:
    """What cut the words of the texts that were fitted on. Raises InvalidParameter if it is not here."""
    told = parameters.get(SEGMENTER, "")
    if told not in ("", segmenter()):
        raise InvalidParameter(
            f"it was fitted on words cut by {told!r}, here is {segmenter() or 'nothing of the kind'!r}: fit it again, "
            f"or install what it was fitted with ({command('cjk')})"
        )
    return {SEGMENTER: told} if SEGMENTER in parameters else {}


def _scaled(vectors: NDArray[np.float32], has_term: Booleans) -> Embedded:
    """Vectors of length 1, without those that have none; a text is a unit vector before it is cut."""
    lengths = np.linalg.norm(vectors, axis=1)
    has_vector = has_term & (lengths > SMALLEST_REST)
    missing = set_missing(has_term, NO_TERM) + set_missing(has_vector | ~has_term, NOTHING_LEFT)
    unit = (vectors[has_vector] / lengths[has_vector, None]).astype(np.float32)
    return Embedded(unit, np.flatnonzero(has_vector), tuple(sorted(missing)))


def split_words(text: str, by: str | None = None) -> list[str]:
    """The lower-case words of a text in any script.

    Where words are not set apart by spaces, they are as `by` (by default the segmenter that is installed) cuts them, or
    single signs.
    """
    return [word for word in _all_words(text, by) if len(word) > 1 or not word.isascii()]


def _all_words(text: str, by: str | None) -> list[str]:
    """The same; of plain texts, single letters too."""
    plain = _PLAIN.cut(text)
    if plain is not None:
        return plain
    folded = unicodedata.normalize("NFKC", text).lower()
    found: list[str] = _word_pattern().findall(part(folded, segmenter() if by is None else by))
    return found


@cache
def _word_pattern() -> re.Pattern[str]:
    """Letters and digits with the marks that belong to them: `\\w` alone would cut words at the vowels of Hindi."""
    marks = "".join(sign for sign in map(chr, range(0x300, 0x10000)) if unicodedata.category(sign)[0] == "M")
    marks = re.sub(f"[{UNSPACED}]", "", marks)
    body = rf"[^\W_{UNSPACED}]"
    return re.compile(rf"[{UNSPACED}]+|{body}(?:{body}|[{re.escape(marks)}])+")
