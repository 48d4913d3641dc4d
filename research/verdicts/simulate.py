"""Simulations of the verdict and its words: how often groups that do not differ are said to, and how often others are.

    python research/verdicts/simulate.py prepare FOLDER   # arrays of the real data (VISAVIS_DATA)
    python research/verdicts/simulate.py run FOLDER [--runs 200] [--every 10] [--only "PART;PART"] [--jobs N]

Prints a table in Markdown: in what share of runs the groups are said to differ with blocks, how often a word is said to
tell a group, how often nothing could be decided, and how often single documents would say that the groups differ; and
what accuracy and ceiling are on average, less chance, in one run of so many.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from visavis.comparing.assess import assess
from visavis.comparing.choice import Choice
from visavis.comparing.session import pose as pose_documents
from visavis.explain import difference
from visavis.explain.blocks import divide
from visavis.explain.difference import Difference, difference_tests
from visavis.explain.kinds import Kind, choose_kinds
from visavis.inputs import Grouped
from visavis.records import Blocks, Compute, Document, Integers, Points
from visavis.select import pose, select

ALPHA = 0.05
MOST = 500  # documents in a run: enough for a test, few enough for thousands of them
PICKS = 3  # of each group, for the accuracy
DEALS = 199  # instead of 999, for the same reason: p = .05 is one of their values


@dataclass(frozen=True, eq=False)
class Sample:
    """Documents of one run: vectors, groups, and what is known of them."""

    vectors: np.ndarray
    groups: Integers
    kinds: tuple[Kind, ...]  # the last are stories
    copies: Integers | None = None
    strata: Integers | None = None  # what is held constant
    held: Any = None  # which terms each holds

    @property
    def names(self) -> tuple[str, ...]:
        """The groups' names."""
        return tuple(f"g{k}" for k in range(int(self.groups.max()) + 1))

    @property
    def points(self) -> Points:
        """The vectors, with copies."""
        found = Points.of(self.vectors)
        return found if self.copies is None else replace(found, families=self.copies, stories=self.copies)


def test(sample: Sample, seed: int) -> Run:
    """The tests of a sample, with blocks, by vectors alone, and of single documents."""
    without = replace(sample, held=None)
    blocks = blocked(sample)
    found, by_vectors = tests_of(sample, seed, blocks), tests_of(without, seed, blocks)
    single = tests_of(without, seed, None).tests[0].p_value if sample.held is None else None
    telling = np.zeros((1, 1)) if found.telling is None else found.telling
    others = [test.adjusted for test in found.tests[2:] if len(test.groups) == 1]
    blamed = any(p is not None and p <= ALPHA for p in others)
    return Run(
        found.tests[0].p_value,
        int((telling > 0).sum()),
        bool(telling[0, -1] > 0),
        blamed,
        by_vectors.tests[0].p_value,
        single,
    )


def blocked(sample: Sample) -> Blocks:
    """The blocks that `auto` finds."""
    copies = np.arange(len(sample.groups)) if sample.copies is None else sample.copies
    known = [kind for kind in sample.kinds if np.any(kind.codes >= 0)]
    kinds = choose_kinds(known, sample.groups, sample.vectors)
    levels = [*(kind.codes for kind in kinds), copies]
    return divide(kinds[0].by, kinds[0].codes, sample.groups, levels, sample.strata)


def tests_of(sample: Sample, seed: int, blocks: Blocks | None) -> Difference:
    """All tests of a sample."""
    names = np.array(sample.names, dtype=object)
    session = pose(sample.points, Grouped(names, sample.groups), compute=Compute("float32", 1))
    keys = [str(row) for row in session.order]
    taken = None if blocks is None else blocks.take(session.order)
    rng = np.random.default_rng(seed)
    held = None if sample.held is None else sample.held[session.order]
    return difference_tests(session.problem(), session.engine, names, keys, rng, blocks=taken, held=held)


