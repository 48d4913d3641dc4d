"""Simulations of the verdict: how often groups that do not differ are said to, and how often those that do.

    python scripts/verdicts.py prepare FOLDER   # arrays of the real data (VISAVIS_DATA)
    python scripts/verdicts.py run FOLDER [--runs 500] [--every 10] [--only WORD] [--jobs N]

Prints a table in Markdown: in what share of runs the groups are said to differ with blocks, with single documents, and
how often nothing could be decided; and what accuracy and ceiling are on average, less chance, in one run of ten.
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

import numpy as np

from visavis.comparing.assess import assess
from visavis.comparing.choice import Choice
from visavis.comparing.session import pose as pose_documents
from visavis.explain import difference
from visavis.explain.blocks import divide
from visavis.explain.difference import difference_tests
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

    @property
    def names(self) -> tuple[str, ...]:
        """The groups' names."""
        return tuple(f"g{k}" for k in range(int(self.groups.max()) + 1))

    @property
    def points(self) -> Points:
        """The vectors, with copies."""
        found = Points.of(self.vectors)
        return found if self.copies is None else replace(found, families=self.copies, stories=self.copies)


def test(sample: Sample, seed: int) -> tuple[float | None, float | None]:
    """p-values with blocks (None: undecided) and with single documents."""
    return _p(sample, seed, blocked(sample)), _p(sample, seed, None)


def blocked(sample: Sample) -> Blocks:
    """The blocks that `auto` finds."""
    copies = np.arange(len(sample.groups)) if sample.copies is None else sample.copies
    known = [kind for kind in sample.kinds if np.any(kind.codes >= 0)]
    kinds = choose_kinds(known, sample.groups, sample.vectors)
    levels = [*(kind.codes for kind in kinds), copies]
    return divide(kinds[0].by, kinds[0].codes, sample.groups, levels, sample.strata)


def _p(sample: Sample, seed: int, blocks: Blocks | None) -> float | None:
    tests = tests_of(sample, seed, blocks)
    return tests[0].p_value


def tests_of(sample: Sample, seed: int, blocks: Blocks | None) -> tuple:
    """All tests of a sample."""
    names = np.array(sample.names, dtype=object)
    session = pose(sample.points, Grouped(names, sample.groups), compute=Compute("float32", 1))
    keys = [str(row) for row in session.order]
    taken = None if blocks is None else blocks.take(session.order)
    rng = np.random.default_rng(seed)
    return difference_tests(session.problem(), session.engine, names, keys, rng, blocks=taken)[0]


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

    def sample(self, rows: Integers, groups: Integers) -> Sample:
        """Some of them, in these groups."""
        story = np.unique(self.story[rows], return_inverse=True)[1]
        kinds = [Kind("source", self.source[rows]), Kind("author", self.author[rows]), Kind("date", self.day[rows])]
        return Sample(self.vectors[rows], groups, (*kinds, Kind("stories", story)))


def load(folder: Path) -> dict[str, Data]:
    """The arrays that `prepare` wrote."""
    return {
        path.stem: Data(**{name: np.load(path)[name] for name in ("vectors", "source", "author", "day", "story")})
        for path in sorted(folder.glob("*.npz"))
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
    return Sample(sample.vectors, groups, (Kind("date", day), sample.kinds[-1]))


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
    for shift in (0.2, 0.4):
        found[f"planted: another mix of years, held constant, shift {shift}"] = partial(other_mix, shift=shift)
    for shift in (0.1, 0.2, 0.4):
        found[f"planted: stories of 2, shift {shift}"] = partial(planted, shift=shift)
    return found


@dataclass(frozen=True)
class Run:
    """p-values of one run, with blocks (None: undecided) and of single documents; accuracy and ceiling above chance."""

    blocked: float | None
    single: float | None
    accuracy: float = np.nan
    ceiling: float = np.nan


def one(make: Make, every: int, seed: int) -> Run:
    """One run; accuracy is measured in one of so many."""
    warnings.simplefilter("ignore")
    difference.PERMUTATIONS = DEALS
    sample = make(np.random.default_rng(seed))
    return Run(*test(sample, seed), *(accuracies(sample, seed) if seed % every == 0 else ()))


def row_of(found: list[Run]) -> tuple[float, float, float, float, float]:
    """Shares of runs: said to differ, undecided, said to by single documents; accuracy and ceiling above chance."""
    blocked_share = np.mean([run.blocked is not None and run.blocked <= ALPHA for run in found])
    undecided = np.mean([run.blocked is None for run in found])
    single = np.mean([run.single is not None and run.single <= ALPHA for run in found])
    told = np.array([(run.accuracy, run.ceiling) for run in found])
    told = told[np.isfinite(told).all(axis=1)]
    above = told.mean(axis=0) if len(told) else (np.nan, np.nan)
    return float(blocked_share), float(undecided), float(single), float(above[0]), float(above[1])


def run(folder: Path, runs: int, every: int, only: str, jobs: int) -> None:
    """Print a row for every scenario."""
    print(
        f"| {runs} runs | with blocks | undecided | single documents | accuracy | ceiling |\n|---|---|---|---|---|---|"
    )
    with ProcessPoolExecutor(jobs) as pool:
        for name, make in scenarios(folder).items():
            if only in name:
                found = list(pool.map(partial(one, make, every), range(runs), chunksize=max(1, runs // (4 * jobs))))
                *shares, accuracy, ceiling = row_of(found)
                cells = [*(f"{100 * share:.1f} %" for share in shares), f"{accuracy:+.3f}", f"{ceiling:+.3f}"]
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
    adjusted = [test.adjusted for test in tests_of(sample, seed, blocked(sample))[1:]]
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
        test = tests_of(sample, 0, blocked(sample))[0]
        print(f"| {name} | {len(rows):,} | {test.n_blocks} {test.blocks_by} | {test.p_value} |", flush=True)


def prepare_arrays(folder: Path) -> None:
    """Write the arrays of the real data that are simulated with."""
    from verdict_data import write_arrays

    write_arrays(folder)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["prepare", "run"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--every", type=int, default=10)
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
