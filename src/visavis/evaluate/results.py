"""The results of an evaluation, as records, and as the CSV files others read."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from visavis.corpus.readers import READERS
from visavis.errors import VisavisError
from visavis.evaluate.measures import MEASURES
from visavis.evaluate.metrics import corrected_half_width, corrected_t_test, mean_and_interval
from visavis.evaluate.plan import CEILING, EVERY
from visavis.shared.spreadsheet import csv_text, unguard
from visavis.shared.statistics import holm
from visavis.shared.text import line

COLUMNS = (
    "dataset", "method", "classifier", "size", "split", "gamma", "contrast", "C", "balanced_accuracy", "sharpness",
    "missing_groups", *MEASURES,
)  # fmt: skip
EVERYTHING = 0  # the size of a ceiling: all documents
OVERALL = "all"


@dataclass(frozen=True)
class Result:
    """One method, classifier, size and split; `size` 0 is everything. None for parameters a method does not have.

    `parameters` are those without a column of their own, as JSON. Then come the measures for a reader: None where they
    cannot be taken. `picks` is how many there are of all groups, told where not every document may be picked, and
    `candidates` which may.
    """

    dataset: str
    method: str
    classifier: str
    size: int
    split: int
    gamma: float | None
    contrast: float | None
    C: float | None
    balanced_accuracy: float
    sharpness: float | str | None = None
    missing_groups: int = 0
    parameters: str = ""
    variety: float | None = None
    typicality: float | None = None
    stability: float | None = None
    set_aside: float | None = None
    picks: int | None = None
    candidates: str = EVERY


@dataclass(frozen=True)
class Cell:
    """A method at one classifier and size: mean over splits, half the 95 % interval, groups missed over all splits.

    `corrected_half_width` is that of the interval which knows that training parts overlap.
    """

    method: str
    classifier: str
    size: int
    mean: float
    half_width: float | None
    n_splits: int
    missing_groups: int
    corrected_half_width: float | None = None

    @property
    def shown(self) -> float:
        """The mean as tables show it: cells that look equal are equal."""
        return round(self.mean, 3)


@dataclass(frozen=True)
class Versus:
    """Two methods at one classifier and size ("all" for the mean over all of them), compared split by split.

    `corrected_half_width` is half the 95 % interval of the difference, as wide as overlapping training parts ask for.
    """

    classifier: str
    size: str
    first: str
    second: str
    difference: float
    t: float | None
    p_value: float
    holm: float
    corrected_half_width: float


@dataclass(frozen=True, eq=False)
class Evaluation:
    """All results of a run, sorted, and what made them: `about` is the plan, `facts` the data's and program's own."""

    results: tuple[Result, ...]
    about: Mapping[str, Any]
    facts: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    timings: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)

    @property
    def dataset(self) -> str:
        """What was evaluated."""
        return str(self.about["dataset"])

    @property
    def blocks_by(self) -> str:
        """By what the blocks that were held out together are told apart; empty where documents stood alone."""
        blocks = self.facts.get("blocks")
        return str(blocks["by"]) if blocks else ""

    @property
    def candidates(self) -> str:
        """What might be picked: all documents, or only what is worthy of being shown."""
        return str(self.about.get("candidates", EVERY))

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods, ceilings apart, in the order of the plan."""
        return tuple(self.about["methods"])

    @property
    def subject(self) -> str:
        """What was evaluated, in a title: the names of files without their folders and endings."""
        return ", ".join(line(_without_path(name)) for name in self.dataset.split(", "))

    @property
    def settings(self) -> tuple[tuple[str, int], ...]:
        """Every classifier with every size."""
        return tuple((c, int(s)) for c in self.about["classifiers"] for s in self.about["sizes"])

    def values(self, method: str, classifier: str, size: int) -> tuple[float, ...]:
        """Balanced accuracy on each split, in order."""
        key = (method, classifier, size)
        return tuple(r.balanced_accuracy for r in self.results if (r.method, r.classifier, r.size) == key)

    def cell(self, method: str, classifier: str, size: int) -> Cell:
        """Mean and interval; size 0 asks for a ceiling."""
        values = self.values(method, classifier, size)
        if not values:
            raise LookupError(f"there are no results of {method}, {classifier}, {size}")
        missing = sum(
            r.missing_groups for r in self.results if (r.method, r.classifier, r.size) == (method, classifier, size)
        )
        corrected = corrected_half_width(values, float(self.facts["test_to_train"]))
        return Cell(method, classifier, size, *mean_and_interval(values), len(values), missing, corrected)

    def cells(self) -> tuple[Cell, ...]:
        """Every method at every classifier and size."""
        return tuple(self.cell(method, *setting) for method in self.methods for setting in self.settings)

    def ceilings(self) -> tuple[Cell, ...]:
        """What the classifiers reach when trained on everything; empty where it was not asked for."""
        if not any(result.method == CEILING for result in self.results):
            return ()
        return tuple(self.cell(CEILING, classifier, EVERYTHING) for classifier in self.about["classifiers"])

    def wins(self) -> dict[str, int]:
        """In how many settings each method has the best mean; methods that tie in the third decimal all win."""
        count = dict.fromkeys(self.methods, 0)
        for setting in self.settings:
            cells = [self.cell(method, *setting) for method in self.methods]
            best = max(cell.shown for cell in cells)
            for cell in cells:
                count[cell.method] += cell.shown == best
        return count

    def tests(self) -> tuple[Versus, ...]:
        """Every pair of methods in every setting, and over all settings, p-values adjusted within each setting."""
        found = [
            v for c, s in self.settings for v in self._pairs(c, str(s), {m: self.values(m, c, s) for m in self.methods})
        ]
        overall = {
            method: _means([self.values(method, *setting) for setting in self.settings]) for method in self.methods
        }
        return (*found, *self._pairs(OVERALL, OVERALL, overall))

    def _pairs(self, classifier: str, size: str, values: Mapping[str, Sequence[float]]) -> list[Versus]:
        ratio = float(self.facts["test_to_train"])
        pairs = [(a, b, corrected_t_test(values[a], values[b], ratio)) for a, b in combinations(values, 2)]
        tested = [(a, b, test) for a, b, test in pairs if test is not None]
        adjusted = holm([test.p_value for _, _, test in tested])
        return [
            Versus(classifier, size, a, b, test.difference, test.t, test.p_value, p, test.half_width)
            for (a, b, test), p in zip(tested, adjusted, strict=True)
        ]


