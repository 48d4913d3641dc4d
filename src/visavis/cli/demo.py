"""`visavis demo`: the program at work on bundled data."""

from __future__ import annotations

import csv
import io
import json
import sys
import tempfile
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from visavis.cli.compare import json_text, repeat_command
from visavis.cli.output import StageProgress, check_outputs, print_json
from visavis.errors import VisavisError

if TYPE_CHECKING:
    from visavis.comparing import Comparison
    from visavis.select.estimators import ComparativeSummarizer

DEFAULT_REPORT = Path("demo") / "report.html"
SHADES = " ░▒▓█"
SCALE = 8  # screen pixels for each pixel of a digit


@click.command()
@click.argument("what", type=click.Choice(["news", "digits"]), default="news")
@click.option("--method", default=None, help="A method from `visavis methods`.")
@click.option("--size", default=4, show_default=True, help="Picks per group.")
@click.option("--seed", default=0, show_default=True, help="Where randomness starts.")
@click.option("-o", "--output", metavar="FILE", help="The report to write; for news demo/report.html if none is named.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object; write no report unless -o asks.")
@click.option("--articles", metavar="FILE", help="Only write the news articles, as CSV, to try `visavis compare` on.")
def demo(
    what: str, method: str | None, size: int, seed: int, output: str | None, as_json: bool, articles: str | None
) -> None:
    """Compare four months of fictional climate news, or the classes of handwritten digits.

    The digits are drawn in the terminal.
    """
    from visavis.comparing.options import CompareOptions
    from visavis.select.estimators import ComparativeSummarizer

    if articles is not None:
        _write_articles(Path(articles))
        return
    if output is not None:
        check_outputs([output], [])
    run = _demo_news if what == "news" else _demo_digits
    usual = CompareOptions.method if what == "news" else ComparativeSummarizer().method
    run(method or usual, size, seed, None if output is None else Path(output), as_json)


def _write_articles(path: Path) -> None:
    from visavis.datasets import sample_path
    from visavis.shared.files import replace_file

    rows = [json.loads(line) for line in sample_path().read_text(encoding="utf-8").splitlines()]
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    replace_file(path, text.getvalue)
    click.echo(f"Articles: {path.absolute()}")


def _demo_news(method: str, size: int, seed: int, output: Path | None, as_json: bool) -> None:
    comparison = _compare_news(method, size, seed)
    if as_json:
        print_json(json_text(comparison))
    else:
        _print_beginning(comparison)
        output = output or _default_report()
    _write(comparison, output, as_json)


def _compare_news(method: str, size: int, seed: int) -> Comparison:
    from visavis.comparing import compare
    from visavis.datasets import sample_path

    with StageProgress() as progress:
        return compare(
            sample_path(), by="published:month", lead=None, method=method, size=size, seed=seed,
            title="Four months of climate news (fictional)", command=repeat_command(sys.argv[1:]), progress=progress,
        )  # fmt: skip


def _demo_digits(method: str, size: int, seed: int, output: Path | None, as_json: bool) -> None:
    images, fitted, accuracy, all_accuracy = _fit_digits(method, size, seed)
    if as_json:
        click.echo(json.dumps(_as_record(fitted, accuracy, all_accuracy), indent=2))
    else:
        for label in fitted.classes_:
            rows = fitted.prototype_indices_[fitted.prototype_groups_ == label]
            click.echo(f"\ndigit {label}: documents {', '.join(map(str, rows))}")
            click.echo(_draw(images[rows]))
        click.echo(
            f"\n{len(fitted.prototype_indices_)} of {len(images)} images picked by {fitted.method}. "
            f"Told from the picks alone, {accuracy:.1%} of unseen images get the right digit; "
            f"told from all {len(images)}, {all_accuracy:.1%}."
        )
    if output is not None:
        with tempfile.TemporaryDirectory() as folder:  # the page takes its pictures from there while it is written
            _write(_compare_digits(images, Path(folder), method, size, seed), output, as_json)


def _fit_digits(method: str, size: int, seed: int) -> tuple[Any, ComparativeSummarizer, float, float]:
    import numpy as np
    from sklearn.metrics import balanced_accuracy_score
    from sklearn.neighbors import KNeighborsClassifier

    from visavis.select.estimators import ComparativeSummarizer

    images, labels = _digits(seen=True)
    unseen, truth = _digits(seen=False)
    flat, unseen = np.reshape(images, (len(images), -1)), np.reshape(unseen, (len(unseen), -1))
    fitted = ComparativeSummarizer(method, size, random_state=seed, n_jobs=-1).fit(flat, labels)
    everything = KNeighborsClassifier(1).fit(flat, labels).predict(unseen)
    return images, fitted, fitted.score(unseen, truth), float(balanced_accuracy_score(truth, everything))


def _digits(*, seen: bool) -> tuple[Any, Any]:
    """Images and labels of three quarters of the digits, or of the rest."""
    import numpy as np
    from sklearn.datasets import load_digits

    digits = load_digits()
    rows = (np.arange(len(digits.target)) % 4 != 0) == seen
    return digits.images[rows], digits.target[rows]


def _compare_digits(images: Any, folder: Path, method: str, size: int, seed: int) -> Comparison:
    """The same picks from a folder of pictures, one subfolder a digit, and the pixels themselves as vectors."""
    import numpy as np
    from PIL import Image

    from visavis.comparing import compare
    from visavis.select.estimators import ComparativeSummarizer

    labels = _digits(seen=True)[1]
    order = np.argsort(labels, kind="stable")  # pictures are read folder by folder
    for row in order:
        place = folder / "digits" / str(labels[row])
        place.mkdir(parents=True, exist_ok=True)
        gray = np.kron(255 - images[row] * 255 / 16, np.ones((SCALE, SCALE))).astype(np.uint8)
        Image.fromarray(gray).save(place / f"{row:04}.png")
    np.save(folder / "pixels.npy", images[order].reshape(len(order), -1))
    found = compare(
        folder / "digits", by="folder", embedder=str(folder / "pixels.npy"), method=method, size=size, seed=seed,
        contrast=ComparativeSummarizer().contrast, title="Handwritten digits", command=repeat_command(sys.argv[1:]),
    )  # fmt: skip
    return replace(
        found, parameters={**found.parameters, "embedder": "pixels", "embedding": {}}
    )  # the folder will be gone


def _print_beginning(comparison: Comparison) -> None:
    """The first lines of the summary, down to the verdict, and the first pick of each group."""
    from rich.console import Console
    from rich.text import Text

    from visavis.report.terminal import print_summary
    from visavis.report.text import heading

    console = Console()
    with console.capture() as caught:
        print_summary(comparison, console)
    click.echo("\n".join(takewhile(str.strip, caught.get().split("\n"))))
    for group in comparison.groups:
        for pick in group.picks[:1]:
            console.print(Text.assemble((group.name, "bold"), ": ", heading(pick.document)))


def _default_report() -> Path:
    try:
        DEFAULT_REPORT.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise VisavisError(
            f"the folder {str(DEFAULT_REPORT.parent)!r} cannot be made here ({error.strerror}); name a report with -o"
        ) from error
    return DEFAULT_REPORT


def _write(comparison: Comparison, output: Path | None, as_json: bool) -> None:
    """Write the report, if there is to be one, and say where it is."""
    if output is not None:
        comparison.write(output)
        click.echo(f"Report: {output.absolute()}", err=as_json)


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
