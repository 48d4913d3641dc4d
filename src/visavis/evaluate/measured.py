"""The measures of a run as means over splits, with both intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean

from visavis.evaluate.measures import MEASURES
from visavis.evaluate.metrics import corrected_half_width, mean_and_interval
from visavis.evaluate.results import Evaluation

ACCURACY = "balanced_accuracy"
MEANS = ("method", "classifier", "size", "measure", "mean", "half_width", "corrected_half_width", "splits")


@dataclass(frozen=True)
class Measured:
    """A mean over splits, half its plain 95 % interval, and half the one that knows that training parts overlap.

    Half widths are None where there are too few splits; stability, taken of pairs of splits, has no second one.
    """

    mean: float
    half_width: float | None
    corrected_half_width: float | None
    n_splits: int


def measured(
    evaluation: Evaluation, measure: str, method: str, size: int | None = None, classifier: str | None = None
) -> Measured | None:
    """A measure of a method's picks; the mean over sizes and classifiers that are not named. None if there is none.

    The stability of a split is its mean agreement with the others, so two splits share what they tell: its half width
    is that of the jackknife, 2(R − 1)/(R − 2) times as large, and two splits have none.
    """
    by_split: dict[int, list[float]] = {}
    for result in evaluation.results:
        wanted = result.method == method and size in (None, result.size) and classifier in (None, result.classifier)
        value: float | None = getattr(result, measure) if wanted else None
        if value is not None:
            by_split.setdefault(result.split, []).append(value)
    if not by_split:
        return None
    values = [fmean(by_split[split]) for split in sorted(by_split)]
    (mean, plain), count = mean_and_interval(values), len(values)
    if measure == "stability":
        jackknife = None if plain is None or count < 3 else plain * 2.0 * (count - 1) / (count - 2)
        return Measured(mean, jackknife, None, count)
    return Measured(mean, plain, corrected_half_width(values, float(evaluation.facts["test_to_train"])), count)


def measures_of(evaluation: Evaluation) -> tuple[str, ...]:
    """The measures that any result has."""
    return tuple(name for name in MEASURES if any(getattr(r, name) is not None for r in evaluation.results))


def means(evaluation: Evaluation) -> Iterator[tuple[object, ...]]:
    """The rows of means.csv: accuracy and every measure there is, for each method, classifier and size."""
    for method in evaluation.methods:
        for classifier, size in evaluation.settings:
            for name in (ACCURACY, *MEASURES):
                found = measured(evaluation, name, method, size, classifier)
                if found is not None:
                    widths = found.half_width, found.corrected_half_width
                    yield method, classifier, size, name, found.mean, *widths, found.n_splits