def _means(rows: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) / len(column) for column in zip(*rows, strict=True)]


def _without_path(name: str) -> str:
    """A file by its name alone, a folder by the last of its path; anything else as it is called."""
    path = Path(name.partition("::")[0])
    unzipped = Path(path.name[:-3]) if path.suffix.lower() == ".gz" else path
    if unzipped.suffix.lower() in READERS:
        return unzipped.stem
    is_folder = path.is_absolute() or name.startswith(("./", "../", "~/")) or name.endswith("/")
    return path.name or name if is_folder else name


def sorted_results(results: Iterable[Result]) -> tuple[Result, ...]:
    """In the order of the file: method, classifier, size (everything last), split."""
    return tuple(sorted(results, key=lambda r: (r.method, r.classifier, r.size or 10**9, r.split)))


def results_csv(results: Iterable[Result]) -> str:
    """results.csv; its last columns are there only where not all may be picked, or parameters have no column else."""
    listed = list(results)
    chosen = ("picks", "candidates") if any(result.candidates != EVERY for result in listed) else ()
    others = ("parameters",) if any(result.parameters for result in listed) else ()
    columns = (*COLUMNS, *chosen, *others)
    rows = ([getattr(r, name) if name != "size" else r.size or OVERALL for name in columns] for r in listed)
    return csv_text(columns, rows)


def read_evaluation(folder: Path) -> Evaluation:
    """What a finished run left in its folder. Raises VisavisError if it is not there or cannot be read."""
    try:
        facts = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        with (folder / "results.csv").open(newline="", encoding="utf-8") as file:
            results = tuple(_result(row) for row in csv.DictReader(file))
        found = Evaluation(results, facts["plan"], facts["facts"], tuple(facts["notes"]))
        _check_whole(found)
        return found
    except FileNotFoundError as error:
        begun = (folder / "journal.jsonl").exists()
        hint = "its run is not finished: repeat its command" if begun else "name the --out folder of a finished run"
        raise VisavisError(f"{str(folder)!r} holds no {Path(error.filename).name}: {hint}") from error
    except (OSError, ValueError, LookupError, TypeError, AttributeError, csv.Error) as error:
        raise VisavisError(f"{str(folder)!r}: its results cannot be read ({error})") from error


def _check_whole(found: Evaluation) -> None:
    """Raises ValueError, LookupError or TypeError unless the record has what it takes and every cell all its splits."""
    splits = int(found.about["splits"])
    for name in ("splits_key", "version", "groups", "documents"):
        if found.facts[name] is None:
            raise ValueError(f"run.json has no {name}")
    float(found.facts["test_to_train"])
    for cell in (*found.cells(), *found.ceilings()):
        if cell.n_splits != splits:
            raise ValueError(f"{cell.n_splits} of {splits} splits of {cell.method}, {cell.classifier}, {cell.size}")


def _result(row: Mapping[str, str]) -> Result:
    def number(name: str) -> float | None:
        return float(row[name]) if row.get(name) else None

    sharpness = row["sharpness"] if row["sharpness"] == "auto" else number("sharpness")
    size = EVERYTHING if row["size"] == OVERALL else int(row["size"])
    dataset, method, classifier = (unguard(row[name]) for name in ("dataset", "method", "classifier"))
    return Result(
        dataset, method, classifier, size, int(row["split"]), number("gamma"), number("contrast"), number("C"),
        float(row["balanced_accuracy"]), sharpness, int(row["missing_groups"]), unguard(row.get("parameters", "")),
        **{name: number(name) for name in MEASURES}, picks=int(row["picks"]) if row.get("picks") else None,
        candidates=row.get("candidates") or EVERY,
    )  # fmt: skip
