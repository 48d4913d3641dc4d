"""Boilerplate: runs of words that recur across documents that tell other things, and notices.

One measure decides: in what share of the documents of a source, or of all, does a run of words recur, word for word
but for case, digits, days and months? `MEASURES` has a row for each kind of run: a whole sentence or line; a chain of
runs at the beginning (a letterhead on one line with the story); a stretch inside a long passage (a menu or footer).
Copies of one story count once. Notices are known by their form (`visavis.corpus.notices`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    "beginning": Measure(shortest=RUN_WORDS, share=0.2, fewest=(3, 5), gap=8),
    "stretch": Measure(shortest=20, share=0.2, fewest=(3, 5)),
}
SURE_SHARE = 0.5  # of the documents: behind a gap, and of a stretch of which few words begin with a capital
CAPITALS_SHARE = 0.5  # of the words of a stretch, from which on it is likely a menu
LONG_PASSAGE_WORDS = 40  # of a sentence or line in which a stretch is sought
BEGINNING_WORDS = 60  # in which a chain is sought
MOST_WORDS = 600  # of a document in which stretches are sought
SAYS_SOMETHING_WORDS = 12  # that must be left, or the text stays as it was
MOSTLY = 0.5  # of the words of a text recur: it may be a copy
SAMPLE_OF_A_SOURCE, SAMPLE = 200, 4_000  # documents in which runs are counted: these shares are large

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
    known = _find_recurring(texts, sources, window, processes) if known is None else known
    work = partial(_clean_some, window=window, known=known)
    words, removed, bare = (np.zeros(len(texts), np.intp) for _ in range(3))
    spans: dict[int, tuple[Span, ...]] = {}
    begin = 0
    chunks = ((texts[at : at + CHUNK], sources[at : at + CHUNK]) for at in range(0, len(texts), CHUNK))
    for counts, changed in spread_out(work, chunks, -(-len(texts) // CHUNK), processes):
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
        found = np.zeros(len(self.keys))
        likely = np.flatnonzero((owners[self.rows] >= 0) & _is_frequent(self.keys, fewest))
        owner = owners[self.rows[likely]]
        counts = _count_families(self.keys[likely], owner, families[self.rows[likely]])
        sizes = np.bincount(owners[owners >= 0], minlength=1)
        found[likely] = np.where(counts >= fewest, counts / np.maximum(sizes[owner], 1), 0.0)
        return found


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


def _find_recurring(texts: Sequence[str], sources: Sequence[str], window: int | None, processes: int) -> Boilerplate:
    """What recurs in the documents of a source, or in all of them."""
    if not len(texts):
        return Boilerplate()
    names = {"": -1}
    owners = np.array([names.setdefault(source, len(names) - 1) for source in sources], np.intp)
    everywhere = np.zeros_like(owners)
    chances = [most / np.bincount(own + 1)[own + 1] for own, most in ((owners, SAMPLE_OF_A_SOURCE), (everywhere, SAMPLE))]
    starts = range(0, len(texts), CHUNK)
    tasks = ((texts[at : at + CHUNK], np.maximum(*chances)[at : at + CHUNK]) for at in starts)
    facts = _Facts.join(list(spread_out(partial(_count_some, window=window), tasks, len(starts), processes)))
    families = _find_families(facts, owners, texts, window)
    sentences: set[int] = set()
    runs: dict[int, float] = {}
    source_keys = np.array([key_of(name) for name in names if name], np.uint64)
    least = min(MEASURES[name].share for name in ("beginning", "stretch"))
    for own, chance, keys, measured in zip(
        (owners, everywhere), chances, (source_keys, np.zeros(1, np.uint64)), (0, 1), strict=True
    ):
        sentences.update(facts.units.keys[_recurring_units(facts, own, families, measured)].tolist())
        sampled = np.where(facts.draws < chance, own, -1)
        shares = facts.runs.shares(sampled, families, MEASURES["beginning"].fewest[measured])
        often = shares >= least
        mixed = scatter(facts.runs.keys[often] + keys[own[facts.runs.rows[often]]])
        runs.update(zip(mixed.tolist(), shares[often].tolist(), strict=True))
    return Boilerplate(frozenset(sentences), runs)


def _count_some(task: tuple[Sequence[str], Floats], window: int | None) -> _Facts:
    """The facts of some texts, the runs only of those that are drawn: where a chain or a stretch is sought."""
    texts, chances = task
    words = read_words([_looked_at(text, window) for text in texts])
    keys, rows = words.unit_keys, words.text[words.unit_starts]
    sums = np.zeros(len(texts), np.uint64)
    np.add.at(sums, rows, keys)
    draws = (scatter(sums) >> np.uint64(11)) * 2.0**-53
    places, runs = words.runs()
    wanted = _may_hold_a_chain(words)[places] | _may_hold_a_stretch(words)[places]
    wanted &= (draws < chances)[words.text[places]]
    drawn = _Occurrences(words.text[places[wanted]], runs[wanted])
    return _Facts(_Occurrences(rows, keys), words.unit_words, words.lines, drawn, draws)


def _may_hold_a_chain(words: Words) -> Booleans:
    return words.places < BEGINNING_WORDS


def _may_hold_a_stretch(words: Words) -> Booleans:
    return (words.unit_words >= LONG_PASSAGE_WORDS)[words.unit] & (words.places < MOST_WORDS)


def _recurring_units(facts: _Facts, owners: Integers, families: Integers, at: int) -> Booleans:
    """Which sentences and lines many documents of one owner have."""
    measure = MEASURES["sentence"]
    usable = np.flatnonzero(facts.lines | (facts.words >= measure.shortest))
    found = np.zeros(len(facts.words), np.bool_)
    found[usable] = facts.units.take(usable).shares(owners, families, measure.fewest[at]) >= measure.share
    return found


def _find_families(facts: _Facts, owners: Integers, texts: Sequence[str], window: int | None) -> Integers:
    """For each text the first that it nearly repeats, looked for only among texts made mostly of what recurs.

    Two outlets tell one story under letterheads of their own: texts are compared with what recurs in their source, and
    without it.
    """
    everyone, count = np.arange(len(texts)), len(texts)
    of_source = _recurring_units(facts, owners, everyone, 0)
    of_all = _recurring_units(facts, np.zeros_like(owners), everyone, 1)
    families = everyone.copy()
    for passed_over in (of_source, np.zeros_like(of_source)):
        total, recurring = (
            np.bincount(facts.units.rows[units], facts.words[units], count)
            for units in (~passed_over, (of_all | of_source) & ~passed_over)
        )
        alike = np.flatnonzero(recurring > MOSTLY * total)
        if len(alike) > 1:
            keys = facts.units.keys[passed_over]
            rest = [_without_units(_looked_at(texts[at], window), keys) for at in alike.tolist()]
            families[alike] = families[alike[near_duplicates(rest)]]
    return families


def _without_units(text: str, keys: Keys) -> str:
    if not len(keys):
        return text
    words = read_words([text])
    kept = ~is_among(words.unit_keys, keys)[words.unit]
    return join_spans(text, _spans(words, slice(0, len(kept)), kept))


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


def _clean_some(
    task: tuple[Sequence[str], Sequence[str]], window: int | None, known: Boilerplate
) -> tuple[Integers, dict[int, tuple[Span, ...]]]:
    """How many words each text has, how many of them go, and whether it is bare; and what is left of those changed."""
    texts, sources = task
    looked_at = [_looked_at(text, window) for text in texts]
    words = read_words(looked_at)
    sentences = np.fromiter(known.sentences, np.uint64, len(known.sentences))
    gone = (is_among(words.unit_keys, sentences) | _find_notices(words, looked_at))[words.unit]
    bounds = np.searchsorted(words.text, np.arange(len(texts) + 1)).tolist()
    if known.runs:
        shares = _known_shares(words, sources, known.runs)
        gone |= _stretches(words, shares, looked_at)
        first = (shares >= MEASURES["beginning"].share) & _may_hold_a_chain(words)
        for at in np.unique(words.text[first]).tolist():
            own = slice(bounds[at], min(bounds[at + 1], bounds[at] + BEGINNING_WORDS))
            gone[own.start : own.start + _chain_end(shares[own].tolist(), gone[own].tolist())] = True
    counts = np.zeros((3, len(texts)), np.intp)
    counts[0] = np.bincount(words.text, words.quarters, len(texts)) // QUARTERS
    trimmed = _cut_datelines(words, looked_at, gone, bounds)
    left = np.bincount(words.text, words.quarters * ~gone, len(texts)) // QUARTERS
    changed: dict[int, tuple[Span, ...]] = {}
    for at in sorted(trimmed.keys() | set(words.text[gone].tolist())):
        longer = len(texts[at]) > len(looked_at[at])
        if left[at] < min(SAYS_SOMETHING_WORDS, counts[0, at]) and not longer:
            counts[2, at] = 1
            continue
        counts[1, at] = counts[0, at] - left[at]
        spans = _spans(words, slice(bounds[at], bounds[at + 1]), ~gone)
        if at in trimmed:
            spans[0] = trimmed[at], spans[0][1]
        if longer:
            behind = len(looked_at[at]), len(texts[at])
            spans = [*spans[:-1], (spans[-1][0], behind[1])] if spans and spans[-1][1] == behind[0] else [*spans, behind]
        changed[at] = tuple(spans)
    return counts, changed


def _find_notices(words: Words, texts: Sequence[str]) -> Booleans:
    """Which sentences and lines are notices by their form."""
    first = words.unit_starts
    last = np.append(first[1:], len(words.unit)) - 1
    passages = list(zip(words.start[first].tolist(), words.end[last].tolist(), words.lines.tolist(), strict=True))
    bounds = np.searchsorted(words.text[first], np.arange(len(texts) + 1)).tolist()
    rows = enumerate(pairwise(bounds))
    return np.array([is_it for at, own in rows for is_it in find_notices(texts[at], passages[slice(*own)])], np.bool_)


def _known_shares(words: Words, sources: Sequence[str], known: Mapping[int, float]) -> Floats:
    """For each word the largest share of documents, of its source or of all, that have the run it begins."""
    keys, shares = np.fromiter(known.keys(), np.uint64, len(known)), np.fromiter(known.values(), np.float64, len(known))
    order = np.argsort(keys)
    keys, shares = keys[order], shares[order]
    places, runs = words.runs()
    source_keys = {source: key_of(source) if source else 0 for source in set(sources)}
    own = np.array([source_keys[source] for source in sources], np.uint64)[words.text[places]]
    found = np.zeros(len(words.key))
    for mixed in (scatter(runs + own), scatter(runs)):
        likely = np.flatnonzero(is_among(mixed, keys))
        found[places[likely]] = np.maximum(found[places[likely]], shares[np.searchsorted(keys, mixed[likely])])
    return found


def _chain_end(shares: Sequence[float], gone: Sequence[bool]) -> int:
    """How many words the chain of recurring runs takes that begins with the text."""
    measure, end, any_run = MEASURES["beginning"], 0, False
    for place, (share, is_gone) in enumerate(zip(shares, gone, strict=True)):
        if place > end + (measure.gap if end else 0):
            break
        if share >= (measure.share if place <= end else SURE_SHARE):
            end, any_run = max(end, place + RUN_WORDS), True
        elif is_gone and place <= end:
            end = max(end, place + 1)
    return end if any_run else 0


def _stretches(words: Words, shares: Floats, texts: Sequence[str]) -> Booleans:
    """Which words are part of a long stretch of recurring runs, within a long passage."""
    measure, wanted = MEASURES["stretch"], _may_hold_a_stretch(words)
    found = np.zeros(len(shares), np.bool_)
    for least, least_capitals in ((measure.share, CAPITALS_SHARE), (SURE_SHARE, 0.0)):
        begun = np.flatnonzero((shares >= least) & wanted)
        begun = begun[words.unit[begun] == words.unit[np.minimum(begun + RUN_WORDS - 1, len(shares) - 1)]]
        breaks = np.flatnonzero((np.diff(begun) > RUN_WORDS) | (np.diff(words.unit[begun]) > 0)) + 1
        edges = [0, *breaks.tolist(), len(begun)]
        for first, behind in pairwise(edges):
            if first == behind:
                continue
            own = slice(int(begun[first]), int(begun[behind - 1]) + RUN_WORDS)
            if words.quarters[own].sum() < measure.shortest * QUARTERS:
                continue
            if least_capitals:
                text = texts[words.text[own.start]]
                letters = [text[at] for at in words.start[own].tolist()]
                if sum(not sign.isalpha() or sign.isupper() for sign in letters) < least_capitals * len(letters):
                    continue
            found[own] = True
    return found


def _cut_datelines(words: Words, texts: Sequence[str], gone: Booleans, bounds: Sequence[int]) -> dict[int, int]:
    """Mark the words of datelines with which texts begin; where the rest begins, for the texts that have one."""
    trimmed = {}
    for at, text in enumerate(texts):
        own = slice(bounds[at], bounds[at + 1])
        first = own.start + int(np.argmin(gone[own])) if own.start < own.stop else own.stop
        if first == own.stop or gone[first]:
            continue
        start = int(words.start[first])
        end = dateline_end(text[start : start + DATELINE_CHARACTERS])
        if end:
            trimmed[at] = start + end
            while first < own.stop and words.end[first] <= start + end:
                gone[first] = True
                first += 1
    return trimmed


def _spans(words: Words, own: slice, kept: Booleans) -> list[Span]:
    """The contiguous parts of a text that are made of the words kept."""
    turns = np.flatnonzero(np.diff(np.concatenate(([False], kept[own], [False]))))
    starts, ends = words.start[own][turns[::2]], words.end[own][turns[1::2] - 1]
    return list(zip(starts.tolist(), ends.tolist(), strict=True))
