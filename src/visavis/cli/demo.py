"""`visavis demo`: the engine at work on bundled data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from visavis.select.estimators import ComparativeSummarizer

SHADES = " ░▒▓█"


@click.command()
@click.argument("what", type=click.Choice(["digits"]), default="digits")
@click.option("--method", default=None, help="A method from `visavis methods`.")
@click.option("--size", default=4, show_default=True, help="Picks per group.")
@click.option("--seed", default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def demo(what: str, method: str | None, size: int, seed: int, as_json: bool) -> None:  # noqa: ARG001 (one choice so far)
    """Pick the handwritten digits that stand for each class and tell it from the others."""
    from visavis.select.methods import DEFAULT_METHOD

    images, fitted, accuracy, all_accuracy = _fit_digits(method or DEFAULT_METHOD, size, seed)
    if as_json:
        click.echo(json.dumps(_as_record(fitted, accuracy, all_accuracy), indent=2))
        return
    for label in fitted.classes_:
        rows = fitted.prototype_indices_[fitted.prototype_groups_ == label]
        click.echo(f"\ndigit {label}: documents {', '.join(map(str, rows))}")
        click.echo(_draw(images[rows]))
    click.echo(
        f"\n{len(fitted.prototype_indices_)} of {len(images)} images picked by {fitted.method}. "
        f"Told from the picks alone, {accuracy:.1%} of unseen images get the right digit; "
        f"told from all {len(images)}, {all_accuracy:.1%}."
    )


def _fit_digits(method: str, size: int, seed: int) -> tuple[Any, ComparativeSummarizer, float, float]:
    import numpy as np
    from sklearn.datasets import load_digits
    from sklearn.metrics import balanced_accuracy_score
    from sklearn.neighbors import KNeighborsClassifier

    from visavis.select.estimators import ComparativeSummarizer

    digits = load_digits()
    unseen = np.arange(len(digits.target)) % 4 == 0
    seen_data, seen_labels = digits.data[~unseen], digits.target[~unseen]
    fitted = ComparativeSummarizer(method, size, random_state=seed, n_jobs=-1).fit(seen_data, seen_labels)
    everything = KNeighborsClassifier(1).fit(seen_data, seen_labels).predict(digits.data[unseen])
    truth = digits.target[unseen]
    accuracy = fitted.score(digits.data[unseen], truth)
    return digits.images[~unseen], fitted, accuracy, float(balanced_accuracy_score(truth, everything))


def _as_record(fitted: ComparativeSummarizer, accuracy: float, all_accuracy: float) -> dict[str, Any]:
    groups = [
        {
            "name": str(label),
            "picks": fitted.prototype_indices_[fitted.prototype_groups_ == label].tolist(),
            "gains": fitted.gains_[fitted.prototype_groups_ == label].tolist(),
            "objective": {"value": fitted.objective_values_[label], "stages": fitted.stages_[label]},
        }
        for label in fitted.classes_.tolist()
    ]
    return {"method": fitted.method, "groups": groups, "accuracy": accuracy, "ceiling": all_accuracy}


def _draw(images: Any) -> str:
    """The images side by side, two characters a pixel."""
    lines = []
    for y in range(images.shape[1]):
        cells = [
            "".join(SHADES[min(int(v) * len(SHADES) // 17, len(SHADES) - 1)] * 2 for v in image[y]) for image in images
        ]
        lines.append("    ".join(cells).rstrip())
    return "\n".join(lines)
