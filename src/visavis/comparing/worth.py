"""Which documents are worth showing: all of them count, but a stub, a caption or a table represents nobody.

Rules are relative: a document is held against its own corpus and its own group. They never take all candidates of a
group; where they would take too many they yield, those first that say least against a document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain

import numpy as np

from visavis.comparing.merit import merit
from visavis.comparing.prepare import Prepared
from visavis.comparing.typical import typicality
from visavis.corpus.forms import LOOKED_AT, POST, Form, forms_of, is_answer, is_paid_for
from visavis.corpus.looks import Look, look_at
from visavis.kernel.threads import blocks
from visavis.records import Booleans, Document, Floats, Grouping, Integers, Points, SetAside
from visavis.shared.processes import CHUNK, spread_out
from visavis.shared.unspaced import count_words, has_unspaced

STUB, LONGEST_STUB = 0.5, 200  # of the median number of words, and of those that say something; never so many words
POST_STUB = 0.75  # of the median number of words where that is below what a post has
CAPTION = 0.75  # of the median: a longer document may begin with a caption
LEAST_TYPICAL = 0.7  # of a group, the share that tells least of it
FEWEST_KEPT, KEPT_FOR_EACH = 8, 2  # candidates of a group at least, and for each pick that is wanted
FEWEST_WORDS, LONGER, TIMES = 12, 0.2, 2.0  # words, where this share of a group has as many, and so often the median
USUAL = 0.5  # of a group: what more of its texts look like is not odd among them
USUAL_CUT = 0.8  # of a group: where fewer are cut off, whole ones are shown
LISTED, LEAST_LISTED, FEWEST_LISTED = 3.0, 60.0, 100  # words a sentence: times the usual, at least; words in all
LONG_SENTENCE = 40.0  # words: where half of the texts have longer ones, a text need not have sentences


class Reason(IntEnum):
    """Why a document is not shown, from the weakest reason to the strongest."""

    UNTYPICAL, SHORT, CUT, LATER, ANSWER, TAGGED, SELLS = range(1, 8)
    LIST, FIGURES, CAPTION, SCRIPT, REPEATS, GARBLED, BARE = range(8, 15)

    @property
    def words(self) -> str:
        """As a report says it."""
        return _WORDS[self]


_WORDS = {
    Reason.UNTYPICAL: "tells less of its group than others",
    Reason.SHORT: "too short to say something",
    Reason.CUT: "ending in “…”",
    Reason.LATER: "a later part of a thread",
    Reason.ANSWER: "an answer, by how it begins",
    Reason.TAGGED: "mostly links and tags",
    Reason.SELLS: "an advertisement, as it says itself",
    Reason.LIST: "without sentences",
    Reason.FIGURES: "a table or list of figures",
    Reason.CAPTION: "a caption",
    Reason.SCRIPT: "in another script than its group",
    Reason.REPEATS: "the same again and again",
    Reason.GARBLED: "garbled",
    Reason.BARE: "nothing but boilerplate",
}


@dataclass(frozen=True, eq=False)
class Worth:
    """Which points are worth showing, and for the others the reason (0 for none)."""

    reasons: Integers

    @property
    def shown(self) -> Booleans:
        """Those without a reason against them."""
        return np.asarray(self.reasons == 0)

    def told(self, documents: Sequence[Document], pinned: Sequence[int]) -> tuple[SetAside, ...]:
        """The documents that count but are not shown, by reason; what is pinned is shown."""
        codes = self.reasons.copy()
        codes[list(pinned)] = 0
        places = {reason: np.flatnonzero(codes == reason).tolist() for reason in Reason}
        return tuple(
            SetAside(reason.words, tuple(documents[at].id for at in found)) for reason, found in places.items() if found
        )


@dataclass(frozen=True, eq=False)
class Weighed:
    """What stands against showing each point, however many are wanted; `score` says what of it is taken back first.

    `groups` holds the points of each group that are judged: pictures and documents without any text are not.
    """

    reasons: Integers
    score: Floats
    groups: tuple[Integers, ...]

    def worth(self, wanted: Sequence[int]) -> Worth:
        """What is worth showing where each group is to have so many picks."""
        reasons = self.reasons.copy()
        for inside, count in zip(self.groups, wanted, strict=True):
            _yield_some(reasons, self.score, inside, count)
        return Worth(reasons)


def weigh(prepared: Prepared, points: Points, grouping: Grouping, threads: int = 1) -> Weighed:
    """Hold every point against its corpus and its group."""
    documents = grouping.corpus.documents
    read = np.array([not d.image and bool(d.title or d.text) for d in documents], np.bool_)
    sizes = _sizes(prepared, points.rows)
    codes = grouping.codes
    beside = None if points.words is None else merit(prepared.first_words(points.rows), sizes, codes)
    typical = typicality(points, codes, len(grouping.names), threads, beside)
    titles = [document.title for document in documents]
    seen = _seen(prepared, points.rows)
    looks, forms = [look for look, _ in seen], [form for _, form in seen]
    reasons = _by_form(titles, looks, forms, sizes, codes, read)
    if points.words is not None:
        reasons[_stubs(prepared.telling_counts(points.rows), sizes, codes, read, STUB) & (reasons == 0)] = Reason.SHORT
    reasons[_other_script([look.script for look in looks], codes)] = Reason.SCRIPT
    if prepared.cleaned is not None:
        reasons[prepared.cleaned.bare[points.rows]] = Reason.BARE
    reasons[~read] = 0
    groups = tuple(np.flatnonzero((codes == code) & read) for code in range(len(grouping.names)))
    for inside in groups:
        _mark_least_typical(reasons, typical, inside)
    return Weighed(reasons, np.where(reasons == Reason.UNTYPICAL, typical, sizes), groups)


def glance(prepared: Prepared, rows: Integers) -> None:
    """Look at the texts of these documents beforehand, so that they are weighed sooner, whatever their groups."""
    _sizes(prepared, rows)
    _seen(prepared, rows)


def _seen(prepared: Prepared, rows: Integers) -> list[tuple[Look, Form]]:
    """What each text gives away: what was read of it by itself, and the form of all of it, boilerplate included."""
    documents = prepared.corpus.documents

    def see(new: Integers) -> Iterator[tuple[Look, Form]]:
        texts, parts = prepared.texts(new), blocks(len(new), CHUNK)
        tasks = ((texts[part], [documents[row].text[:LOOKED_AT] for row in new[part].tolist()]) for part in parts)
        return chain.from_iterable(spread_out(_see, tasks, len(parts), prepared.reading.processes))

    return prepared.each("seen", rows, see)


def _see(texts: tuple[Sequence[str], Sequence[str]]) -> list[tuple[Look, Form]]:
    read, written = texts
    return list(zip(look_at(read), forms_of(written), strict=True))


def _sizes(prepared: Prepared, rows: Integers) -> Floats:
    """How many words title and text of each document have, links and who is addressed aside."""
    documents, cleaned = prepared.corpus.documents, prepared.cleaned

    def lengths(new: Integers) -> Iterator[int]:
        for row, lead in zip(new.tolist(), prepared.texts(new), strict=True):
            text = documents[row].text if cleaned is None else cleaned.texts[row]
            yield _length(documents[row].title, text, lead)

    return np.array(prepared.each("length", rows, lengths), np.float64)


def _length(title: str, text: str, lead: str) -> int:
    """How many words there are; links and who is addressed, as @somebody, are none."""
    written = f"{title} {text}"
    words = count_words(written) if has_unspaced(lead) else len(written.split())
    if "://" not in written and "@" not in written:
        return words
    return words - sum("://" in word or word.startswith(("@", ".@")) for word in written.split())


def _by_form(
    titles: Sequence[str], looks: Sequence[Look], forms: Sequence[Form], sizes: Floats, codes: Integers, read: Booleans
) -> Integers:
    """What titles and texts themselves give away, held against the median of all and what is usual in their group."""
    median = float(np.median(sizes[read])) if read.any() else 0.0
    marks = {
        Reason.CUT: np.array([form.cut for form in forms], np.bool_),
        Reason.LATER: np.array([form.later for form in forms], np.bool_),
        Reason.ANSWER: np.array([form.answer for form in forms], np.bool_)
        | np.array(list(map(is_answer, titles)), np.bool_),
        Reason.TAGGED: np.array([form.tagged for form in forms], np.bool_),
        Reason.SELLS: np.array([form.sells for form in forms], np.bool_)
        | np.array(list(map(is_paid_for, titles)), np.bool_),
        Reason.FIGURES: np.array([look.figures for look in looks], np.bool_),
        Reason.CAPTION: np.array([look.caption for look in looks], np.bool_),
        Reason.REPEATS: np.array([form.repeats for form in forms], np.bool_),
        Reason.GARBLED: np.array([look.garbled for look in looks], np.bool_),
    }
    for code in np.unique(codes[read]).tolist():
        inside = (codes == code) & read
        for reason, mark in marks.items():
            mark[inside] &= mark[inside].mean() <= (USUAL_CUT if reason is Reason.CUT else USUAL)
    marks[Reason.CAPTION] &= sizes < CAPTION * median
    marks[Reason.REPEATS] &= ~marks[Reason.FIGURES]  # a table may do both
    marks[Reason.SHORT] = _stubs(sizes, sizes, codes, read, POST_STUB if median < POST else STUB)
    marks[Reason.SHORT] |= _few_words(sizes, codes, read)
    marks[Reason.LIST] = _lists(forms, codes, read)
    reasons = np.zeros(len(sizes), np.intp)
    for reason in sorted(marks):
        reasons[marks[reason]] = reason
    return reasons


def _stubs(counts: Floats, sizes: Floats, codes: Integers, read: Booleans, least: float) -> Booleans:
    """Which of the texts that are not long have less than this share of what is usual among all, and in their group."""
    found = np.zeros(len(counts), np.bool_)
    for code in np.unique(codes[read]).tolist():
        inside = (codes == code) & read
        found[inside] = counts[inside] < least * min(float(np.median(counts[inside])), float(np.median(counts[read])))
    return found & (sizes < LONGEST_STUB)


def _few_words(sizes: Floats, codes: Integers, read: Booleans) -> Booleans:
    """Which have hardly a sentence's worth of words, in groups where a fifth has that and twice the median."""
    found = np.zeros(len(sizes), np.bool_)
    for code in np.unique(codes[read]).tolist():
        inside = (codes == code) & read
        usual, longer = np.quantile(sizes[inside], (0.5, 1.0 - LONGER))
        if longer >= max(FEWEST_WORDS, TIMES * usual):
            found[inside] = sizes[inside] < FEWEST_WORDS
    return found


