"""`visavis demo`: the program at work on bundled data."""

from __future__ import annotations

import json
import sys
import tempfile
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from visavis.cli.compare import json_text, repeat_command
from visavis.cli.output import StageProgress, check_outputs, print_json
from visavis.errors import VisavisError

if TYPE_CHECKING:
    from visavis.comparing import Comparison
    from visavis.comparing.demos import DigitsDemo

DEFAULT_REPORT = Path("demo") / "report.html"
SHADES = " ░▒▓█"


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
    from visavis.comparing.demos import sample_articles
    from visavis.shared.files import replace_file

    replace_file(path, sample_articles)
    click.echo(f"Articles: {path.absolute()}")


def _demo_news(method: str, size: int, seed: int, output: Path | None, as_json: bool) -> None:
    from visavis.comparing.demos import compare_news

    with StageProgress() as progress:
        comparison = compare_news(method, size, seed, command=repeat_command(sys.argv[1:]), progress=progress)
    if as_json:
        print_json(json_text(comparison))
    else:
        _print_beginning(comparison)
        output = output or _default_report()
    _write(comparison, output, as_json)
    if not as_json:
        click.echo("Live: `visavis explore` opens a page that takes these articles with one click.", err=True)


def _demo_digits(method: str, size: int, seed: int, output: Path | None, as_json: bool) -> None:
    from visavis.comparing.demos import compare_digits, fit_digits

    shown = fit_digits(method, size, seed)
    if as_json:
        click.echo(json.dumps(_as_record(shown), indent=2))
    else:
        _print_digits(shown)
    if output is not None:
        command = repeat_command(sys.argv[1:])
        with tempfile.TemporaryDirectory() as folder:
            _write(compare_digits(shown, Path(folder), method, size, seed, command=command), output, as_json)


def _print_digits(shown: DigitsDemo) -> None:
    fitted, images = shown.fitted, shown.images
    for label in fitted.classes_:
        rows = fitted.prototype_indices_[fitted.prototype_groups_ == label]
        click.echo(f"\ndigit {label}: documents {', '.join(map(str, rows))}")
        click.echo(_draw(images[rows]))
    click.echo(
        f"\n{len(fitted.prototype_indices_)} of {len(images)} images picked by {fitted.method}. "
        f"Told from the picks alone, {shown.accuracy:.1%} of unseen images get the right digit; "
        f"told from all {len(images)}, {shown.ceiling:.1%}."
    )


def _print_beginning(comparison: Comparison) -> None:
    """The first lines of the summary, down to how groups differ, and the first pick of each group."""
    from rich.console import Console
    from rich.text import Text

    from visavis.report import facts
    from visavis.report.terminal import print_summary
    from visavis.report.text import heading

    console = Console()
    with console.capture() as caught:
        print_summary(comparison, console)
    click.echo("\n".join(takewhile(str.strip, caught.get().split("\n"))))
    for group in comparison.groups:
        for pick in group.picks[:1]:
            console.print(Text.assemble((facts.group_name(group), "bold"), ": ", heading(pick.document)))


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


def _as_record(shown: DigitsDemo) -> dict[str, Any]:
    fitted = shown.fitted
    groups = [
        {
            "name": str(label),
            "picks": fitted.prototype_indices_[fitted.prototype_groups_ == label].tolist(),
            "gains": fitted.gains_[fitted.prototype_groups_ == label].tolist(),
            "objective": {"value": fitted.objective_values_[label], "stages": fitted.stages_[label]},
        }
        for label in fitted.classes_.tolist()
    ]
    return {"method": fitted.method, "groups": groups, "accuracy": shown.accuracy, "ceiling": shown.ceiling}


def _draw(images: Any) -> str:
    """The images side by side, two characters a pixel."""
    lines = []
    for y in range(images.shape[1]):
        cells = [
            "".join(SHADES[min(int(v) * len(SHADES) // 17, len(SHADES) - 1)] * 2 for v in image[y]) for image in images
        ]
        lines.append("    ".join(cells).rstrip())
    return "\n".join(lines)