def accuracies(sample: Sample, seed: int) -> tuple[float, float]:
    """Accuracy of the picks and of everything, less chance; not a number where nothing can be held out."""
    everyone, sizes = np.arange(len(sample.groups)), np.minimum(PICKS, np.bincount(sample.groups))
    session = pose_documents(
        sample.points, sample.names, sample.groups, documents=[Document(id=str(n)) for n in everyone],
        texts=[""] * len(everyone), candidates=np.ones(len(everyone), np.bool_), blocks=blocked(sample),
        strata=sample.strata, compute=Compute("float32", 1), seed=seed,
    )  # fmt: skip
    choice = Choice("mmd-diff-greedy", {"contrast": 0.6}, "rbf", session.gamma, tuple(sizes.tolist()))
    told = assess(session, select(session, session.request(choice)), ["accuracy", "ceiling"])
    if told.accuracy is None or told.ceiling is None:
        return np.nan, np.nan
    return told.accuracy - 1 / len(sizes), told.ceiling - 1 / len(sizes)


# Real documents, dealt at random.


@dataclass(frozen=True, eq=False)
class Data:
    """Real documents as arrays."""

    vectors: np.ndarray
    source: Integers
    author: Integers
    day: Integers
    story: Integers
    held: Any  # (documents, terms), sparse

    def sample(self, rows: Integers, groups: Integers) -> Sample:
        """Some of them, in these groups."""
        story = np.unique(self.story[rows], return_inverse=True)[1]
        kinds = [Kind("source", self.source[rows]), Kind("author", self.author[rows]), Kind("date", self.day[rows])]
        return Sample(self.vectors[rows], groups, (*kinds, Kind("stories", story)), held=self.held[rows])


NAMES = ("vectors", "source", "author", "day", "story")


def load(folder: Path) -> dict[str, Data]:
    """The arrays that `prepare` wrote."""
    return {
        path.name.removesuffix(".arrays.npz"): Data(
            **{name: np.load(path)[name] for name in NAMES},
            held=sparse.load_npz(path.with_name(path.name.replace(".arrays.", ".held."))),
        )
        for path in sorted(folder.glob("*.arrays.npz"))
    }