def _lists(forms: Sequence[Form], codes: Integers, read: Booleans) -> Booleans:
    """Which have hardly a sentence, in groups that are mostly written in sentences."""
    words = np.array([form.words for form in forms], np.float64)
    per_sentence = np.array([form.per_sentence for form in forms], np.float64)
    found = np.zeros(len(forms), np.bool_)
    for code in np.unique(codes[read]).tolist():
        inside = (codes == code) & read
        usual = float(np.median(per_sentence[inside]))
        if usual <= LONG_SENTENCE:
            found[inside] = per_sentence[inside] > max(LEAST_LISTED, LISTED * usual)
    return found & (words >= FEWEST_LISTED)


def _other_script(scripts: Sequence[str], codes: Integers) -> Booleans:
    """Texts whose letters are mostly of a script that fewer than half of their group's are of."""
    names, script = np.unique(np.array(scripts, np.str_), return_inverse=True)
    found = np.zeros(len(scripts), np.bool_)
    for code in np.unique(codes).tolist():
        inside = codes == code
        counts = np.bincount(script[inside], minlength=len(names))
        if counts.max() > inside.sum() / 2:
            found |= inside & (script != counts.argmax()) & (names[script] != "")
    return found


def _mark_least_typical(reasons: Integers, typical: Floats, inside: Integers) -> None:
    """Mark the least typical of a group, unless something stronger stands against them."""
    count = int(LEAST_TYPICAL * len(inside))
    least = inside[np.argsort(typical[inside], kind="stable")[:count]]
    reasons[least[reasons[least] == 0]] = Reason.UNTYPICAL


def _yield_some(reasons: Integers, score: Floats, inside: Integers, wanted: int) -> None:
    """Take back the weakest reasons until a group has candidates enough."""
    enough = min(len(inside), max(FEWEST_KEPT, KEPT_FOR_EACH * wanted))
    against = inside[reasons[inside] > 0]
    missing = enough - (len(inside) - len(against))
    if missing > 0:
        order = np.lexsort((-score[against], reasons[against]))
        reasons[against[order[:missing]]] = 0
