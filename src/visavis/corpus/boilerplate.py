"""Boilerplate: runs of words that recur across documents that tell other things, and notices.

One measure decides: in what share of the documents of a source, or of all, does a run of words recur, word for word
but for case, digits, days and months? `MEASURES` has a row for each kind of run: a whole sentence or line; a chain of
runs at the beginning (a letterhead on one line with the story); a stretch inside a long passage (a menu or footer).
Copies of one story count once. Notices are known by their form (`visavis.corpus.notices`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

import numpy as np

from visavis.corpus.duplicates import near_duplicates
from visavis.corpus.notices import DATELINE_CHARACTERS, dateline_end, find_notices
from visavis.corpus.proposals import scatter
from visavis.corpus.runs import QUARTERS, RUN_WORDS, Keys, Words, is_among, key_of, read_words
from visavis.records import Booleans, Floats, Integers
from visavis.shared.on_demand import OnDemand
from visavis.shared.processes import CHUNK, spread_out


@dataclass(frozen=True)
class Measure:
    """From which share of the documents of a source, or of all, a run of `shortest` words is boilerplate.

    At least `fewest` documents of the source and of all must have it. `gap` words between two runs may differ.
    """

    shortest: int
    share: float
    fewest: tuple[int, int]
    gap: int = 0


MEASURES = {  # research/boilerplate.md
    "sentence": Measure(shortest=4, share=0.02, fewest=(3, 5)),  # a line may be shorter
    "beginning": Measure(shortest=RUN_WORDS, share=0.15, fewest=(3, 5), gap=8),
    "stretch": Measure(shortest=20, share=0.15, fewest=(3, 5)),
}
SIGNS_SHARE = 0.5  # of the documents must have a run of signs of a script without blanks: six of them say little
GOES_ON_SHARE = 0.5  # of the documents that have a run have the next one, too: else a story begins
BEGINNING_WORDS = 60  # in which a chain is sought
LONG_PASSAGE_WORDS = 30  # of a sentence or line that is no sentence alone, in which a stretch is sought
MOST_WORDS = 600  # of a document in which stretches are sought
MOSTLY = 0.5  # of the words of a text recur: it may be a copy
SAYS_SOMETHING_WORDS = 12  # that must be left, or the text stays as it was
SAMPLE_OF_A_SOURCE = 200  # documents in which runs are counted: their shares are large
SAMPLE = 4_000  # of all documents, likewise
MOST_TEXTS_HELD = 10 * CHUNK  # whose words are read once, where one process does it all; else twice

Span = tuple[int, int]


@dataclass(frozen=True)
class Boilerplate:
    """What recurs in some documents, to be left out of later ones too.

    `sentences` are keys of sentences and lines; `runs` are keys of a run and its source, with its share of documents.
    """

    sentences: frozenset[int] = frozenset()
    runs: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Cleaned:
    """Texts without their boilerplate, and of how many `words` of each how many were `removed`.

    `bare` marks texts that would say nothing without it, and therefore stay as they were. `spans` says of each changed
    text which parts of the original are left, from and to. `recurring` is what was found to recur.
    """

    texts: Sequence[str] = field(repr=False)
    words: Integers = field(repr=False)
    removed: Integers = field(repr=False)
    bare: Booleans = field(repr=False)
    spans: Mapping[int, tuple[Span, ...]] = field(default_factory=dict, repr=False)
    recurring: Boilerplate = field(default_factory=Boilerplate, repr=False)

    def share(self, rows: Integers | None = None) -> float:
        """The share of the words of these texts, or of all, that was left out."""
        chosen = np.arange(len(self.texts)) if rows is None else rows
        return float(self.removed[chosen].sum() / max(1, self.words[chosen].sum()))


def remove_boilerplate(
    texts: Sequence[str],
    sources: Sequence[str],
    window: int | None = None,
    processes: int = 1,
    known: Boilerplate | None = None,
) -> Cleaned:
    """The texts without boilerplate; `window` is how many characters of each are looked at, None for all.

    Where it is `known` what recurs, nothing else is taken to, however often these texts have it. No text is left with
    fewer than 12 words: it then stays as it was.
    """
    parts = [slice(at, at + CHUNK) for at in range(0, len(texts), CHUNK)]
    held: list[Words | None] = [None] * len(parts)
    if known is None:
        if processes == 1 and len(texts) <= MOST_TEXTS_HELD:
            held = [_read(texts[part], window) for part in parts]
        known = _find_recurring(texts, sources, window, processes, held)
    work = partial(_clean_some, window=window, known=known)
    words, removed, bare = (np.zeros(len(texts), np.intp) for _ in range(3))
    spans: dict[int, tuple[Span, ...]] = {}
    begin = 0
    tasks = ((texts[part], sources[part], read) for part, read in zip(parts, held, strict=True))
    for counts, changed in spread_out(work, tasks, len(parts), processes):
        rows = slice(begin, begin + counts.shape[1])
        words[rows], removed[rows], bare[rows] = counts
        spans.update((begin + at, left) for at, left in changed.items())
        begin = rows.stop
    cleaned = OnDemand(len(texts), lambda at: join_spans(texts[at], spans[at]) if at in spans else texts[at])
    return Cleaned(cleaned, words, removed, bare.astype(np.bool_), spans, known)


def join_spans(text: str, spans: Sequence[Span]) -> str:
    """These parts of a text, with a line break, a blank or nothing between two, as the text has it."""
    if not spans:
        return ""
    pieces = [text[slice(*spans[0])]]
    for (_, end), (start, behind) in pairwise(spans):
        gap = text[end:start]
        blank = "\n\n" if "\n\n" in gap else "\n" if "\n" in gap else " " if " " in gap else ""
        pieces += [blank, text[start:behind]]
    return "".join(pieces)


# --- what recurs ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class _Occurrences:
    """Where something occurs that is known by its key: in which documents."""

    rows: Integers
    keys: Keys

    def take(self, chosen: Booleans | Integers) -> _Occurrences:
        """Some of them."""
        return _Occurrences(self.rows[chosen], self.keys[chosen])

    def shares(self, owners: Integers, families: Integers, fewest: int) -> Floats:
        """For each the share of its owner's documents that have it, copies counted once; 0 if fewer than `fewest` do.

        Owners are numbers from 0 on, and −1 where a document counts for nobody.
        """
        shares = np.zeros(len(self.keys))
        likely = np.flatnonzero((owners[self.rows] >= 0) & _is_frequent(self.keys, fewest))
        owner = owners[self.rows[likely]]
        counts = _count_families(self.keys[likely], owner, families[self.rows[likely]])
        sizes = np.bincount(owners[owners >= 0], minlength=1)
        shares[likely] = np.where(counts >= fewest, counts / np.maximum(sizes[owner], 1), 0.0)
        return shares


@dataclass(frozen=True, eq=False)
class _Facts:
    """What is counted: units (sentences and lines), their words, which are lines, and runs; and for each document a
    number from 0 to 1, drawn by what it says."""

    units: _Occurrences
    words: Integers
    lines: Booleans
    runs: _Occurrences
    draws: Floats

    @classmethod
    def join(cls, parts: Sequence[_Facts]) -> _Facts:
        """The facts of all documents, from those of one stretch of them after another."""
        starts = np.cumsum([0, *(len(part.draws) for part in parts)]).tolist()

        def joined(of: Callable[[_Facts], _Occurrences]) -> _Occurrences:
            rows = [of(part).rows + start for part, start in zip(parts, starts, strict=False)]
            return _Occurrences(np.concatenate(rows), np.concatenate([of(part).keys for part in parts]))

        words, lines, draws = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("words", "lines", "draws")
        )
        return cls(joined(lambda part: part.units), words, lines, joined(lambda part: part.runs), draws)

    def words_in(self, units: Booleans) -> Floats:
        """How many words these units have in each document."""
        return np.bincount(self.units.rows[units], self.words[units], len(self.draws)).astype(np.float64)

    def recurring_units(self, owners: Integers, families: Integers, at: int) -> Booleans:
        """Which sentences and lines many documents of one owner have."""
        measure = MEASURES["sentence"]
        usable = np.flatnonzero(self.lines | (self.words >= measure.shortest))
        recurs = np.zeros(len(self.words), np.bool_)
        recurs[usable] = self.units.take(usable).shares(owners, families, measure.fewest[at]) >= measure.share
        return recurs

    def recurring(
        self, sampled: Integers, owners: Integers, families: Integers, at: int, owner_keys: Keys
    ) -> Boilerplate:
        """What many documents of one owner have; runs are counted in those that are `sampled`, −1 for all others."""
        units = self.recurring_units(owners, families, at)
        shares = self.runs.shares(sampled, families, MEASURES["beginning"].fewest[at])
        often = shares >= min(MEASURES["beginning"].share, MEASURES["stretch"].share)
        keys = scatter(self.runs.keys[often] + owner_keys[owners[self.runs.rows[often]]])
        return Boilerplate(
            frozenset(self.units.keys[units].tolist()), dict(zip(keys.tolist(), shares[often].tolist(), strict=True))
        )


def _find_recurring(
    texts: Sequence[str], sources: Sequence[str], window: int | None, processes: int, held: Sequence[Words | None]
) -> Boilerplate:
    """What recurs in the documents of a source, and in all of them.

    Copies count once: first those of whole texts, then those of what is left without what recurs in a source, since
    two outlets tell one story under letterheads of their own.
    """
    if not len(texts):
        return Boilerplate()
    numbers = {"": -1}
    owners = np.array([numbers.setdefault(source, len(numbers) - 1) for source in sources], np.intp)
    everywhere, families = np.zeros_like(owners), np.arange(len(texts))
    chance_in_source = SAMPLE_OF_A_SOURCE / np.bincount(owners + 1)[owners + 1]
    chances = np.maximum(chance_in_source, SAMPLE / len(texts))
    starts = range(0, len(texts), CHUNK)
    tasks = ((texts[at : at + CHUNK], chances[at : at + CHUNK], words) for at, words in zip(starts, held, strict=True))
    facts = _Facts.join(list(spread_out(partial(_count_some, window=window), tasks, len(starts), processes)))

    of_source, of_all = (facts.recurring_units(own, families, at) for at, own in enumerate((owners, everywhere)))
    alike = np.flatnonzero(facts.words_in(of_source | of_all) > MOSTLY * facts.words_in(np.ones_like(of_all)))
    families[alike] = alike[near_duplicates([_looked_at(texts[at], window) for at in alike.tolist()])]
    source_keys = np.array([key_of(source) for source in list(numbers)[1:]], np.uint64)
    found = facts.recurring(np.where(facts.draws < chance_in_source, owners, -1), owners, families, 0, source_keys)

    rest = facts.words_in(of_all & ~is_among(facts.units.keys, _as_keys(found.sentences)))
    rows = np.flatnonzero(rest)
    if len(rows):
        part = [texts[at] for at in rows.tolist()], [sources[at] for at in rows.tolist()], None
        counts, spans = _clean_some(part, window, found)
        copies = np.flatnonzero((rest[rows] > MOSTLY * (counts[0] - counts[1])) & (counts[2] == 0))
        left = [
            join_spans(_looked_at(part[0][at], window), spans[at]) if at in spans else part[0][at]
            for at in copies.tolist()
        ]
        alike = rows[copies]
        families[alike] = families[alike[near_duplicates(left)]]
    sampled = np.where(facts.draws < SAMPLE / len(texts), 0, -1)
    also = facts.recurring(sampled, everywhere, families, 1, np.zeros(1, np.uint64))
    return Boilerplate(found.sentences | also.sentences, {**found.runs, **also.runs})


def _as_keys(numbers: Collection[int]) -> Keys:
    return np.fromiter(numbers, np.uint64, len(numbers))


def _count_some(task: tuple[Sequence[str], Floats, Words | None], window: int | None) -> _Facts:
    """The facts of some texts, the runs only of those that are drawn: where a chain or a stretch is sought."""
    texts, chances, held = task
    words = _read(texts, window) if held is None else held
    keys, rows = words.unit_keys, words.text[words.unit_starts]
    sums = np.zeros(len(texts), np.uint64)
    np.add.at(sums, rows, keys)
    draws = (scatter(sums) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    places, runs = words.runs()
    sampled = _may_hold_a_chain(words)[places] | _may_hold_a_stretch(words)[places]
    sampled &= (draws < chances)[words.text[places]]
    drawn = _Occurrences(words.text[places[sampled]], runs[sampled])
    return _Facts(_Occurrences(rows, keys), words.unit_words, words.lines, drawn, draws)


def _may_hold_a_chain(words: Words) -> Booleans:
    return words.places < BEGINNING_WORDS


def _may_hold_a_stretch(words: Words) -> Booleans:
    return (words.unit_words >= LONG_PASSAGE_WORDS)[words.unit] & (words.places < MOST_WORDS)


def _is_frequent(keys: Keys, fewest: int) -> Booleans:
    """Which of the keys occur so often."""
    ordered = np.sort(keys)
    later = ordered[fewest - 1 :]
    return is_among(keys, np.unique(later[later == ordered[: len(later)]]))


def _count_families(keys: Keys, owners: Integers, families: Integers) -> Integers:
    """For each of the keys, how many distinct families of its owner have it."""
    order = np.lexsort((families, keys, owners))
    key, owner, family = keys[order], owners[order], families[order]
    new_key = np.ones(len(key), np.bool_)
    new_key[1:] = (key[1:] != key[:-1]) | (owner[1:] != owner[:-1])
    new_family = new_key.copy()
    new_family[1:] |= family[1:] != family[:-1]
    blocks = np.cumsum(new_key) - 1
    counts = np.zeros(len(key), np.intp)
    counts[order] = np.bincount(blocks, new_family)[blocks] if len(key) else 0
    return counts


# --- taking it out ----------------------------------------------------------------------------------------------------
def _looked_at(text: str, window: int | None) -> str:
    """What is looked at of a text; the mark at the end of a release stands on a line of its own."""
    return text[:window].replace(" ###", "\n###")


def _read(texts: Sequence[str], window: int | None) -> Words:
    return read_words([_looked_at(text, window) for text in texts])


def _clean_some(
    task: tuple[Sequence[str], Sequence[str], Words | None], window: int | None, known: Boilerplate
) -> tuple[Integers, dict[int, tuple[Span, ...]]]:
    """How many words each text has, how many of them go, and whether it is bare; and what is left of those changed."""
    texts, sources, held = task
    looked_at = [_looked_at(text, window) for text in texts]
    words = read_words(looked_at) if held is None else held
    sentences = _as_keys(known.sentences)
    gone = (is_among(words.unit_keys, sentences) | _find_notices(words, looked_at))[words.unit]
    bounds = np.searchsorted(words.text, np.arange(len(texts) + 1)).tolist()
    if known.runs and len(words.key):
        shares = _known_shares(words, sources, known.runs)
        gone |= _stretches(words, shares, gone)
        first = (shares >= MEASURES["beginning"].share) & _may_hold_a_chain(words)
        for at in np.unique(words.text[first]).tolist():
            span = slice(bounds[at], bounds[at + 1])
            chain = slice(span.start, span.start + _chain_end(shares[span].tolist(), gone[span].tolist()))
            if (words.quarters[chain] * ~gone[chain]).sum() >= MEASURES["beginning"].shortest * QUARTERS:
                gone[chain] = True
    counts = np.zeros((3, len(texts)), np.intp)
    counts[0] = np.bincount(words.text, words.quarters, len(texts)) // QUARTERS
    trimmed = _cut_datelines(words, looked_at, gone, bounds)
    words_left = np.bincount(words.text, words.quarters * ~gone, len(texts)) // QUARTERS
    parts_left = _spans(words, ~gone, len(texts))
    changed: dict[int, tuple[Span, ...]] = {}
    for at in sorted(trimmed.keys() | set(words.text[gone].tolist())):
        longer = len(texts[at]) > len(looked_at[at])
        if words_left[at] < min(SAYS_SOMETHING_WORDS, counts[0, at]) and not longer:
            counts[2, at] = 1
            continue
        counts[1, at] = counts[0, at] - words_left[at]
        spans = parts_left[at]
        if at in trimmed and spans:
            spans[0] = trimmed[at], spans[0][1]
        if longer:
            behind = len(looked_at[at]), len(texts[at])
            spans = (
                [*spans[:-1], (spans[-1][0], behind[1])] if spans and spans[-1][1] == behind[0] else [*spans, behind]
            )
        changed[at] = tuple(spans)
    return counts, changed


def _find_notices(words: Words, texts: Sequence[str]) -> Booleans:
    """Which sentences and lines are notices by their form."""
    first = words.unit_starts
    last = np.append(first[1:] - 1, len(words.unit) - 1)[: len(first)]
    passages = list(zip(words.start[first].tolist(), words.end[last].tolist(), words.lines.tolist(), strict=True))
    bounds = np.searchsorted(words.text[first], np.arange(len(texts) + 1)).tolist()
    rows = enumerate(pairwise(bounds))
    return np.array([is_it for at, own in rows for is_it in find_notices(texts[at], passages[slice(*own)])], np.bool_)


def _known_shares(words: Words, sources: Sequence[str], known: Mapping[int, float]) -> Floats:
    """For each word the largest share of documents, of its source or of all, that have the run it begins."""
    keys, shares = _as_keys(known.keys()), np.fromiter(known.values(), np.float64, len(known))
    order = np.argsort(keys)
    keys, shares = keys[order], shares[order]
    places, runs = words.runs()
    source_keys = {source: key_of(source) if source else 0 for source in set(sources)}
    source_codes = np.array([source_keys[source] for source in sources], np.uint64)[words.text[places]]
    word_shares = np.zeros(len(words.key))
    for mixed in (scatter(runs + source_codes), scatter(runs)):
        likely = np.flatnonzero(is_among(mixed, keys))
        word_shares[places[likely]] = np.maximum(
            word_shares[places[likely]], shares[np.searchsorted(keys, mixed[likely])]
        )
    word_shares[(word_shares < SIGNS_SHARE) & (words.quarters < QUARTERS)] = 0.0
    most = word_shares.copy()
    for step in range(1, RUN_WORDS):
        most[step:] = np.maximum(most[step:], word_shares[:-step])
        most[:-step] = np.maximum(most[:-step], word_shares[step:])
    return np.where(word_shares >= GOES_ON_SHARE * most, word_shares, 0.0)


def _chain_end(shares: Sequence[float], gone: Sequence[bool]) -> int:
    """How many words the chain of recurring runs takes that begins with the text; sentences that go are part of it."""
    measure, end, chain, most = MEASURES["beginning"], 0, 0, 0.0
    for place, (share, is_gone) in enumerate(zip(shares, gone, strict=True)):
        if place > end + (measure.gap if end else 0):
            break
        if share >= max(measure.share, GOES_ON_SHARE * most):
            end = chain = max(end, place + RUN_WORDS)
            most = max(most, share)
        elif is_gone and place <= end:
            end = max(end, place + 1)
    return chain


def _stretches(words: Words, shares: Floats, gone: Booleans) -> Booleans:
    """Which words are part of a long stretch of recurring runs; sentences beside it that go count as part of it."""
    measure = MEASURES["stretch"]
    recurring = np.zeros(len(shares) + RUN_WORDS, np.bool_)
    begun = np.flatnonzero(shares >= measure.share)
    for step in range(RUN_WORDS):
        recurring[begun + step] = True
    together = recurring[: len(shares)] | gone
    starts = np.flatnonzero(np.diff(np.where(together, words.text, -1), prepend=-2))
    long = np.add.reduceat(words.quarters.astype(np.intp), starts) >= measure.shortest * QUARTERS
    return together & np.repeat(long, np.diff(starts, append=len(shares)))


def _cut_datelines(words: Words, texts: Sequence[str], gone: Booleans, bounds: Sequence[int]) -> dict[int, int]:
    """Mark the words of datelines with which texts begin; where the rest begins, for the texts that have one."""
    remaining = np.flatnonzero(~gone)
    first = remaining[np.diff(words.text[remaining], prepend=-1) > 0]
    trimmed = {}
    for word, row, start in zip(first.tolist(), words.text[first].tolist(), words.start[first].tolist(), strict=True):
        end = dateline_end(texts[row][start : start + DATELINE_CHARACTERS])
        if end:
            trimmed[row] = start + end
            span = slice(word, bounds[row + 1])
            gone[span] |= words.end[span] <= start + end
    return trimmed


def _spans(words: Words, kept: Booleans, count: int) -> list[list[Span]]:
    """For each of so many texts the contiguous parts that are made of the words kept."""
    owner = np.where(kept, words.text, -1)
    turns = np.diff(owner, prepend=-1, append=-1) != 0
    first, last = np.flatnonzero(turns[:-1] & kept), np.flatnonzero(turns[1:] & kept)
    spans = list(zip(words.start[first].tolist(), words.end[last].tolist(), strict=True))
    bounds = np.searchsorted(words.text[first], np.arange(count + 1)).tolist()
    return [spans[begin:end] for begin, end in pairwise(bounds)]