def dealt(data: Data, unit: str, shares: tuple[float, ...], rng: np.random.Generator, stretch: int = 1) -> Sample:
    """Whole units (documents, stories, days in stretches, sources, authors) dealt at random to the groups."""
    columns = {"document": np.arange(len(data.story)), "story": data.story, "source": data.source}
    columns |= {"author": data.author, "day": data.day // stretch}
    codes = columns[unit]
    known = np.flatnonzero(codes >= 0)
    units = np.unique(codes[known])
    owner = rng.permutation(np.searchsorted(np.cumsum(shares), (np.arange(len(units)) + 0.5) / len(units)))
    rows = np.sort(rng.choice(known, min(MOST, len(known)), replace=False))
    return data.sample(rows, owner[np.searchsorted(units, codes[rows])])


def shuffled_time(data: Data, rng: np.random.Generator, stretch: int = 7) -> Sample:
    """Stretches of days in random order, then the first half of the time against the second."""
    known = np.flatnonzero(data.day >= 0)
    rows = np.sort(rng.choice(known, min(MOST, len(known)), replace=False))
    weeks, place = np.unique(data.day[rows] // stretch, return_inverse=True)
    day = rng.permutation(len(weeks))[place] * stretch + data.day[rows] % stretch
    groups = (day >= np.median(day)).astype(np.intp)
    sample = data.sample(rows, groups)
    return replace(sample, kinds=(Kind("date", day), sample.kinds[-1]))


# Made-up documents.


def independent(shares: tuple[float, ...], n: int, rng: np.random.Generator) -> Sample:
    """Documents drawn one by one."""
    groups = rng.permutation(np.searchsorted(np.cumsum(shares), (np.arange(n) + 0.5) / n))
    return Sample(rng.normal(size=(n, 10)), groups, (Kind("stories", np.arange(n)),))


def stories(shares: tuple[float, ...], n: int, each: float, rng: np.random.Generator) -> Sample:
    """Stories of so many documents on average, dealt whole."""
    story = np.repeat(np.arange(n), rng.geometric(1 / each, n))
    vectors = rng.normal(size=(n, 10))[story] + 0.5 * rng.normal(size=(len(story), 10))
    owner = rng.permutation(np.searchsorted(np.cumsum(shares), (np.arange(n) + 0.5) / n))
    return Sample(vectors, owner[story], (Kind("stories", story),))


def shared_copies(rng: np.random.Generator, own: int = 60, shared: int = 30) -> Sample:
    """Two equal outlets that share wire stories, one after the other."""
    wire = rng.normal(size=(shared, 10))
    vectors = np.vstack([rng.normal(size=(own, 10)), wire, rng.normal(size=(own, 10)), wire])
    groups = np.repeat([0, 1], own + shared)
    copies = np.arange(len(vectors))
    copies[-shared:] = np.arange(own, own + shared)
    return Sample(vectors, groups, (Kind("stories", copies),), copies)


def crossed(rng: np.random.Generator, n_sources: int = 16, days: int = 20) -> Sample:
    """Outlets with a voice of their own that lie in both groups: each outlet's days are dealt, and days have news."""
    source = np.repeat(np.arange(n_sources), 40)
    day = rng.integers(0, days, len(source))
    cell = source * days + day
    owner = rng.integers(0, 2, n_sources * days)
    vectors = rng.normal(size=(n_sources, 10))[source] + 0.5 * rng.normal(size=(n_sources * days, 10))[cell]
    vectors += 0.7 * rng.normal(size=vectors.shape)
    return Sample(
        vectors, owner[cell], (Kind("source", source), Kind("date", day), Kind("stories", np.arange(len(day))))
    )


def partly_crossed(rng: np.random.Generator) -> Sample:
    """Half of the outlets are dealt whole, the documents of the others one by one."""
    source = np.repeat(np.arange(24), 20)
    vectors = 0.7 * rng.normal(size=(24, 10))[source] + rng.normal(size=(len(source), 10))
    whole = rng.permutation(np.repeat([0, 1], 12))[source]
    groups = np.where(source % 2 == 0, whole, rng.integers(0, 2, len(source)))
    return Sample(vectors, groups, (Kind("source", source), Kind("stories", np.arange(len(source)))))


def other_mix(rng: np.random.Generator, shift: float = 0.0) -> Sample:
    """Groups that cover the years in another mix, which is held constant; within a year they may differ by `shift`."""
    year = np.repeat(np.arange(4), 50)
    groups = (rng.random(len(year)) < np.array([0.2, 0.4, 0.6, 0.8])[year]).astype(np.intp)
    vectors = rng.normal(size=(4, 10))[year] + rng.normal(size=(len(year), 10)) + shift * groups[:, None]
    return Sample(vectors, groups, (Kind("stories", np.arange(len(year))),), strata=year)


def planted(rng: np.random.Generator, shift: float, each: float = 2.0) -> Sample:
    """Stories dealt whole, and the groups do differ: in their middle."""
    sample = stories((0.5, 0.5), 120, each, rng)
    return Sample(sample.vectors + shift * sample.groups[:, None], sample.groups, sample.kinds)


def planted_word(
    data: Data, unit: str, shares: tuple[float, ...], stretch: int, often: float, rng: np.random.Generator
) -> Sample:
    """Real documents dealt at random, and a word that so many of the first group hold, and 1 % of the others."""
    sample = dealt(data, unit, shares, rng, stretch)
    holds = rng.random(len(sample.groups)) < np.where(sample.groups == 0, often, 0.01)
    word = sparse.csr_matrix(holds[:, None].astype(np.float64))
    return replace(sample, held=sparse.hstack([sample.held, word], format="csr"))


def halves(data: Data, n: int, rng: np.random.Generator) -> Sample:
    """So many documents of the first half of the time against the second: groups that do differ."""
    known = np.flatnonzero(data.day >= 0)
    rows = np.sort(rng.choice(known, n, replace=False))
    return data.sample(rows, (data.day[rows] >= np.median(data.day[known])).astype(np.intp))


TWO, FOUR, UNEQUAL = (0.5, 0.5), (0.25, 0.25, 0.25, 0.25), (0.8, 0.2)
Make = Callable[[np.random.Generator], Sample]


def scenarios(folder: Path) -> dict[str, Make]:
    """What is simulated, by its name in the table; null ones first."""
    found: dict[str, Make] = {}
    for name, shares in (("2 groups", TWO), ("4 groups", FOUR), ("unequal groups", UNEQUAL)):
        found[f"independent documents, {name}"] = partial(independent, shares, 120)
        found[f"stories of 2, {name}"] = partial(stories, shares, 100, 2.0)
        found[f"stories of 5, {name}"] = partial(stories, shares, 60, 5.0)
    found["shared copies, 2 groups"] = shared_copies
    found["outlets' days, in both groups"] = crossed
    found["half of the outlets whole, half by documents"] = partly_crossed
    found["another mix of years, held constant"] = other_mix
    for title, data in load(folder).items():
        for unit, stretch, called in (
            ("document", 1, "documents"), ("story", 1, "stories"), ("day", 1, "days"), ("day", 7, "weeks"),
            ("source", 1, "outlets"), ("author", 1, "authors"),
        ):  # fmt: skip
            if (getattr(data, unit, data.story) >= 0).mean() < 0.7:
                continue
            for name, shares in (("2 groups", TWO), ("4 groups", FOUR), ("unequal groups", UNEQUAL)):
                found[f"{title}: {called}, {name}"] = partial(dealt, data, unit, shares, stretch=stretch)
        if (data.day >= 0).mean() > 0.5:
            found[f"{title}: weeks in random order, two halves"] = partial(shuffled_time, data)
        for n in (60, 120, 240):
            found[f"halves of the time: {title}, {n} documents"] = partial(halves, data, n)
    for title, unit, stretch, shares in (
        ("coronavirus", "source", 1, TWO), ("immigration", "day", 7, FOUR), ("tweets", "author", 1, FOUR),
    ):  # fmt: skip
        for often in (0.05, 0.1, 0.2):
            if title in (data := load(folder)):
                make = partial(planted_word, data[title], unit, shares, stretch, often)
                found[f"planted word: {title} {unit}, {len(shares)} groups, {often:.0%}"] = make
    for shift in (0.2, 0.4):
        found[f"planted: another mix of years, held constant, shift {shift}"] = partial(other_mix, shift=shift)
    for shift in (0.1, 0.2, 0.4):
        found[f"planted: stories of 2, shift {shift}"] = partial(planted, shift=shift)
    return found


@dataclass(frozen=True)
class Run:
    """One run: p-values (None: undecided) with blocks, by vectors alone and of single documents; words that tell.

    Single documents are tested where there are no words. `last` says whether the last term tells the first group, as
    where a word is planted; `blamed` whether another group than the first is said to stand out. Accuracy and ceiling
    are above chance.
    """

    blocked: float | None
    words: int
    last: bool
    blamed: bool
    vectors: float | None
    single: float | None
    accuracy: float = np.nan
    ceiling: float = np.nan


def one(make: Make, every: int, seed: int) -> Run:
    """One run; accuracy is measured in one of so many, in none if 0."""
    warnings.simplefilter("ignore")
    difference.PERMUTATIONS = DEALS
    sample = make(np.random.default_rng(seed))
    measured = test(sample, seed)
    if every == 0 or seed % every:
        return measured
    accuracy, ceiling = accuracies(sample, seed)
    return replace(measured, accuracy=accuracy, ceiling=ceiling)


COLUMNS = (
    "differ",
    "by vectors alone",
    "a word tells",
    "the planted word",
    "others blamed",
    "undecided",
    "single documents",
)


def row_of(runs: list[Run]) -> dict[str, float]:
    """Shares of runs, and the means of accuracy and ceiling above chance."""

    def share(p_values: list[float | None]) -> float:
        return float(np.mean([p is not None and p <= ALPHA for p in p_values]))

    above = np.array([(run.accuracy, run.ceiling) for run in runs])
    above = above[np.isfinite(above).all(axis=1)]
    accuracy, ceiling = above.mean(axis=0) if len(above) else (np.nan, np.nan)
    values = (
        share([run.blocked for run in runs]),
        share([run.vectors for run in runs]),
        float(np.mean([run.words > 0 for run in runs])),
        float(np.mean([run.last for run in runs])),
        float(np.mean([run.blamed for run in runs])),
        float(np.mean([run.blocked is None for run in runs])),
        share([run.single for run in runs]),
    )
    return dict(zip(COLUMNS, values, strict=True)) | {"accuracy": float(accuracy), "ceiling": float(ceiling)}


def run(folder: Path, runs: int, every: int, only: str, jobs: int) -> None:
    """Print a row for every scenario."""
    print(f"| {runs} runs | {' | '.join(COLUMNS)} | accuracy | ceiling |\n|---{'|---' * (len(COLUMNS) + 2)}|")
    with ProcessPoolExecutor(jobs) as pool:
        for name, make in scenarios(folder).items():
            if any(part in name for part in only.split(";")):
                found = list(pool.map(partial(one, make, every), range(runs), chunksize=max(1, runs // (4 * jobs))))
                row = row_of(found)
                cells = [*(f"{100 * row[column]:.1f} %" for column in COLUMNS)]
                cells += ["–" if np.isnan(row[column]) else f"{row[column]:+.3f}" for column in ("accuracy", "ceiling")]
                print(f"| {name} | {' | '.join(cells)} |", flush=True)


def odd_ones_out(runs: int, jobs: int) -> None:
    """Print how often an odd group is found, and how often one of the others is blamed."""
    print(f"\n| {runs} runs, 40 documents a group | odd group found | another one blamed |\n|---|---|---|")
    with ProcessPoolExecutor(jobs) as pool:
        for n_groups in (3, 4, 8):
            found = np.array(list(pool.map(partial(odd_one_out, n_groups), range(runs), chunksize=10)))
            print(f"| one of {n_groups} | {found[:, 0].mean():.3f} | {found[:, 1].mean():.3f} |", flush=True)


def odd_one_out(n_groups: int, seed: int) -> tuple[bool, bool]:
    """Whether the first of several groups, the odd one, is found, and whether another one is."""
    warnings.simplefilter("ignore")
    difference.PERMUTATIONS = DEALS
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_groups), 40)
    vectors = rng.normal(size=(len(groups), 10))
    vectors[groups == 0] += 0.6
    sample = Sample(vectors, groups, (Kind("stories", np.arange(len(groups))),))
    adjusted = [test.adjusted for test in tests_of(sample, seed, blocked(sample)).tests[1:]]
    return adjusted[0] < ALPHA, min(adjusted[1:]) < ALPHA


def real_splits(folder: Path) -> None:
    """Print what is said of the first half of the time against the second."""
    print("\n| two halves of the time | documents | blocks | p |\n|---|---|---|---|")
    for name, data in load(folder).items():
        known = np.flatnonzero(data.day >= 0)
        low, high = np.quantile(data.day[known], (0.01, 0.99))
        rows = known[np.abs(data.day[known] - (low + high) / 2) <= 0.75 * (high - low)]  # without strays
        middle = (data.day[rows].min() + data.day[rows].max()) / 2
        sample = data.sample(rows, (data.day[rows] >= middle).astype(np.intp))
        test = tests_of(sample, 0, blocked(sample)).tests[0]
        print(f"| {name} | {len(rows):,} | {test.n_blocks} {test.blocks_by} | {test.p_value} |", flush=True)


def prepare_arrays(folder: Path) -> None:
    """Write the arrays of the real data that are simulated with."""
    from data import write_arrays

    write_arrays(folder)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["prepare", "run"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--every", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    told = parser.parse_args()
    if told.what == "prepare":
        prepare_arrays(told.folder)
    else:
        run(told.folder, told.runs, told.every, told.only, told.jobs)
        if not told.only:
            odd_ones_out(told.runs, told.jobs)
            real_splits(told.folder)


if __name__ == "__main__":
    sys.exit(main())
